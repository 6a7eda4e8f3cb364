"""What falls if a result is corrected: really done, looked at and undone, once for each repair."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal

from django.db import transaction

from matches.ratings import replay_ratings
from players.errors import Refusal
from players.models import Player
from players.ratings import RATINGS
from rules.score import MatchScore
from tournament.accounts import Ledger
from tournament.ledger import take_ledger
from tournament.models import Event, Standing
from tournament.models.draw import place_of
from tournament.money import Currency
from tournament.reconcile import Repair
from tournament.services.change import lock_event
from tournament.services.standings import store_standings
from tournament.snapshot import CallView, FixtureView

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
class PrizeChange:
    """What somebody gets from a prize list before and after, in the smallest unit; None while that is played for.

    ``section`` is the ranking that the prize is for, empty for the whole field; one of a side pool or the calcutta has
    the name of that ``pool`` instead. ``paid`` has been paid out already.
    """

    section: str
    pool: str
    name: str
    before: int | None
    after: int | None
    paid: int
    currency: Currency

    @property
    def to_give_back(self) -> int:
        """What was paid out above what is due afterwards."""
        return 0 if self.after is None else max(0, self.paid - self.after)


@dataclass(frozen=True, slots=True)
class Consequence:
    """What a repair costs. With ``refusal`` it cannot be made, and the rest is empty."""

    repair: Repair
    matches: tuple[FallenMatch, ...] = ()
    seats: tuple[SeatChange, ...] = ()
    placings: tuple[PlacingChange, ...] = ()
    prizes: tuple[PrizeChange, ...] = ()
    ratings: tuple[RatingMove, ...] = ()
    refusal: Refusal | None = field(default=None, compare=False)

    @property
    def cost(self) -> tuple[object, ...]:
        """All that it changes, to compare it with another repair."""
        return self.matches, self.seats, self.placings, self.prizes, self.ratings


@dataclass(frozen=True, slots=True)
class _Picture:
    seats: Mapping[tuple[int, str, str], str]
    begun: Mapping[int, FallenMatch]
    placings: Mapping[tuple[int, str, str], tuple[int, int]]
    prizes: Mapping[str, PrizeChange]
    ratings: Mapping[tuple[str, int], Decimal]


@transaction.atomic
def preview_correction(event: Event, change: Callable[[Repair, str], object]) -> tuple[Consequence, ...]:
    """What ``change`` would cost with each repair that can be made and differs from those before it.

    ``change`` is a service with everything given but the repair and the reason for it; it is done and undone. The first
    is the one to choose where nothing that was played is lost. Raises Refusal if no repair makes it possible.
    """
    event = lock_event(event)
    with transaction.atomic():
        before = _picture(event)
        transaction.set_rollback(True)
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
        prizes=_prize_changes(before.prizes, after.prizes),
        ratings=_rating_moves(before.ratings, after.ratings),
    )


def _prize_changes(before: Mapping[str, PrizeChange], after: Mapping[str, PrizeChange]) -> tuple[PrizeChange, ...]:
    """Those who get more or less, in the order of the lists; who is on no list any more gets nothing."""
    changes = []
    for slug in dict.fromkeys([*after, *before]):
        was, is_now = before.get(slug), after.get(slug)
        line = is_now or was
        if line is not None and (was.after if was else 0) != (is_now.after if is_now else 0):
            changes.append(replace(line, before=was.after if was else 0, after=is_now.after if is_now else 0))
    return tuple(changes)


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
    """The event as it stands now, with the prizes and ratings that its results give; its standings are stored anew."""
    store_standings(event.pk)
    ledger = take_ledger(event.pk)
    seats: dict[tuple[int, str, str], str] = {}
    begun: dict[int, FallenMatch] = {}
    for stage in ledger.event.stages:
        for fixture in stage.fixtures:
            seats[stage.number, fixture.key, "A"] = fixture.a.label
            seats[stage.number, fixture.key, "B"] = fixture.b.label
            begun.update(_begun(stage.number, fixture))
    names = {entry.id: entry.name for entry in ledger.event.entries}
    rows = Standing.objects.filter(stage__event=event, stage__drawn_at__isnull=False).select_related("stage")
    placings = {
        (row.stage.number, row.section, names[row.entry_id]): (row.place, row.place_to)
        for row in rows.order_by("stage__number", "section", "order")
    }
    ratings = {(system, line.player_id): line.value for system in RATINGS for line in replay_ratings(system)[0]}
    return _Picture(seats, begun, placings, _prizes(ledger), ratings)


def _begun(stage: int, fixture: FixtureView) -> dict[int, FallenMatch]:
    """The matches of the fixture that have a sheet, or are being played at a table."""
    if fixture.match_id is None:
        boards = [board for board in fixture.boards if board.sheet is not None or _is_played(board.call)]
        return {
            board.match_id: FallenMatch(
                stage, place_of(fixture.key, board.number), f"{board.a.label} – {board.b.label}", _score(board.score)
            )
            for board in boards
        }
    if not fixture.has_sheet and not _is_played(fixture.call):
        return {}
    pair = f"{fixture.a.label} – {fixture.b.label}"
    return {fixture.match_id: FallenMatch(stage, fixture.key, pair, _score(fixture.score))}


def _is_played(call: CallView | None) -> bool:
    return call is not None and call.started_at is not None


def _score(score: MatchScore | None) -> str:
    return f"{score.a}–{score.b}" if score is not None else "0–0"


def _prizes(ledger: Ledger) -> dict[str, PrizeChange]:
    """What each account gets now, as ``after``."""
    lists = [
        *((one.section, "", one) for one in ledger.prize_lists),
        *(("", one.name, one.prizes) for one in ledger.side_pools),
        ("", ledger.pot.title, ledger.pot),
    ]
    return {
        account.slug: PrizeChange(section, pool, account.name, None, account.prize, -account.paid, ledger.currency)
        for section, pool, prizes in lists
        for account in prizes.accounts
    }
