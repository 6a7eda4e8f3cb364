"""Forms of a money session: what is agreed at its start, and a game between the box and each of the others."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from matches.money_play import MOST_DOUBLES, MOST_PLAYERS, MOST_STAKE, MoneyTerms
from matches.money_sessions import MAX_UNIT, VARIANTS, MoneySession
from players.models import MAX_NAME
from rules.keeper import CUBES, WORDS
from rules.money import BoxResult
from rules.profiles import DEFAULT_PROFILE, PROFILES, Resignation, Variants
from rules.score import Ending, Level, Side
from rules.sheet import GameResult
from tournament.pages.lines import LineField
from tournament.pages.match.forms import NO_WINNER

MOST_CUBE = 1024
ENDINGS = [
    ("single", _("single game")),
    ("gammon", _("gammon")),
    ("backgammon", _("backgammon")),
    ("drop", _("double refused")),
    ("resigned-single", _("resigned as a single game")),
    ("resigned-gammon", _("resigned as a gammon")),
    ("resigned-backgammon", _("resigned as a backgammon")),
]
BOX, OTHER = "box", "other"


class MoneyTermsForm(forms.Form):
    """The players, a name on each line, and the rules and variants on which they agree."""

    names = forms.CharField(
        label=_("Players, one on each line"),
        max_length=MOST_PLAYERS * (MAX_NAME + 2),
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("Two players, or more for a chouette."),
    )
    profile = forms.ChoiceField(label=_("Rules"), initial=DEFAULT_PROFILE.slug)
    cube = forms.BooleanField(label=_("Doubling cube"), required=False, initial=True)
    jacoby = forms.BooleanField(
        label=_("Jacoby rule"),
        required=False,
        help_text=_("Gammons and backgammons count only after a double has been taken."),
    )
    beavers = forms.BooleanField(label=_("Beavers and raccoons"), required=False, initial=True)
    automatic_doubles = forms.IntegerField(
        label=_("Automatic doubles, at most"),
        min_value=0,
        max_value=MOST_DOUBLES,
        initial=0,
        help_text=_("Each tie at the opening throw doubles the cube. Only where the rules include it."),
    )
    jacquet = forms.BooleanField(
        label=_("Jacquet start"),
        required=False,
        help_text=_("All checkers start off the board. Only where the rules include it."),
    )
    stake = forms.IntegerField(label=_("A point is worth"), min_value=1, max_value=MOST_STAKE, initial=1)
    unit = LineField(label=_("Unit, such as kr"), max_length=MAX_UNIT, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["profile"].choices = [(slug, _(profile.name)) for slug, profile in PROFILES.items()]  # type: ignore[attr-defined]

    def terms(self) -> MoneyTerms:
        data = self.cleaned_data
        names = [line.strip() for line in data["names"].splitlines() if line.strip()]
        variants = Variants(**{name: data[name] for name in VARIANTS})
        return MoneyTerms(names, data["profile"], variants, data["stake"], data["unit"])


def _may_end(word: str, session: MoneySession) -> bool:
    """Whether the rules of the session let a game end so. What they do not is refused with the reason if it is sent."""
    level, ending = WORDS[word]
    if ending is Ending.DROP:
        return session.cube
    is_fixed = PROFILES[session.profile].resignation is Resignation.ALWAYS_BACKGAMMON
    return ending is not Ending.RESIGNED or level is Level.BACKGAMMON or not is_fixed


class MoneyGameForm(forms.Form):
    """A game: who is in the box and, for each other player, who won at which cube; empty for who was not in it.

    Two players have no box: the one that is named first counts as in it.
    """

    number = forms.IntegerField(min_value=1, max_value=10_000, widget=forms.HiddenInput)

    def __init__(self, session: MoneySession, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.names = session.names
        profile = PROFILES[session.profile]
        cap = profile.cube_cap or MOST_CUBE
        cubes = [(str(cube), str(cube)) for cube in CUBES if cube <= cap and (session.cube or cube == 1)]
        offered = [(word, label) for word, label in ENDINGS if _may_end(word, session)]
        seats = [(str(seat), name) for seat, name in enumerate(self.names)]
        self.is_duel = len(self.names) == 2
        if not self.is_duel:
            self.fields["box"] = forms.ChoiceField(label=_("Box"), choices=seats)
        for seat, name in self._seats():
            self.fields[f"won_{seat}"] = self._won(name)
            self.fields[f"cube_{seat}"] = forms.ChoiceField(label=_("Cube"), choices=cubes, required=False)
            self.fields[f"how_{seat}"] = forms.ChoiceField(label=_("How"), choices=ENDINGS, required=False)
            self.fields[f"how_{seat}"].widget.choices = offered

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        box = data.get("box", "")
        if box and data.get(f"won_{box}"):
            why = _("%(name)s is in the box: a line against the box is of another player.")
            self.add_error(f"won_{box}", why % {"name": self.names[int(box)]})
        return data

    def rows(self) -> list[tuple[str, list[forms.BoundField]]]:
        """Return each player with the fields of the game against the box."""
        return [(name, [self[f"{what}_{seat}"] for what in ("won", "cube", "how")]) for seat, name in self._seats()]

    def results(self) -> list[BoxResult]:
        """Return what was sent, for every player but the one in the box."""
        data, box = self.cleaned_data, int(self.cleaned_data.get("box", 0))
        return [
            BoxResult(box, seat, self._game(data, seat))
            for seat, _name in self._seats()
            if seat != box and data[f"won_{seat}"]
        ]

    def _seats(self) -> list[tuple[int, str]]:
        """Return those who may have played against the box."""
        return list(enumerate(self.names))[1 if self.is_duel else 0 :]

    def _won(self, name: str) -> forms.ChoiceField:
        if self.is_duel:
            winners = [(BOX, self.names[0]), (OTHER, name)]
            missing = {"required": NO_WINNER}
            return forms.ChoiceField(
                label=_("Who won the game?"), choices=winners, widget=forms.RadioSelect, error_messages=missing
            )
        winners = [("", _("not in this game")), (BOX, _("the box won")), (OTHER, name)]
        return forms.ChoiceField(label=_("Winner"), choices=winners, required=False)

    @staticmethod
    def _game(data: dict[str, Any], seat: int) -> GameResult:
        level, ending = WORDS[data[f"how_{seat}"] or "single"]
        winner = Side.A if data[f"won_{seat}"] == BOX else Side.B
        return GameResult(winner, int(data[f"cube_{seat}"] or 1), level, ending)
