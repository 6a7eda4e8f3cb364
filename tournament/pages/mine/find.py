"""Find me: players choose their name on the event's page, and prove it by the code on their badge or at the desk."""

import uuid
from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from rest_framework.request import Request

from players.errors import Refusal, TooOften
from players.services import name_key
from tournament.changes.topics import followed, read_topics, tournament_topic
from tournament.entries.codes import is_code_of
from tournament.entries.links import link_of
from tournament.entries.page_requests import (
    WAITS,
    PageRequestState,
    ask_for_page,
    request_by_token,
    state_of,
    token_of_request,
)
from tournament.hall.running import called_in, read_calls, read_running
from tournament.models import Entry
from tournament.models.page_request import MAX_KEY
from tournament.pages.following import find_event, find_tournament
from tournament.pages.mine.live import asked_to_reload
from tournament.pages.returning import refuse
from tournament.roles.throttling import AddressThrottle, AskThrottle, CodeThrottle
from tournament.snapshot import EntrySnapshot, EventSnapshot, take_snapshot


class FindMeForm(forms.Form):
    entry = forms.TypedChoiceField(label=gettext_lazy("Your name"), coerce=int)
    code = forms.CharField(
        label=gettext_lazy("Code on your badge"),
        max_length=20,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false"}),
    )

    key = forms.CharField(max_length=MAX_KEY, required=False, widget=forms.HiddenInput)

    def __init__(self, entries: list[EntrySnapshot], *args: Any, needs_code: bool = True, **options: Any) -> None:
        """Offer these entries by their names; without a code, the desk is asked."""
        super().__init__(*args, **options)
        self.fields["entry"].choices = [("", "–"), *((entry.id, entry.name) for entry in entries)]  # type: ignore[attr-defined]
        self.fields["code"].required = needs_code


@require_http_methods(["GET", "HEAD", "POST"])
def find_me(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    """Ask who the reader is, and lead to the private page; what was wrong about a name and a code is not said."""
    event = find_event(tournament_slug, event_slug)
    snapshot = take_snapshot(event.pk)
    entries = _findable(snapshot)
    initial = {"entry": _asked_entry(request, entries), "key": uuid.uuid4().hex}
    form = FindMeForm(entries, request.POST or None, initial=initial)
    status = 200
    if request.method == "POST":
        status = Refusal.status
        if form.is_valid():
            _require_not_too_often(request, AddressThrottle(), CodeThrottle(form.cleaned_data["entry"]))
            found = next((one for one in entries if one.id == form.cleaned_data["entry"]), None)
            if found is not None and is_code_of(found, form.cleaned_data["code"]):
                return redirect(link_of(found))
            why = _("This name and this code do not belong together. Look at your badge again, or ask the director.")
            refuse(form, Refusal("code_wrong", why))
    return render(request, "tournament/mine/find_me.html", {"event": snapshot, "form": form}, status=status)


@require_POST
def ask(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    """Ask the desk to say that the reader is the player whom they have chosen."""
    event = find_event(tournament_slug, event_slug)
    snapshot = take_snapshot(event.pk)
    form = FindMeForm(_findable(snapshot), request.POST, needs_code=False)
    status = Refusal.status
    if form.is_valid():
        _require_not_too_often(request, AskThrottle())
        entry, key = form.cleaned_data["entry"], form.cleaned_data["key"] or uuid.uuid4().hex
        try:
            made = ask_for_page(Entry(pk=entry, event=event), key=key, at=timezone.now())
        except Refusal as refusal:
            refuse(form, refusal)
            status = refusal.status
        else:
            return redirect("asked-page", tournament_slug, event_slug, token_of_request(made))
    return render(request, "tournament/mine/find_me.html", {"event": snapshot, "form": form}, status=status)


@require_safe
@never_cache
def asked(request: HttpRequest, tournament_slug: str, event_slug: str, token: str) -> HttpResponse:
    """Show the phone that asked what the desk says, and lead it to its page after a yes."""
    event = find_event(tournament_slug, event_slug)
    # Read before the request: an answer in the meantime is asked for once more.
    topics = followed(read_topics([tournament_topic(event.tournament_id)]))
    found = request_by_token(token, event)
    if found is None:
        raise Http404
    state = state_of(found, timezone.now())
    is_fragment = "fragment" in request.GET
    if state is PageRequestState.YES:
        return asked_to_reload() if is_fragment else redirect(link_of(found.entry))
    template = "tournament/mine/_asked.html" if is_fragment else "tournament/mine/asked.html"
    context = {
        "asked": found,
        "entry": found.entry,
        "token": token,
        "state": state.value,
        "ends": found.asked_at + WAITS,
    }
    return render(request, template, {**context, "tournament": event.tournament, "own_event": event, **topics})


def _asked_entry(request: HttpRequest, entries: list[EntrySnapshot]) -> str:
    """Return the id of the entry that the address names, by ``entry`` or by the ``name`` of a player; or nothing."""
    name = request.GET.get("name", "")
    named = [one for one in entries if name and name in (one.name, *(member.name for member in one.members))]
    return request.GET.get("entry", "")[:18] or (str(named[0].id) if len(named) == 1 else "")


def _findable(snapshot: EventSnapshot) -> list[EntrySnapshot]:
    """Return the entries whose links are open, by name."""
    present = [entry for entry in (*snapshot.entries, *snapshot.waiting) if not entry.has_left]
    return sorted(present, key=lambda entry: name_key(entry.name))


def _require_not_too_often(request: HttpRequest, *throttles: AddressThrottle) -> None:
    """Raise TooOften for an address, or a name from wherever, with too many attempts."""
    asked = Request(request)
    for throttle in throttles:
        if not throttle.allow_request(asked, None):  # type: ignore[arg-type]
            raise TooOften("code_too_often", _("Too many attempts. Wait a minute, then try again."))


@require_safe
def table_here(request: HttpRequest, tournament_slug: str, number: int) -> HttpResponse:
    """Show the match called to this table now; a phone that has the page of one of its players goes on to that."""
    tournament = find_tournament(tournament_slug)
    matches = called_in(read_running(tournament), read_calls(tournament))
    match = next((one for one in matches if one.table == number and one.called_at is not None), None)
    fixture = None
    event = None
    if match is not None:
        event = take_snapshot(match.event_id)
        fixture = event.fixture_of(match.id)
    sides = [seat.entry for seat in (fixture.a, fixture.b) if seat.entry is not None] if fixture is not None else []
    context = {"tournament": tournament, "number": number, "match": match, "event": event, "sides": sides}
    return render(request, "tournament/mine/table.html", context)
