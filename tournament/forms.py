"""The shape of what people send. Whether it may be done is for the services to say."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from matches.models import Conclusion
from matches.services import MAX_CUBE, Claim
from players.errors import Refusal
from rules.profiles import DEFAULT_PROFILE, PROFILES
from rules.score import Ending, Level, Side
from rules.sheet import GameResult
from tournament.formats import FORMATS
from tournament.formats.options import MAX_LENGTH, MAX_LENGTHS, Options, Seeding
from tournament.tiebreaks import TIEBREAKS

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


class TournamentForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=80)
    place = forms.CharField(label=_("Venue"), max_length=80, required=False)
    starts_on = forms.DateField(label=_("First day"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"))


class LengthsField(forms.CharField):
    """Match lengths as "9, 7, 5": the final first, the last for all earlier rounds."""

    def to_python(self, value: object) -> list[int]:  # type: ignore[override]
        text = super().to_python(value) or ""
        parts = text.replace(",", " ").replace("/", " ").split()
        if not 1 <= len(parts) <= MAX_LENGTHS or not all(part.isascii() and part.isdecimal() for part in parts):
            raise forms.ValidationError(
                _("Write one length, or several from the final backwards, such as 9, 7, 5."), code="lengths_invalid"
            )
        lengths = [int(part[:6]) for part in parts]
        if not all(1 <= length <= MAX_LENGTH for length in lengths):
            raise forms.ValidationError(
                _("A match is played to 1 to %(limit)s points."), code="length_invalid", params={"limit": MAX_LENGTH}
            )
        return lengths

    def prepare_value(self, value: object) -> object:
        return ", ".join(str(length) for length in value) if isinstance(value, list | tuple) else value


class EventForm(forms.Form):
    """Name, lengths, rules, format and the order of the tie-breaks of an event."""

    name = forms.CharField(label=_("Name"), max_length=80)
    format = forms.ChoiceField(label=_("Format"))
    lengths = LengthsField(
        label=_("Match length"),
        help_text=_("Points to win. Several lengths are read from the final backwards: 9, 7, 5."),
    )
    seeding = forms.ChoiceField(
        label=_("Draw"),
        choices=[(Seeding.RANDOM.value, _("at random")), (Seeding.SEEDED.value, _("by seeds"))],
    )
    profile = forms.ChoiceField(label=_("Rules"))
    crawford = forms.BooleanField(label=_("Crawford game"), required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["format"].choices = [(slug, gettext(fmt.name)) for slug, fmt in FORMATS.items()]  # type: ignore[attr-defined]
        self.fields["profile"].choices = [(slug, gettext(profile.name)) for slug, profile in PROFILES.items()]  # type: ignore[attr-defined]
        names = [(slug, gettext(tiebreak.name)) for slug, tiebreak in TIEBREAKS.items()]
        for number in range(1, len(TIEBREAKS) + 1):
            self.fields[f"tiebreak_{number}"] = forms.ChoiceField(
                label=_("Tie-break %(number)s") % {"number": number}, choices=[("", "–"), *names], required=False
            )

    @classmethod
    def defaults(cls) -> dict[str, object]:
        return {
            "format": next(iter(FORMATS)),
            "lengths": [7],
            "seeding": Seeding.RANDOM.value,
            "profile": DEFAULT_PROFILE.slug,
            "crawford": True,
            **cls._tiebreak_values(tuple(TIEBREAKS)),
        }

    @classmethod
    def values_of(
        cls, *, name: str, format: str, options: Options, profile: str, crawford: bool, tiebreaks: tuple[str, ...]
    ) -> dict[str, object]:
        return {
            "name": name,
            "format": format,
            "lengths": list(options.lengths),
            "seeding": options.seeding.value,
            "profile": profile,
            "crawford": crawford,
            **cls._tiebreak_values(tiebreaks),
        }

    @staticmethod
    def _tiebreak_values(tiebreaks: tuple[str, ...]) -> dict[str, object]:
        return {f"tiebreak_{number}": slug for number, slug in enumerate(tiebreaks, start=1)}

    def tiebreak_fields(self) -> list[forms.BoundField]:
        return [self[f"tiebreak_{number}"] for number in range(1, len(TIEBREAKS) + 1)]

    def terms(self) -> dict[str, Any]:
        """The keyword arguments of the event services."""
        data = self.cleaned_data
        slugs = [data[f"tiebreak_{number}"] for number in range(1, len(TIEBREAKS) + 1)]
        return {
            "name": data["name"],
            "format": data["format"],
            "options": {"lengths": data["lengths"], "seeding": data["seeding"]},
            "profile": data["profile"],
            "crawford": data["crawford"],
            "tiebreaks": [slug for slug in slugs if slug],
        }


class EntryForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=80)
    club = forms.CharField(label=_("Club"), max_length=80, required=False)
    country = forms.CharField(label=_("Country"), max_length=3, required=False)
    player_id = forms.IntegerField(required=False, min_value=1, max_value=2**62, widget=forms.HiddenInput)


class EntryListForm(forms.Form):
    text = forms.CharField(
        label=_("Paste a list"),
        widget=forms.Textarea(attrs={"rows": 8}),
        help_text=_("A name a line. Club and country may follow, each after a semicolon or a tab."),
    )


class EntryFileForm(forms.Form):
    file = forms.FileField(
        label=_("CSV file"), help_text=_("The first line names the columns: name, and if you like club, country, seed.")
    )


class SeedForm(forms.Form):
    seed = forms.IntegerField(label=_("Seed"), required=False, min_value=1, max_value=512)


class SubmissionForm(forms.Form):
    """What every result carries: the key against sending twice, the sheet it was based on, the second confirmation."""

    key = forms.CharField(max_length=64, widget=forms.HiddenInput)
    base = forms.IntegerField(min_value=0, max_value=2**31 - 1, widget=forms.HiddenInput)
    confirmed = forms.BooleanField(required=False, widget=forms.HiddenInput)
    reason = forms.CharField(label=_("Reason"), max_length=200, required=False)

    def claim(self, before: tuple[GameResult, ...]) -> Claim:
        """What the valid form claims, given the games of the sheet it was based on. Raises Refusal."""
        data = self.cleaned_data
        return Claim(key=data["key"], base=data["base"], confirmed=data["confirmed"], reason=data["reason"])


class GameForm(forms.Form):
    """One game: who won, the cube, the level, how it ended. A row without a winner is no game."""

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
    """The game after those of the sheet it was based on."""

    def claim(self, before: tuple[GameResult, ...]) -> Claim:
        game = self.game()
        if game is None:
            raise Refusal("winner_missing", gettext("Say who won the game."))
        return replace(super().claim(before), games=(*before, game))


GameFormSet = forms.formset_factory(GameForm, extra=0, max_num=MAX_GAMES, absolute_max=MAX_GAMES)


class SheetForm(SubmissionForm):
    """The whole sheet, a row a game; empty rows may follow the last game."""

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
    """A match given up, with the games it had, or one that never began."""

    conclusion = forms.ChoiceField(
        choices=[(Conclusion.FORFEIT.value, _("forfeit")), (Conclusion.WALKOVER.value, _("walkover"))]
    )
    awarded_to = forms.ChoiceField(choices=[(side.value, side.value) for side in Side])

    def claim(self, before: tuple[GameResult, ...]) -> Claim:
        conclusion = Conclusion(self.cleaned_data["conclusion"])
        return replace(
            super().claim(before),
            games=before if conclusion is Conclusion.FORFEIT else (),
            conclusion=conclusion,
            awarded_to=Side(self.cleaned_data["awarded_to"]),
        )


RESULT_FORMS: dict[str, type[SubmissionForm]] = {
    "game": NextGameForm,
    "sheet": SheetForm,
    "final": FinalForm,
    "award": AwardForm,
}
"""The ways to enter a result, as the last word of the address names them."""


class VoidForm(forms.Form):
    base = forms.IntegerField(min_value=0, max_value=2**31 - 1, widget=forms.HiddenInput)
    reason = forms.CharField(label=_("Reason"), max_length=200)
