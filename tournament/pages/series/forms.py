"""The forms of officers about a series: what it is, and an event of it."""

from collections.abc import Collection
from decimal import Decimal
from typing import Any

from django import forms
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from players.models import MAX_NAME
from players.points import POINTS
from tournament.models import Event, Series, SeriesEvent
from tournament.pages.lines import LineField
from tournament.pages.parameters import PREFIX, ParametersForm, shown_parameter
from tournament.series.make import MOST_EVENTS, MOST_NUMBER, MOST_WEIGHT, SeriesData

TERMS = frozenset({"division", "weight", "designated"})
"""What a point system may ask of an event of its series."""


class SeriesForm(ParametersForm):
    """A series, with a field for each parameter of its point system."""

    name = LineField(label=gettext_lazy("Name"), max_length=MAX_NAME)
    best = forms.IntegerField(
        label=gettext_lazy("Results that count"),
        min_value=1,
        max_value=MOST_NUMBER,
        required=False,
        help_text=gettext_lazy("How many of each player’s best results count. Leave empty for all."),
    )
    members_only = forms.BooleanField(
        label=gettext_lazy("Only members of the federation"),
        required=False,
        help_text=gettext_lazy("Of those who were members when the event ended."),
    )

    def __init__(self, *args: Any, points: str, **kwargs: Any) -> None:
        super().__init__(*args, declared=POINTS[points].parameters, **kwargs)
        self.points = points

    def series(self) -> SeriesData:
        """Return the series of the valid form."""
        data = self.cleaned_data
        return SeriesData(
            name=data["name"],
            points=self.points,
            parameters=self.parameters(),
            best=data["best"],
            members_only=data["members_only"],
        )


class NewSeriesForm(SeriesForm):
    slug = forms.SlugField(
        label=gettext_lazy("Address"),
        max_length=40,
        required=False,
        help_text=gettext_lazy("Small letters, digits and hyphens. Empty makes it from the name. It stays."),
    )
    field_order = ("name", "slug")


def typed_of(series: Series, points: str) -> dict[str, object]:
    """Return what the form shows for the series as it is; another system than its own has its usual numbers."""
    parameters = series.parameters if points == series.points else {}
    return {
        **{name: getattr(series, name) for name in ("name", "best", "members_only")},
        **{PREFIX + name: shown_parameter(value) for name, value in parameters.items()},
    }


class SeriesEventTermsForm(forms.Form):
    """What a series says of an event: its place in the order, and what the point system asks of it."""

    number = forms.IntegerField(label=gettext_lazy("Place in the order"), min_value=1, max_value=MOST_EVENTS)
    division = forms.IntegerField(
        label=gettext_lazy("Division"),
        min_value=1,
        max_value=MOST_NUMBER,
        initial=1,
        help_text=gettext_lazy("1 is the strongest."),
    )
    weight = forms.DecimalField(
        label=gettext_lazy("Weight"),
        min_value=0,
        max_value=MOST_WEIGHT // 100,
        decimal_places=2,
        initial=1,
        help_text=gettext_lazy("The points of this event are multiplied by it: 1 for an ordinary event."),
    )
    designated = forms.IntegerField(
        label=gettext_lazy("Places with points"),
        min_value=1,
        max_value=MOST_NUMBER,
        required=False,
        help_text=gettext_lazy("Leave empty for all."),
    )

    def __init__(self, *args: Any, points: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in TERMS - asked_by(points):
            del self.fields[name]

    def terms(self) -> dict[str, Any]:
        """Return what the valid form says of the event in its series."""
        said = {name: self.cleaned_data[name] for name in ("number", *TERMS) if name in self.fields}
        return {**said, "weight": int(said["weight"] * 100)} if "weight" in said else said


class SeriesEventForm(SeriesEventTermsForm):
    """An event to add to a series."""

    event = LineField(
        label=gettext_lazy("Event"),
        max_length=300,
        help_text=gettext_lazy("Choose one, or copy the address of its page here."),
        widget=forms.TextInput(attrs={"list": "events", "autocomplete": "off"}),
    )
    field_order = ("event", "number")

    def __init__(self, *args: Any, hosts: Collection[str] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.hosts = hosts
        self.fields["number"].required = False
        self.fields["number"].help_text = _("Leave empty for the last.")

    def clean_event(self) -> Event:
        """Find the event by its address, which may begin with that of this site and go on after the event."""
        before, mark, words = self.cleaned_data["event"].partition("/t/")
        host = host_of(before) if mark else ""
        tournament, _slash, rest = (words if mark else before).strip("/").partition("/")
        rows = Event.objects.filter(tournament__slug=tournament[:80], slug=rest.partition("/")[0][:80])
        found = rows.select_related("tournament").first()
        is_here = host in self.hosts or (found is not None and host == host_of(found.tournament.site_address))
        if mark and before and not (host and is_here):
            raise forms.ValidationError(_("This is not an address of this site."))
        if found is None:
            raise forms.ValidationError(_("There is no such event."))
        return found


def host_of(address: str) -> str:
    """Return the host of the beginning of an address, with its port."""
    return address.lower().removeprefix("http://").removeprefix("https://").strip("/")


def typed_terms(row: SeriesEvent) -> dict[str, object]:
    """Return what the form shows for the event as it is in its series."""
    told = {name: getattr(row, name) for name in ("number", "division", "designated")}
    return {**told, "weight": Decimal(row.weight) / 100}


def asked_by(points: str) -> frozenset[str]:
    """Return which of the terms of an event change its points; none for a point system that is not known."""
    return POINTS[points].asks if points in POINTS else frozenset()


def terms_told(row: SeriesEvent, asked: Collection[str]) -> list[str]:
    """Return in words what the series says of the event, where the point system asks and it is not as usual."""
    told = []
    if "division" in asked and row.division != 1:
        told.append(_("division %(number)s") % {"number": row.division})
    if "weight" in asked and row.weight != 100:
        told.append(
            _("weight %(number)s")
            % {"number": number_format(Decimal(row.weight).scaleb(-2).normalize(), use_l10n=True)}
        )
    if "designated" in asked and row.designated is not None:
        told.append(
            ngettext("%(number)s place with points", "%(number)s places with points", row.designated)
            % {"number": row.designated}
        )
    return told
