"""The forms of the registry: the shape of what is typed. The services decide whether it may be stored."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from players.models import MAX_CODE, MAX_NAME, Gender, Membership, Visibility
from players.registry.bodies import ClubData, FederationData
from players.registry.memberships import Term
from players.registry.models import MAX_ISSUER, MAX_NUMBER, MAX_PATTERN
from players.registry.people import Person
from tournament.pages.lines import LineField


def _day(label: Any, *, required: bool = False) -> forms.DateField:
    return forms.DateField(label=label, required=required, widget=forms.DateInput(attrs={"type": "date"}))


class PersonForm(forms.Form):
    given = LineField(label=_("Given names"), max_length=MAX_NAME, required=False)
    family = LineField(label=_("Family name"), max_length=MAX_NAME)
    country = LineField(
        label=_("Country"), max_length=3, required=False, help_text=_("A code of two or three letters, such as DK.")
    )
    club = LineField(
        label=_("Club"), max_length=MAX_NAME, required=False, help_text=_("Its name, or its code in the federation.")
    )
    town = LineField(label=_("Town"), max_length=MAX_NAME, required=False)
    born = LineField(
        label=_("Born"), max_length=10, required=False, help_text=_("A year, or a day such as 1961-05-02.")
    )
    gender = forms.ChoiceField(label=_("Gender"), choices=[("", "–"), *Gender.choices], required=False)

    def person(self) -> Person:
        return Person(**self.cleaned_data)


class FederationForm(forms.Form):
    code = LineField(label=_("Code"), max_length=MAX_CODE)
    name = LineField(label=_("Name"), max_length=MAX_NAME)
    country = LineField(
        label=_("Country"), max_length=3, required=False, help_text=_("A code of two or three letters, such as DK.")
    )
    parent = LineField(label=_("Belongs to"), max_length=MAX_CODE, required=False, help_text=_("The code of another."))
    year_starts_day = forms.IntegerField(label=_("Membership year: first day"), min_value=1, max_value=28, initial=1)
    year_starts_month = forms.IntegerField(
        label=_("Membership year: first month"), min_value=1, max_value=12, initial=1
    )
    number_pattern = LineField(
        label=_("Pattern of numbers"),
        max_length=MAX_PATTERN,
        required=False,
        help_text=_("What every member number looks like: \\d{1,4} is one to four digits. Empty for any."),
    )

    def federation(self) -> FederationData:
        return FederationData(**self.cleaned_data)


class ClubForm(forms.Form):
    name = LineField(label=_("Name"), max_length=MAX_NAME)
    code = LineField(label=_("Code"), max_length=MAX_CODE, required=False)
    town = LineField(label=_("Town"), max_length=MAX_NAME, required=False)
    federation = LineField(
        label=_("Federation"), max_length=MAX_CODE, required=False, help_text=_("Its code, such as DBGF.")
    )

    def club(self) -> ClubData:
        return ClubData(**self.cleaned_data)


class MembershipForm(forms.Form):
    kind = forms.ChoiceField(label=_("Kind"), choices=Membership.Kind.choices)
    starts = _day(_("From"), required=True)
    ends = _day(_("To"))
    paid_on = _day(_("Paid on"))
    number = LineField(label=_("Number"), max_length=MAX_NUMBER, required=False)

    def term(self) -> Term:
        told: dict[str, Any] = {name: self.cleaned_data[name] for name in ("starts", "ends", "paid_on", "number")}
        return Term(**told)


class BodyForm(MembershipForm):
    """A new membership, of the federation or club that is chosen."""

    body = forms.ChoiceField(label=_("Member of"))
    field_order = ["body"]

    def __init__(self, *args: Any, bodies: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field: forms.ChoiceField = self.fields["body"]  # type: ignore[assignment]
        field.choices = bodies


class NumberForm(forms.Form):
    issuer = LineField(label=_("Issuer"), max_length=MAX_ISSUER, help_text=_("Such as dbgf or bmab."))
    value = LineField(label=_("Number"), max_length=MAX_NUMBER)


class TitleForm(forms.Form):
    issuer = LineField(label=_("Issuer"), max_length=MAX_ISSUER)
    code = LineField(label=_("Title"), max_length=MAX_CODE)
    on = _day(_("On"), required=True)
    evidence = LineField(label=_("Evidence"), max_length=500, required=False)


class NormForm(forms.Form):
    issuer = LineField(label=_("Issuer"), max_length=MAX_ISSUER)
    kind = LineField(label=_("Kind of norm"), max_length=MAX_CODE)
    thirds = forms.IntegerField(label=_("Thirds"), min_value=1, max_value=30, initial=3)
    on = _day(_("On"), required=True)
    evidence = LineField(label=_("Evidence"), max_length=500, required=False)


class AliasForm(forms.Form):
    spelling = LineField(label=_("Another spelling"), max_length=MAX_NAME)


class VisibilityForm(forms.Form):
    visibility = forms.ChoiceField(label=_("Shown as"), choices=Visibility.choices)


class UserForm(forms.Form):
    username = LineField(label=_("User name"), max_length=150)


class ReasonForm(forms.Form):
    reason = LineField(label=_("Reason"), max_length=200)


class MemberFileForm(forms.Form):
    file = forms.FileField(
        label=_("CSV or XLSX file"),
        help_text=_(
            "One row names the columns: no, family, given, birth, nation, club, kind, from, to, paid. Only a name is "
            "needed. Danish, Swedish, Norwegian and German titles are known too."
        ),
    )


class TitleTableForm(forms.Form):
    """A table of titles, one title a line; without a number of matches there is no rule for norms."""

    valid_from = _day(_("Valid from"), required=True)
    titles = forms.CharField(
        label=_("Titles"),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text=_(
            "One a line, the highest first: code; name; PR; norms. “GM; Grandmaster; 4; 1” asks for a PR of 4 or lower "
            "and one norm. Leave the PR empty for a title that asks for norms alone."
        ),
    )
    least = forms.IntegerField(label=_("Fewest points"), min_value=0, initial=200)
    window = forms.IntegerField(
        label=_("Latest points that count"), min_value=1, required=False, help_text=_("Empty for all.")
    )
    shortest = forms.IntegerField(label=_("Shortest match"), min_value=1, initial=7)
    months = forms.IntegerField(
        label=_("Months from the first match"), min_value=1, required=False, help_text=_("Empty for any time.")
    )
    clocked = forms.BooleanField(label=_("Only matches with a clock"), required=False, initial=True)
    sanction = forms.BooleanField(label=_("Only events that you have approved"), required=False, initial=True)
    members = forms.BooleanField(label=_("Only members"), required=False, initial=True)
    norm_matches = forms.IntegerField(
        label=_("Norm: matches"), min_value=1, required=False, help_text=_("Empty if norms do not follow from matches.")
    )
    norm_below = LineField(label=_("Norm: PR below"), max_length=8, required=False)
    norm_shortest = forms.IntegerField(label=_("Norm: shortest match"), min_value=1, required=False)
    norm_months = forms.IntegerField(label=_("Norm: within months"), min_value=1, required=False)
    norm_most = forms.IntegerField(label=_("Norm: most of them"), min_value=1, required=False)
    norm_kind = LineField(label=_("Norm: kind"), max_length=MAX_CODE, required=False)

    @staticmethod
    def typed(rules: Mapping[str, Any], today: date) -> dict[str, Any]:
        """Return the table as it would be typed."""
        lines = [
            "; ".join((one["code"], one["name"], one["pr"] or "", str(one["norms"]))) for one in rules.get("titles", ())
        ]
        norm = {f"norm_{name}": value for name, value in (rules.get("norm") or {}).items()}
        told = {name: rules[name] for name in rules if name not in ("titles", "norm")}
        return {**told, **norm, "titles": "\n".join(lines), "valid_from": today.isoformat()}

    def rules(self) -> dict[str, Any]:
        """Return the table as data; the service decides whether there can be such a table."""
        data = self.cleaned_data
        norm = {name: data[f"norm_{name}"] for name in ("matches", "below", "shortest", "months", "most", "kind")}
        given = {name: value for name, value in norm.items() if value not in ("", None)}
        plain = {
            name: data[name] for name in ("least", "window", "shortest", "months", "clocked", "sanction", "members")
        }
        titles = [_title(line) for line in data["titles"].splitlines() if line.strip()]
        return {**plain, "titles": titles, "norm": given or None}


def _title(line: str) -> dict[str, Any]:
    code, name, rating, norms, *_rest = [*(part.strip() for part in line.split(";")), "", "", "", ""]
    count = int(norms) if norms.isascii() and norms.isdecimal() and len(norms) < 5 else -1 if norms else 0
    return {"code": code.upper(), "name": name, "pr": rating.replace(",", ".") or None, "norms": count}


def first_of_year(starts: date | None) -> dict[str, str]:
    """Return the initial values of a new membership."""
    return {"starts": starts.isoformat()} if starts else {}
