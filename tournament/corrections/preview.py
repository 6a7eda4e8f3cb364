"""What falls if a result is corrected: really done, looked at and undone, once for each repair."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

from django.db import transaction

from matches.models import RULED, SIDES
from matches.ratings import RatedMatch, in_order, rateable_sheets, rated_matches, ratings_after
from players.errors import Refusal
from players.models import Player
from players.ratings import RATINGS
from rules.score import MatchScore
from tournament.changes.record import event_deleted, lock_event
from tournament.draw.chain import Chain, load_chain
from tournament.draw.reconcile import Repair
from tournament.models import Event
from tournament.models.draw import place_of
from tournament.models.team import matches_in
from tournament.money.accounts import Ledger
from tournament.money.ledger import view_ledger
from tournament.prizes import Currency
from tournament.snapshot import CallSnapshot, FixtureSnapshot, view_chain

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

    @property
    def size(self) -> Decimal:
        nothing = Decimal(0)
        return abs((self.after or nothing) - (self.before or nothing))


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
class _Reading:
    """What was read of the event: ``moment`` are its versions, ``rated`` its results that count for ratings, each under
    the sheet, the players and the terms that it follows from."""

    moment: tuple[int, int]
    chain: Chain
    rated: Mapping[str, RatedMatch]


@dataclass(frozen=True, slots=True)
class _Picture:
    """The event as it stands, with the places and prizes that its results give, whatever standings are stored."""

    seats: Mapping[tuple[int, str, str], str]
    begun: Mapping[int, FallenMatch]
    placings: Mapping[tuple[int, str, str], tuple[int, int]]
    prizes: Mapping[str, PrizeChange]
    rated: Sequence[RatedMatch]


def preview_correction(event: Event, change: Callable[[Repair, str], object]) -> tuple[Consequence, ...]:
    """What ``change`` would cost with each repair that can be made and differs from those before it.

    ``change`` is a service with everything given but the repair and the reason for it; it is done and undone. The first
    is the one to choose where nothing that was played is lost. Raises Refusal if no repair makes it possible.
    """
    read = _read(event, {})
    before = _picture(read)
    found: list[Consequence] = []
    refusals: list[Refusal] = []
    for repair in Repair:
        if repair is Repair.REPLAY and found and not found[0].matches:
            continue  # no match had to be taken from anybody: there is nothing to play again
        try:
            newest, changed = _try(event, read, change, repair)
        except Refusal as refusal:
            refusals.append(refusal)
            continue
        if newest is not read:
            read, before = newest, _picture(newest)
        consequence = _compare(event, repair, before, _picture(changed))
        if all(consequence.cost != other.cost for other in found):
            found.append(consequence)
    if not found:
        raise refusals[0]
    return tuple(found)


def _try(
    event: Event, before: _Reading, change: Callable[[Repair, str], object], repair: Repair
) -> tuple[_Reading, _Reading]:
    """The event before and after the change, which is undone again.

    Each repair has a transaction of its own, in which nothing is computed that need not be: whoever waits to enter a
    result does so between two of them, and then the event ``before`` is read again.
    """
    with transaction.atomic():
        locked = lock_event(event)
        if before.moment != _moment(locked):
            before = _read(event, before.rated)
        change(repair, UNSAID)
        after = _read(event, before.rated)
        transaction.set_rollback(True)
    return before, after


def _compare(event: Event, repair: Repair, before: _Picture, after: _Picture) -> Consequence:
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
        ratings=_rating_moves(event, before.rated, after.rated),
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


def _rating_moves(event: Event, before: Sequence[RatedMatch], after: Sequence[RatedMatch]) -> tuple[RatingMove, ...]:
    """Those whose rating changes with the rated results of the event, the largest change first."""
    if before == after:
        return ()
    others = list(rated_matches(rateable_sheets().exclude(match__in=matches_in(event))))
    moves = []
    for system in RATINGS:
        was, becomes = (
            {line.player_id: line.value for line in ratings_after(system, sorted((*others, *rated), key=in_order))}
            for rated in (before, after)
        )
        moved = [player for player in was.keys() | becomes.keys() if was.get(player) != becomes.get(player)]
        names = Player.objects.in_bulk(moved)
        moves += [RatingMove(system, names[who].name, was.get(who), becomes.get(who)) for who in moved]
    return tuple(sorted(moves, key=lambda move: (move.system, -move.size, move.name)))


def _moment(event: Event) -> tuple[int, int]:
    return event.version, event.tournament.hall_version


def _read(event: Event, known: Mapping[str, RatedMatch]) -> _Reading:
    """``known`` are rated results that need not be worked out again."""
    # Its versions first: what is written while the rest is read makes it a reading of a moment that is over.
    found = Event.objects.select_related("tournament", "money").filter(pk=event.pk).first()
    if found is None:
        raise event_deleted()
    return _Reading(_moment(found), load_chain(found, named=True), _rated(found, known))


def _rated(event: Event, known: Mapping[str, RatedMatch]) -> dict[str, RatedMatch]:
    sheets = rateable_sheets().filter(match__in=matches_in(event))
    rows = sheets.values_list("pk", "match", *(f"match__{name}" for name in (*SIDES, *RULED)))
    keys = {repr(row): row for row in rows}
    new = [pk for key, (pk, *_terms) in keys.items() if key not in known]
    made = {match.match_id: match for match in rated_matches(sheets.filter(pk__in=new))}
    rated = {key: known.get(key) or made.get(match) for key, (_pk, match, *_terms) in keys.items()}
    return {key: match for key, match in rated.items() if match is not None}


def _picture(read: _Reading) -> _Picture:
    snapshot = view_chain(read.chain)
    ledger = view_ledger(snapshot)
    seats: dict[tuple[int, str, str], str] = {}
    begun: dict[int, FallenMatch] = {}
    placings: dict[tuple[int, str, str], tuple[int, int]] = {}
    for stage in snapshot.stages:
        for fixture in stage.fixtures:
            seats[stage.number, fixture.key, "A"] = fixture.a.label
            seats[stage.number, fixture.key, "B"] = fixture.b.label
            begun.update(_begun(stage.number, fixture))
        for section, lines in {"": stage.standings, **stage.sections}.items():
            for line in lines:
                placings[stage.number, section, line.entry.name] = (line.place, line.place_to)
    return _Picture(seats, begun, placings, _prizes(ledger), tuple(read.rated.values()))


def _begun(stage: int, fixture: FixtureSnapshot) -> dict[int, FallenMatch]:
    """The matches of the fixture that have a sheet, or are being played at a table."""
    if fixture.match_id is None:
        boards = [board for board in fixture.boards if board.has_sheet or _is_played(board.call)]
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


def _is_played(call: CallSnapshot | None) -> bool:
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
