"""What the fixtures of a stage say to its plan: results, who advances by them, and which pairings stand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tournament.draw.outcomes import has_begun, outcomes_of, results_of
from tournament.formats.plan import Outcome, Published
from tournament.models import Fixture
from tournament.ranking.tiebreaks import Result


@dataclass(frozen=True, slots=True)
class Said:
    """What fixtures say, as :class:`tournament.draw.chain.StagePlan` has it."""

    results: tuple[Result, ...]
    outcomes: Mapping[str, Outcome]
    published: tuple[Published, ...]


def said_by(fixtures: Sequence[Fixture], *, rate_point: bool, all_of_them: bool) -> Said:
    """Return what these fixtures say, with all pairings published or those of the rounds in which play has begun.

    Reads fixtures as :func:`tournament.draw.outcomes.load_fixtures` loads them.
    """
    results = tuple(results_of(fixtures, rate_point=rate_point))
    return Said(results, outcomes_of(fixtures, results), published_of(fixtures, all_of_them=all_of_them))


def published_of(fixtures: Sequence[Fixture], *, all_of_them: bool = False) -> tuple[Published, ...]:
    """Return the pairings of every round in which play has begun, or of all rounds, in order of publication.

    Reads fixtures as :func:`tournament.draw.outcomes.load_fixtures` loads them.
    """
    rounds = {(fixture.bracket, fixture.round) for fixture in fixtures if has_begun(fixture)}
    found = ((fixture, pairing_published(fixture)) for fixture in fixtures)
    return tuple(
        pairing
        for fixture, pairing in found
        if pairing is not None and (all_of_them or (fixture.bracket, fixture.round) in rounds)
    )


def pairing_published(fixture: Fixture) -> Published | None:
    """Return the pairing as it stands once its round is published; None while somebody is still to come to it."""
    a, b = fixture.entry_a_id, fixture.entry_b_id
    return Published(fixture.key, a, b) if a is not None and (b is not None or fixture.feed_b == "bye") else None
