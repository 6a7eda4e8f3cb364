"""Find me: a player chooses their name on the event's page and proves it once with the code on the badge."""

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe
from rest_framework.request import Request

from players.errors import Refusal, TooOften
from players.services import fold_name
from tournament.entries.codes import is_code_of
from tournament.entries.links import link_of
from tournament.hall.running import called_in, read_calls, read_running
from tournament.pages.following import find_event, find_tournament
from tournament.pages.returning import refuse
from tournament.roles.throttling import AddressThrottle, CodeThrottle
from tournament.snapshot import EntrySnapshot, EventSnapshot, take_snapshot


class FindMeForm(forms.Form):
    entry = forms.TypedChoiceField(label=gettext_lazy("Your name"), coerce=int)
    code = forms.CharField(
        label=gettext_lazy("Code on your badge"),
        max_length=20,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false"}),
    )

    def name(self, entries: list[EntrySnapshot]) -> None:
        """Offer these entries, by their names."""
        self.fields["entry"].choices = [("", "—"), *((entry.id, entry.name) for entry in entries)]  # type: ignore[attr-defined]


@require_http_methods(["GET", "HEAD", "POST"])
def find_me(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    """Ask who the reader is, and lead to the private page; what was wrong about a name and a code is not said."""
    event = find_event(tournament_slug, event_slug)
    snapshot = take_snapshot(event.pk)
    entries = _findable(snapshot)
    form = FindMeForm(request.POST or None, initial={"entry": request.GET.get("entry", "")[:18]})
    form.name(entries)
    status = 200
    if request.method == "POST":
        status = Refusal.status
        if form.is_valid():
            _require_not_too_often(request, form.cleaned_data["entry"])
            found = next((one for one in entries if one.id == form.cleaned_data["entry"]), None)
            if found is not None and is_code_of(found, form.cleaned_data["code"]):
                return redirect(link_of(found))
            why = _("This name and this code do not belong together. Look at your badge again, or ask the director.")
            refuse(form, Refusal("code_wrong", why))
    return render(request, "tournament/mine/find_me.html", {"event": snapshot, "form": form}, status=status)


def _findable(snapshot: EventSnapshot) -> list[EntrySnapshot]:
    """Return the entries whose links are open, by name."""
    present = [entry for entry in (*snapshot.entries, *snapshot.waiting) if not entry.has_left]
    return sorted(present, key=lambda entry: fold_name(entry.name))


def _require_not_too_often(request: HttpRequest, entry: int) -> None:
    """Raise TooOften for an address, or a name from wherever, with too many attempts."""
    asked = Request(request)
    for throttle in (AddressThrottle(), CodeThrottle(entry)):
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
