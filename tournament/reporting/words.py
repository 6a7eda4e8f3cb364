"""Why a match does not count for a list, in a sentence for each code of :data:`players.lists.policy.RULES`."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

WHY_NOT: Mapping[str, str | Promise] = {
    "bye": gettext_lazy("A bye is no match."),
    "not_declared": gettext_lazy("The event did not declare this list before the match or its draw."),
    "void": gettext_lazy("Neither side came."),
    "ruled_out": gettext_lazy("An officer of the list has ruled that the match does not count."),
    "walkover": gettext_lazy("A walkover was not played."),
    "settled": gettext_lazy("The players settled the match."),
    "doubles": gettext_lazy("A rating belongs to one player, not to a pair."),
    "not_begun": gettext_lazy("Only one side has played, or neither."),
    "forfeit": gettext_lazy("One side gave up the match."),
    "teams": gettext_lazy("The list does not count the boards of teams."),
    "bracket": gettext_lazy("The list does not count this bracket."),
    "online": gettext_lazy("The list does not count matches online."),
    "live": gettext_lazy("The list counts only matches online."),
    "class": gettext_lazy("The list does not count events of this class."),
    "unsanctioned": gettext_lazy("The federation has not approved the event."),
    "too_short": gettext_lazy("The match is too short for the list."),
    "too_long": gettext_lazy("The match is too long for the list."),
    "penalties": gettext_lazy("The list does not count matches with penalty points."),
    "guest": gettext_lazy("The list does not rate matches against guests."),
    "not_member": gettext_lazy("At least one player was not a member on that day."),
}


def sentence_of(code: str | None, ruling: str = "") -> str:
    """Return the sentence of this code in the reader's language; empty for a match that counts by the policy.

    ``ruling`` is the reason of an officer's ruling on the match, if there is one.
    """
    if code == "ruled_out" and ruling:
        return _("An officer of the list has ruled that the match does not count: %(reason)s") % {"reason": ruling}
    if not code and ruling:
        return _("An officer of the list has ruled that the match counts: %(reason)s") % {"reason": ruling}
    return str(WHY_NOT[code]) if code else ""
