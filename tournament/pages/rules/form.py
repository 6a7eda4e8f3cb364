"""A visitor's question to the rules page: a position, a roll, a rule profile and a play."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.utils.translation import gettext_lazy as _

from matches.models import Match
from rules.errors import NotationError
from rules.ids import (
    MAX_ID_LENGTH,
    Offer,
    Situation,
    gnu_id,
    parse_id,
    parse_typed_position,
    position_id,
    typed_position,
)
from rules.notation import Play
from rules.notations import read_play
from rules.plays import Roll
from rules.position import START, Position
from rules.profiles import DEFAULT_PROFILE, PROFILES, RuleProfile
from rules.score import MatchScore
from tournament.referee.answers import MAX_PLAY_LENGTH, sentence

DICE = [(str(die), str(die)) for die in range(1, 7)]
MAX_TYPED = 200
EMPTY = Position.of({}, {})


@dataclass(frozen=True, slots=True)
class RulesQuestion:
    """The question that the page answers. `id` is the text in the address that gives `situation`.

    `match_id` is the match at whose board the question came up, if any.
    """

    id: str
    situation: Situation
    roll: Roll | None
    profile: RuleProfile
    mirrored: bool = False
    play_text: str = ""
    play: Play | None = None
    show: int = 0
    match_id: int | None = None

    @property
    def rolled(self) -> Situation:
        """Return the situation with the roll in question, if it may be rolled."""
        if self.roll is None or self.situation.offer is not Offer.NONE or self.situation.resigned:
            return self.situation
        return replace(self.situation, dice=(max(self.roll), min(self.roll)))

    def after(self, position: Position) -> "RulesQuestion":
        """Return the opponent's question after a play that led to this position."""
        situation = handed_on(self.situation, position)
        return replace(self, id=_text_of(situation), situation=situation, roll=None, play_text="", play=None, show=0)

    def query(self, **changes: object) -> str:
        """Return the address of the page with these values changed, leaving out defaults."""
        values: dict[str, object] = {
            "id": self.id if self.id != position_id(START) else "",
            "roll": f"{self.roll[0]}{self.roll[1]}" if self.roll else "",
            "profile": self.profile.slug if self.profile is not DEFAULT_PROFILE else "",
            "play": self.play_text,
            "mirrored": "1" if self.mirrored else "",
            "show": self.show or "",
            "match": self.match_id or "",
        } | changes
        return urlencode({name: value for name, value in values.items() if value != ""})


def board_query(match: Match, score: MatchScore) -> str:
    """Return the address of the page with the rules, the players and the score of the match.

    No id can say that the Crawford rule is off: the score of such a match is left out, as is a decided one.
    """
    situation = Situation(position=START, score=score) if match.crawford and not score.over else None
    text = gnu_id(situation) if situation else position_id(START)
    start = Situation(position=START)
    return RulesQuestion(text, situation or start, None, PROFILES[match.profile], match_id=match.pk).query()


class RulesForm(forms.Form):
    """A position by id or by its points. `was` is the id with which the form was shown.

    An id that differs from `was` is the position; else points that differ from those of `was`; else `was`.
    """

    id = forms.CharField(
        label=_("Position ID, XGID or OGID"),
        required=False,
        max_length=MAX_ID_LENGTH,
        help_text=_("From GNU Backgammon (with or without the Match ID), eXtreme Gammon or OpenGammon."),
    )
    was = forms.CharField(required=False, max_length=MAX_ID_LENGTH, widget=forms.HiddenInput)
    mine = forms.CharField(
        label=_("Player on roll"),
        required=False,
        max_length=MAX_TYPED,
        help_text=_("Point and checkers: bar:1 24:2 6:5"),
    )
    theirs = forms.CharField(
        label=_("Opponent"), required=False, max_length=MAX_TYPED, help_text=_("From the opponent's own side, 24 to 1.")
    )
    roll = forms.RegexField(
        r"\A[1-6]{2}\Z",
        required=False,
        max_length=2,
        error_messages={"invalid": _("A roll is two dice, each showing 1 to 6, such as 31.")},
    )
    die1 = forms.ChoiceField(choices=DICE, required=False)
    die2 = forms.ChoiceField(choices=DICE, required=False)
    profile = forms.ChoiceField(label=_("Rules"), required=False)
    play = forms.CharField(
        label=_("Play"),
        required=False,
        max_length=MAX_PLAY_LENGTH,
        help_text=_("Such as 24/18 13/11, bar/20*, 6/off(2); or S1-S5 S12-W9 for white, who starts from S1."),
    )
    mirrored = forms.BooleanField(required=False)
    show = forms.IntegerField(required=False, min_value=0, max_value=5000)
    match = forms.IntegerField(required=False, min_value=1, max_value=2**62, widget=forms.HiddenInput)
    do = forms.ChoiceField(
        choices=[(name, name) for name in ("start", "empty", "swap", "mirror", "judge")], required=False
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["profile"].choices = [(slug, profile.name) for slug, profile in PROFILES.items()]  # type: ignore[attr-defined]

    @property
    def sent(self) -> bool:
        """Whether the form itself was submitted, rather than an address followed."""
        return "was" in self.data

    def clean_play(self) -> str:
        return " ".join(self.cleaned_data["play"].split())

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if "id" in data and "was" in data:
            data["id"], data["situation"] = self._situation(data)
        if data.get("play") and _made(data["play"], data.get("situation") or self._last_shown()[0]) is None:
            sentence = _("This is not a play. Write it like 24/18 13/11, bar/20*, 6/off(2), always forward.")
            self.add_error("play", forms.ValidationError(sentence, code="play"))
        return data

    def question(self) -> RulesQuestion:
        """Return the question, as far as it is valid, with the changes made by the form's buttons."""
        data = self.cleaned_data
        do, play = data.get("do", ""), data.get("play", "")
        situation, text = data.get("situation"), data.get("id", "")
        if situation is None:
            situation, text = self._last_shown()
        moved = self.sent and text != data.get("was")
        roll = self._roll(situation, moved=moved)
        if do in {"start", "empty"}:
            situation = Situation(position=START if do == "start" else EMPTY)
        elif do == "swap":
            situation = handed_on(situation, situation.position)
        if do in {"start", "empty", "swap"}:
            moved, text = True, _text_of(situation)
        if moved and do != "judge":
            play = ""
        made = _made(play, situation)
        return RulesQuestion(
            id=text,
            situation=situation,
            roll=roll,
            profile=PROFILES[data.get("profile") or DEFAULT_PROFILE.slug],
            mirrored=data.get("mirrored", False) != (do == "mirror"),
            play_text=play if made is not None else "",
            play=made,
            show=0 if self.sent else data.get("show") or 0,
            match_id=data.get("match"),
        )

    def _last_shown(self) -> tuple[Situation, str]:
        """Return the position with which the form was shown, or the starting position if that is not an id either."""
        text = self.cleaned_data.get("was") or position_id(START)
        try:
            return parse_id(text), text
        except NotationError:
            return Situation(position=START), position_id(START)

    def _roll(self, situation: Situation, *, moved: bool) -> Roll | None:
        data = self.cleaned_data
        if moved and situation.dice:
            return situation.dice
        if data.get("die1") and data.get("die2"):
            return int(data["die1"]), int(data["die2"])
        if data.get("roll"):
            return int(data["roll"][0]), int(data["roll"][1])
        return situation.dice

    def _situation(self, data: Mapping[str, Any]) -> tuple[str, Situation]:
        text, was = data["id"] or "", data["was"] or ""
        before = self._read("id", text or position_id(START))
        if not self.sent or text != was:
            return text or position_id(START), before
        typed = data.get("mine", ""), data.get("theirs", "")
        if typed == tuple(typed_position(before.position).values()):
            return text, before
        try:
            position = parse_typed_position(*typed)
        except NotationError as error:
            raise forms.ValidationError({"mine": sentence(error)}) from error
        situation = replace(before, position=position)
        return _text_of(situation), situation

    def _read(self, field: str, text: str) -> Situation:
        try:
            return parse_id(text)
        except NotationError as error:
            raise forms.ValidationError({field: sentence(error)}) from error


def _made(text: str, situation: Situation) -> Play | None:
    """Return the play of the player on roll; None for no text, and for one that is not a play of theirs."""
    try:
        return read_play(text, situation.on_roll) if text else None
    except NotationError:
        return None


def handed_on(situation: Situation, position: Position) -> Situation:
    """Return the situation with the opponent on roll; `position` is as seen by the player who was on roll."""
    other = situation.on_roll.other
    return replace(
        situation,
        position=position.swapped(),
        on_roll=other,
        acting=other,
        dice=None,
        offer=Offer.NONE,
        resigned=None,
    )


def _text_of(situation: Situation) -> str:
    """Return the shortest id of the situation: its Position ID if that says everything."""
    plain = Situation(position=situation.position)
    nothing_else = replace(situation, on_roll=plain.on_roll, acting=plain.acting, dice=None) == plain
    return position_id(situation.position) if nothing_else else gnu_id(situation)
