"""Players without a code ask the desk for their page: the phone that asked opens it after a yes, and no other phone.

A request ends by itself, with the link of its entry, and when its entry leaves. The director compares its number with
that on the phone, because anybody can type a name.
"""

import secrets
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from enum import Enum

from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils.translation import gettext as _

from players.errors import Conflict
from players.models import User
from players.rows import update_rows
from tournament.changes.record import begin_step, lock_hall, record_hall_change, show_hall_anew
from tournament.models import Entry, Event, PageRequest, Tournament
from tournament.origin import current_requester

WAITS = timedelta(minutes=10)
"""How long the desk has to answer."""

OPENS = timedelta(hours=1)
"""How long after a yes the phone that asked can still open the page."""

KEPT = timedelta(days=1)

MOST_OF_ENTRY = 3
MOST_OF_EVENT = 24
"""How many requests wait at once: more, and the desk would see nothing else."""

MOST_OF_REQUESTER = 6
MOST_OF_REQUESTER_FOR_ENTRY = 2
"""How many of these come from one address: all phones of a hall may share it, but others must get through as well."""

NUMBERS = range(100, 1000)

_signer = Signer(salt="tournament.page-request")


class PageRequestState(Enum):
    """Where a request stands. Only after ``YES`` does its phone open the page."""

    WAITING = "waiting"
    YES = "yes"
    NO = "no"
    ENDED = "ended"


def waiting_requests(tournament: Tournament, at: datetime) -> QuerySet[PageRequest]:
    """Return the requests that the desk can answer now, the first made first, with their entries and events."""
    return PageRequest.objects.select_related("entry__player", "entry__partner", "entry__event").filter(
        said_yes=None,
        asked_at__gt=at - WAITS,
        asked_at__lt=at + WAITS,
        link_epoch=F("entry__link_epoch"),
        entry__left_at=None,
        entry__event__in=tournament.events.all(),
    )


def state_of(request: PageRequest, at: datetime) -> PageRequestState:
    """Return where the request stands at that moment; its entry must be as it is now."""
    if request.link_epoch != request.entry.link_epoch or request.entry.left_at is not None:
        return PageRequestState.ENDED
    if request.answered_at is None:
        return PageRequestState.WAITING if abs(at - request.asked_at) < WAITS else PageRequestState.ENDED
    if not request.said_yes:
        return PageRequestState.NO
    return PageRequestState.YES if abs(at - request.answered_at) < OPENS else PageRequestState.ENDED


def token_of_request(request: PageRequest) -> str:
    """Return what only the phone that asked knows: the id of the request, signed so that it cannot be guessed."""
    return _signer.sign(f"{request.pk}.{request.number}").replace(":", "~")


def read_token_of_request(token: str) -> tuple[int, int] | None:
    """Return the id and the number of the request that has this token; None for any other text."""
    try:
        pk, number = _signer.unsign(token.replace("~", ":")).split(".")
        return int(pk), int(number)
    except (BadSignature, ValueError):
        return None


def request_by_token(token: str, event: Event | None = None) -> PageRequest | None:
    """Find the request with this token, of this event if one is given; None for any other text."""
    read = read_token_of_request(token)
    if read is None:
        return None
    pk, number = read
    found = PageRequest.objects.select_related("entry__player", "entry__partner", "entry__event__tournament")
    where = {"entry__event": event} if event is not None else {"entry__event__in": Event.objects.all()}
    return found.filter(pk=pk, number=number, **where).first()


@transaction.atomic
def ask_for_page(
    entry: Entry, *, key: str, at: datetime, pick: Callable[[Sequence[int]], int] = secrets.choice
) -> PageRequest:
    """Ask the desk to open the page of this entry; the same ``key`` is the same request.

    Nothing is logged before the desk answers, for anybody may ask. Raises Conflict for an entry that has left, and if
    so many requests wait, in all or from where this one comes, that others could not ask.
    """
    event, at = begin_step(entry.event, at)
    hall = lock_hall(event.tournament_id)
    current = event.entries.filter(pk=entry.pk, left_at=None).first()
    if current is None:
        raise Conflict("entry_gone", _("This entry has already been removed."))
    PageRequest.objects.filter(entry__event=event).exclude(asked_at__range=(at - KEPT, at + KEPT)).delete()
    found = PageRequest.objects.filter(entry=current, key=key).first()
    if found is not None:
        return found
    waiting = list(waiting_requests(hall, at))
    asked_from = current_requester()
    here = [one for one in waiting if one.entry.event_id == event.pk]
    theirs = [one for one in here if one.asked_from == asked_from]
    if _are_too_many(here, current, MOST_OF_EVENT, MOST_OF_ENTRY) or _are_too_many(
        theirs, current, MOST_OF_REQUESTER, MOST_OF_REQUESTER_FOR_ENTRY
    ):
        sentence = _("Too many players wait for the director’s yes at the moment. Go to the desk.")
        raise Conflict("page_requests_too_many", sentence)
    taken = {one.number for one in waiting}
    number = pick([number for number in NUMBERS if number not in taken])
    made = PageRequest.objects.create(
        entry=current, link_epoch=current.link_epoch, key=key, number=number, asked_from=asked_from, asked_at=at
    )
    show_hall_anew(hall)
    return made


def _are_too_many(waiting: Sequence[PageRequest], entry: Entry, most: int, most_of_entry: int) -> bool:
    return len(waiting) >= most or sum(one.entry_id == entry.pk for one in waiting) >= most_of_entry


@transaction.atomic
def answer_page_request(request: PageRequest, *, yes: bool, by: User | None, at: datetime) -> PageRequest:
    """Say yes or no for the desk. Raises Conflict if somebody else has, and for a request that has ended."""
    event, at = begin_step(request.entry.event, at)
    hall = lock_hall(event.tournament_id)
    current = PageRequest.objects.select_related("entry__player", "entry__partner").filter(pk=request.pk).first()
    if current is not None and current.answered_at is not None:
        raise Conflict("page_request_answered", _("Somebody has already answered this request."))
    if current is None or state_of(current, at) is not PageRequestState.WAITING:
        raise Conflict("page_request_ended", _("This request has ended. The player can ask again."))
    current.said_yes, current.answered_at, current.answered_by = yes, at, by
    update_rows([current], ["said_yes", "answered_at", "answered_by_id"])
    entry = current.entry
    details = {"entries": [entry.pk], "names": [entry.name], "number": current.number, "yes": yes}
    record_hall_change(hall, verb="answer_page_request", by=by, at=at, event=event, **details)
    return current
