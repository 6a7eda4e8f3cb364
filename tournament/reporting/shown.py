"""What everybody reads of the official lists: what an event counts for, and whether a match does."""

from collections.abc import Iterable
from dataclasses import dataclass

from matches.models import Match
from players.lists.models import OfficialList
from tournament.models import Event, ReportState
from tournament.reporting.counting import lists_of, verdict_on
from tournament.reporting.rulings import reasons_of_rulings
from tournament.reporting.words import sentence_of


@dataclass(frozen=True, slots=True)
class RatedLine:
    """Whether a match counts for a list, None before it is decided; ``why`` says in a sentence what keeps it out.

    A match that counts is on the list once the report of its event ``is_accepted``.
    """

    name: str
    counts: bool | None
    code: str = ""
    why: str = ""
    is_accepted: bool = False


def rated_lines(event: Event, match: Match) -> list[RatedLine]:
    """Return a line for each list that the event declares."""
    lines, lists = [], lists_of(event)
    accepted = (
        set(event.reports.filter(state=ReportState.ACCEPTED).values_list("official_list", flat=True)) if lists else ()
    )
    for official_list in lists:
        verdict = verdict_on(official_list, event, match)
        code = verdict.why_not if verdict is not None else None
        counts = None if verdict is None else verdict.counts
        ruling = reasons_of_rulings(official_list, [match.pk]).get(match.pk, "")
        why = "" if counts is None else sentence_of(code, ruling)
        lines.append(RatedLine(official_list.name, counts, code or "", why, official_list.pk in accepted))
    return lines


def names_of_lists(slugs: Iterable[str]) -> str:
    """Return the names of the lists with these slugs, in one line; empty without any."""
    wanted = list(slugs)
    if not wanted:
        return ""
    return ", ".join(OfficialList.objects.filter(slug__in=wanted).values_list("name", flat=True))
