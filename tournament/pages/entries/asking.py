"""Departures and removals: one question with everything that follows, and then the act, exactly as it was asked."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from players.errors import Conflict, Refusal
from players.models import User
from tournament.entries.consequences import (
    Consequences,
    Departing,
    confirm_absent,
    confirm_departure,
    confirm_removal,
    preview_absent,
    preview_departure,
    preview_removal,
)
from tournament.models import Departure, Entry, Event
from tournament.pages.entries.door import show_entry
from tournament.pages.entries.forms import LeaveForm
from tournament.pages.following import event_for


@dataclass(frozen=True, slots=True)
class Question:
    """A question on a page of its own: in words, with the button that says yes, and the fields that go with it.

    ``preview`` returns what would follow; ``confirm`` does it, and returns the sentence that tells so.
    """

    event: Event
    title: Callable[[Consequences], str]
    button: str
    fields: Sequence[tuple[str, str]]
    preview: Callable[[datetime], Consequences]
    confirm: Callable[[str, User, datetime], str]
    back: str
    named: bool = False
    """Whether the page lists those who go, because the question does not name them."""
    gives_walkovers: bool = False
    """Whether opponents of those who go get walkovers, also in matches that are still to come."""


def _answer(request: HttpRequest, director: User, question: Question) -> HttpResponse:
    """Ask, or do what was asked if the form has the digest of what would follow now."""
    now, status = timezone.now(), 200
    if request.POST.get("digest"):
        try:
            messages.success(request, question.confirm(request.POST["digest"][:64], director, now))
            return redirect(question.back)
        except Conflict as conflict:
            if conflict.code != "consequences_changed":
                raise
            messages.error(request, str(conflict))
            status = conflict.status
    following = question.preview(now)
    context = {"question": question, "title": question.title(following), "following": following}
    return render(request, "tournament/entries/asked.html", context | {"event": question.event}, status=status)


@require_POST
@login_required
def leave(request: HttpRequest, tournament_slug: str, event_slug: str, entry_id: int) -> HttpResponse:
    """Ask whether the entry is to leave the event, and let it leave."""
    event, director = event_for(request, tournament_slug, event_slug, "change_entries")
    entry = get_object_or_404(Entry.objects.select_related("event", "player", "partner"), pk=entry_id, event=event)
    form = LeaveForm(request.POST)
    if not form.is_valid():
        return show_entry(request, event, entry_id, status=Refusal.status, leave_form=form)
    departing = Departing(**form.departure())
    title, button = _leaving_words(departing, entry.name)

    def confirm(digest: str, by: User, at: datetime) -> str:
        left = confirm_departure(entry, departing, digest=digest, by=by, at=at)
        return _("%(name)s has left the event.") % {"name": left.name}

    def preview(at: datetime) -> Consequences:
        return preview_departure(entry, departing, at=at)

    fields = [(name, form.cleaned_data[name]) for name in ("kind", "how", "reason")]
    back = f"{_entries_of(event)}#e-{entry_id}"
    question = Question(event, lambda _now: title, button, fields, preview, confirm, back, gives_walkovers=True)
    return _answer(request, director, question)


def _leaving_words(departing: Departing, name: str) -> tuple[str, str]:
    """Return the question for this way to leave, and its button."""
    if departing.kind == Departure.DISQUALIFIED:
        return _("Disqualify %(name)s?") % {"name": name}, _("Disqualify")
    if departing.kind == Departure.NO_SHOW:
        return _("Mark %(name)s as a no-show?") % {"name": name}, _("Mark as no-show")
    if departing.only_main:
        return _("Take %(name)s out of the main bracket?") % {"name": name}, _("Leave the main bracket")
    if departing.plays_on:
        return _("Withdraw %(name)s after this match?") % {"name": name}, _("Withdraw after this match")
    return _("Withdraw %(name)s now?") % {"name": name}, _("Withdraw now")


@require_POST
@login_required
def leave_out_absent(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    """Ask whether everybody who has not checked in is to be left out, and leave them out."""
    event, director = event_for(request, tournament_slug, event_slug, "change_entries")

    def confirm(digest: str, by: User, at: datetime) -> str:
        missing = confirm_absent(event, digest=digest, by=by, at=at)
        return _("Absentees left out: %(count)s.") % {"count": len(missing)}

    def preview(at: datetime) -> Consequences:
        return preview_absent(event, at=at)

    def title(_following: Consequences) -> str:
        return _("Leave out everyone who has not checked in?")

    button, back = _("Leave them out"), _entries_of(event)
    return _answer(request, director, Question(event, title, button, (), preview, confirm, back, named=True))


@require_POST
@login_required
def remove_entry(request: HttpRequest, tournament_slug: str, event_slug: str, entry_id: int) -> HttpResponse:
    """Ask whether this entry is to be removed, and remove it."""
    event, director = event_for(request, tournament_slug, event_slug, "change_entries")
    get_object_or_404(Entry, pk=entry_id, event=event)
    return _remove(request, director, event, [entry_id])


@require_POST
@login_required
def remove_entries(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    """Ask whether the chosen entries are to be removed, and remove them."""
    event, director = event_for(request, tournament_slug, event_slug, "change_entries")
    chosen = {one for one in request.POST.getlist("entry") if one.isascii() and one.isdecimal() and len(one) < 19}
    return _remove(request, director, event, sorted(map(int, chosen)))


def _remove(request: HttpRequest, director: User, event: Event, ids: Sequence[int]) -> HttpResponse:
    def confirm(digest: str, by: User, at: datetime) -> str:
        removed = confirm_removal(event, ids, digest=digest, by=by, at=at)
        return _("Entries removed: %(count)s.") % {"count": len(removed)}

    def preview(at: datetime) -> Consequences:
        return preview_removal(event, ids, at=at)

    def title(following: Consequences) -> str:
        if len(following.leaving) == 1:
            return _("Remove %(name)s from the event?") % {"name": following.leaving[0]}
        count = len(following.leaving)
        return ngettext("Remove %(count)s entry?", "Remove %(count)s entries?", count) % {"count": count}

    fields = [("entry", str(one)) for one in ids]
    question = Question(event, title, _("Remove"), fields, preview, confirm, _entries_of(event), named=len(ids) > 1)
    return _answer(request, director, question)


def _entries_of(event: Event) -> str:
    return reverse("entries", args=[event.tournament.slug, event.slug])
