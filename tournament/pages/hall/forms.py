"""The forms for the hall: tables, breaks and the desk's quick actions."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.hall.site import address_of
from tournament.hall.tables import MAX_TABLE
from tournament.models import Event, Tournament


class TableForm(forms.Form):
    """The number of a table, or none for the best free one."""

    table = forms.IntegerField(label=_("Table"), min_value=1, max_value=MAX_TABLE, required=False)


class TablesForm(forms.Form):
    first = forms.IntegerField(label=_("From number"), min_value=1, max_value=MAX_TABLE)
    last = forms.IntegerField(label=_("To number"), min_value=1, max_value=MAX_TABLE)


class SiteForm(forms.Form):
    address = forms.CharField(
        label=_("Site address"),
        max_length=300,
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


class MomentInput(forms.DateTimeInput):
    def __init__(self) -> None:
        super().__init__(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")


class BreakForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=80)
    starts_at = forms.DateTimeField(label=_("From"), widget=MomentInput())
    ends_at = forms.DateTimeField(label=_("To"), widget=MomentInput())
