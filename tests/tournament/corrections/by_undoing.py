"""The cost of a correction as it is found by making it: it is made, examined and undone, once for each repair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from django.db import transaction

from matches.models import RULED, SIDES
from matches.ratings import RatedMatch, in_order, rateable_sheets, rated_matches, ratings_after
from players.errors import Refusal
from players.models import Player
from players.ratings import RATINGS
from rules.score import MatchScore
from tournament.changes.record import event_deleted, lock_event
from tournament.corrections.changes import Correction
from tournament.corrections.preview import (
    NO_REASON_YET,
    Consequence,
    FallenMatch,
    PlacingChange,
    PrizeChange,
    RatingMove,
    SeatChange,
    versions_of,
)
from tournament.draw.chain import Chain, load_chain
from tournament.draw.lots import on_paper
from tournament.draw.reconcile import Repair
from tournament.models import Event
from tournament.models.draw import place_of
from tournament.models.team import matches_in
from tournament.money.accounts import Ledger
from tournament.money.ledger import view_ledger
from tournament.snapshot import CallSnapshot, FixtureSnapshot, view_chain


@dataclass(frozen=True, slots=True)
class _Reading:
    """The data read for the event.

    ``moment`` are its versions, ``rated`` its results that count for ratings, each under the sheet, the players and the
    terms that it follows from.
    """

    moment: tuple[int, int]
    chain: Chain
    rated: Mapping[str, RatedMatch]


@dataclass(frozen=True, slots=True)
class _Picture:
    """The event as it stands, with the places and prizes given by its results, regardless of those stored."""

    seats: Mapping[tuple[int, str, str], str]
    begun: Mapping[int, FallenMatch]
    placings: Mapping[tuple[int, str, str], tuple[int, int]]
    prizes: Mapping[str, PrizeChange]
    rated: Sequence[RatedMatch]
    not_drawn: frozenset[int]
    """The stages that have lots still to be drawn: their new pairings are not known."""


def preview_by_undoing(event: Event, change: Correction) -> tuple[Consequence, ...]:
    """Return the cost of ``change`` for each possible repair that differs from those before it.

    ``change`` is a service with everything given but the repair and the reason for it; it is done and undone. The first
    repair is the one to choose if nothing that was played is lost by it. Raises Refusal if no repair makes the change
    possible.
    """
    read = _read(event, {})
    before = _picture(read)
    found: list[Consequence] = []
    refusals: list[Refusal] = []
    for repair in Repair:
        if repair is Repair.REPLAY and found and not found[0].matches:
            continue  # no match would be void, so there is nothing to play again
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


def _try(event: Event, before: _Reading, change: Correction, repair: Repair) -> tuple[_Reading, _Reading]:
    """Return the event before and after the change, which is then undone.

    Each repair has a short transaction of its own: results that wait are entered between two of them, and then the
    event ``before`` is read again.
    """
    with transaction.atomic(), on_paper():
        locked = lock_event(event)
        if before.moment != versions_of(locked):
            before = _read(event, before.rated)
        change(repair, NO_REASON_YET)
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
            and (place in before.seats or place[0] not in after.not_drawn)
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
    """Return the accounts whose prizes change, in list order; those no longer on any list receive nothing."""
    changes = []
    for slug in dict.fromkeys([*after, *before]):
        old, new = before.get(slug), after.get(slug)
        line = new or old
        if line is not None and (old.after if old else 0) != (new.after if new else 0):
            changes.append(replace(line, before=old.after if old else 0, after=new.after if new else 0))
    return tuple(changes)


def _rating_moves(event: Event, before: Sequence[RatedMatch], after: Sequence[RatedMatch]) -> tuple[RatingMove, ...]:
    """Return the ratings that change with the event's rated results, the largest change first."""
    if before == after:
        return ()
    others = list(rated_matches(rateable_sheets().exclude(match__in=matches_in(event))))
    moves = []
    for system in RATINGS:
        old, new = (
            {line.player_id: line.value for line in ratings_after(system, sorted((*others, *rated), key=in_order))}
            for rated in (before, after)
        )
        moved = [player for player in old.keys() | new.keys() if old.get(player) != new.get(player)]
        names = Player.objects.in_bulk(moved)
        moves += [RatingMove(system, names[player].name, old.get(player), new.get(player)) for player in moved]
    return tuple(sorted(moves, key=lambda move: (move.system, -move.size, move.name)))


def _read(event: Event, known: Mapping[str, RatedMatch]) -> _Reading:
    """Read the event; ``known`` are rated results that need not be recomputed."""
    # Its versions first: a write while the rest is read makes this a reading of an earlier moment.
    found = Event.objects.select_related("tournament", "money").filter(pk=event.pk).first()
    if found is None:
        raise event_deleted()
    return _Reading(versions_of(found), load_chain(found, named=True), _rated(found, known))


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
    not_drawn = frozenset(stage for stage, _scope in read.chain.lots.closed)
    return _Picture(seats, begun, placings, _prizes(ledger), tuple(read.rated.values()), not_drawn)


def _begun(stage: int, fixture: FixtureSnapshot) -> dict[int, FallenMatch]:
    """Return the fixture's matches that have a sheet or are being played at a table."""
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
    """Return each account's current prize, in the field ``after``, unless its list has no money and never had any."""
    lists = [
        *((one.section, "", one) for one in ledger.prize_lists),
        *(("", one.name, one.prizes) for one in ledger.side_pools),
        ("", ledger.pot.title, ledger.pot),
    ]
    return {
        account.slug: PrizeChange(section, pool, account.name, None, account.prize, -account.paid, ledger.currency)
        for section, pool, prizes in lists
        if prizes.amount or any(account.paid for account in prizes.accounts)
        for account in prizes.accounts
    }
