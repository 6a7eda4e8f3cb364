"""The open calls of matches: how they are read along with a draw, and how they end."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from django.db.models import Prefetch, QuerySet

from matches.models import SIDES, Match
from players.statements import Statement
from tournament.models import Call, CallEnding, Event, Seat, Tournament


def prefetch_open_calls(matches: str = "") -> Prefetch:
    """Prefetch each match's open call with its table; ``matches`` is the path to the matches, such as ``match__``."""
    return Prefetch(f"{matches}calls", queryset=_open_calls(), to_attr="open_calls")


def read_open_calls(matches: Mapping[int, Match], found: QuerySet[Match] | Sequence[int]) -> None:
    """Read each match's open call with its table, as :func:`prefetch_open_calls` does, in one query.

    ``matches`` are by id; ``found`` is the query that finds them, or their ids.
    """
    for match in matches.values():
        match.open_calls = []  # type: ignore[attr-defined]
    for call in _open_calls().filter(match__in=found):
        if call.match_id in matches:
            matches[call.match_id].open_calls.append(call)  # type: ignore[attr-defined]


def open_calls_in(event: Event) -> QuerySet[Call]:
    """Return the open calls of the event's matches with their tables; not those of boards."""
    return _open_calls().filter(match__fixture__stage__event=event)


def _open_calls() -> QuerySet[Call]:
    return Call.objects.filter(left_at__isnull=True).select_related("table")


def calls_in(hall: Tournament | int) -> QuerySet[Call]:
    """Return all calls in this hall, or that of the tournament with this id, including those without a table."""
    return Call.objects.filter(pk__in=Seat.objects.filter(tournament=hall).values("call"))


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
    calls = [pk for match in matches for (pk,) in _OPEN.rows(match.pk)]
    if not calls:
        return False
    Call.objects.filter(pk__in=calls).update(left_at=at, ending=ending)
    Seat.objects.filter(call__in=calls, left_at__isnull=True).update(left_at=at)
    return True


_OPEN = Statement(lambda match: Call.objects.filter(match=match, left_at=None).order_by("pk").values_list("pk"))
