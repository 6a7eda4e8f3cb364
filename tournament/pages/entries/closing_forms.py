"""The forms for the public value of a draw: the shape of submitted data. The services decide what is allowed."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from matches.models import MAX_REASON
from tournament.draw.beacon import MAX_RANDOMNESS, MAX_SIGNATURE, MOST_ROUND
from tournament.draw.dice import FEWEST_DICE, MAX_TYPED_DICE
from tournament.models.public_value import LONGEST_WORD
from tournament.pages.lines import LineField


class DiceForm(forms.Form):
    dice = forms.CharField(
        label=_("Dice, in the order in which they lie"),
        max_length=MAX_TYPED_DICE,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off", "placeholder": "3 5 1 6 …"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["dice"].help_text = gettext("At least %(count)s dice, a digit for each.") % {"count": FEWEST_DICE}


class ReopenForm(forms.Form):
    reason = LineField(label=_("Reason"), max_length=MAX_REASON, help_text=_("Everybody can read it in the history."))


class RoundForm(forms.Form):
    round = forms.IntegerField(label=_("Round"), min_value=1, max_value=MOST_ROUND)
    randomness = forms.CharField(
        label=_("Randomness"),
        max_length=MAX_RANDOMNESS,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false", "autocapitalize": "off"}),
    )
    signature = forms.CharField(
        label=_("Signature"),
        max_length=MAX_SIGNATURE,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false", "autocapitalize": "off"}),
    )


class WordForm(forms.Form):
    word = forms.CharField(
        label=_("Your word"),
        max_length=LONGEST_WORD,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text=_("Anything you like, but you cannot change it, and everybody can read it."),
    )
