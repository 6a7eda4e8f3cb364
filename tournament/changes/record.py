"""What every change shares: the lock before it, the event's new version and the log row after it.

The row is refused to a person who may not do this, and with it the change: their role is asked here, under the lock,
however long they have waited for it. ``by=None`` is the program itself.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from matches.models import Match
from matches.tasks import rate
from players.errors import Conflict, Refusal
from players.models import User
from players.ratings import RATINGS
from players.rows import insert_row, update_rows
from players.statements import Statement
from tournament.changes.publish import publish_hall, publish_tournament, publish_version
from tournament.models import Event, Fixture, LogEntry, Tournament
from tournament.models.log import words_in
from tournament.models.team import by_match, found_by_match
from tournament.origin import current_origin
from tournament.roles.permissions import require_author
from tournament.work import ask_on_commit

RATED_VERBS = (
    *("finish_event", "correct_result", "void_result", "void_walkover", "ruling"),
    *("delete_event", "restore_event", "delete_tournament", "restore_tournament"),
)
"""The steps after which the ranking lists are recomputed; an event's results reach them when it ends."""


LONGEST_WAIT = timedelta(minutes=1)
"""The longest time that may pass between reading the clock and obtaining the lock."""


def _locked_events() -> QuerySet[Event]:
    """Return the events that are not deleted; each one read is locked until the end of the transaction."""
    return Event.objects.select_for_update(of=("self",)).select_related("tournament")


_LOCKED = Statement(lambda pk: _locked_events().filter(pk=pk))
_LOCKED_BY_MATCH = by_match(_locked_events)
_LOCKED_HALL = Statement(lambda pk: Tournament.objects.select_for_update().filter(pk=pk))


def lock_event(event: Event) -> Event:
    """Lock the event until the end of the transaction and return it in its current state, after all earlier steps.

    Raises Conflict if it has been deleted.
    """
    for found in _LOCKED.find(Event, event.pk):
        return found
    raise event_deleted()


def lock_event_of(match: Match) -> Event | None:
    """Lock the event to whose draw the match belongs, as :func:`lock_event` does; None if there is none any more."""
    return found_by_match(_LOCKED_BY_MATCH, match.pk)


def event_deleted() -> Conflict:
    return Conflict("event_deleted", _("This event has since been deleted."))


def begin_step(event: Event, at: datetime) -> tuple[Event, datetime]:
    """Lock the event as :func:`lock_event` does, and return it with the moment of the step that begins now.

    That is ``at``, or right after the last row of its log if somebody whose clock was read later had the lock before.
    """
    event = lock_event(event)
    return event, begin_at(event, at)


def begin_at(event: Event, at: datetime) -> datetime:
    """Return the moment of the step that begins now, as :func:`begin_step` does, for an event just locked."""
    event.step_at = _after([moment for (moment,) in _LAST.rows(event.pk)], at)
    return event.step_at


_LAST = Statement(lambda event: LogEntry.objects.filter(event=event).order_by("-id").values_list("at")[:1])


def in_order(log: QuerySet[LogEntry], at: datetime) -> datetime:
    """Return the moment or, if the last of these rows is slightly later, the moment right after that row.

    A row that is far ahead was written by a wrong clock, and is not followed.
    """
    return _after(list(log.order_by("-id").values_list("at", flat=True)[:1]), at)


def _after(newest: Sequence[datetime], at: datetime) -> datetime:
    last = newest[0] if newest else None
    return last + timedelta.resolution if last is not None and at < last <= at + LONGEST_WAIT else at


def lock_hall(tournament_id: int) -> Tournament:
    """Lock the tournament, its hall and its roles until the end of the transaction and return its current state.

    Lock an event before its tournament, so that two never wait for each other. Raises Conflict if the tournament has
    been deleted.
    """
    for found in _LOCKED_HALL.find(Tournament, tournament_id):
        return found
    raise Conflict("tournament_deleted", _("This tournament has since been deleted."))


def refuse_odd_times(*moments: datetime | None) -> None:
    """Raise Refusal for a time outside 2000 to 2200: no tournament is held then, and some calendars cannot show it."""
    if any(moment is not None and not 2000 <= moment.year <= 2200 for moment in moments):
        raise Refusal("time_out_of_range", _("A time must be between the years 2000 and 2200."))


def require_running(event: Event) -> None:
    """Raise Conflict if the event has ended."""
    if event.finished_at is not None:
        raise Conflict("event_finished", _("This event has ended. Reopen it to change anything."))


def record_change(event: Event, *, verb: str, by: User | None, at: datetime, **detail: object) -> None:
    """Give the locked event a new version and a log row; on commit, request its standings and notify open pages.

    Raises Forbidden if ``by`` may not do this any more.
    """
    _write_log(event.tournament, event, verb=verb, by=by, at=at, detail=detail)
    show_anew(event)


def record_in_fixtures(
    event: Event, fixtures: Collection[int], *, verb: str, by: User | None, at: datetime, **detail: object
) -> None:
    """Do the same as :func:`record_change` if nothing has changed but these fixtures, given by id.

    A process that keeps the event reads only these again (:mod:`tournament.draw.kept`).
    """
    _write_log(event.tournament, event, verb=verb, by=by, at=at, detail=detail)
    _raise_version(event)
    update_rows([Fixture(pk=pk, version=event.version) for pk in sorted(fixtures)], ["version"])


def show_anew(event: Event) -> None:
    """Give the locked event a new version although it has not changed itself: a player has a new club, say."""
    event.whole_version = event.version + 1
    _raise_version(event)


def _raise_version(event: Event) -> None:
    event.version += 1
    update_rows([event], ["version", "whole_version"])
    ask_on_commit("recompute_standings", event.pk)
    transaction.on_commit(partial(publish_version, event), robust=True)


def changes_between(before: Mapping[str, object], after: Mapping[str, object]) -> dict[str, list[object]]:
    """Return the fields that differ, with their values before and after: the ``changes`` of a log row."""
    names = {**before, **after}
    return {name: [before.get(name), after.get(name)] for name in names if before.get(name) != after.get(name)}


def record_in_tournament(
    tournament: Tournament, *, verb: str, by: User | None, at: datetime, event: Event | None = None, **detail: object
) -> None:
    """Write a tournament log row that is not a change to an event; ``event`` is the one it concerns.

    Raises Forbidden if ``by`` may not do this any more.
    """
    _write_log(tournament, event, verb=verb, by=by, at=at, detail=detail)
    transaction.on_commit(partial(publish_tournament, tournament.pk), robust=True)


def _write_log(
    tournament: Tournament, event: Event | None, *, verb: str, by: User | None, at: datetime, detail: dict[str, object]
) -> None:
    """Write the row, dated no earlier than the last row of its event, or of the tournament if it has no event."""
    require_author(by, event or tournament, verb)
    origin = current_origin()
    if event is None or event.step_at != at:
        at = in_order(LogEntry.objects.filter(tournament=tournament, event=event), at)
    insert_row(
        LogEntry(
            tournament=tournament,
            event=event,
            actor=by,
            verb=verb,
            detail=detail,
            words=words_in(detail),
            way=origin.way,
            address=origin.address,
            agent=origin.agent,
            at=at,
        )
    )
    if verb in RATED_VERBS:
        transaction.on_commit(ask_for_lists, robust=True)


def rated_steps() -> int:
    """Return a number that differs as soon as another step asks for the ranking lists.

    Of two steps that end at once the one with the later row may be done first, and the earlier row counts all the same.
    """
    newest = LogEntry.objects.filter(verb__in=RATED_VERBS).order_by("-id").values_list("id", flat=True)
    return sum(newest[:50])


def ask_for_lists() -> None:
    """Ask for all ranking lists, to be computed from what is committed by now."""
    covers = rated_steps()
    for system in RATINGS:
        rate.delay(system, covers)


def record_hall_change(
    hall: Tournament, *, verb: str, by: User | None, at: datetime, event: Event | None = None, **detail: object
) -> None:
    """Give the locked hall a new version and a log row; on commit, notify open pages. Standings are unaffected.

    Raises Forbidden if ``by`` may not do this any more.
    """
    _write_log(hall, event, verb=verb, by=by, at=at, detail=detail)
    show_hall_anew(hall)


def show_hall_anew(hall: Tournament) -> None:
    """Give the locked hall a new version, after one or more rows of the log; on commit, notify open pages."""
    hall.hall_version += 1
    update_rows([hall], ["hall_version"])
    ask_on_commit("send_alerts", hall.pk)
    transaction.on_commit(partial(publish_hall, hall.pk), robust=True)
