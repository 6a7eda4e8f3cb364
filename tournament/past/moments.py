"""State at a past moment: pages that can show it read ``?at=``; every other page and address says that it cannot."""

from collections.abc import Callable
from typing import Any, TypeVar

from django.db.models import QuerySet
from django.http import HttpRequest
from rest_framework.request import Request

from tournament.draw.chain import load_people
from tournament.models import Entry, Event, Tournament
from tournament.money.accounts import CashBox, Ledger, into_boxes
from tournament.money.ledger import take_ledger, take_ledgers
from tournament.past.event import Moment, entries_at, find_moment, snapshot_at
from tournament.past.money import boxes_at, ledger_at
from tournament.past.public import without_claims
from tournament.snapshot import EventSnapshot, take_snapshot

View = TypeVar("View", bound=Callable[..., Any])


def shows_the_past(view: View) -> View:
    """Mark the view, or the class of an API view, as reading ``?at=``; this must be the outermost decorator."""
    view.shows_the_past = True  # type: ignore[attr-defined]
    return view


def moment_of(request: HttpRequest | Request, subject: Event | Tournament) -> Moment | None:
    """Return the moment requested by ``?at=``, a time or the number of a log row; None means now. Raises Refusal."""
    text = request.GET.get("at", "")
    return find_moment(subject, text) if text else None


def snapshot_of(request: HttpRequest | Request, event: Event) -> EventSnapshot:
    """Return the event as it is, or as it stood at the requested moment, for everybody to see. Raises Refusal."""
    moment = moment_of(request, event)
    return take_snapshot(event.pk) if moment is None else without_claims(snapshot_at(event.pk, moment))


def entries_of(request: HttpRequest | Request, event: Event) -> QuerySet[Entry] | list[Entry]:
    """Return the entries in order, as they are or as they stood, with their players. Raises Refusal."""
    moment = moment_of(request, event)
    return load_people(event.entries.order_by("number")) if moment is None else entries_at(event.pk, moment)


def ledger_of(request: HttpRequest | Request, event: Event) -> Ledger:
    """Return the event's ledger as it is, or as it stood at the requested moment. Raises Refusal."""
    moment = moment_of(request, event)
    return take_ledger(event.pk) if moment is None else ledger_at(event.pk, moment)


def boxes_of(request: HttpRequest | Request, tournament: Tournament) -> list[CashBox]:
    """Return the tournament's cash by currency, as it is or as it stood. Raises Refusal."""
    moment = moment_of(request, tournament)
    if moment is not None:
        return boxes_at(tournament, moment)
    return into_boxes(take_ledgers(Event.objects.filter(tournament=tournament).order_by("id")))
