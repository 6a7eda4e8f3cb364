"""The floor of a locked hall: who sits where, and what stands in the way of a call.

It is read by statements that are built once. Only somebody who is refused waits for the names in the sentence.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db import connection
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import gettext as _

from matches.models import SIDES, Match, Scoresheet, SheetState
from players.errors import Conflict
from players.models import User
from players.rows import insert_row
from players.statements import Statement, columns_of
from tournament.draw.steps import place_details
from tournament.models import Call, Event, Fixture, Seat, Table, Tournament
from tournament.models.team import PLACES, fixture_of


@dataclass(frozen=True, slots=True)
class Floor:
    """The tables of the hall in their order, those ``taken`` by their ids, and the persons who are ``seated``.

    A call adds to both.
    """

    hall: Tournament
    tables: tuple[Table, ...]
    taken: set[int]
    seated: set[int]

    @property
    def free(self) -> list[Table]:
        """The free tables that are in order."""
        return [table for table in self.tables if not table.out_of_order and table.pk not in self.taken]

    @property
    def is_full(self) -> bool:
        """Whether no match can be called without naming a table. A hall without tables is never full."""
        return bool(self.tables) and all(table.streamed for table in self.free)


def read_floor(hall: Tournament) -> Floor:
    """Read the floor of the locked hall, in two queries."""
    rows = _TABLES.rows(hall.pk)
    tables = tuple(Table.from_db(connection.alias, columns_of(Table), row[:-1]) for row in rows)
    taken = {table.pk for table, (*_columns, is_taken) in zip(tables, rows, strict=True) if is_taken}
    return Floor(hall, tables, taken, {person for (person,) in _SEATED.rows(hall.pk)})


_TABLES = Statement(
    lambda hall: (
        Table.objects.filter(tournament=hall)
        .annotate(is_taken=Exists(Call.objects.filter(table=OuterRef("pk"), left_at=None)))
        .order_by("number")
        .values_list(*columns_of(Table), "is_taken")
    )
)
_SEATED = Statement(lambda hall: Seat.objects.filter(tournament=hall, left_at=None).order_by().values_list("person"))


def place_call(
    floor: Floor, event: Event, fixture: Fixture, match: Match, *, number: int | None, by: User | None, at: datetime
) -> Call:
    """Open the call of the match to the table with this number, or to the best free one; without tables, by name.

    Raises Conflict, and then nothing has been written, if it is called already or has a result, if one of its players
    is seated, or if there is no such table or none is free.
    """
    is_called, has_result, *persons = _standing(match)
    if is_called:
        raise _called(match)
    if has_result:
        raise Conflict("match_has_a_result", _("%(match)s already has a result.") % {"match": named(fixture, match)})
    if not floor.seated.isdisjoint(persons):
        raise _seated(floor.hall, persons)
    table = free_table(floor, number) if number is not None else _best_free(floor, event)
    return open_call(floor, match, table, persons, called_at=at, started_at=None, by=by)


def open_call(
    floor: Floor,
    match: Match,
    table: Table | None,
    persons: Iterable[int | None],
    *,
    called_at: datetime,
    started_at: datetime | None,
    by: User | None,
) -> Call:
    """Store the call of the match with its seats; what stands in its way has been asked before."""
    call = Call(match=match, table=table, called_at=called_at, started_at=started_at, by=by)
    insert_row(call)
    for person in persons:
        if person is not None:
            insert_row(Seat(call=call, tournament=floor.hall, person_id=person))
            floor.seated.add(person)
    if table is not None:
        floor.taken.add(table.pk)
    return call


def free_table(floor: Floor, number: int) -> Table:
    """Return the free table with this number. Raises Conflict if it is unknown, out of order or taken."""
    table = next((table for table in floor.tables if table.number == number), None)
    if table is None:
        raise Conflict("table_unknown", _("There is no table %(number)s in this hall.") % {"number": number})
    if table.out_of_order:
        raise Conflict("table_out_of_order", _("Table %(number)s is out of order.") % {"number": number})
    if table.pk in floor.taken:
        sides = (f"match__{side}" for side in SIDES)
        call = Call.objects.filter(table=table, left_at=None).select_related(*sides).get()
        sentence = _("Table %(number)s is taken by %(match)s.")
        raise Conflict("table_taken", sentence % {"number": number, "match": call.match})
    return table


def best_table(free: Iterable[Table], event_id: int) -> Table | None:
    """Return the free table for one of the event's matches: one reserved for it, else one open to all; lowest first."""
    usable = [table for table in free if table.event_id in (event_id, None)]
    return min(usable, key=lambda table: (table.event_id is None, table.number), default=None)


def named(fixture: Fixture, match: Match) -> str:
    """Name the match by its players, in one line."""
    return " – ".join(place_details(fixture, match)["players"])


def _standing(match: Match) -> tuple[bool, bool, *tuple[int | None, ...]]:
    """Return whether the match is called and whether it has a result, as it is now, and its players."""
    return _STANDING.rows(match.pk)[0]


_STANDING = Statement(
    lambda match: Match.objects.filter(pk=match).values_list(
        Exists(Call.objects.filter(match=OuterRef("pk"), left_at=None)),
        Exists(Scoresheet.objects.filter(match=OuterRef("pk"), state=SheetState.CONFIRMED)),
        *(f"{side}_id" for side in SIDES),
    )
)


def _best_free(floor: Floor, event: Event) -> Table | None:
    free = floor.free
    best = best_table([table for table in free if not table.streamed], event.pk)
    if best is None and floor.tables:
        raise Conflict("no_table_free", _no_table(free))
    return best


def _no_table(others: Collection[Table]) -> str:
    """Explain why no table was found for a match; ``others`` are free, but reserved for another event or streamed."""
    numbers = ", ".join(str(table.number) for table in others)
    if not numbers:
        return _("No table is free. Wait, or add tables to the hall.")
    return _("No table is free for this event. You can choose one of these: %(tables)s.") % {"tables": numbers}


def _called(match: Match) -> Conflict:
    """Return the refusal to call the match again: by whom, where and when it was called."""
    call = Call.objects.select_related("table", "by").get(match=match, left_at=None)
    words = {
        "who": call.by or _("Somebody"),
        "table": call.table_number,
        "time": time_format(timezone.localtime(call.called_at)),
    }
    if call.table is None:
        return Conflict("match_called", _("%(who)s called this match at %(time)s.") % words)
    return Conflict("match_called", _("%(who)s called this match to table %(table)s at %(time)s.") % words)


def _seated(hall: Tournament, persons: Collection[int | None]) -> Conflict:
    """Return the refusal to call somebody who is in another match: who, and where."""
    seats = Seat.objects.filter(tournament=hall, person__in=set(persons) - {None}, left_at=None)
    seat = seats.select_related("person", "call__table", *(f"call__match__{path}" for path in PLACES))[0]
    fixture = fixture_of(seat.call.match)
    words = {
        "player": seat.person,
        "key": fixture.key if fixture else "?",
        "event": fixture.stage.event if fixture else "?",
        "table": seat.call.table_number,
    }
    if seat.call.started_at is None and not seat.call.match.sheets.exists():
        return Conflict("player_at_another_table", _called_elsewhere(seat) % words)
    if seat.call.table is None:
        return Conflict("player_at_another_table", _("%(player)s is playing %(key)s of %(event)s.") % words)
    return Conflict(
        "player_at_another_table", _("%(player)s is playing %(key)s of %(event)s at table %(table)s.") % words
    )


def _called_elsewhere(seat: Seat) -> str:
    """Return the sentence that somebody has been called to another match, which nobody says has begun."""
    if seat.call.table is None:
        return _("%(player)s has been called for %(key)s of %(event)s.")
    return _("%(player)s has been called to table %(table)s for %(key)s of %(event)s.")
