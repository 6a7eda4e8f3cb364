"""The forms for the public value of a draw: the shape of submitted data. The services decide what is allowed."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournament.draw.dice import FEWEST_DICE
from tournament.models.public_value import LONGEST_WORD


class DiceForm(forms.Form):
    dice = forms.CharField(
        label=_("Dice, in the order in which they lie"),
        max_length=200,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off", "placeholder": "3 5 1 6 …"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["dice"].help_text = gettext("At least %(count)s dice, a digit for each.") % {"count": FEWEST_DICE}


class ReopenForm(forms.Form):
    reason = forms.CharField(label=_("Reason"), max_length=200, help_text=_("Everybody can read it in the history."))


class RoundForm(forms.Form):
    round = forms.IntegerField(label=_("Round"), min_value=1, max_value=10**12)
    randomness = forms.CharField(
        label=_("Randomness"),
        max_length=100,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false", "autocapitalize": "off"}),
    )
    signature = forms.CharField(
        label=_("Signature"),
        max_length=400,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false", "autocapitalize": "off"}),
    )


class WordForm(forms.Form):
    word = forms.CharField(
        label=_("Your word"),
        max_length=LONGEST_WORD,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text=_("Anything you like, but you cannot change it, and everybody can read it."),
    )
