"""A match's deadline in words: what becomes of it if nobody begins it in time."""

from datetime import date

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from tournament.formats.unplayed import Unplayed, UnplayedRule


def rule_sentence(rule: UnplayedRule, last: date) -> str:
    """Say what the rule does to a match with this deadline that nobody begins; nothing if the director decides."""
    decided_on = rule.decided_on(last)
    if decided_on is None:
        return ""
    day = {"day": date_format(decided_on, "DAY_FORMAT")}
    if rule.rule is Unplayed.NEITHER:
        return _("If nobody has begun it before %(day)s, it is void: neither side wins.") % day
    days = {**day, "by": date_format(rule.offer_by(last), "DAY_FORMAT")}
    return _("If nobody has begun it before %(day)s, a side that offered by %(by)s wins if the other never did.") % days
