"""Forms on the page of a record: accepting it as a match with what is known of it, and taking that back."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from matches.accept_records import KNOWN, namesakes
from matches.acceptance import MOST_WORDS
from players.errors import Refusal
from players.models import Player
from rules.records.headings import MAX_LENGTH
from rules.records.known import MAX_NAME
from rules.records.replay import Replay
from tournament.pages.lines import LineField


class AcceptForm(forms.Form):
    """What an officer knows of a record, hidden as the form above gave it, the final score, and the reason."""

    start = forms.CharField(max_length=MAX_NAME, required=False, widget=forms.HiddenInput)
    length = forms.CharField(max_length=MAX_NAME, required=False, widget=forms.HiddenInput)
    left = forms.CharField(max_length=2 * MAX_NAME, required=False, widget=forms.HiddenInput)
    right = forms.CharField(max_length=2 * MAX_NAME, required=False, widget=forms.HiddenInput)
    gave_up = forms.CharField(max_length=MAX_NAME, required=False, widget=forms.HiddenInput)
    final_left = forms.IntegerField(min_value=0, max_value=MAX_LENGTH, required=False)
    final_right = forms.IntegerField(min_value=0, max_value=MAX_LENGTH, required=False)
    reason = LineField(label=_("Reason"), max_length=MOST_WORDS)

    def __init__(self, *arguments: Any, told: Replay | None = None, **options: Any) -> None:
        """``told`` is the record as it was judged, whose names may be those of several people."""
        super().__init__(*arguments, **options)
        for side, name in zip(("left", "right"), told.names if told else ("", ""), strict=True):
            told_of = _("Final score of %(name)s, if the record does not show it") % {"name": name or "?"}
            self.fields[f"final_{side}"].label = told_of
            several = _namesakes(name)
            if len(several) > 1:
                people = Player.objects.filter(pk__in=[player.pk for player in several])
                self.fields[f"player_{side}"] = forms.ModelChoiceField(people, label=name)
        self.order_fields([*KNOWN, "player_left", "player_right", "final_left", "final_right", "reason"])

    def clean(self) -> dict[str, Any]:
        said = super().clean() or {}
        if (said.get("final_left") is None) != (said.get("final_right") is None):
            raise forms.ValidationError(_("A final score has the points of both players."))
        return said

    @property
    def known(self) -> dict[str, str]:
        return {key: self.cleaned_data[key] for key in KNOWN}

    @property
    def final(self) -> tuple[int, int] | None:
        """The final score, left column first; None if the games of the record show it."""
        points = self.cleaned_data["final_left"], self.cleaned_data["final_right"]
        return None if points[0] is None else points

    @property
    def players(self) -> tuple[int | None, int | None]:
        """The ids of the players who were chosen among several of one name."""
        left, right = (self.cleaned_data.get(f"player_{side}") for side in ("left", "right"))
        return left.pk if left else None, right.pk if right else None


def _namesakes(name: str) -> list[Player]:
    try:
        return namesakes(name) if name else []
    except Refusal:
        return []


class TakeBackForm(forms.Form):
    """The reason for which an acceptance is taken back."""

    reason = LineField(label=_("Reason"), max_length=MOST_WORDS)
