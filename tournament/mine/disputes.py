"""Between whom a match is in dispute, as one of its players reads it."""

from __future__ import annotations

from itertools import permutations

from django.utils.translation import gettext as _

from rules.keeper import first_difference
from rules.score import Side
from tournament.snapshot import BoardSnapshot, FixtureSnapshot, SheetSnapshot


def sentence_of_dispute(match: FixtureSnapshot | BoardSnapshot, side: Side, other: str) -> str:
    """Return between whom the scores of the disputed match differ: the player on this side, ``other``, scorer, desk.

    If no two scores differ, somebody has objected to a report, and only that is said.
    """
    told = {report.side: report.sheet for report in match.reports}
    mine, theirs = told.get(side), told.get(side.other)
    if _contradict(mine, theirs):
        return _("You and %(name)s report different results") % {"name": other}
    if _contradict(mine, match.sheet):
        return _("Your report differs from the desk’s score sheet")
    if _contradict(theirs, match.sheet):
        return _("%(name)s’s report differs from the desk’s score sheet") % {"name": other}
    if _contradict(mine, told.get("")):
        return _("Your report differs from the scorer’s")
    if _contradict(theirs, told.get("")):
        return _("%(name)s’s report differs from the scorer’s") % {"name": other}
    if _contradict(told.get(""), match.sheet):
        return _("The scorer’s report differs from the desk’s score sheet")
    return _("Your match with %(name)s is in dispute") % {"name": other}


def _contradict(one: SheetSnapshot | None, other: SheetSnapshot | None) -> bool:
    """Whether the sheets cannot both be right, as :func:`matches.differences.differs` says of stored ones."""
    if one is None or other is None:
        return False
    if not one.is_final_only and not other.is_final_only:
        return first_difference(one.games, other.games) is not None
    scores = [(sheet.score.a, sheet.score.b) for sheet in (one, other)]
    if one.score.over and other.score.over:
        return scores[0] != scores[1]
    return any(
        claimed.score.over and (reached.score.a > claimed.score.a or reached.score.b > claimed.score.b)
        for claimed, reached in permutations((one, other))
    )
