"""A director's question to the adviser: the field, the hall and the hours."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.forecast.advice import MOST_PLAYERS, MOST_TABLES, Question
from tournament.pages.event.forms import LengthsField, board_choices


class HoursField(forms.FloatField):
    """Hours as people write them: 6.5 or 6,5."""

    def to_python(self, value: Any) -> float | None:  # type: ignore[override]  # the stubs give floats as whole numbers
        return super().to_python(value.replace(",", ".") if isinstance(value, str) else value)


class AdviceForm(forms.Form):
    """The adviser's form. Players and lengths are required; no ``tables`` means enough, no ``hours`` means no limit."""

    players = forms.IntegerField(
        label=_("Players"), min_value=2, max_value=MOST_PLAYERS, help_text=_("For teams: the number of teams.")
    )
    boards = forms.TypedChoiceField(label=_("Teams"), coerce=int, empty_value="1", required=False)
    lengths = LengthsField(
        label=_("Match length"),
        help_text=_("Points needed to win. List several lengths from the final backwards: 9, 7, 5."),
    )
    tables = forms.IntegerField(
        label=_("Tables"),
        min_value=1,
        max_value=MOST_TABLES,
        required=False,
        help_text=_("Leave empty if there are enough tables."),
    )
    hours = HoursField(
        label=_("Hours"),
        min_value=0.5,
        max_value=200,
        required=False,
        help_text=_("How long the hall is available."),
        widget=forms.TextInput(attrs={"inputmode": "decimal"}),
    )
    tournament = forms.CharField(max_length=80, required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["boards"].choices = board_choices()  # type: ignore[attr-defined]

    def question(self) -> Question:
        """Return the question that the valid form asks."""
        data = self.cleaned_data
        return Question(data["players"], data["tables"], tuple(data["lengths"]), int(data["boards"]))
