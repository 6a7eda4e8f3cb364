"""What falls if a result is corrected: really done, looked at and undone, once for each repair."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from django.db import transaction

from matches.ratings import replay_ratings
from players.errors import Refusal
from players.models import Player
from players.ratings import RATINGS
from tournament.chain import load_chain
from tournament.models import Event
from tournament.reconcile import Repair
from tournament.services.change import lock_event
from tournament.services.standings import standing_rows
from tournament.snapshot import take_snapshot

UNSAID = "…"
"""Stands for the reason while nothing is stored."""


@dataclass(frozen=True, slots=True)
class FallenMatch:
    """A match that was begun and is void afterwards: it is played again, if at all, by others."""

    stage: int
    key: str
    names: str
    score: str


@dataclass(frozen=True, slots=True)
class SeatChange:
    """Who sits at a side of a fixture, before and after; a feed in words while nobody is known, empty for no seat."""

    stage: int
    key: str
    side: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class PlacingChange:
    """The best and the worst place open to an entry, before and after."""

    stage: int
    section: str
    name: str
    before: tuple[int, int] | None
    after: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class RatingMove:
    """A player's rating before and after; None is not on the list."""

    system: str
    name: str
    before: Decimal | None
    after: Decimal | None


@dataclass(frozen=True, slots=True)
class Consequence:
    """What a repair costs. With ``refusal`` it cannot be made, and the rest is empty."""

    repair: Repair
    matches: tuple[FallenMatch, ...] = ()
    seats: tuple[SeatChange, ...] = ()
    placings: tuple[PlacingChange, ...] = ()
    ratings: tuple[RatingMove, ...] = ()
    refusal: Refusal | None = field(default=None, compare=False)

    @property
    def cost(self) -> tuple[object, ...]:
        """All that it changes, to compare it with another repair."""
        return self.matches, self.seats, self.placings, self.ratings


@dataclass(frozen=True, slots=True)
class _Picture:
    seats: Mapping[tuple[int, str, str], str]
    begun: Mapping[int, FallenMatch]
    placings: Mapping[tuple[int, str, str], tuple[int, int]]
    ratings: Mapping[tuple[str, int], Decimal]


@transaction.atomic
def preview_correction(event: Event, change: Callable[[Repair, str], object]) -> tuple[Consequence, ...]:
    """What ``change`` would cost with each repair that can be made and differs from those before it.

    ``change`` is a service with everything given but the repair and the reason for it; it is done and undone. The first
    is the one to choose where nothing that was played is lost. Raises Refusal if no repair makes it possible.
    """
    event = lock_event(event)
    before = _picture(event)
    found: list[Consequence] = []
    refusals: list[Refusal] = []
    for repair in Repair:
        try:
            consequence = _try(event, before, change, repair)
        except Refusal as refusal:
            refusals.append(refusal)
            continue
        if all(consequence.cost != other.cost for other in found):
            found.append(consequence)
    if not found:
        raise refusals[0]
    return tuple(found)


def _try(event: Event, before: _Picture, change: Callable[[Repair, str], object], repair: Repair) -> Consequence:
    with transaction.atomic():
        change(repair, UNSAID)
        after = _picture(event)
        transaction.set_rollback(True)
    return Consequence(
        repair=repair,
        matches=tuple(match for pk, match in before.begun.items() if pk not in after.begun),
        seats=tuple(
            SeatChange(*place, before.seats.get(place, ""), after.seats.get(place, ""))
            for place in sorted(before.seats.keys() | after.seats.keys())
            if before.seats.get(place) != after.seats.get(place)
        ),
        placings=tuple(
            PlacingChange(*line, before.placings.get(line), after.placings.get(line))
            for line in sorted(before.placings.keys() | after.placings.keys())
            if before.placings.get(line) != after.placings.get(line)
        ),
        ratings=_rating_moves(before.ratings, after.ratings),
    )


def _rating_moves(
    before: Mapping[tuple[str, int], Decimal], after: Mapping[tuple[str, int], Decimal]
) -> tuple[RatingMove, ...]:
    """Those whose rating changes, the largest change first."""
    moved = [line for line in before.keys() | after.keys() if before.get(line) != after.get(line)]
    names = Player.objects.in_bulk({player for _system, player in moved})
    moves = [
        RatingMove(system, names[player].name, before.get((system, player)), after.get((system, player)))
        for system, player in moved
    ]
    nothing = Decimal(0)
    return tuple(
        sorted(
            moves, key=lambda move: (move.system, -abs((move.after or nothing) - (move.before or nothing)), move.name)
        )
    )


def _picture(event: Event) -> _Picture:
    """The event as it stands now, with the standings and ratings that its results give."""
    snapshot = take_snapshot(event.pk)
    names = {entry.id: entry.name for entry in snapshot.entries}
    seats: dict[tuple[int, str, str], str] = {}
    begun: dict[int, FallenMatch] = {}
    for stage in snapshot.stages:
        for fixture in stage.fixtures:
            seats[stage.number, fixture.key, "A"] = fixture.a.label
            seats[stage.number, fixture.key, "B"] = fixture.b.label
            if fixture.match_id is not None and fixture.has_sheet and fixture.score is not None:
                pair = f"{fixture.a.label} – {fixture.b.label}"
                score = f"{fixture.score.a}–{fixture.score.b}"
                begun[fixture.match_id] = FallenMatch(stage.number, fixture.key, pair, score)
    chain = load_chain(event)
    placings = {
        (stage.number, row.section, names[row.entry_id]): (row.place, row.place_to)
        for stage in chain.stages
        if stage.drawn_at is not None
        for row in standing_rows(chain, stage)
    }
    ratings = {(system, line.player_id): line.value for system in RATINGS for line in replay_ratings(system)[0]}
    return _Picture(seats, begun, placings, ratings)
