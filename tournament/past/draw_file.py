"""The draws of an event as a file that a stranger can check: what was drawn, and what was known at each step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from tournament.draw.chain import Chain, StagePlan, load_chain
from tournament.formats import FORMATS
from tournament.formats.plan import Entrant, Outcome
from tournament.models import Event, Fixture, LogEntry, Stage
from tournament.past.event import Moment, chain_at
from tournament.proof.values import (
    DrawFile,
    FileDraw,
    FileEntrant,
    FilePairing,
    FileResult,
    FileStep,
)


def draw_file_of(event: Event) -> DrawFile:
    """Return all draws of the event, in a number of queries that grows with its rounds alone.

    Reads ``event.tournament`` as loaded; the event may have been deleted.
    """
    chain = load_chain(event)
    names = _Names({entry.pk: entry.number for entry in chain.entries.values()})
    drawn = [stage for stage in chain.stages if stage.drawn_at is not None and not chain.waits(stage)]
    draws = [_draw(chain, stage, names) for stage in drawn]
    return DrawFile(
        tournament=event.tournament.slug,
        event=event.slug,
        name=event.name,
        chains=(),
        public=(),
        urns=(),
        draws=(*cancelled_draws(event), *draws),
    )


def cancelled_draws(event: Event) -> list[FileDraw]:
    """Return the draws of the event that were taken back, as the log kept them."""
    rows = LogEntry.objects.filter(event=event, verb="cancel_draw").order_by("id")
    return [_cancelled(row.detail["drawn"], row.at) for row in rows if "drawn" in row.detail]


def _cancelled(kept: Mapping[str, Any], at: datetime) -> FileDraw:
    return FileDraw(**{**kept, "cancelled_at": _time(at)})


@dataclass(slots=True)
class _Names:
    """How the file names entries and persons: an entry by its number, a person by a number of this file alone."""

    numbers: Mapping[int, int]
    persons: dict[int, int] = field(default_factory=dict)

    def person(self, id: int) -> int:
        return self.persons.setdefault(id, len(self.persons) + 1)

    def entry(self, id: int | None) -> int | None:
        return None if id is None else self.numbers[id]


def _time(at: datetime | None) -> str:
    return "" if at is None else at.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _draw(chain: Chain, stage: Stage, names: _Names) -> FileDraw:
    by_round = FORMATS[stage.format].pairs_by_round
    return FileDraw(
        stage=stage.number,
        format=stage.format,
        options=stage.options,
        seed=stage.seed,
        drawn_at=_time(stage.drawn_at),
        cancelled_at=None,
        steps=tuple(_rounds(chain, stage, names) if by_round else [_whole(chain, stage, names)]),
    )


def _whole(chain: Chain, stage: Stage, names: _Names) -> FileStep:
    """Return the one step of a format that plans everything at once: all pairings, with all results."""
    planned = chain.at(stage)
    return _step(
        stage.drawn_at,
        0,
        _entrants(planned, names),
        [_result(key, outcome, names) for key, outcome in planned.draw.outcomes.items()],
        _earlier(planned, names),
        [_pairing(fixture, names) for fixture in chain.fixtures[stage.pk]],
    )


def _rounds(chain: Chain, stage: Stage, names: _Names) -> Iterable[FileStep]:
    """Yield a step for each round or batch, with what was known when its last pairing was made."""
    rounds: dict[int, list[Fixture]] = {}
    for fixture in chain.fixtures[stage.pk]:
        rounds.setdefault(fixture.round, []).append(fixture)
    moment, standing = stage.drawn_at, set[str]()
    before: tuple[FileEntrant, ...] | None = None
    known: dict[str, Outcome] = {}
    for round, fixtures in sorted(rounds.items()):
        made = [match.created_at for fixture in fixtures for match in fixture.matches.values()]
        moment = max(made, default=moment)
        if moment is None:
            continue
        then = chain_at(chain.event.pk, Moment(moment)).at(stage)
        outcomes = {key: outcome for key, outcome in then.draw.outcomes.items() if key in standing}
        entrants = _entrants(then, names)
        yield _step(
            moment,
            round,
            None if entrants == before else entrants,
            _news(known, outcomes, names),
            _earlier(then, names),
            [_pairing(fixture, names) for fixture in fixtures],
        )
        before, known = entrants, outcomes
        standing |= {fixture.key for fixture in fixtures}


def _news(known: Mapping[str, Outcome], outcomes: Mapping[str, Outcome], names: _Names) -> list[FileResult]:
    """Return the results that are new or other than before, and those that were taken back."""
    gone = [FileResult(key, None, None) for key in known if key not in outcomes]
    return gone + [_result(key, outcome, names) for key, outcome in outcomes.items() if known.get(key) != outcome]


def _step(
    at: datetime | None,
    round: int,
    entrants: tuple[FileEntrant, ...] | None,
    results: Sequence[FileResult],
    earlier: tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]],
    pairings: Sequence[FilePairing],
) -> FileStep:
    return FileStep(_time(at), round, entrants, tuple(results), *earlier, tuple(pairings))


def _earlier(planned: StagePlan, names: _Names) -> tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]:
    draw = planned.draw
    met = tuple((names.numbers[one.winner], names.numbers[one.loser]) for one in draw.earlier)
    return met, tuple((names.numbers[entrant], count) for entrant, count in draw.earlier_byes.items() if count)


def _entrants(planned: StagePlan, names: _Names) -> tuple[FileEntrant, ...]:
    return tuple(_entrant(entrant, names) for entrant in sorted(planned.entrants, key=lambda entrant: entrant.id))


def _entrant(entrant: Entrant, names: _Names) -> FileEntrant:
    return FileEntrant(
        number=names.numbers[entrant.id],
        name=entrant.name,
        seed=entrant.seed,
        club=entrant.club,
        country=entrant.country,
        family=entrant.family,
        persons=tuple(sorted(names.person(person) for person in sorted(entrant.persons))),
        rating=entrant.rating,
        lives=entrant.lives,
        presence=entrant.presence,
        members=entrant.members,
        bye_taken=entrant.bye_taken,
    )


def _result(key: str, outcome: Outcome, names: _Names) -> FileResult:
    return FileResult(key, names.entry(outcome.winner), names.entry(outcome.loser), outcome.is_void)


def _pairing(fixture: Fixture, names: _Names) -> FilePairing:
    return FilePairing(
        key=fixture.key,
        bracket=fixture.bracket,
        round=fixture.round,
        number=fixture.number,
        length=fixture.length,
        a=names.entry(fixture.entry_a_id),
        b=names.entry(fixture.entry_b_id),
        feed_a=fixture.feed_a,
        feed_b=fixture.feed_b,
    )
