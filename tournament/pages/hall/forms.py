"""The forms for the hall: tables, breaks and the desk's quick actions."""

from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from players.models import MAX_NAME
from tournament.hall.addresses import LONGEST
from tournament.hall.site import address_of
from tournament.hall.tables import MAX_TABLE
from tournament.models import Event, Tournament
from tournament.models.announcement import MAX_ANNOUNCEMENT
from tournament.pages.lines import LineField
from tournament.pages.moments import MomentField
from tournament.roles.permissions import Reach


class TableForm(forms.Form):
    """The number of a table, or none for the best free one."""

    table = forms.IntegerField(label=_("Table"), min_value=1, max_value=MAX_TABLE, required=False)


class TablesForm(forms.Form):
    first = forms.IntegerField(label=_("From number"), min_value=1, max_value=MAX_TABLE)
    last = forms.IntegerField(label=_("To number"), min_value=1, max_value=MAX_TABLE)


class SiteForm(forms.Form):
    address = forms.CharField(
        label=_("Site address"),
        max_length=LONGEST,
        required=False,
        widget=forms.TextInput(attrs={"inputmode": "url", "autocapitalize": "off", "spellcheck": "false"}),
        help_text=_(
            "QR codes and invitations begin with this address. Enter the one that phones in the hall can open, such as "
            "https://play.example.org or http://192.168.1.20:8000."
        ),
    )

    @classmethod
    def of(cls, tournament: Tournament) -> "SiteForm":
        """Return the form with the address that is in use."""
        return cls(initial={"address": address_of(tournament)})


class TableTermsForm(forms.Form):
    event = forms.ModelChoiceField(label=_("Reserved for"), queryset=Event.objects.none(), required=False)
    streamed = forms.BooleanField(label=_("Streamed"), required=False)
    out_of_order = forms.BooleanField(label=_("Out of order"), required=False)

    def __init__(self, *args: Any, events: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["event"].queryset = events  # type: ignore[attr-defined]


class BreakForm(forms.Form):
    name = LineField(label=_("Name"), max_length=MAX_NAME)
    starts_at = MomentField(label=_("From"))
    ends_at = MomentField(label=_("To"))


MINUTES = {"15": 15, "60": 60}
"""The choices of an announcement's end that are so many minutes away."""


class AnnouncementForm(forms.Form):
    """A sentence to everybody, or to the players of one of the events in ``reach``, and for how long it is shown.

    ``only`` is the event if there is one to choose from.
    """

    text = forms.CharField(
        label=_("Announcement"), max_length=MAX_ANNOUNCEMENT, widget=forms.Textarea(attrs={"rows": 2})
    )
    event = forms.ModelChoiceField(label=_("To"), queryset=Event.objects.none(), required=False)
    lasts = forms.ChoiceField(
        label=_("Shown"),
        choices=[
            ("day", _("until midnight")),
            ("60", _("for 1 hour")),
            ("15", _("for 15 minutes")),
            ("", _("until it is withdrawn")),
        ],
        required=False,
        initial="day",
    )

    def __init__(self, *args: Any, tournament: Tournament, reach: Reach, **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": "announce-%s", **kwargs})
        found = tournament.events.order_by("pk")
        event: Any = self.fields["event"]
        event.queryset = found if reach.whole else found.filter(pk__in=reach.events)
        event.empty_label, event.required = (_("everybody") if reach.whole else None), not reach.whole
        self.only = event.queryset.first() if not reach.whole and len(reach.events) == 1 else None
        if self.only is not None:
            event.widget, event.initial = forms.HiddenInput(), self.only.pk

    def ends_at(self, at: datetime) -> datetime | None:
        """Return when the announcement ends that is made at this moment, in the zone of the page."""
        lasts = self.cleaned_data["lasts"]
        if lasts in MINUTES:
            return at + timedelta(minutes=MINUTES[lasts])
        if lasts != "day":
            return None
        tomorrow = timezone.localtime(at).date() + timedelta(days=1)
        return datetime(tomorrow.year, tomorrow.month, tomorrow.day, tzinfo=timezone.get_current_timezone())
