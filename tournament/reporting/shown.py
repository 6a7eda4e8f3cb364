"""What everybody reads of the official lists: what an event counts for, and whether a match does."""

from collections.abc import Iterable
from dataclasses import dataclass

from matches.models import Match
from players.lists.models import OfficialList
from tournament.models import Event
from tournament.reporting.counting import lists_of, verdict_on
from tournament.reporting.words import sentence_of


@dataclass(frozen=True, slots=True)
class RatedLine:
    """Whether a match counts for a list, None before it is decided; ``why`` says in a sentence what keeps it out."""

    name: str
    counts: bool | None
    code: str = ""
    why: str = ""


def rated_lines(event: Event, match: Match) -> list[RatedLine]:
    """Return a line for each list that the event declares."""
    lines = []
    for official_list in lists_of(event):
        verdict = verdict_on(official_list, event, match)
        code = verdict.why_not if verdict is not None else None
        counts = None if verdict is None else verdict.counts
        lines.append(RatedLine(official_list.name, counts, code or "", sentence_of(code)))
    return lines


def names_of_lists(slugs: Iterable[str]) -> str:
    """Return the names of the lists with these slugs, in one line; empty without any."""
    wanted = list(slugs)
    if not wanted:
        return ""
    return ", ".join(OfficialList.objects.filter(slug__in=wanted).values_list("name", flat=True))
