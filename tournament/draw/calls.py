"""The open calls of matches: how they are read along with a draw, and how they end."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import connection
from django.db.models import Prefetch, QuerySet

from matches.models import SIDES, Match
from players.rows import update_rows
from players.statements import Statement, columns_of
from tournament.models import Call, CallEnding, Event, Fixture, Seat, Table, Tournament


def prefetch_open_calls(matches: str = "") -> Prefetch:
    """Prefetch each match's open call with its table; ``matches`` is the path to the matches, such as ``match__``."""
    return Prefetch(f"{matches}calls", queryset=_open_calls(), to_attr="open_calls")


def read_open_calls(matches: Mapping[int, Match], found: QuerySet[Match] | Sequence[int]) -> None:
    """Read each match's open call with its table, as :func:`prefetch_open_calls` does, in one query.

    ``matches`` are by id; ``found`` is the query that finds them, or their ids.
    """
    for match in matches.values():
        match.open_calls = []  # type: ignore[attr-defined]
    if len(matches) == 1:
        for pk, match in matches.items():
            match.open_calls = list(filter(None, [open_call_of(pk)]))  # type: ignore[attr-defined]
        return
    for call in _open_calls().filter(match__in=found):
        if call.match_id in matches:
            matches[call.match_id].open_calls.append(call)  # type: ignore[attr-defined]


def open_calls_in(event: Event) -> list[Call]:
    """Return the open calls of the event's matches with their tables; not those of boards."""
    return _with_tables(_OPEN_IN.rows(event.pk))


def open_call_of(match: int) -> Call | None:
    """Return the open call of the match with this id, with its table; None if it is not called."""
    return next(iter(_with_tables(_OPEN_OF.rows(match))), None)


def _with_tables(rows: Iterable[tuple[Any, ...]]) -> list[Call]:
    calls = []
    for row in rows:
        call = Call.from_db(connection.alias, columns_of(Call), row[:_COLUMNS])
        if call.table_id is not None:
            call.table = Table.from_db(connection.alias, columns_of(Table), row[_COLUMNS:])
        calls.append(call)
    return calls


def _open_calls() -> QuerySet[Call]:
    return Call.objects.filter(left_at__isnull=True).select_related("table")


def _with_columns(calls: QuerySet[Call]) -> QuerySet:
    """Return the open ones of these calls as :func:`_with_tables` reads them."""
    columns = (*columns_of(Call), *(f"table__{name}" for name in columns_of(Table)))
    return calls.filter(left_at=None).order_by("pk").values_list(*columns)


_COLUMNS = len(columns_of(Call))
_OPEN_OF = Statement(lambda match: _with_columns(Call.objects.filter(match=match)))
_OPEN_IN = Statement(lambda event: _with_columns(Call.objects.filter(match__fixture__stage__event=event)))


def calls_in(hall: Tournament | int) -> QuerySet[Call]:
    """Return all calls in this hall, or that of the tournament with this id, including those without a table."""
    return Call.objects.filter(pk__in=Seat.objects.filter(tournament=hall).values("call"))


def is_called(fixture: Fixture) -> bool:
    """Whether any match of the fixture has been called and is not over. Reads its matches as loaded."""
    return any(prefetched_call(match) is not None for match in fixture.matches.values())


def prefetched_call(match: Match | None) -> Call | None:
    """The match's open call, as :func:`prefetch_open_calls` read it."""
    return next(iter(match.open_calls), None) if match else None  # type: ignore[attr-defined]


def persons_of(match: Match) -> tuple[int, ...]:
    """Return the players in the match: two, or four in consultation doubles."""
    return tuple(person for side in SIDES if (person := getattr(match, f"{side}_id")) is not None)


def close_calls(matches: Iterable[Match], *, ending: CallEnding, at: datetime) -> bool:
    """End the open calls of these matches, so that the players leave their tables. Returns whether there were any.

    The event must be locked. A call that has ended is never opened again.
    """
    calls = [Call(pk=pk, left_at=at, ending=ending) for match in matches for (pk,) in _OPEN.rows(match.pk)]
    if not calls:
        return False
    update_rows(calls, ["left_at", "ending"])
    seats = [Seat(pk=pk, left_at=at) for call in calls for (pk,) in _SEATS.rows(call.pk)]
    update_rows(seats, ["left_at"])
    return True


_OPEN = Statement(lambda match: Call.objects.filter(match=match, left_at=None).order_by("pk").values_list("pk"))
_SEATS = Statement(lambda call: Seat.objects.filter(call=call, left_at=None).order_by("pk").values_list("pk"))
