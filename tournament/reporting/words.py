"""Why a match does not count for a list, in a sentence for each code of :data:`players.lists.policy.RULES`."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

WHY_NOT: Mapping[str, str | Promise] = {
    "bye": _("A bye is no match."),
    "not_declared": _("The event did not declare this list before the match."),
    "void": _("Neither side came."),
    "ruled_out": _("An officer of the list has ruled that the match does not count."),
    "walkover": _("A walkover was not played."),
    "settled": _("The players settled the match."),
    "doubles": _("A rating belongs to one player, not to a pair."),
    "not_begun": _("Not both sides have played."),
    "forfeit": _("A side gave the match up."),
    "teams": _("The list does not count the boards of teams."),
    "bracket": _("The list does not count this bracket."),
    "online": _("The list does not count matches online."),
    "live": _("The list counts only matches online."),
    "class": _("The list does not count events of this class."),
    "unsanctioned": _("The federation has not approved the event."),
    "too_short": _("The match is too short for the list."),
    "too_long": _("The match is too long for the list."),
    "penalties": _("The list does not count matches with penalty points."),
    "guest": _("The list does not rate matches against guests."),
    "not_member": _("Not both players were members on the day."),
}


def sentence_of(code: str | None) -> str:
    """Return the sentence of this code in the reader's language; empty for a match that counts."""
    return str(WHY_NOT[code]) if code else ""
