"""The shape of a ruling as the director submits it from the page of a match.

Most forms are built from what ``RULINGS`` declares. Where a dispute has several possible rulings, its own form chooses
one.
"""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from matches.claims import KEY
from matches.models import MAX_REASON
from matches.rulings import RulingRequest
from players.errors import Refusal
from rules.penalties import Penalty
from rules.ruling_kinds import RULINGS, DeclaredRuling, FieldKind, RulingField
from rules.rulings import RulingKind
from rules.score import MatchScore, Side
from rules.sheet import Terms
from rules.wrong_length import LengthSchool
from tournament.formats.options import MAX_LENGTH
from tournament.pages.match.forms import SIDES, PlayedGameForm, RepairForm, number_input
from tournament.pages.returning import join, label, name_sides
from tournament.results.rulings import MOST_MINUTES, Lateness
from tournament.snapshot import SheetSnapshot

MAX_POINTS = 999


@dataclass(frozen=True, slots=True)
class RulingFacts:
    """What the forms know about a match: its terms, its sheet, its score, and the minutes per penalty point."""

    terms: Terms
    sheet: SheetSnapshot | None
    score: MatchScore
    late_minutes: int | None = None


class RulingForm(RepairForm):
    """The fields of every ruling: a key against double submission, what the director saw, and the reason.

    Unless ``confirmed`` is the digest of what the ruling changes, it is only previewed. All but lateness ``request`` a
    ruling, given the terms of the match and the sheet that the form was based on; they raise Refusal where there is
    nothing to rule on.
    """

    key = forms.RegexField(KEY, strip=False, widget=forms.HiddenInput)
    base = forms.IntegerField(min_value=0, max_value=2**31 - 1, widget=forms.HiddenInput)
    ruling_count = forms.IntegerField(min_value=0, max_value=2**31 - 1, widget=forms.HiddenInput)
    confirmed = forms.CharField(max_length=64, required=False, widget=forms.HiddenInput)
    reason = forms.CharField(
        label=_("Reason"), max_length=MAX_REASON, error_messages={"required": _("Give a reason for the ruling.")}
    )

    def __init__(self, data: Any = None, **kwargs: Any) -> None:
        super().__init__(data, auto_id=False, **kwargs)

    def place(self, way: str, a: str, b: str) -> None:
        """Give the fields ids of their own on the page, and those of the sides their names."""
        for name, field in self.fields.items():
            field.widget.attrs["id"] = f"{way}-{name}".replace("_", "-")
        self.fields["reason"].widget.attrs["id"] = f"{way}-ruling-reason"
        name_sides(self, a, b)

    def is_offered(self, facts: RulingFacts) -> bool:
        """Whether the match still allows the ruling."""
        return True

    def help_before(self, game: int) -> str:
        """Return the form's help text for a ruling made before ``game``."""
        return ""

    def repeated(self) -> list[forms.BoundField]:
        """Return the fields that are submitted again to confirm a valid form."""
        return [self[name] for name in self.fields if name not in {"confirmed", *RepairForm.base_fields}]

    def ask(self, **details: Any) -> RulingRequest:
        """Return the request that a valid form makes, with the ruling's ``details``: its kind and what it needs."""
        data = self.cleaned_data
        return RulingRequest(**{name: data[name] for name in ("key", "reason", "base", "ruling_count")}, **details)


@dataclass(frozen=True, slots=True)
class AskedField:
    """A declared field on the page: its question, and one input, or one for each side."""

    field: RulingField
    inputs: tuple[forms.BoundField, ...]

    @property
    def label(self) -> str:
        return gettext(self.field.label) if self.field.label else ""


class DeclaredForm(RulingForm):
    """A form built from the declaration of its kind of ruling; see :func:`build_form`."""

    kind: RulingKind
    ruling: DeclaredRuling

    @property
    def title(self) -> str:
        return gettext(self.ruling.title)

    @property
    def asked(self) -> list[AskedField]:
        """Return the declared fields in order."""
        return [AskedField(field, tuple(self[name] for name in names_of(field))) for field in self.ruling.needs]

    def place(self, way: str, a: str, b: str) -> None:
        for field in self.ruling.needs:
            if field.label:
                for name in names_of(field):
                    label(self, name, gettext(field.label))
        super().place(way, a, b)
        for field in self.ruling.needs:
            for name in names_of(field):
                self.fields[name].widget.attrs["id"] = name.replace("_", "-")

    def help_before(self, game: int) -> str:
        return gettext(self.ruling.help) % {"number": game} if self.ruling.help else ""

    def is_offered(self, facts: RulingFacts) -> bool:
        """Whether the match is still in progress, or an earlier ruling can be withdrawn."""
        given = [self[name].value() for field in self.ruling.needs for name in names_of(field)]
        return self.ruling.after_the_end or not facts.score.over or any(given)

    def request(self, terms: Terms, sheet: SheetSnapshot | None) -> RulingRequest:
        return self.ask(kind=self.kind, **{field.name: self._value(field) for field in self.ruling.needs})

    def _value(self, field: RulingField) -> object:
        values = tuple(self.cleaned_data[name] for name in names_of(field))
        if field.kind is FieldKind.SIDE:
            return Side(values[0])
        return values if field.kind is FieldKind.POINTS else values[0]


def names_of(field: RulingField) -> tuple[str, ...]:
    """Return the names of the inputs that answer a declared field."""
    return (f"{field.stem}_a", f"{field.stem}_b") if field.kind is FieldKind.POINTS else (field.name,)


def _input_for(field: RulingField) -> forms.Field:
    match field.kind:
        case FieldKind.POINTS:
            return forms.IntegerField(min_value=0, max_value=MAX_POINTS, widget=number_input())
        case FieldKind.LENGTH:
            return forms.IntegerField(min_value=1, max_value=MAX_LENGTH, widget=number_input())
        case FieldKind.FLAG:
            return forms.BooleanField(required=False)
        case FieldKind.SIDE:
            return forms.ChoiceField(choices=SIDES, widget=forms.RadioSelect)
        case FieldKind.GAMES:
            raise ValueError("Games are asked for by a form of their own.")


def build_form(kind: RulingKind) -> type[DeclaredForm]:
    """Build the form for this kind of ruling from the kind's declaration."""
    ruling = RULINGS[kind]
    inputs = {name: _input_for(field) for field in ruling.needs for name in names_of(field)}
    return type(f"{kind.name.title()}Form", (DeclaredForm,), {"kind": kind, "ruling": ruling, **inputs})


class LateForm(RulingForm):
    """How many minutes late each side was, or the side named in ``late``; the event sets the cost."""

    reason = forms.CharField(max_length=MAX_REASON, required=False, widget=forms.HiddenInput)
    minutes_a = forms.IntegerField(min_value=0, max_value=MOST_MINUTES, required=False, widget=forms.HiddenInput)
    minutes_b = forms.IntegerField(min_value=0, max_value=MOST_MINUTES, required=False, widget=forms.HiddenInput)
    minutes = forms.IntegerField(
        label=_("Minutes late"), min_value=0, max_value=MOST_MINUTES, required=False, widget=number_input()
    )
    late = forms.ChoiceField(choices=SIDES, required=False, widget=forms.HiddenInput)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("late"):
            data[f"minutes_{data['late'].lower()}"] = data.get("minutes")
        return data

    def is_offered(self, facts: RulingFacts) -> bool:
        return facts.sheet is None and facts.late_minutes is not None

    def lateness(self) -> Lateness:
        """Return the lateness that the valid form states."""
        data = self.cleaned_data
        return Lateness(key=data["key"], minutes_a=data["minutes_a"] or 0, minutes_b=data["minutes_b"] or 0)


class CrawfordForm(RulingForm):
    """The Crawford game as played, with its double; if it is too late to annul the double, it stands."""

    next_begun = forms.TypedChoiceField(
        label=_("Has the next game begun?"),
        choices=[("no", "no"), ("yes", "yes")],
        coerce=lambda value: value == "yes",
        widget=forms.RadioSelect,
    )

    def __init__(self, data: Any = None, **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        self.game = PlayedGameForm(data, prefix="game", initial={"cube": 2}, auto_id=False)
        join(self, [self.game])

    def is_valid(self) -> bool:
        return all([super().is_valid(), self.game.is_valid()])

    def is_offered(self, facts: RulingFacts) -> bool:
        return crawford_game(facts.terms, facts.sheet) is not None

    def repeated(self) -> list[forms.BoundField]:
        return [*super().repeated(), *self.game]

    def request(self, terms: Terms, sheet: SheetSnapshot | None) -> RulingRequest:
        played, games = self.game.played(), sheet.games if sheet else ()
        number = crawford_game(terms, sheet)
        if number is None:
            raise Refusal("no_crawford_game", gettext("This match has not reached its Crawford game."))
        next_begun = self.cleaned_data["next_begun"]
        is_late = next_begun or len(games) > number or (sheet is not None and sheet.score.over)
        return self.ask(
            kind=RulingKind.CRAWFORD_STANDS if is_late else RulingKind.CRAWFORD_ANNULLED,
            games=(*games[: number - 1], played, *games[number:]),
            next_begun=next_begun,
        )


class LengthForm(RulingForm):
    """The length that was played to, and the one that counts; the score at which play stopped if no games are known."""

    played_to = forms.IntegerField(
        label=_("Length actually played"), min_value=1, max_value=MAX_LENGTH, widget=number_input()
    )
    school = forms.ChoiceField(
        label=_("Which length counts?"),
        choices=[(school.value, school.value) for school in LengthSchool],
        widget=forms.RadioSelect,
    )
    final_a = forms.IntegerField(min_value=0, max_value=MAX_POINTS, required=False, widget=number_input())
    final_b = forms.IntegerField(min_value=0, max_value=MAX_POINTS, required=False, widget=number_input())

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if (data.get("final_a") is None) != (data.get("final_b") is None):
            raise forms.ValidationError(_("Enter the points of both players."), code="final_incomplete")
        return data

    def request(self, terms: Terms, sheet: SheetSnapshot | None) -> RulingRequest:
        data = self.cleaned_data
        posted = data["school"] == LengthSchool.POSTED
        return self.ask(
            kind=RulingKind.LENGTH_POSTED if posted else RulingKind.LENGTH_AGREED,
            played_to=data["played_to"],
            final=None if data["final_a"] is None else (data["final_a"], data["final_b"]),
        )


class ClockForm(RulingForm):
    """Whose clock ran out, and whether that costs the match or points under the event's rules."""

    expired = forms.ChoiceField(label=_("Whose clock ran out?"), choices=SIDES, widget=forms.RadioSelect)
    points = forms.IntegerField(
        label=_("Penalty points"), min_value=1, max_value=MAX_POINTS, required=False, widget=number_input()
    )

    def is_offered(self, facts: RulingFacts) -> bool:
        return not facts.score.over

    def request(self, terms: Terms, sheet: SheetSnapshot | None) -> RulingRequest:
        expired, points = Side(self.cleaned_data["expired"]), self.cleaned_data["points"]
        if points is None:
            return self.ask(kind=RulingKind.CLOCK_LOST, awarded_to=expired.other)
        given = (points, 0) if expired is Side.A else (0, points)
        return self.ask(kind=RulingKind.CLOCK_PENALTY, penalty_points=given)


AnyForm = LateForm | CrawfordForm | LengthForm | ClockForm | DeclaredForm
CHOOSING: dict[str, type[AnyForm]] = {"crawford": CrawfordForm, "length": LengthForm, "clock": ClockForm}
"""The forms of disputes with several possible rulings, by their ``way``."""

RULING_FORMS: dict[str, type[AnyForm]] = {"late": LateForm} | {
    ruling.way: CHOOSING.get(ruling.way) or build_form(kind) for kind, ruling in RULINGS.items()
}
"""The disputes that a director rules on, by the last word of the address."""


def empty_forms(facts: RulingFacts, *, ruling_count: int, waited: int | None) -> dict[str, AnyForm]:
    """Return a form for each kind of dispute; the match was called ``waited`` minutes ago."""
    sheet = facts.sheet
    seen = {"base": sheet.number if sheet else 0, "ruling_count": ruling_count}
    given = given_here(facts.terms, sheet)
    initial: Mapping[str, Mapping[str, int | None]] = {
        "penalty": {"against_a": given.against_a, "against_b": given.against_b},
        "late": {"minutes": waited},
    }
    return {
        way: form(initial={**seen, "key": uuid.uuid4().hex, **initial.get(way, {})})
        for way, form in RULING_FORMS.items()
    }


def crawford_game(terms: Terms, sheet: SheetSnapshot | None) -> int | None:
    """Return the number of the Crawford game, whether on the sheet or next to be played; None if not yet reached."""
    scores = terms.scores(sheet.games if sheet and not sheet.is_final_only else ())
    return next((number for number, score in enumerate(scores, start=1) if score.is_crawford), None)


def given_here(terms: Terms, sheet: SheetSnapshot | None) -> Penalty:
    """Return the penalty points already given since the last game, before the next one."""
    after = len(sheet.games) if sheet else 0
    return next((penalty for penalty in terms.penalties if penalty.after == after), Penalty(after, 0, 0))
