"""The forms for entries and the door: the shape of submitted data. The services decide whether it may be done."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from matches.models import MAX_REASON
from players.models import MAX_NAME
from tournament.entries.attendance import MOST_ENTRIES, MOST_LATE_MINUTES
from tournament.entries.enrolment import MAX_MEMBERS, MAX_PAIR
from tournament.models import Departure
from tournament.pages.lines import LineField
from tournament.pages.moments import MomentField


class EntryForm(forms.Form):
    name = LineField(label=_("Name"), max_length=MAX_PAIR)
    club = LineField(label=_("Club"), max_length=MAX_NAME, required=False)
    country = forms.CharField(label=_("Country"), max_length=20, required=False)
    player_id = forms.IntegerField(required=False, min_value=1, max_value=2**62, widget=forms.HiddenInput)


class ReplacementForm(EntryForm):
    """The player or pair who takes the place of an entry."""

    name = LineField(
        label=_("Name"),
        max_length=MAX_PAIR,
        widget=forms.TextInput(attrs={"autocapitalize": "words", "spellcheck": "false", "autocomplete": "off"}),
        error_messages={"required": _("Enter the name of the player who takes this place.")},
    )


class TeamForm(forms.Form):
    name = LineField(label=_("Team name"), max_length=MAX_NAME)
    members = forms.CharField(
        label=_("Members"),
        max_length=MAX_MEMBERS * (2 * MAX_NAME + len(" ()\r\n")),
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text=_("One name per line, in the order of the boards, then the reserves; a club may follow in brackets."),
    )


class EntryListForm(forms.Form):
    text = forms.CharField(
        label=_("Paste a list"),
        widget=forms.Textarea(attrs={"rows": 8}),
        help_text=_("One name per line. Club and country may follow, each after a semicolon or a tab."),
    )


class EntryFileForm(forms.Form):
    file = forms.FileField(
        label=_("CSV or XLSX file"),
        help_text=_(
            "One row names the columns: name, or first name and last name; and, if you like, club, country, seed, "
            "partner or members."
        ),
    )


class DoorForm(forms.Form):
    """The entry limit, the check-in rule and the lateness penalty."""

    max_entries = forms.IntegerField(
        label=_("Maximum number of entries"),
        required=False,
        min_value=2,
        max_value=MOST_ENTRIES,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
        help_text=_(
            "Later entries go on the waiting list and move up when a place becomes free. Leave empty for no limit."
        ),
    )
    check_in = forms.BooleanField(label=_("Draw only players who have checked in"), required=False)
    late_minutes = forms.IntegerField(
        label=_("Minutes late per penalty point"),
        required=False,
        min_value=1,
        max_value=MOST_LATE_MINUTES,
        widget=forms.NumberInput(attrs={"inputmode": "numeric"}),
        help_text=_("A match is lost once the penalty exceeds half its length. Leave empty for no penalty."),
    )


class SelfEntrySwitchForm(forms.Form):
    """Whether players enter themselves, and until when."""

    open = forms.BooleanField(label=_("Players enter themselves"), required=False)
    until = MomentField(
        label=_("Until"),
        required=False,
        help_text=_("Leave empty to let players enter until the draw."),
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **{"auto_id": "self-entry-%s", **options})


class LeaveForm(forms.Form):
    """How a player leaves: ``how`` is now, after the match in progress, or from the main bracket alone."""

    kind = forms.ChoiceField(choices=Departure.choices, widget=forms.HiddenInput)
    how = forms.ChoiceField(
        choices=[(how, how) for how in ("now", "after", "main")], required=False, widget=forms.HiddenInput
    )
    reason = LineField(label=_("Reason for the disqualification"), max_length=MAX_REASON, required=False)

    def departure(self) -> dict[str, Any]:
        """Return the valid form as the keyword arguments of :func:`tournament.entries.attendance.leave_event`."""
        how = self.cleaned_data["how"]
        plain = {name: self.cleaned_data[name] for name in ("kind", "reason")}
        return {**plain, "plays_on": how == "after", "only_main": how == "main"}
