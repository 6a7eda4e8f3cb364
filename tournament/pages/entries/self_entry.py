"""The public page on which players enter themselves."""

import uuid
from dataclasses import replace
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.http import require_http_methods
from rest_framework.request import Request

from players.errors import Conflict, Refusal, TooOften
from players.lines import is_visible, one_line
from players.models import MAX_COUNTRY, MAX_NAME, Player
from players.services import fold_name
from tournament.alerts.mail import offers_mail
from tournament.alerts.subscribe import subscribe_mail
from tournament.alerts.telling import KINDS
from tournament.entries.enrolment import MAX_MEMBERS, MAX_PAIR
from tournament.entries.links import link_of
from tournament.entries.lists import EntryLine, parse_members
from tournament.entries.self_entry import enter_oneself, require_self_entry
from tournament.models import Entry, Event, EventMoney
from tournament.models.self_entry import MAX_KEY
from tournament.pages.following import find_event
from tournament.pages.lines import LineField
from tournament.pages.returning import refuse, retype
from tournament.prizes import CURRENCIES
from tournament.roles.throttling import AskThrottle

DAYS_BEFORE = 2


class SelfEntryForm(forms.Form):
    """Who enters; ``player`` is asked only where several known players have the name."""

    name = LineField(
        label=gettext_lazy("Name"),
        max_length=MAX_PAIR,
        widget=forms.TextInput(attrs={"autocapitalize": "words", "spellcheck": "false", "autocomplete": "name"}),
    )
    player = forms.TypedChoiceField(label=gettext_lazy("Who are you?"), coerce=int, empty_value=None, required=False)
    members = forms.CharField(
        label=gettext_lazy("Members"),
        max_length=MAX_MEMBERS * (2 * MAX_NAME + len(" ()\r\n")),
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text=gettext_lazy("One name per line, in the order of the boards, then the reserves."),
    )
    club = LineField(label=gettext_lazy("Club"), max_length=MAX_NAME, required=False)
    country = forms.CharField(label=gettext_lazy("Country"), max_length=MAX_COUNTRY, required=False)
    address = forms.EmailField(
        label=gettext_lazy("E-mail address"),
        max_length=254,
        required=False,
        help_text=gettext_lazy("To be told of matches and deadlines. Leave empty for no e-mails."),
    )
    key = forms.CharField(max_length=MAX_KEY, required=False, widget=forms.HiddenInput)

    def __init__(self, event: Event, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if event.has_teams:
            self.fields["name"].label = _("Team name")
        else:
            del self.fields["members"]
        if not offers_mail(event.tournament):
            del self.fields["address"]
        self._offer_namesakes(event)

    def _offer_namesakes(self, event: Event) -> None:
        """Offer the known players with the name that was typed, if there are several."""
        name = one_line(str(self.data.get("name", "")))
        typed = fold_name(name) if is_visible(name) else ""
        is_for_players = not (event.has_teams or event.doubles)
        known = Player.objects.filter(folded_name=typed, merged_into__isnull=True).select_related("club")
        found = list(known.order_by("pk")[:20]) if typed and is_for_players else []
        if len(found) < 2:
            del self.fields["player"]
            return
        choices = [(str(one.pk), _described(one)) for one in found]
        self.fields["player"].choices = [("", "–"), *choices]  # type: ignore[attr-defined]

    def line(self) -> EntryLine:
        """Return the valid form as a line to enter."""
        data = self.cleaned_data
        line = EntryLine(name=data["name"], club=data["club"], country=data["country"], player_id=data.get("player"))
        if "members" not in data:
            return line
        team = EntryLine(name=data["name"])
        return replace(team, members=parse_members(data["members"], line))


def _described(player: Player) -> str:
    return ", ".join(filter(None, (player.name, player.club.name if player.club else "", player.country)))


@never_cache
@csrf_protect
@require_http_methods(["GET", "HEAD", "POST"])
def enter(request: HttpRequest, tournament_slug: str, event_slug: str) -> HttpResponse:
    """Enter the reader, or put them on the waiting list, and lead them to the private page of their entry."""
    event = find_event(tournament_slug, event_slug)
    form = SelfEntryForm(event, request.POST or None, initial={"key": uuid.uuid4().hex})
    status, closed = 200, _why_closed(event)
    if request.method == "POST":
        status = Refusal.status
        if form.is_valid():
            if not AskThrottle().allow_request(Request(request), None):  # type: ignore[arg-type]
                raise TooOften("self_entry_too_often", _("Too many players enter from here. Try again in an hour."))
            try:
                entry = enter_oneself(
                    event, line=form.line(), key=form.cleaned_data["key"] or uuid.uuid4().hex, at=timezone.now()
                )
            except Refusal as refusal:
                refuse(form, refusal)
                status = refusal.status
                if refusal.code == "key_reused":
                    retype(form, key=uuid.uuid4().hex)
            else:
                return _entered(request, entry, form.cleaned_data.get("address", ""))
    waiting = event.entries.filter(waiting=True).count()
    entered = event.entries.filter(waiting=False, left_at__isnull=True).count()
    context = {"event": event, "tournament": event.tournament, "form": form, "closed": closed}
    money = EventMoney.objects.filter(event=event).first()
    fee = money.fee + money.registration_fee if money else 0
    context |= {
        "entered": entered,
        "waiting": waiting,
        "fee": fee,
        "currency": CURRENCIES[money.currency] if money else None,
    }
    return render(request, "tournament/entries/enter.html", context, status=status)


def _why_closed(event: Event) -> str:
    try:
        require_self_entry(event, timezone.now())
    except Conflict as conflict:
        return str(conflict)
    return ""


def _entered(request: HttpRequest, entry: Entry, address: str) -> HttpResponse:
    """Say what has become of the entry, on its private page; the address is asked whether it wants e-mails."""
    said = _("You are on the waiting list.") if entry.waiting else _("You are entered.")
    keep = _("Keep this page: it is yours alone.")
    messages.success(request, f"{said} {keep}")
    if address:
        try:
            subscribe_mail(entry, address=address, kinds=list(KINDS), days_before=DAYS_BEFORE, at=timezone.now())
        except Refusal as refusal:
            messages.error(request, str(refusal))
        else:
            messages.success(request, _("An e-mail is on its way: open it and confirm your address."))
    return redirect(link_of(entry))
