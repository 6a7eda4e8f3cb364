"""The forms of officers about a list: what it is, whom it takes over, and where its next publication cuts off."""

from collections.abc import Mapping
from datetime import date, datetime, time
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from matches.lists.draft import Cut, cut_on
from players.lists.document import criteria_from_json
from players.lists.models import MAX_SOURCE, MOST_PLACES, OfficialList
from players.lists.values import Criteria, Provisional
from players.models import MAX_NAME, Club, Federation
from players.ratings import SYSTEMS
from tournament.pages.lines import LineField
from tournament.pages.parameters import PREFIX, ParametersForm, shown_parameter

PROVISIONAL = {
    Provisional.BY_RATING: gettext_lazy("below the others, by rating"),
    Provisional.BY_NAME: gettext_lazy("below the others, by name"),
    Provisional.LEFT_OUT: gettext_lazy("not at all"),
}
PLAIN = ("experience", "active_months", "members", "class_matches", "class_months")
"""Criteria that the form has as they are."""


def _day(label: object, *, required: bool = True, help_text: object = "") -> forms.DateField:
    widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    return forms.DateField(label=label, required=required, widget=widget, help_text=help_text)  # type: ignore[arg-type]


def _number(label: object, help_text: object = "") -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=0, initial=0, required=False, help_text=help_text)  # type: ignore[arg-type]


class CriteriaForm(forms.Form):
    """The name of a list and who stands on it; what can be changed at any time."""

    name = LineField(label=gettext_lazy("Name"), max_length=MAX_NAME)
    members = forms.BooleanField(label=gettext_lazy("Only members of the federation"), required=False)
    experience = _number(
        gettext_lazy("Experience that this list asks for"),
        gettext_lazy(
            "With less, players are provisional. If the rating system has a number of its own, the higher one holds; "
            "this one can change with every publication."
        ),
    )
    provisional = forms.ChoiceField(
        label=gettext_lazy("Provisional players are shown"),
        choices=list(PROVISIONAL.items()),
        initial=Provisional.BY_RATING,
    )
    active_months = _number(
        gettext_lazy("Months within which a player must have played"), gettext_lazy("0 asks for nothing.")
    )
    active_since = _day(gettext_lazy("Or since"), required=False)
    nation = LineField(
        label=gettext_lazy("Only this country"),
        max_length=3,
        required=False,
        help_text=gettext_lazy("A code of two or three letters, such as DK."),
    )
    club = forms.ModelChoiceField(
        label=gettext_lazy("Only this club"),
        queryset=Club.objects.none(),
        required=False,
        empty_label=gettext_lazy("every club"),
    )
    classes = forms.CharField(
        label=gettext_lazy("Classes"),
        max_length=2000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy(
            "One a line, the highest first, each with the rating from which it begins: Master 1650."
        ),
    )
    class_matches = _number(
        gettext_lazy("A class looks back over so many matches"), gettext_lazy("0 takes the present rating.")
    )
    class_months = _number(gettext_lazy("Months for which a player who has risen stays"))

    def __init__(self, *args: Any, federation: Federation | None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        clubs: Any = self.fields["club"]
        clubs.queryset = Club.objects.filter(federation=federation).order_by("name")

    def clean_nation(self) -> str:
        return str(self.cleaned_data["nation"]).upper()

    def clean_classes(self) -> tuple[tuple[str, int], ...]:
        found = []
        for line in self.cleaned_data["classes"].splitlines():
            name, _space, least = " ".join(line.split()).rpartition(" ")
            if not line.strip():
                continue
            digits = least.removeprefix("-")
            if not name or not (digits.isascii() and digits.isdecimal() and len(digits) < 7) or len(name) > MAX_NAME:
                raise forms.ValidationError(
                    _("“%(line)s” is not a name with a rating after it."), params={"line": line}
                )
            found.append((name, int(least)))
        return tuple(found)

    def criteria(self) -> Criteria:
        """Return the criteria of the valid form."""
        data = self.cleaned_data
        return Criteria(
            **{name: data[name] or 0 for name in PLAIN if name != "members"},
            members=data["members"],
            provisional=Provisional(data["provisional"]),
            active_since=data["active_since"].isoformat() if data["active_since"] else "",
            nation=data["nation"],
            club=data["club"].pk if data["club"] else 0,
            classes=data["classes"],
        )


def typed_of(official_list: OfficialList) -> dict[str, object]:
    """Return what the form shows for the list as it is."""
    criteria = criteria_from_json(official_list.criteria) if official_list.criteria else Criteria()
    return {
        "name": official_list.name,
        "places": official_list.places,
        "counts_from": official_list.counts_from and timezone.localdate(official_list.counts_from),
        **{name: getattr(criteria, name) for name in (*PLAIN, "provisional", "active_since", "nation")},
        "club": criteria.club or None,
        "classes": "\n".join(f"{name} {least}" for name, least in criteria.classes),
        **{PREFIX + name: shown_parameter(value) for name, value in official_list.parameters.items()},
    }


class ListForm(ParametersForm, CriteriaForm):
    """All of a list that has not been published, with a field for each parameter of its system."""

    places = forms.IntegerField(label=gettext_lazy("Decimal places"), min_value=0, max_value=MOST_PLACES, initial=2)
    counts_from = _day(
        gettext_lazy("Matches count from"), required=False, help_text=gettext_lazy("Leave empty for all matches.")
    )

    def __init__(self, *args: Any, kind: str, **kwargs: Any) -> None:
        super().__init__(*args, declared=SYSTEMS[kind].parameters, **kwargs)

    def counted_from(self) -> datetime | None:
        """Return the moment after which matches count: the end of the day before the one that was typed."""
        day: date | None = self.cleaned_data["counts_from"]
        return None if day is None else timezone.make_aware(datetime.combine(day, time.min))


class NewListForm(ListForm):
    slug = forms.SlugField(
        label=gettext_lazy("Address"),
        max_length=40,
        required=False,
        help_text=gettext_lazy("Small letters, digits and hyphens. Empty makes it from the name. It stays."),
    )
    field_order = ("name", "slug")


class StartsForm(forms.Form):
    """An official list whose values this one goes on from."""

    source = LineField(
        label=gettext_lazy("Which list is it?"),
        max_length=MAX_SOURCE,
        help_text=gettext_lazy("Such as: DBgF rating list of 1 November 2026."),
    )
    as_of = _day(gettext_lazy("As of"))
    file = forms.FileField(
        label=gettext_lazy("CSV or XLSX file"),
        help_text=gettext_lazy(
            "One row names the columns: no, family, given or name, rating, experience. A rating is needed, and a "
            "number or a name."
        ),
    )


class RehearsalForm(forms.Form):
    """The files of a season that is replayed."""

    starts = forms.FileField(
        label=gettext_lazy("The list before the season"),
        required=False,
        help_text=gettext_lazy("Number or name, rating, experience. Without it everybody begins as a newcomer."),
    )
    results = forms.FileField(
        label=gettext_lazy("The matches of the season"),
        help_text=gettext_lazy(
            "Date, length, winner and loser; or p1_name, p2_name, score1, score2. Numbers stand in winner_no, "
            "loser_no, p1_no, p2_no."
        ),
    )
    official = forms.FileField(
        label=gettext_lazy("The list after the season"), help_text=gettext_lazy("What has to come out.")
    )


class CutForm(forms.Form):
    """Where a publication cuts off."""

    of = _day(gettext_lazy("Day of the list"))
    matches_until = _day(gettext_lazy("Last day whose matches count"))
    members_on = _day(gettext_lazy("Day of the memberships"))

    def cut(self) -> Cut:
        """Return where the valid form cuts off. Raises Refusal for a day that no list can have."""
        data: Mapping[str, date] = self.cleaned_data
        return cut_on(**data)

    def data_of_cut(self) -> dict[str, str]:
        """Return what an address says of the valid form."""
        return {name: self.cleaned_data[name].isoformat() for name in self.fields}
