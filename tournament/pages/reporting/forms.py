"""The forms of officers, and of directors who answer them."""

from typing import Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from matches.models import MAX_REASON
from players.lists.policy import (
    CLASSES,
    MOST_LENGTH,
    MOST_PER_DAY,
    MOST_RATING,
    MOST_WEIGHT,
    Bracket,
    Guests,
    Policy,
    Where,
)
from tournament.models import RatingVerdict, ReportState
from tournament.models.report import MAX_SAID
from tournament.pages.event.declared_fields import DeclaredFields
from tournament.pages.lines import LineField

DECISIONS = {
    ReportState.ACCEPTED: _("Accept: the matches count from now on"),
    ReportState.RETURNED: _("Return it with a question"),
    ReportState.QUEUED: _("Keep it for a later list"),
}


class DecideForm(forms.Form):
    digest = forms.CharField(max_length=64, widget=forms.HiddenInput)
    state = forms.ChoiceField(label=_("Decision"), choices=list(DECISIONS.items()), widget=forms.RadioSelect)
    said = forms.CharField(
        label=_("Question"), max_length=MAX_SAID, required=False, widget=forms.Textarea(attrs={"rows": 3})
    )


class AnswerForm(forms.Form):
    said = forms.CharField(label=_("Answer"), max_length=MAX_SAID, widget=forms.Textarea(attrs={"rows": 3}))


class RatingForm(forms.Form):
    """A ruling on one match of a report."""

    match = forms.TypedChoiceField(label=_("Match"), coerce=int)
    verdict = forms.ChoiceField(label=_("Ruling"), choices=RatingVerdict.choices)
    reason = LineField(label=_("Reason"), max_length=MAX_REASON)

    def __init__(self, *args: Any, matches: list[tuple[int, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["match"].choices = matches  # type: ignore[attr-defined]


class RedeclareForm(DeclaredFields):
    reason = LineField(label=_("Reason"), max_length=MAX_REASON)


class ApproveForm(forms.Form):
    weight = forms.IntegerField(
        label=_("Weight in percent"),
        required=False,
        min_value=1,
        max_value=MOST_WEIGHT,
        help_text=_("Leave empty for the weight of its class."),
    )


BRACKET_NAMES = {
    Bracket.MAIN: _("main bracket"),
    Bracket.CONSOLATION: _("consolation"),
    Bracket.LAST_CHANCE: _("last chance"),
    Bracket.ROUNDS: _("groups and rounds"),
    Bracket.JACKPOT: _("jackpot"),
}
WHERE_NAMES = {Where.LIVE: _("over the board"), Where.ONLINE: _("online")}
GUEST_NAMES = {
    Guests.UNRATED: _("not rated"),
    Guests.HIDDEN: _("rated, and shown once they are members"),
    Guests.FIXED: _("the member alone is rated, against a fixed rating"),
}


def _number(label: object, most: int, *, required: bool = False, help_text: object = "") -> forms.IntegerField:
    return forms.IntegerField(label=label, required=required, min_value=1, max_value=most, help_text=help_text)  # type: ignore[arg-type]


class PolicyForm(forms.Form):
    """All rules of a policy, and the day from which they hold."""

    valid_from = forms.DateField(
        label=_("Valid from"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    shortest = _number(_("Shortest match"), MOST_LENGTH, required=True)
    longest = _number(_("Longest match"), MOST_LENGTH, help_text=_("Leave empty for no limit."))
    brackets = forms.MultipleChoiceField(
        label=_("Brackets"), choices=list(BRACKET_NAMES.items()), widget=forms.CheckboxSelectMultiple
    )
    where = forms.MultipleChoiceField(
        label=_("Played"), choices=list(WHERE_NAMES.items()), widget=forms.CheckboxSelectMultiple
    )
    members = forms.BooleanField(label=_("Both players are members on the day"), required=False)
    treaty = LineField(
        label=_("Members of these federations count too"),
        max_length=200,
        required=False,
        help_text=_("Their codes, with a comma between them."),
    )
    guests = forms.ChoiceField(label=_("Matches against guests"), choices=list(GUEST_NAMES.items()))
    guest_rating = forms.IntegerField(label=_("Rating of a guest"), required=False, min_value=0, max_value=MOST_RATING)
    teams = forms.BooleanField(label=_("Boards of teams count"), required=False)
    begun = forms.BooleanField(label=_("Both sides must have played"), required=False)
    forfeits = forms.BooleanField(label=_("A match that a side gave up counts"), required=False)
    penalties = forms.BooleanField(label=_("Matches with penalty points count"), required=False)
    sanction = forms.BooleanField(label=_("Only approved events count"), required=False)
    classes = forms.MultipleChoiceField(
        label=_("Classes"),
        required=False,
        choices=[(letter, letter) for letter in CLASSES],
        widget=forms.CheckboxSelectMultiple,
        help_text=_("None chosen: events of every class and without one."),
    )
    before_play = forms.BooleanField(label=_("Declared before play"), required=False)
    most_per_day = _number(
        _("Matches of a pair in a day"), MOST_PER_DAY, help_text=_("More than these are shown to the officer.")
    )
    weight_a, weight_b, weight_c, weight_d = (
        _number(format_lazy(_("Weight of class {letter} in percent"), letter=letter), MOST_WEIGHT) for letter in CLASSES
    )

    @staticmethod
    def values_of(policy: Policy) -> dict[str, object]:
        """Return what the form shows for this policy."""
        from_policy = {name: getattr(policy, name) for name in PLAIN}
        weights = {f"weight_{letter.lower()}": policy.weights.get(letter) for letter in CLASSES}
        sets = {name: sorted(getattr(policy, name)) for name in ("brackets", "where", "classes")}
        return {**from_policy, **sets, **weights, "treaty": ", ".join(sorted(policy.treaty))}

    def rules(self) -> dict[str, object]:
        """Return the rules of the valid form as JSON."""
        data = self.cleaned_data
        weights = {letter: data[f"weight_{letter.lower()}"] for letter in CLASSES if data[f"weight_{letter.lower()}"]}
        codes = [code.strip() for code in data["treaty"].split(",") if code.strip()]
        sets = {name: data[name] for name in ("brackets", "where", "classes")}
        return {**{name: data[name] for name in PLAIN}, **sets, "treaty": codes, "weights": weights}


def policy_in_words(policy: Policy) -> list[tuple[str, str]]:
    """Return what the policy says, as its form would: each label with the value; what asks for nothing is left out."""
    values, said = PolicyForm.values_of(policy), list[tuple[str, str]]()
    about_guests = ("treaty", "guests", "guest_rating")
    for name, field in PolicyForm().fields.items():
        if name not in values or (name in about_guests and not policy.members):
            continue
        value = values[name]
        if isinstance(value, bool):
            words = gettext("yes") if value else gettext("no")
        elif isinstance(field, forms.ChoiceField):
            chosen = value if isinstance(value, list) else [value]
            words = ", ".join(str(label) for choice, label in field.widget.choices if choice in chosen)
        else:
            words = "" if value is None else str(value)
        if words:
            said.append((str(field.label), words))
    return said


PLAIN = (
    *("shortest", "longest", "members", "guests", "guest_rating", "teams", "begun", "forfeits", "penalties"),
    *("sanction", "before_play", "most_per_day"),
)
