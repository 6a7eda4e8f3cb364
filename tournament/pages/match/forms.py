"""Forms for results, reports and repairs: the shape of submitted data. The services decide what may be done."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from matches.models import Conclusion
from matches.services import KEY, MAX_CUBE, Claim
from players.errors import Refusal
from rules.score import Ending, Level, Side
from rules.sheet import GameResult
from tournament.draw.reconcile import Repair

MAX_GAMES = 400
SPARE_ROWS = 3
CUBES = (1, 2, 4, 8, 16, 32, 64)
LEVEL_NAMES = {Level.SINGLE: _("single"), Level.GAMMON: _("gammon"), Level.BACKGAMMON: _("backgammon")}
ENDING_NAMES = {
    Ending.BEAROFF: _("borne off"),
    Ending.DROP: _("drop"),
    Ending.RESIGNED: _("resigned"),
    Ending.FORFEIT: _("forfeit"),
}


class RepairForm(forms.Form):
    """What happens to later matches, once it is known that there are any; ``preview`` only shows what would be lost."""

    repair = forms.ChoiceField(choices=[(repair.value, repair.value) for repair in Repair], required=False)
    preview = forms.BooleanField(required=False)

    @property
    def chosen(self) -> Repair | None:
        """Return the repair chosen in the valid form."""
        return Repair(self.cleaned_data["repair"]) if self.cleaned_data["repair"] else None


class SubmissionForm(RepairForm):
    """The fields of every result: a key against double submission, the sheet it builds on, the second confirmation."""

    key = forms.RegexField(KEY, strip=False, widget=forms.HiddenInput)
    base = forms.IntegerField(min_value=0, max_value=2**31 - 1, widget=forms.HiddenInput)
    confirmed = forms.BooleanField(required=False, widget=forms.HiddenInput)
    reason = forms.CharField(label=_("Reason"), max_length=200, required=False)

    def claim(self, before: tuple[GameResult, ...]) -> Claim:
        """Return the claim that the valid form makes, given the games of the sheet it was based on. Raises Refusal."""
        data = self.cleaned_data
        return Claim(key=data["key"], base=data["base"], confirmed=data["confirmed"], reason=data["reason"])


class GameForm(forms.Form):
    """One game: the winner, the cube, the level and how it ended. A row without a winner is not a game."""

    winner = forms.ChoiceField(choices=[(side.value, side.value) for side in Side], required=False)
    cube = forms.IntegerField(min_value=1, max_value=MAX_CUBE, required=False)
    level = forms.TypedChoiceField(
        choices=[(level.value, name) for level, name in LEVEL_NAMES.items()], coerce=int, required=False
    )
    ending = forms.ChoiceField(choices=[(ending.value, name) for ending, name in ENDING_NAMES.items()], required=False)

    def game(self) -> GameResult | None:
        data = self.cleaned_data
        if not data["winner"]:
            return None
        return GameResult(
            winner=Side(data["winner"]),
            cube=data["cube"] or 1,
            level=Level(data["level"] or Level.SINGLE),
            ending=Ending(data["ending"] or Ending.BEAROFF),
        )


class NextGameForm(SubmissionForm, GameForm):
    """The game that follows those of the sheet it was based on."""

    def claim(self, before: tuple[GameResult, ...]) -> Claim:
        game = self.game()
        if game is None:
            raise Refusal("winner_missing", gettext("Say who won the game."))
        return replace(super().claim(before), games=(*before, game))


GameFormSet = forms.formset_factory(GameForm, extra=0, max_num=MAX_GAMES, absolute_max=MAX_GAMES)


class SheetForm(SubmissionForm):
    """The whole sheet, one row per game; the last game may be followed by empty rows."""

    def __init__(self, data: Any = None, *, games: Iterable[GameResult] = (), **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        rows = [
            {"winner": game.winner.value, "cube": game.cube, "level": int(game.level), "ending": game.ending.value}
            for game in games
        ]
        self.rows = GameFormSet(data, initial=[*rows, *({} for _row in range(SPARE_ROWS))], prefix="games")

    def is_valid(self) -> bool:
        return super().is_valid() and self.rows.is_valid()

    def claim(self, before: tuple[GameResult, ...]) -> Claim:
        games = [row.game() for row in self.rows]
        while games and games[-1] is None:
            games.pop()
        if None in games:
            raise Refusal("game_missing", gettext("Game %(game)s has no winner.") % {"game": games.index(None) + 1})
        return replace(super().claim(before), games=tuple(game for game in games if game is not None))


class FinalForm(SubmissionForm):
    final_a = forms.IntegerField(min_value=0, max_value=999)
    final_b = forms.IntegerField(min_value=0, max_value=999)

    def claim(self, before: tuple[GameResult, ...]) -> Claim:
        data = self.cleaned_data
        return replace(super().claim(before), final=(data["final_a"], data["final_b"]))


class AwardForm(SubmissionForm):
    """A match that was given up, with the games played, or one that never began; nobody wins if neither side came."""

    conclusion = forms.ChoiceField(
        choices=[
            (Conclusion.FORFEIT.value, _("forfeit")),
            (Conclusion.WALKOVER.value, _("walkover")),
            (Conclusion.VOID.value, _("void")),
        ]
    )
    awarded_to = forms.ChoiceField(choices=[(side.value, side.value) for side in Side], required=False)

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
    side = forms.ChoiceField(choices=[(side.value, side.value) for side in Side])
    player = forms.IntegerField(min_value=1, max_value=2**62)


class WalkoverForm(forms.Form):
    """The team that wins the whole match; if ``to`` is empty, neither team came."""

    key = forms.RegexField(KEY, strip=False)
    to = forms.ChoiceField(choices=[(side.value, side.value) for side in Side], required=False)
    reason = forms.CharField(label=_("Reason"), max_length=200, required=False)


class VoidForm(RepairForm):
    base = forms.IntegerField(min_value=0, max_value=2**31 - 1, widget=forms.HiddenInput)
    reason = forms.CharField(label=_("Reason"), max_length=200)


class ReportForm(forms.Form):
    """The number of the report that somebody is confirming, disputing or settling."""

    number = forms.IntegerField(min_value=1, max_value=2**31 - 1, widget=forms.HiddenInput)
    reason = forms.CharField(label=_("Reason"), max_length=200, required=False)


class EndAdvanceForm(RepairForm):
    reason = forms.CharField(label=_("Reason"), max_length=200)
