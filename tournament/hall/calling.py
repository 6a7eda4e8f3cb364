"""Calls: matches called to tables, started, moved and recalled. No player is ever in two matches at once.

A hall without numbered tables calls matches by their players' names.
"""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from matches.models import Match
from players.errors import Conflict
from players.models import User
from players.rows import update_rows
from tournament.changes.record import (
    begin_step,
    lock_hall,
    record_change,
    record_hall_change,
    record_in_tournament,
    require_running,
    show_hall_anew,
)
from tournament.draw.advance import advance
from tournament.draw.calls import close_calls, open_call_of, persons_of
from tournament.draw.kept import keep_before_writing
from tournament.draw.steps import fixture_in, lock_fixture, place_details
from tournament.hall.desk import take_desk
from tournament.hall.floor import free_table, named, open_call, place_call, read_floor
from tournament.models import Call, CallEnding, Event, Fixture, Tournament


@transaction.atomic
def call_match(match: Match, *, table: int | None = None, by: User | None, at: datetime) -> Call:
    """Call the match to the table with that number, or to the one that suits its event best; without tables, by name.

    Raises Conflict if it is already called, if one of its players sits at another table, if the table is taken, out of
    order or unknown, and if none is free. Of two who call it at once the second is told of the first.
    """
    event, fixture, at = lock_fixture(match, at)
    require_running(event)
    hall = lock_hall(event.tournament_id)
    call = place_call(read_floor(hall), event, fixture, match, number=table, by=by, at=at)
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
        update_rows([call], ["started_at"])
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
    floor = read_floor(hall)
    chosen = free_table(floor, table)
    close_calls([match], ending=CallEnding.MOVED, at=at)
    persons, started_at = persons_of(match), call.started_at
    moved = open_call(floor, match, chosen, persons, called_at=call.called_at, started_at=started_at, by=by)
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
    call.left_at, call.ending = at, CallEnding.RECALLED
    detail = {**place_details(fixture, match), "table": call.table_number}
    if call.started_at is None:
        record_hall_change(hall, verb="recall_match", by=by, at=at, event=event, **detail)
    else:
        advance(event, fixture.stage, by=by, at=at)
        record_change(event, verb="recall_match", by=by, at=at, **detail)
    return call


def call_ready(tournament: Tournament, *, event: Event | None = None, by: User | None, at: datetime) -> list[Call]:
    """Call as many ready matches as there are tables for, in the order of the desk; without tables, all of them.

    With ``event``, only its matches. A match that is expected to run into a break is not called. They are called in
    one transaction; one that has been called in the meantime, or whose event has no free table, is left out. Raises
    Forbidden if ``by`` may not call one of them, and then none is called.
    """
    desk = take_desk(tournament, at=at)
    desk = desk.of_event(event.pk) if event is not None else desk
    waiting = [(found.event_id, found.id) for found in desk.ready if not found.pause]
    return _call_waiting(tournament, waiting, by=by, at=at) if waiting and (desk.places or not desk.tables) else []


@transaction.atomic
def _call_waiting(
    tournament: Tournament, waiting: Sequence[tuple[int, int]], *, by: User | None, at: datetime
) -> list[Call]:
    """Call these matches, each given with its event, in this order, as far as there are tables and nothing hinders."""
    # Events in the order of their ids, as everybody locks more than one, and the hall after them.
    begun = {pk: _begin_calling(pk, at) for pk in sorted({pk for pk, _match in waiting})}
    floor = read_floor(lock_hall(tournament.pk))
    matches = Match.objects.in_bulk([match for _event, match in waiting])
    calls: list[Call] = []
    for event_id, match_id in waiting:
        step, match = begun[event_id], matches.get(match_id)
        if floor.is_full:
            break
        if step is None or match is None:
            continue
        event, moment = step
        try:
            fixture = fixture_in(event, match)
            call = place_call(floor, event, fixture, match, number=None, by=by, at=moment)
        except Conflict:
            continue
        place = {**place_details(fixture, match), "table": call.table_number}
        record_in_tournament(floor.hall, verb="call_match", by=by, at=moment, event=event, **place)
        calls.append(call)
    if calls:
        show_hall_anew(floor.hall)
    return calls


def _begin_calling(event_id: int, at: datetime) -> tuple[Event, datetime] | None:
    """Lock the event and return it with the moment of this step; None if it has ended or been deleted."""
    try:
        event, at = begin_step(Event(pk=event_id), at)
        require_running(event)
    except Conflict:
        return None
    keep_before_writing(event)
    return event, at


def _require_call(match: Match, fixture: Fixture) -> Call:
    call = open_call_of(match.pk)
    if call is None:
        raise Conflict("match_not_called", _("%(match)s has not been called yet.") % {"match": named(fixture, match)})
    return call
