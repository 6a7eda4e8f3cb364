"""Announcements: what the directors say to everybody in the hall, or to the players of one event."""

from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from players.errors import Refusal
from players.lines import is_visible, one_line, says_something
from players.models import User
from tournament.changes.record import begin_step, lock_hall, record_hall_change, refuse_odd_times
from tournament.models import Announcement, Event, Tournament
from tournament.models.announcement import MAX_ANNOUNCEMENT

MOST_AT_ONCE = 10
"""How many announcements a tournament has at once: more, and nobody reads any."""


def current(tournament: Tournament, event: Event | None, at: datetime) -> list[Announcement]:
    """Return what is announced at that moment, the newest first, each with its event loaded.

    With ``event``, what is said to its players: to them alone, and to everybody. Without, all of the tournament.
    """
    stands = Q(withdrawn_at=None) & (Q(ends_at=None) | Q(ends_at__gt=at))
    where = Q(event=None) | (Q(event=event) if event is not None else Q(event__deleted_at=None))
    return list(Announcement.objects.select_related("event").filter(stands & where, tournament=tournament))


@transaction.atomic
def announce(
    tournament: Tournament,
    *,
    text: str,
    event: Event | None = None,
    ends_at: datetime | None = None,
    by: User | None,
    at: datetime,
) -> Announcement:
    """Announce the text to everybody, or to the players of the event, until ``ends_at`` or until it is withdrawn.

    Raises Refusal for a text that cannot be shown or is too long, for an end that is over, for an event of another
    tournament, and for more announcements than anybody reads.
    """
    text = _clean(text)
    refuse_odd_times(ends_at)
    if event is not None:
        if event.tournament_id != tournament.pk:
            raise Refusal("event_of_another_tournament", _("This event belongs to another tournament."))
        event, at = begin_step(event, at)
    hall = lock_hall(tournament.pk)
    if ends_at is not None and ends_at <= at:
        raise Refusal("announcement_is_over", _("An announcement must end after it begins."))
    if len(current(hall, None, at)) >= MOST_AT_ONCE:
        sentence = _("There are already %(limit)s announcements: withdraw one first.")
        raise Refusal("announcements_too_many", sentence % {"limit": MOST_AT_ONCE})
    made = Announcement.objects.create(tournament=hall, event=event, text=text, made_by=by, made_at=at, ends_at=ends_at)
    record_hall_change(hall, verb="announce", by=by, at=at, event=event, **_details(made))
    return made


@transaction.atomic
def withdraw_announcement(announcement: Announcement, *, by: User | None, at: datetime) -> None:
    """Take the announcement off all pages, keeping it in the log; one that is gone already changes nothing."""
    _end(announcement, verb="withdraw_announcement", by=by, at=at)


def end_announcements(*, at: datetime) -> None:
    """Take the announcements whose time is over off the pages, open ones and kept ones; a worker does it all the time.

    A page that is made anew does not show them anyway.
    """
    for over in Announcement.objects.filter(withdrawn_at=None, ends_at__lte=at, tournament__deleted_at=None):
        with transaction.atomic():
            _end(over, verb="end_announcement", by=None, at=at)


def _end(announcement: Announcement, *, verb: str, by: User | None, at: datetime) -> None:
    event = announcement.event
    if event is not None and event.deleted_at is None:
        event, at = begin_step(event, at)
    hall = lock_hall(announcement.tournament_id)
    found = Announcement.objects.filter(pk=announcement.pk, withdrawn_at=None).first()
    if found is not None:
        found.withdrawn_at = at
        found.save(update_fields=["withdrawn_at"])
        record_hall_change(hall, verb=verb, by=by, at=at, event=event, **_details(found))


def _details(made: Announcement) -> dict[str, object]:
    return {
        "announcement": made.pk,
        "text": made.text,
        "ends_at": made.ends_at.isoformat() if made.ends_at is not None else None,
    }


def _clean(text: str) -> str:
    """Return the text as it is stored: on one line. Raises Refusal if nothing or too much is left."""
    cleaned = one_line(text)
    if not says_something(cleaned):
        raise Refusal("announcement_empty", _("Write what you want to announce."))
    if len(cleaned) > MAX_ANNOUNCEMENT:
        sentence = _("An announcement has at most %(limit)s characters; this one has %(count)s.")
        raise Refusal("announcement_too_long", sentence % {"limit": MAX_ANNOUNCEMENT, "count": len(cleaned)})
    if not is_visible(cleaned):
        raise Refusal("announcement_unprintable", _("The announcement contains characters that cannot be shown."))
    return cleaned
