"""The fields of an event about reports and phones."""

from collections.abc import Sequence

from django import forms
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from tournament.events.terms import MOST_CONFIRM_MINUTES

REPORTS = ("phones", "confirm_minutes", "shows_chances")


class ReportFields(forms.Form):
    """Whether players report during play, when a report counts by itself, and what the public sees of chances."""

    phones = forms.BooleanField(
        label=_("Phones in play"),
        required=False,
        help_text=_(
            "Players may keep the score on their phones while they play. If this is off, they report only after the "
            "match."
        ),
    )
    confirm_minutes = forms.IntegerField(
        label=_("Minutes to object to a report"),
        required=False,
        min_value=1,
        max_value=MOST_CONFIRM_MINUTES,
        help_text=_(
            "A complete report counts if nobody has objected for this long. Leave empty if the opponent or the desk "
            "has to confirm every report."
        ),
    )
    shows_chances = forms.BooleanField(
        label=_("Chances of winning during play"),
        required=False,
        help_text=_(
            "Everyone sees how likely each side is to win a match in play. Many rules forbid players such aids."
        ),
    )

    report_names: Sequence[str] = REPORTS

    @staticmethod
    def report_defaults() -> dict[str, object]:
        return {"phones": True, "confirm_minutes": None, "shows_chances": False}

    def report_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in REPORTS]

    @property
    def reports_line(self) -> str:
        """What is chosen, in one line."""
        minutes = str(self["confirm_minutes"].value() or "")
        chosen = [
            gettext("phones in play") if self["phones"].value() else gettext("reports after the match"),
            ngettext("%(count)s minute to object", "%(count)s minutes to object", int(minutes)) % {"count": minutes}
            if minutes.isascii() and minutes.isdecimal() and len(minutes) < 5
            else gettext("no time limit"),
            gettext("chances shown") if self["shows_chances"].value() else "",
        ]
        return ", ".join(filter(None, chosen))

    @property
    def reports_are_open(self) -> bool:
        """Whether something is wrong with what is said of reports."""
        return not self.errors.keys().isdisjoint(REPORTS)
