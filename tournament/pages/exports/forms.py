"""The forms of export profiles: the shape of what is typed. The services decide whether it may be stored."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from players.lines import MAX_NAME
from players.lists.models import OfficialList
from players.models import Federation
from tournament.exports.keepers import Keeper
from tournament.exports.kinds import KINDS
from tournament.exports.profiles import MAX_TITLE, ProfileData
from tournament.models import Every, ExportProfile
from tournament.pages.lines import LineField

FORMATS = [("csv", "CSV"), ("xlsx", "XLSX"), ("json", "JSON")]
DELIMITERS = [(";", _("semicolon ;")), (",", _("comma ,")), ("\t", _("tab"))]
DECIMALS = [(",", _("comma ,")), (".", _("point ."))]
ENCODINGS = [
    ("utf-8-sig", _("UTF-8, for spreadsheets")),
    ("utf-8", _("UTF-8 without a mark")),
    ("utf-16", "UTF-16"),
    ("cp1252", "Windows-1252"),
    ("iso-8859-15", "ISO 8859-15"),
]
DATES = [
    ("iso", "2026-11-22"),
    ("dots", "22.11.2026"),
    ("dashes", "22-11-2026"),
    ("slashes", "22/11/2026"),
    ("american", "11/22/2026"),
]


class ProfileForm(forms.Form):
    """A profile of one kind of table, with two fields for each of its columns: its place and its name."""

    name = LineField(label=_("Name"), max_length=MAX_NAME)
    list = forms.ChoiceField(label=_("List"), required=False)
    format = forms.ChoiceField(label=_("Format"), choices=FORMATS, initial="csv")
    delimiter = forms.ChoiceField(label=_("Between columns"), choices=DELIMITERS, initial=";")
    decimal = forms.ChoiceField(label=_("Decimal sign"), choices=DECIMALS, initial=",")
    encoding = forms.ChoiceField(label=_("Encoding"), choices=ENCODINGS, initial="utf-8-sig")
    dates = forms.ChoiceField(label=_("Days"), choices=DATES, initial="iso")
    names_schema = forms.BooleanField(
        label=_("First line names the schema"),
        required=False,
        help_text=_("A line above the names of the columns says what they mean, and of which days the file tells."),
    )
    every = forms.ChoiceField(
        label=_("Made automatically"),
        choices=Every.choices,
        required=False,
        help_text=_(
            "A file of each whole day, week or month, for as long as you may make it yourself. It is kept here."
        ),
    )

    def __init__(self, *args: Any, kind: str, keeper: Keeper, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.kind = kind
        lists = []
        if isinstance(keeper, Federation):
            lists = list(OfficialList.objects.filter(federation=keeper).values_list("slug", "name"))
        none = [] if KINDS[kind].needs_list else [("", _("all"))]
        self._choice("list").choices = [*none, *lists]
        if kind == "members" or not isinstance(keeper, Federation):
            del self.fields["list"]
        for place, column in enumerate(KINDS[kind].columns, start=1):
            self.fields[f"place_{column}"] = forms.IntegerField(
                label=_("Place of %(column)s") % {"column": column},
                required=False,
                min_value=1,
                max_value=999,
                initial=None if self.initial else place,
            )
            self.fields[f"title_{column}"] = LineField(
                label=_("Name of %(column)s") % {"column": column}, required=False, max_length=MAX_TITLE, initial=column
            )

    def columns(self) -> Sequence[tuple[str, Any, Any]]:
        """Return each column of the kind with its two fields."""
        return [(name, self[f"place_{name}"], self[f"title_{name}"]) for name in KINDS[self.kind].columns]

    def settings(self) -> Sequence[Any]:
        """Return the fields that belong to no column."""
        return [self[name] for name in self.fields if not name.startswith(("place_", "title_"))]

    def data_of_profile(self) -> ProfileData:
        """Return what was typed; columns with the same place stand in the order of the kind."""
        given = {name: value for name, value in self.cleaned_data.items() if not name.startswith(("place_", "title_"))}
        chosen = [name for name in KINDS[self.kind].columns if self.cleaned_data[f"place_{name}"]]
        chosen.sort(key=lambda name: self.cleaned_data[f"place_{name}"])
        columns = tuple((name, self.cleaned_data[f"title_{name}"]) for name in chosen)
        return ProfileData(kind=self.kind, columns=columns, **given)

    def _choice(self, name: str) -> forms.ChoiceField:
        field: forms.ChoiceField = self.fields[name]  # type: ignore[assignment]
        return field


def initial_of(profile: ExportProfile) -> dict[str, object]:
    """Return what the form of a profile shows at first."""
    names = ("name", "format", "delimiter", "decimal", "encoding", "dates", "names_schema", "every")
    told: dict[str, object] = {name: getattr(profile, name) for name in names}
    told["list"] = profile.official_list.slug if profile.official_list else ""
    for place, (name, title) in enumerate(profile.columns, start=1):
        told |= {f"place_{name}": place, f"title_{name}": title}
    return told


class DaysForm(forms.Form):
    """Of which days: this year until today, unless somebody says otherwise."""

    first = forms.DateField(label=_("From"), required=False, widget=forms.DateInput(attrs={"type": "date"}))
    last = forms.DateField(label=_("To"), required=False, widget=forms.DateInput(attrs={"type": "date"}))

    def days(self) -> tuple[date, date]:
        first, last = this_year()
        return self.cleaned_data["first"] or first, self.cleaned_data["last"] or last


def this_year() -> tuple[date, date]:
    today = timezone.localdate()
    return today.replace(month=1, day=1), today
