"""The entries of an event: a page for everybody, and the changes a director makes to them."""

from collections.abc import Set
from dataclasses import replace

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from players.errors import Refusal, Unconfirmed
from players.services import fold_name
from tournament.changes.versions import read_versions
from tournament.draw.closings import closings_of
from tournament.draw.settle import FEWEST_WORDS
from tournament.entries import checking, services
from tournament.entries.at_once import enter_and_draw
from tournament.entries.lists import EntryLine, parse_members, parse_pasted
from tournament.jobs.kinds import MOST_AT_ONCE, given_lines
from tournament.jobs.services import start_job
from tournament.models import Entry, Event, PublicSource
from tournament.pages.entries.closing_forms import DiceForm, ReopenForm, RoundForm
from tournament.pages.entries.forms import (
    DoorForm,
    EntryFileForm,
    EntryForm,
    EntryListForm,
    SelfEntrySwitchForm,
    TeamForm,
)
from tournament.pages.following import event_for, event_shown, find_event, page_of
from tournament.past.moments import shows_the_past
from tournament.roles.permissions import actions_of, require
from tournament.snapshot import EventSnapshot


@shows_the_past
def entry_page(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    """Show the entries; a director adds more by typing them in or pasting a list."""
    event = find_event(tournament_slug, event_slug)
    if request.method == "POST":
        director = require(request.user, event, "change_entries")
        way = request.POST.get("way", "")
        name, form = _entry_form(way, request)
        if form.is_valid():
            try:
                lines = _entry_lines(way, form.cleaned_data)
                if "draw" in request.POST:
                    return _draw_at_once(request, event, lines)
                if len(lines) > MOST_AT_ONCE:
                    return redirect(
                        start_job("entries", event=event, given=given_lines(lines), by=director, at=timezone.now())
                    )
                agreed = request.POST.get("confirmed", "")[:64]
                added = services.add_entries(event, lines=lines, by=director, at=timezone.now(), agreed=agreed)
            except Unconfirmed as unconfirmed:
                return entries_page(request, event, status=unconfirmed.status, unconfirmed=unconfirmed, **{name: form})
            except Refusal as refusal:
                form.add_error(_field_of(refusal, form), str(refusal))
            else:
                messages.success(request, _("Entries added: %(count)s.") % {"count": len(added)})
                return redirect("entries", tournament_slug, event_slug)
        return entries_page(request, event, status=400, **{name: form})
    return entries_page(request, event)


def entries_page(request: HttpRequest, event: Event, *, status: int = 200, **typed: object) -> HttpResponse:
    """Answer with the page of the entries; what was ``typed`` into one of its forms comes back."""
    forms = {
        "entry_form": EntryForm(),
        "list_form": EntryListForm(),
        "file_form": EntryFileForm(),
        "team_form": TeamForm(),
        "dice_form": DiceForm(),
        "reopen_form": ReopenForm(),
        "door_form": DoorForm(initial={name: getattr(event, name) for name in DoorForm.base_fields}),
        "self_entry_form": SelfEntrySwitchForm(initial={"open": event.self_entry, "until": event.self_entry_until}),
        **typed,
    }
    asked = request.GET.get("q", "")[:80]

    def context(snapshot: EventSnapshot) -> dict[str, object]:
        lists = ("entries", "waiting", "gone")
        found = {
            name: [entry for entry in getattr(snapshot, name) if fold_name(asked) in fold_name(entry.sought)]
            for name in lists
        }
        taps = snapshot.at is None and _has_taps(snapshot, allowed)
        choosing = taps and "change_entries" in allowed and not (snapshot.is_drawn or snapshot.is_closed)
        shown = {"found": found, "q": asked, "taps": taps, "choosing": choosing}
        if snapshot.at is None:
            shown |= value_shown(event, snapshot)
        return {**shown, **forms, "weekdays": list(WEEKDAYS.items())}

    allowed = actions_of(request.user, event)
    versions, snapshot = read_versions(event.tournament_id), event_shown(request, event)
    response = page_of(
        request,
        event,
        allowed=allowed,
        template="entries/entries",
        context=context,
        snapshot=snapshot,
        versions=versions,
    )
    response.status_code = status if response.status_code == 200 else response.status_code
    return response


def value_shown(event: Event, snapshot: EventSnapshot) -> dict[str, object]:
    """Return what the panel of the public value shows, which is there until the draw."""
    closings = closings_of(event)
    closing = next((one for one in closings if one.voided_at is None and not one.is_used), None)
    undrawn = snapshot.next_stage is not None and (closing is not None or not snapshot.is_drawn)
    ready = closing is not None and bool(closing.value or len(closing.words) >= FEWEST_WORDS)
    shows_value = undrawn and snapshot.public_source != PublicSource.NONE
    shown = {"closings": closings, "closing": closing, "ready": ready, "shows_value": shows_value}
    shown |= {"asks_drand": settings.DRAND}
    return {**shown, "round_form": RoundForm(initial={"round": closing.drand_round if closing else None})}


def _draw_at_once(request: HttpRequest, event: Event, lines: list[EntryLine]) -> HttpResponse:
    """Enter the lines and make the draw, and go on to the drawing. Raises Refusal for a list that a worker enters."""
    director = require(request.user, event, "make_draw")
    if len(lines) > MOST_AT_ONCE:
        sentence = _("A list of more than %(limit)s names is entered first, and drawn when all names are in.")
        raise Refusal("list_too_long_to_draw", sentence % {"limit": MOST_AT_ONCE})
    enter_and_draw(event, lines=lines, by=director, at=timezone.now())
    return redirect("bracket", event.tournament.slug, event.slug)


@require_POST
@login_required
def check_in_all(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    event, director = event_for(request, tournament_slug, event_slug, "check_in")
    present = checking.check_in_all(event, by=director, at=timezone.now())
    messages.success(request, _("Checked in: %(count)s.") % {"count": len(present)})
    return redirect("entries", tournament_slug, event_slug)


def _has_taps(event: EventSnapshot, allowed: Set[str]) -> bool:
    """Whether the list has buttons for these actions: after the draw, only waiting entries can be checked in."""
    if event.finished_at is not None:
        return False
    return "change_entries" in allowed or ("check_in" in allowed and (not event.is_drawn or bool(event.waiting)))


def _field_of(refusal: Refusal, form: EntryForm | EntryListForm | TeamForm) -> str | None:
    """Return the field that the service refused, if it is one field alone."""
    return "country" if refusal.code == "country_unknown" and isinstance(form, EntryForm) else None


def _entry_form(way: str, request: HttpRequest) -> tuple[str, EntryForm | EntryListForm | TeamForm]:
    if way == "list":
        return "list_form", EntryListForm(request.POST)
    if way == "team":
        return "team_form", TeamForm(request.POST)
    return "entry_form", EntryForm(request.POST)


def _entry_lines(way: str, data: dict) -> list[EntryLine]:
    if way == "list":
        return parse_pasted(data["text"])
    if way == "team":
        team = EntryLine(name=data["name"])
        return [replace(team, members=parse_members(data["members"], team))]
    return [EntryLine(name=data["name"], club=data["club"], country=data["country"], player_id=data["player_id"])]


@require_POST
@login_required
def set_home_evening(request: HttpRequest, tournament_slug: str, event_slug: str, entry_id: int) -> HttpResponse:
    event, director = event_for(request, tournament_slug, event_slug, "change_entries")
    entry = get_object_or_404(Entry.objects.select_related("event"), pk=entry_id, event=event)
    chosen = request.POST.get("weekday", "")
    weekday = {"": None, **{str(number): number for number in WEEKDAYS}}.get(chosen, -1)
    services.set_home_evening(entry, weekday=weekday, by=director, at=timezone.now())
    return redirect("entries", tournament_slug, event_slug)


@require_POST
@login_required
def change_presence(
    request: HttpRequest, tournament_slug: str, event_slug: str, entry_id: int, action: str
) -> HttpResponse:
    """Let an entry sit out, or play again after sitting out."""
    event, director = event_for(request, tournament_slug, event_slug, "change_entries")
    entry = get_object_or_404(Entry.objects.select_related("event"), pk=entry_id, event=event)
    service = {"withdraw": services.withdraw_entry, "return": services.return_entry}[action]
    service(entry, by=director, at=timezone.now())
    return redirect("entries", tournament_slug, event_slug)
