"""The words for corrections: places, ratings, states, and what became of score sheets."""

from collections.abc import Sequence, Set
from dataclasses import dataclass
from decimal import Decimal

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import ngettext

from matches.models import Match, Scoresheet, SheetChange, SheetSource, SheetState
from rules.score import Side
from tournament.results.by_rule import reason_of
from tournament.roles.authors import by_author
from tournament.roles.claims import sees_claims
from tournament.snapshot.states import STATE_NAMES, MatchState

register = template.Library()


@register.filter
def places(line: tuple[int, int] | None) -> str:
    """Write a place, or the best and worst of several; a dash for none."""
    if line is None:
        return "–"
    return str(line[0]) if line[0] == line[1] else f"{line[0]}–{line[1]}"


@register.filter
def rating(value: Decimal | None) -> str:
    return "–" if value is None else f"{value:.2f}"


@register.filter
def state_name(state: str) -> str:
    return str(STATE_NAMES[MatchState(state)])


@register.simple_tag
def more(lines: tuple[object, ...], listed: int) -> SafeString | str:
    """Write how many lines there are beyond those listed; nothing if there are none."""
    left = len(lines) - listed
    if left <= 0:
        return ""
    return format_html("<span>{}</span>", ngettext("and %(count)s more", "and %(count)s more", left) % {"count": left})


@dataclass(frozen=True, slots=True)
class SheetStep:
    """A change to a score sheet, as a line in the history of a result.

    ``reporter`` is the player whose report the sheet is, empty for a sheet of the desk or a scorer's report. ``who``
    made the change; empty if that is not known, or if it is the reporter. ``reason`` is that of an objection only for
    those who settle it.
    """

    change: SheetChange
    reporter: str
    is_scorers: bool
    who: str
    reason: str
    is_first: bool


@register.filter
def author_for(name: object, may: Set[str]) -> str:
    """Return who entered something, after "by", as a reader with these actions is told."""
    return by_author(name, may or frozenset())


@register.filter
def ruler_for(name: object, may: Set[str]) -> str:
    """Return who ruled, after "by", as a reader with these actions is told."""
    return by_author(name, may or frozenset(), rules=True)


@register.simple_tag
def sheet_steps(changes: Sequence[SheetChange], match: Match, may: Set[str]) -> list[SheetStep]:
    """Return the changes to all sheets of the match, each with the names of its players.

    The person who made a change at the desk is named as for a reader with the actions ``may``.
    """
    names: dict[str, str] = {Side.A: match.name_a, Side.B: match.name_b}
    steps: list[SheetStep] = []
    seen: set[int] = set()
    for change in changes:
        sheet = change.sheet
        steps.append(
            SheetStep(
                change,
                reporter=names.get(sheet.side, ""),
                is_scorers=sheet.source == SheetSource.SCORER,
                who="" if _is_by_reporter(change) else names.get(change.side) or author_for(change.by, may),
                reason=_reason(change, may),
                is_first=sheet.pk not in seen,
            )
        )
        seen.add(sheet.pk)
    return steps


@register.filter
def reason_said(sheet: Scoresheet) -> str:
    """Return the reason of a score sheet."""
    return reason_of(sheet)


def _reason(change: SheetChange, may: Set[str]) -> str:
    """Return why the state changed, as a reader with the actions ``may`` is told."""
    if change.state == SheetState.DISPUTED and not sees_claims(may or ()):
        return ""
    return change.reason or (reason_of(change.sheet) if change.state == SheetState.CONFIRMED else "")


def _is_by_reporter(change: SheetChange) -> bool:
    """Whether players changed their own report, or a scorer's report was disputed on submission because it differed."""
    if change.side:
        return change.side == change.sheet.side
    is_scorers = change.sheet.source == SheetSource.SCORER
    return is_scorers and change.state == SheetState.DISPUTED and change.by_id == change.sheet.claimed_by_id
