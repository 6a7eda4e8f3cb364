"""Calls: matches called to tables, started, moved and recalled. No player is ever in two matches at once.

A hall without numbered tables calls matches by their players' names.
"""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from matches.models import SIDES, Match, SheetState
from matches.services import current_sheet
from players.errors import Conflict, Forbidden
from players.models import User
from tournament.changes.record import lock_hall, record_change, record_hall_change, require_running
from tournament.draw.advance import advance
from tournament.draw.calls import calls_in, close_calls, persons_of
from tournament.draw.steps import lock_fixture, place_details
from tournament.hall.desk import take_desk
from tournament.models import Call, CallEnding, Event, Fixture, Seat, Table, Tournament
from tournament.models.team import PLACES, fixture_of


@transaction.atomic
def call_match(match: Match, *, table: int | None = None, by: User | None, at: datetime) -> Call:
    """Call the match to the table with that number, or to the one that suits its event best; without tables, by name.

    Raises Conflict if it is already called, if one of its players sits at another table, if the table is taken, out of
    order or unknown, and if none is free. Of two who call it at once the second is told of the first.
    """
    event, fixture, at = lock_fixture(match, at)
    require_running(event)
    hall = lock_hall(event.tournament_id)
    _refuse_called(match)
    sheet = current_sheet(match)
    if sheet is not None and sheet.state != SheetState.LIVE:
        raise Conflict("match_has_a_result", _("%(match)s already has a result.") % {"match": named(fixture, match)})
    _refuse_seated(hall, match)
    chosen = _free_table(hall, event, table)
    call = _open_call(hall, match, chosen, called_at=at, started_at=None, by=by)
    place = place_details(fixture, match)
    record_hall_change(hall, verb="call_match", by=by, at=at, event=event, **place, table=call.table_number)
    return call


@transaction.atomic
def start_match(match: Match, *, by: User | None, at: datetime) -> Call:
    """Start the match: its players have begun at their table. Raises Conflict if it has not been called.

    A match that was started before stays as it is.
    """
    event, fixture, at = lock_fixture(match, at)
    hall = lock_hall(event.tournament_id)
    call = _require_call(match, fixture)
    if call.started_at is None:
        call.started_at = at
        call.save(update_fields=["started_at"])
        place = place_details(fixture, match)
        record_hall_change(hall, verb="start_match", by=by, at=at, event=event, **place, table=call.table_number)
    return call


@transaction.atomic
def move_match(match: Match, *, table: int, by: User | None, at: datetime) -> Call:
    """Move the match to another table, or to its first. Raises Conflict if it is not called or the table not free."""
    event, fixture, at = lock_fixture(match, at)
    hall = lock_hall(event.tournament_id)
    call = _require_call(match, fixture)
    if call.table_number == table:
        return call
    chosen = _table_numbered(hall, table)
    close_calls([match], ending=CallEnding.MOVED, at=at)
    moved = _open_call(hall, match, chosen, called_at=call.called_at, started_at=call.started_at, by=by)
    tables = {"table_before": call.table_number, "table": chosen.number}
    record_hall_change(hall, verb="move_match", by=by, at=at, event=event, **place_details(fixture, match), **tables)
    return moved


@transaction.atomic
def recall_match(match: Match, *, by: User | None, at: datetime) -> Call:
    """Recall the match: it waits for another call, and unless it has a score sheet it has not begun.

    The draw then follows from the results alone: a pairing that stood only because it was being played may be drawn
    again. Raises Conflict while the match is not called.
    """
    event, fixture, at = lock_fixture(match, at)
    hall = lock_hall(event.tournament_id)
    call = _require_call(match, fixture)
    close_calls([match], ending=CallEnding.RECALLED, at=at)
    detail = {**place_details(fixture, match), "table": call.table_number}
    if call.started_at is None:
        record_hall_change(hall, verb="recall_match", by=by, at=at, event=event, **detail)
    else:
        advance(event, fixture.stage, by=by, at=at)
        record_change(event, verb="recall_match", by=by, at=at, **detail)
    call.refresh_from_db()
    return call


def call_ready(tournament: Tournament, *, event: Event | None = None, by: User | None, at: datetime) -> list[Call]:
    """Call as many ready matches as there are tables for, in the order of the desk; without tables, all of them.

    With ``event``, only its matches. A match that is expected to run into a break is not called. Each is called in a
    transaction of its own; one that has been called in the meantime, or whose event has no free table, is left out. If
    ``by`` loses their role on the way, the calls made by then stand; raises Forbidden if there are none.
    """
    desk = take_desk(tournament, at=at)
    desk = desk.of_event(event.pk) if event is not None else desk
    waiting = [found.id for found in desk.ready if not found.pause]
    matches = Match.objects.in_bulk(waiting)
    calls: list[Call] = []
    for pk in waiting:
        if desk.tables and len(calls) == desk.places:
            break
        try:
            calls.append(call_match(matches[pk], by=by, at=at))
        except Forbidden:
            if not calls:
                raise
            break
        except (Conflict, KeyError):
            continue
    return calls


def named(fixture: Fixture, match: Match) -> str:
    """Name the match by its players, in one line."""
    return " – ".join(place_details(fixture, match)["players"])


def _require_call(match: Match, fixture: Fixture) -> Call:
    call = Call.objects.select_related("table").filter(match=match, left_at__isnull=True).first()
    if call is None:
        raise Conflict("match_not_called", _("%(match)s has not been called yet.") % {"match": named(fixture, match)})
    return call


def _refuse_called(match: Match) -> None:
    call = Call.objects.select_related("table", "by").filter(match=match, left_at__isnull=True).first()
    if call is None:
        return
    words = {
        "who": call.by or _("Somebody"),
        "table": call.table_number,
        "time": timezone.localtime(call.called_at).strftime("%H:%M"),
    }
    if call.table is None:
        raise Conflict("match_called", _("%(who)s called this match at %(time)s.") % words)
    raise Conflict("match_called", _("%(who)s called this match to table %(table)s at %(time)s.") % words)


def _refuse_seated(hall: Tournament, match: Match) -> None:
    seats = Seat.objects.filter(tournament=hall, person__in=persons_of(match), left_at__isnull=True)
    seat = seats.select_related("person", "call__table", *(f"call__match__{path}" for path in PLACES)).first()
    if seat is None:
        return
    fixture = fixture_of(seat.call.match)
    words = {
        "player": seat.person,
        "key": fixture.key if fixture else "?",
        "event": fixture.stage.event if fixture else "?",
        "table": seat.call.table_number,
    }
    if seat.call.table is None:
        raise Conflict("player_at_another_table", _("%(player)s is playing %(key)s of %(event)s.") % words)
    raise Conflict(
        "player_at_another_table", _("%(player)s is playing %(key)s of %(event)s at table %(table)s.") % words
    )


def _free_table(hall: Tournament, event: Event, number: int | None) -> Table | None:
    """Return the table with this number, or the best free one; None in a hall without tables."""
    if number is not None:
        return _table_numbered(hall, number)
    usable = list(hall.tables.filter(out_of_order=False))
    taken = set(calls_in(hall).filter(left_at__isnull=True).values_list("table_id", flat=True))
    free = [table for table in usable if table.pk not in taken]
    best = best_table([table for table in free if not table.streamed], event.pk)
    if best is None and hall.tables.exists():
        raise Conflict("no_table_free", _no_table(free))
    return best


def _table_numbered(hall: Tournament, number: int) -> Table:
    """Return the free table with this number. Raises Conflict if it is unknown, out of order or taken."""
    table = hall.tables.filter(number=number).first()
    if table is None:
        raise Conflict("table_unknown", _("There is no table %(number)s in this hall.") % {"number": number})
    if table.out_of_order:
        raise Conflict("table_out_of_order", _("Table %(number)s is out of order.") % {"number": number})
    call = Call.objects.filter(table=table, left_at__isnull=True).select_related(*_names("match__")).first()
    if call is not None:
        sentence = _("Table %(number)s is taken by %(match)s.")
        raise Conflict("table_taken", sentence % {"number": number, "match": call.match})
    return table


def _no_table(others: Iterable[Table]) -> str:
    """Explain why no table was found for a match; ``others`` are free, but reserved for another event or streamed."""
    numbers = ", ".join(str(table.number) for table in others)
    if not numbers:
        return _("No table is free. Wait, or add tables to the hall.")
    return _("No table is free for this event. You can choose one of these: %(tables)s.") % {"tables": numbers}


def _names(path: str) -> list[str]:
    return [f"{path}{side}" for side in SIDES]


def best_table(free: Iterable[Table], event_id: int) -> Table | None:
    """Return the free table for one of the event's matches: one reserved for it, else one open to all; lowest first."""
    usable = [table for table in free if table.event_id in (event_id, None)]
    return min(usable, key=lambda table: (table.event_id is None, table.number), default=None)


def _open_call(
    hall: Tournament,
    match: Match,
    table: Table | None,
    *,
    called_at: datetime,
    started_at: datetime | None,
    by: User | None,
) -> Call:
    call = Call.objects.create(match=match, table=table, called_at=called_at, started_at=started_at, by=by)
    Seat.objects.bulk_create(Seat(call=call, tournament=hall, person_id=person) for person in persons_of(match))
    return call
