"""The check-in desk: one tap for each thing that can happen to an entry."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms import CharField, Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from players.errors import Conflict, Refusal, Unconfirmed
from players.models import User
from tournament.entries import attendance, identity
from tournament.entries.links import link_of
from tournament.entries.lists import EntryLine
from tournament.entries.renew import renew_links
from tournament.entries.self_entry import set_self_entry as set_self_entry_of
from tournament.models import Entry, Event
from tournament.pages.entries.entries import entries_page
from tournament.pages.entries.forms import DoorForm, EntryForm, LeaveForm, ReplacementForm, SelfEntrySwitchForm
from tournament.pages.following import event_for
from tournament.pages.returning import refuse
from tournament.pages.site import link_for_others, site_for_codes
from tournament.pictures.paper import draw_code
from tournament.snapshot import take_snapshot

Act = Callable[[Any, Entry, User, datetime], Entry]


def _replace(form: EntryForm, entry: Entry, by: User, at: datetime) -> Entry:
    data = form.cleaned_data
    line = EntryLine(name=data["name"], club=data["club"], country=data["country"], player_id=data["player_id"])
    return identity.replace_player(entry, line=line, by=by, at=at)


ACTS: dict[str, Act] = {
    "check-in": lambda form, entry, by, at: attendance.check_in(entry, by=by, at=at),
    "undo-check-in": lambda form, entry, by, at: attendance.undo_check_in(entry, by=by, at=at),
    "move-up": lambda form, entry, by, at: attendance.move_up(
        entry, by=by, at=at, agreed=form.cleaned_data["confirmed"]
    ),
    "wait": lambda form, entry, by, at: attendance.put_to_wait(entry, by=by, at=at),
    "undo-leaving": lambda form, entry, by, at: attendance.undo_leaving(entry, by=by, at=at),
    "replace": _replace,
}
"""What a director can do to one entry, by the last word of the address."""

CHECK_INS = {"check-in", "undo-check-in"}


class MoveUpForm(Form):
    """``confirmed`` is the digest of the question whether a ready match is to wait again, answered with yes."""

    confirmed = CharField(max_length=64, required=False)


FORMS: dict[str, type[Form]] = {"replace": ReplacementForm, "move-up": MoveUpForm}
"""What a director types or confirms for an act; the others are buttons alone."""


@require_safe
@login_required
def entry_page(request: HttpRequest, tournament_slug: str, event_slug: str, entry_id: int) -> HttpResponse:
    """Show a director everything that can be done with an entry."""
    event, _director = event_for(request, tournament_slug, event_slug, "change_entries")
    return show_entry(request, event, entry_id)


def show_entry(
    request: HttpRequest, event: Event, entry_id: int, *, status: int = 200, **typed: object
) -> HttpResponse:
    """Show what can be done with the entry; ``typed`` are forms that come back to the page."""
    snapshot = take_snapshot(event.pk)
    everybody = (*snapshot.entries, *snapshot.waiting, *snapshot.gone)
    entry = next((entry for entry in everybody if entry.id == entry_id), None)
    if entry is None:
        raise Http404
    stored = get_object_or_404(Entry.objects.select_related("event", "player", "partner"), pk=entry_id)
    site = site_for_codes(request, event.tournament)
    own_page = link_for_others(request, event.tournament, link_of(entry))
    context = {"event": snapshot, "entry": entry, "ways": attendance.ways_to_leave(stored)}
    context["why_not_replaced"] = identity.why_not_replaced(stored)
    context |= {"own_page": own_page, "site": site, "code": draw_code(own_page) if site else ""}
    context |= {"leave_form": LeaveForm(), "replace_form": ReplacementForm(), **typed}
    return render(request, "tournament/entries/entry.html", context, status=status)


@require_POST
@login_required
def act(request: HttpRequest, tournament_slug: str, event_slug: str, entry_id: int, action: str) -> HttpResponse:
    needed = "check_in" if action in CHECK_INS else "change_entries"
    event, director = event_for(request, tournament_slug, event_slug, needed)
    entry = get_object_or_404(Entry.objects.select_related("event"), pk=entry_id, event=event)
    form = FORMS.get(action, Form)(request.POST)
    back = {f"{action}_form": form} if action in FORMS else {}
    if not form.is_valid():
        return show_entry(request, event, entry_id, status=Refusal.status, **back)
    try:
        current = ACTS[action](form, entry, director, timezone.now())
    except Unconfirmed as unconfirmed:
        context = {"event": event, "entry": entry, "unconfirmed": unconfirmed}
        return render(request, "tournament/entries/asked_bye.html", context, status=unconfirmed.status)
    except Refusal as refusal:
        if action != "replace" or refusal.status != Refusal.status:
            raise
        refuse(form, refusal)
        return show_entry(request, event, entry_id, status=refusal.status, **back)
    if action == "replace":
        messages.success(request, _("%(name)s plays instead.") % {"name": current.name})
    return redirect(f"{reverse('entries', args=[tournament_slug, event_slug])}#e-{entry_id}")


@require_POST
@login_required
def renew_link(request: HttpRequest, tournament_slug: str, event_slug: str, entry_id: int) -> HttpResponse:
    """Give the entry a new private link, and show it."""
    event, director = event_for(request, tournament_slug, event_slug, "change_entries")
    renew_links(event, entries=[entry_id], by=director, at=timezone.now())
    messages.success(request, _("The entry has a new private link. The old one no longer works."))
    return redirect(f"{reverse('entry', args=[tournament_slug, event_slug, entry_id])}?card#card")


@require_POST
@login_required
def renew_all_links(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    event, director = event_for(request, tournament_slug, event_slug, "change_entries")
    renewed = renew_links(event, by=director, at=timezone.now())
    sentence = ngettext(
        "%(count)s entry has a new private link. The old one no longer works.",
        "%(count)s entries have new private links. The old ones no longer work.",
        len(renewed),
    )
    messages.success(request, sentence % {"count": len(renewed)})
    return redirect(f"{reverse('entries', args=[tournament_slug, event_slug])}#links")


@require_POST
@login_required
def set_door(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    event, director = event_for(request, tournament_slug, event_slug, "change_event")
    form = DoorForm(request.POST)
    if not form.is_valid():
        return entries_page(request, event, status=Refusal.status, door_form=form)
    try:
        attendance.set_door(event, **form.cleaned_data, by=director, at=timezone.now())
    except Conflict:
        raise
    except Refusal as refusal:
        refuse(form, refusal)
        return entries_page(request, event, status=refusal.status, door_form=form)
    messages.success(request, _("Saved."))
    return redirect("entries", tournament_slug, event_slug)


@require_POST
@login_required
def set_self_entry(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    """Let players enter themselves, or stop that."""
    event, director = event_for(request, tournament_slug, event_slug, "change_event")
    form = SelfEntrySwitchForm(request.POST)
    if not form.is_valid():
        return entries_page(request, event, status=Refusal.status, self_entry_form=form)
    try:
        set_self_entry_of(event, **form.cleaned_data, by=director, at=timezone.now())
    except Conflict:
        raise
    except Refusal as refusal:
        refuse(form, refusal, field="until")
        return entries_page(request, event, status=refusal.status, self_entry_form=form)
    messages.success(request, _("Saved."))
    return redirect(f"{reverse('entries', args=[tournament_slug, event_slug])}#self-entry")
