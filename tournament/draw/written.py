"""A drawn stage as a draw file has it: entrants by number, results, and the pairings as they are stored."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from tournament.draw.chain import Chain, StagePlan
from tournament.draw.closings import ClosingView
from tournament.draw.moves import moves_of
from tournament.formats import FORMATS
from tournament.formats.moves import Move
from tournament.formats.plan import Entrant, Outcome
from tournament.models import Fixture, OpenUrn, PublicSource, Stage
from tournament.proof.drand import CHAIN
from tournament.proof.values import (
    FileDraw,
    FileEarlier,
    FileEntrant,
    FilePairing,
    FilePublicValue,
    FileResult,
    FileStep,
    FileUrn,
)


def public_value(closing: ClosingView) -> FilePublicValue:
    """Return the closing with its public value."""
    return FilePublicValue(
        number=closing.number,
        stage=closing.stage,
        source=closing.source,
        digest=closing.digest,
        closed_at=time_text(closing.closed_at),
        value=closing.value,
        known_at=time_text(closing.known_at) or None,
        voided_at=time_text(closing.voided_at) or None,
        void_reason=closing.void_reason,
        dice=closing.value if closing.source == PublicSource.DICE else "",
        first=closing.first,
        second=closing.second,
        by_link=closing.by_link,
        words=tuple(sorted((word.number, word.word) for word in closing.words)),
        drand_chain=CHAIN if closing.drand_round else "",
        drand_round=closing.drand_round,
        signature=closing.signature,
    )


def urn_of(urn: OpenUrn) -> FileUrn:
    """Return the urn. Reads its chain, its stage and its document as loaded."""
    return FileUrn(
        chain=urn.chain.number,
        number=urn.number,
        link=urn.link,
        stage=urn.stage.number if urn.stage else json.loads(urn.document)["stage"],
        scope=urn.scope,
        public_value=urn.public_value,
        digest=urn.digest,
        document=urn.document,
        opened_at=time_text(urn.opened_at),
        cancelled_at=time_text(urn.cancelled_at) or None,
    )


@dataclass(slots=True)
class Names:
    """How the file names entries and persons: an entry by its number, a person by a number of this file alone."""

    numbers: Mapping[int, int]
    persons: dict[int, int] = field(default_factory=dict)

    def person(self, id: int) -> int:
        return self.persons.setdefault(id, len(self.persons) + 1)

    def entry(self, id: int | None) -> int | None:
        return None if id is None else self.numbers[id]


def time_text(at: datetime | None) -> str:
    """Return the moment in ISO 8601, in UTC; empty for none."""
    return "" if at is None else at.astimezone(UTC).isoformat().replace("+00:00", "Z")


def draw_with(chain: Chain, stage: Stage, steps: Sequence[FileStep]) -> FileDraw:
    """Return the standing draw of the stage with these steps."""
    return FileDraw(
        stage=stage.number,
        format=stage.format,
        edition=stage.edition_of_rules,
        options=stage.options,
        seed=stage.seed,
        drawn_at=time_text(stage.drawn_at),
        cancelled_at=None,
        links=tuple((urn.chain.number, urn.number) for urn in chain.lots.standing(stage)),
        steps=tuple(steps),
        moves=tuple(_move(move, chain) for move in moves_of(stage)),
    )


def _move(move: Move, chain: Chain) -> Move:
    """Return the change by hand with entries named by their numbers."""
    return replace(move, a=chain.entries[move.a].number, b=None if move.b is None else chain.entries[move.b].number)


def draw_before_play(chain: Chain, stage: Stage) -> FileDraw:
    """Return the draw of a stage in which nothing has been played, in its one step."""
    names = Names({entry.pk: entry.number for entry in chain.entries.values()})
    step = whole_step(chain, stage, names, round=int(FORMATS[stage.format].pairs_by_round))
    return draw_with(chain, stage, [step])


def whole_step(chain: Chain, stage: Stage, names: Names, *, round: int = 0) -> FileStep:
    """Return the one step of a stage that is planned at once: all its pairings, with all results."""
    planned = chain.at(stage)
    results = [result(key, outcome, names) for key, outcome in planned.draw.outcomes.items()]
    return step(stage.drawn_at, round, planned, entrants(planned, names), results, chain.fixtures[stage.pk], names)


def step(
    at: datetime | None,
    round: int,
    planned: StagePlan,
    entrants: tuple[FileEntrant, ...] | None,
    results: Sequence[FileResult],
    fixtures: Sequence[Fixture],
    names: Names,
) -> FileStep:
    """Return a step with these pairings, and with what counts from earlier stages."""
    draw = planned.draw
    return FileStep(
        at=time_text(at),
        round=round,
        entrants=entrants,
        results=tuple(results),
        earlier=tuple(_earlier(outcome, names) for outcome in draw.earlier),
        earlier_byes=tuple((names.numbers[entrant], count) for entrant, count in draw.earlier_byes.items() if count),
        pairings=tuple(_pairing(fixture, names) for fixture in fixtures),
        challenges=tuple(
            (one.number, names.numbers[one.challenger], names.numbers[one.challenged]) for one in draw.challenges
        ),
    )


def entrants(planned: StagePlan, names: Names) -> tuple[FileEntrant, ...]:
    """Return the entrants of the stage in the order of entry."""
    return tuple(_entrant(entrant, names) for entrant in sorted(planned.entrants, key=lambda entrant: entrant.id))


def _entrant(entrant: Entrant, names: Names) -> FileEntrant:
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


def result(key: str, outcome: Outcome, names: Names) -> FileResult:
    """Return what is known of the pairing ``key``."""
    return FileResult(
        key=key,
        winner=names.entry(outcome.winner),
        loser=names.entry(outcome.loser),
        is_void=outcome.is_void,
        is_drawn=outcome.is_drawn,
        winner_rated=outcome.winner in outcome.lower_rates,
        loser_rated=outcome.loser in outcome.lower_rates,
    )


def _earlier(outcome: Outcome, names: Names) -> FileEarlier:
    return FileEarlier(
        winner=names.numbers[outcome.winner],
        loser=names.numbers[outcome.loser],
        is_drawn=outcome.is_drawn,
        winner_rated=outcome.winner in outcome.lower_rates,
        loser_rated=outcome.loser in outcome.lower_rates,
    )


def _pairing(fixture: Fixture, names: Names) -> FilePairing:
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
