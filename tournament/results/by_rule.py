"""Score sheets that the rule of an event has made: their key names the deadline by which nobody had begun the match."""

from datetime import date

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from matches.models import Conclusion, Scoresheet

KEY = "unplayed-"


def key_of(deadline: date) -> str:
    """Return the key of the decision for this deadline; a match has one for each, so that each decides at most once."""
    return f"{KEY}{deadline.isoformat()}"


def deadline_behind(sheet: Scoresheet) -> date | None:
    """Return the deadline that the key of the sheet names, if the rule of the event made it."""
    is_nobodys = not sheet.side and sheet.claimed_by_id is None
    if not is_nobodys or sheet.conclusion not in (Conclusion.WALKOVER, Conclusion.VOID):
        return None
    try:
        deadline = date.fromisoformat(sheet.key.removeprefix(KEY))
    except ValueError:
        return None
    return deadline if sheet.key == key_of(deadline) else None


def reason_of(sheet: Scoresheet) -> str:
    """Return the reason of the sheet: that of a decision by rule is not stored, but said in the reader's language."""
    deadline = deadline_behind(sheet)
    if sheet.reason or deadline is None:
        return sheet.reason
    return _("Not begun by the deadline, %(day)s.") % {"day": date_format(deadline, "DATE_FORMAT")}
