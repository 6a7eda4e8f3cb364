"""The director called to a match by its players: called, answered by somebody who comes, and done."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import OuterRef, Subquery
from django.utils.translation import gettext as _

from matches.models import Match, SheetState
from players.errors import Conflict
from players.models import User
from players.rows import update_rows
from players.statements import Statement
from tournament.changes.record import lock_hall, record_hall_change, require_running
from tournament.draw.calls import open_call_of
from tournament.draw.steps import lock_fixture, place_details
from tournament.models import Call, DirectorCall, Entry, Event, Fixture, Tournament


@dataclass(frozen=True, slots=True)
class OpenDirectorCall:
    """An open call for the director: which match, between whom, at which table, and whether somebody comes."""

    match_id: int
    event_id: int
    event: str
    a: str
    b: str
    table: int | None
    called_at: datetime
    taken_at: datetime | None
    taken_by: str

    @property
    def names(self) -> str:
        return f"{self.a} – {self.b}"


@transaction.atomic
def call_director(match: Match, *, entry: Entry | None, by: User | None, at: datetime) -> DirectorCall:
    """Call the director to the match for this side of it. While a call is open, another one is the same.

    Raises Conflict if the event has ended, if the match has its result, or if it belongs to no draw any more.
    """
    event, fixture, at = lock_fixture(match, at)
    require_running(event)
    if match.sheets.filter(state=SheetState.CONFIRMED).exists():
        raise Conflict("match_decided", _("This match already has its result. If it is wrong, go to the desk."))
    hall = lock_hall(event.tournament_id)
    found = DirectorCall.objects.filter(match=match, done_at=None).first()
    if found is None:
        found = DirectorCall.objects.create(tournament=hall, match=match, entry=entry, called_at=at)
        who = entry.name if entry is not None else ""
        record_hall_change(hall, verb="call_director", by=by, at=at, event=event, **_place(fixture, match), who=who)
    return found


@transaction.atomic
def come_to_match(match: Match, *, by: User | None, at: datetime) -> DirectorCall:
    """Say that ``by`` comes to the players who called. Raises Conflict without an open call, and if another comes."""
    event, fixture, call, hall, at = _lock(match, at)
    if call.taken_at is not None and call.taken_by_id != (by.pk if by else None):
        raise Conflict("director_call_taken", _("Somebody is already on the way to this match."))
    if call.taken_at is None:
        call.taken_at, call.taken_by = at, by
        update_rows([call], ["taken_at", "taken_by_id"])
        record_hall_change(hall, verb="answer_director", by=by, at=at, event=event, **_place(fixture, match))
    return call


@transaction.atomic
def end_director_call(match: Match, *, by: User | None, at: datetime) -> DirectorCall:
    """End the open call for the director, whoever came. Raises Conflict without one."""
    event, fixture, call, hall, at = _lock(match, at)
    call.done_at = at
    update_rows([call], ["done_at"])
    record_hall_change(hall, verb="end_director_call", by=by, at=at, event=event, **_place(fixture, match))
    return call


def director_call_of(match_id: int) -> DirectorCall | None:
    """Return the open call for the director to this match."""
    return DirectorCall.objects.filter(match=match_id, done_at=None).first()


def open_director_calls(tournament: Tournament) -> tuple[OpenDirectorCall, ...]:
    """Read the open calls for the director in the hall, the first made first, in one query.

    A match that has its result needs nobody any more. If the result is taken back, its call is open again.
    """
    return tuple(map(_as_shown, _OPEN.rows(tournament.pk)))


def _as_shown(row: Sequence[Any]) -> OpenDirectorCall:
    match, event, board_event, name, board_name, a, a2, b, b2, table, called_at, taken_at, by = row
    return OpenDirectorCall(
        match_id=match,
        event_id=event or board_event,
        event=name or board_name,
        a=_pair(a, a2),
        b=_pair(b, b2),
        table=table,
        called_at=called_at,
        taken_at=taken_at,
        taken_by=by or "",
    )


_SIDES = ("side_a", "partner_a", "side_b", "partner_b")
_OPEN = Statement(
    lambda tournament: (
        DirectorCall.objects.filter(tournament=tournament, done_at=None)
        .exclude(match__sheets__state=SheetState.CONFIRMED)
        .order_by("pk")
        .annotate(
            table=Subquery(Call.objects.filter(match=OuterRef("match"), left_at=None).values("table__number")[:1])
        )
        .values_list(
            "match_id",
            "match__fixture__stage__event_id",
            "match__board__fixture__stage__event_id",
            "match__fixture__stage__event__name",
            "match__board__fixture__stage__event__name",
            *(f"match__{side}__name" for side in _SIDES),
            "table",
            "called_at",
            "taken_at",
            "taken_by__username",
        )
    )
)


def _pair(first: str, second: str | None) -> str:
    return f"{first} & {second}" if second else first


def _lock(match: Match, at: datetime) -> tuple[Event, Fixture, DirectorCall, Tournament, datetime]:
    event, fixture, at = lock_fixture(match, at)
    hall = lock_hall(event.tournament_id)
    call = director_call_of(match.pk)
    if call is None:
        raise Conflict("director_not_called", _("The director is no longer called to this match."))
    return event, fixture, call, hall, at


def _place(fixture: Fixture, match: Match) -> dict[str, object]:
    call = open_call_of(match.pk)
    return {**place_details(fixture, match), "table": call.table_number if call is not None else None}
