"""Forms for results, reports and repairs: the shape of submitted data. The services decide what may be done."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from matches.claims import KEY, MAX_CUBE, Claim
from matches.models import MAX_REASON, MOST_ERROR_RATE, MOST_GAMES, Conclusion, Match
from rules.score import Ending, Level, Side
from rules.sheet import GameResult
from tournament.draw.reconcile import Repair
from tournament.pages.lines import LineField
from tournament.pages.moments import MomentField
from tournament.pages.returning import join, label, name_sides

SPARE_ROWS = 3
CUBES = (1, 2, 4, 8, 16, 32, 64)
LEVEL_NAMES = {Level.SINGLE: _("single"), Level.GAMMON: _("gammon"), Level.BACKGAMMON: _("backgammon")}
CUBE_CHOICES = [(cube, str(cube)) for cube in CUBES]
SIDES = [(side.value, side.value) for side in Side]
NO_WINNER = _("Say who won the game.")
ENDING_NAMES = {
    Ending.BEAROFF: _("borne off"),
    Ending.DROP: _("drop"),
    Ending.RESIGNED: _("resigned"),
    Ending.FORFEIT: _("forfeit"),
}


class RepairForm(forms.Form):
    """What happens to later matches, once it is known that there are any; ``preview`` only shows what would be lost.

    ``shown`` is the digest of what was to be lost when the repair was chosen.
    """

    repair = forms.ChoiceField(
        choices=[(repair.value, repair.value) for repair in Repair], required=False, widget=forms.HiddenInput
    )
    shown = forms.CharField(max_length=64, required=False, widget=forms.HiddenInput)
    preview = forms.BooleanField(required=False, widget=forms.HiddenInput)

    @property
    def chosen(self) -> Repair | None:
        """Return the repair chosen in the valid form."""
        return Repair(self.cleaned_data["repair"]) if self.cleaned_data["repair"] else None


def place(form: forms.BaseForm, way: str, match: Match) -> None:
    """Give the fields ids of their own on the page of the match, and those of its sides their names."""
    for name, field in form.fields.items():
        field.widget.attrs["id"] = f"{way}-{name.removeprefix('final_')}".replace("_", "-")
    name_sides(form, match.name_a, match.name_b)


class AttachForm(forms.Form):
    """A match record for a match, and the side in its left column where the names do not tell."""

    file = forms.FileField(
        label=_("Match record (.mat, .txt, .sgf, .xg or .bgf)"),
        widget=forms.FileInput(attrs={"accept": ".mat,.txt,.sgf,.xg,.bgf"}),
    )
    left = forms.ChoiceField(
        label=_("Player in the left column"), choices=[("", _("as the names tell")), *SIDES], required=False
    )


class SubmissionForm(RepairForm):
    """The fields of every result: a key against double submission, and the sheet it builds on.

    ``confirmed`` is the digest of the question about unlikely games that the button beside it answers with yes.
    """

    key = forms.RegexField(KEY, strip=False, widget=forms.HiddenInput)
    base = forms.IntegerField(min_value=0, max_value=2**31 - 1, widget=forms.HiddenInput)
    confirmed = forms.CharField(max_length=64, required=False, widget=forms.HiddenInput)
    reason = LineField(label=_("Reason"), max_length=MAX_REASON, required=False)
    played_at = MomentField(
        label=_("When did the match end?"),
        required=False,
    )

    def claim(self, before: tuple[GameResult, ...]) -> Claim:
        """Return the claim that the valid form makes, given the games of the sheet it was based on. Raises Refusal."""
        data = self.cleaned_data
        said = {"answered": data["confirmed"], "reason": data["reason"], "played_at": data["played_at"]}
        return Claim(key=data["key"], base=data["base"], **said)


class GameForm(forms.Form):
    """One game: the winner, the cube, the level and how it ended. A row without a winner is not a game."""

    winner = forms.ChoiceField(label=_("Winner"), choices=SIDES, required=False)
    cube = forms.IntegerField(
        label=_("Cube"), min_value=1, max_value=MAX_CUBE, required=False, widget=forms.Select(choices=CUBE_CHOICES)
    )
    level = forms.TypedChoiceField(
        label=_("Level"),
        choices=[(level.value, name) for level, name in LEVEL_NAMES.items()],
        coerce=int,
        required=False,
    )
    ending = forms.ChoiceField(
        label=_("Ending"), choices=[(ending.value, name) for ending, name in ENDING_NAMES.items()], required=False
    )

    def game(self) -> GameResult | None:
        return self.played() if self.cleaned_data["winner"] else None

    def played(self) -> GameResult:
        data = self.cleaned_data
        return GameResult(
            winner=Side(data["winner"]),
            cube=data["cube"] or 1,
            level=Level(data["level"] or Level.SINGLE),
            ending=Ending(data["ending"] or Ending.BEAROFF),
        )

    def suit(self, match: Match, number: int) -> None:
        """Offer what can happen in a game of the match, in a row of selects for game ``number``."""
        winner, cube, level = (self.fields[name] for name in ("winner", "cube", "level"))
        winner.choices = [("", "–"), *zip((value for value, _name in SIDES), (match.name_a, match.name_b), strict=True)]  # type: ignore[attr-defined]
        chosen = str(self["cube"].value() or "")
        cubes = [(str(value), str(value)) for value in cubes_of(match)]
        cube.widget.choices = cubes if chosen in {"", *dict(cubes)} else [*cubes, (chosen, chosen)]
        level.choices = levels_of(match)  # type: ignore[attr-defined]
        labels = {
            "winner": gettext("Winner of game %(number)s"),
            "cube": gettext("Cube in game %(number)s"),
            "level": gettext("Level of game %(number)s"),
            "ending": gettext("Ending of game %(number)s"),
        }
        for name, template in labels.items():
            text = template % {"number": number}
            label(self, name, text)
            self.fields[name].widget.attrs["aria-label"] = text


def cubes_of(match: Match) -> tuple[int, ...]:
    """Return the cube values that the rules of the match allow, as far as forms offer them."""
    cap = match.terms.profile.cube_cap
    return tuple(cube for cube in CUBES if cap is None or cube <= cap)


def levels_of(match: Match) -> list[tuple[str, str | Promise]]:
    """Return the kinds of win that count by the rules of the match."""
    return [(str(level.value), name) for level, name in LEVEL_NAMES.items() if level in match.terms.profile.multipliers]


class PlayedGameForm(GameForm):
    """A game that somebody has won."""

    winner = forms.ChoiceField(label=_("Winner"), choices=SIDES, error_messages={"required": NO_WINNER})


class NextGameForm(SubmissionForm, PlayedGameForm):
    """The game that follows those of the sheet it was based on."""

    winner = forms.ChoiceField(
        label=_("Who won the game?"), choices=SIDES, widget=forms.RadioSelect, error_messages={"required": NO_WINNER}
    )

    def claim(self, before: tuple[GameResult, ...]) -> Claim:
        return replace(super().claim(before), games=(*before, self.played()))


GameFormSet = forms.formset_factory(GameForm, extra=0, max_num=MOST_GAMES, absolute_max=MOST_GAMES)


class SheetForm(SubmissionForm):
    """The whole sheet, one row per game; the last game may be followed by empty rows."""

    def __init__(self, data: Any = None, *, games: Iterable[GameResult] = (), **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        rows = [
            {"winner": game.winner.value, "cube": game.cube, "level": int(game.level), "ending": game.ending.value}
            for game in games
        ]
        empty: list[dict[str, object]] = [{} for _row in range(SPARE_ROWS)]
        self.rows = GameFormSet(data, initial=[*rows, *empty], prefix="games", auto_id="")
        join(self, self.rows.forms)

    def is_valid(self) -> bool:
        """Validate the rows too: each of them up to the last game needs a winner."""
        if not (super().is_valid() and self.rows.is_valid()):
            if self.rows.non_form_errors():
                self.add_error(None, self.rows.non_form_errors().as_data())
            return False
        played = [bool(row.cleaned_data.get("winner")) for row in self.rows]
        for index in range(len(played)):
            if not played[index] and any(played[index:]):
                sentence = gettext("Game %(game)s has no winner.") % {"game": index + 1}
                self.rows[index].add_error("winner", forms.ValidationError(sentence, code="game_missing"))
        return self.rows.is_valid()

    def claim(self, before: tuple[GameResult, ...]) -> Claim:
        games = (row.game() for row in self.rows)
        return replace(super().claim(before), games=tuple(game for game in games if game is not None))


def number_input() -> forms.NumberInput:
    """Return the input for a number that phones offer digits for."""
    return forms.NumberInput(attrs={"inputmode": "numeric"})


class FinalForm(SubmissionForm):
    final_a = forms.IntegerField(min_value=0, max_value=999, widget=number_input())
    final_b = forms.IntegerField(min_value=0, max_value=999, widget=number_input())

    def play_to(self, length: int) -> None:
        """Offer no more points than the match is long."""
        for name in ("final_a", "final_b"):
            self.fields[name].widget.attrs["max"] = length

    def claim(self, before: tuple[GameResult, ...]) -> Claim:
        data = self.cleaned_data
        return replace(super().claim(before), final=(data["final_a"], data["final_b"]))


class AwardForm(SubmissionForm):
    """A match that was given up, with the games played, or one that never began; nobody wins if neither side came."""

    conclusion = forms.ChoiceField(
        label=_("What happened?"),
        choices=[
            (Conclusion.FORFEIT.value, _("forfeit")),
            (Conclusion.WALKOVER.value, _("walkover")),
            (Conclusion.VOID.value, _("void")),
        ],
        widget=forms.RadioSelect,
    )
    awarded_to = forms.ChoiceField(
        label=_("Who is awarded the match?"), choices=SIDES, required=False, widget=forms.RadioSelect
    )

    def clean(self) -> dict[str, object]:
        data = super().clean() or self.cleaned_data
        if data.get("conclusion") != Conclusion.VOID and not data.get("awarded_to"):
            self.add_error("awarded_to", gettext("Choose who is awarded the match."))
        return data

    def claim(self, before: tuple[GameResult, ...]) -> Claim:
        conclusion = Conclusion(self.cleaned_data["conclusion"])
        return replace(
            super().claim(before),
            games=before if conclusion is Conclusion.FORFEIT else (),
            conclusion=conclusion,
            awarded_to=None if conclusion is Conclusion.VOID else Side(self.cleaned_data["awarded_to"]),
        )


RESULT_FORMS: dict[str, type[SubmissionForm]] = {
    "game": NextGameForm,
    "sheet": SheetForm,
    "final": FinalForm,
    "award": AwardForm,
}
"""The ways to enter a result, by the last word of the address."""


class ReserveForm(forms.Form):
    side = forms.ChoiceField(choices=SIDES, widget=forms.HiddenInput)
    player = forms.IntegerField(
        min_value=1,
        max_value=2**62,
        widget=forms.Select,
        error_messages={"required": _("Choose who plays at this board.")},
    )

    def offer(self, team: str, members: list[tuple[int, str]]) -> None:
        """Offer the members of the team who may play at the board."""
        label(self, "player", team)
        self.fields["player"].widget.choices = members


class WalkoverForm(forms.Form):
    """The team that wins the whole match; if ``to`` is empty, neither team came."""

    key = forms.RegexField(KEY, strip=False, widget=forms.HiddenInput)
    to = forms.ChoiceField(choices=SIDES, required=False, widget=forms.HiddenInput)
    reason = LineField(label=_("Reason"), max_length=MAX_REASON, required=False)


class DeadlineForm(forms.Form):
    """The new deadline of a match, and the reason."""

    to = forms.DateField(label=_("Last day to play"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"))
    reason = LineField(label=_("Reason"), max_length=MAX_REASON)


class RateField(forms.DecimalField):
    """An error rate with up to three decimals, with a point or a comma; cleaned, it is in thousandths."""

    def __init__(self) -> None:
        widget = forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"})
        super().__init__(
            min_value=0, max_value=MOST_ERROR_RATE // 1000, decimal_places=3, required=False, widget=widget
        )

    def clean(self, value: object) -> int | None:
        rate = super().clean(str(value or "").strip().replace(",", "."))
        return None if rate is None else int(rate * 1000)


class ErrorRatesForm(forms.Form):
    """The error rates of both sides; both empty takes them back."""

    rate_a = RateField()
    rate_b = RateField()

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        for name, other in (("rate_a", "rate_b"), ("rate_b", "rate_a")):
            if not self.errors and data.get(name) is None and data.get(other) is not None:
                self.add_error(name, gettext("Give the error rates of both sides."))
        return data

    @property
    def rates(self) -> tuple[int, int] | None:
        """The rates in thousandths; None without any."""
        data = self.cleaned_data
        return None if data["rate_a"] is None else (data["rate_a"], data["rate_b"])


class VoidForm(RepairForm):
    base = forms.IntegerField(min_value=0, max_value=2**31 - 1, widget=forms.HiddenInput)
    reason = LineField(label=_("Reason"), max_length=MAX_REASON)


class ReportForm(forms.Form):
    """The number of the report that somebody is confirming, disputing or settling."""

    number = forms.IntegerField(min_value=1, max_value=2**31 - 1, widget=forms.HiddenInput)
    reason = LineField(label=_("Reason"), max_length=MAX_REASON, required=False)


class EndAdvanceForm(RepairForm):
    reason = LineField(label=_("Reason"), max_length=MAX_REASON)
