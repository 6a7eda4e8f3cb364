"""What a list has published so far, and how far it still agrees with what counts now."""

import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any

from matches.lists.counting import CHUNK, Source, moment
from players.lists.check import standings_after
from players.lists.document import held_from_json
from players.lists.models import OfficialList, Publication
from players.lists.read import counted_from
from players.lists.run import Inputs
from players.lists.stored import StoredDocument
from players.lists.systems import build
from players.lists.values import Base, Before, Correction, Counted, Standing
from players.models import Player


@dataclass(frozen=True, slots=True)
class Issue:
    """A publication without its document."""

    pk: int
    number: int
    base: int
    matches_until: datetime
    sha256: str
    inputs_sha256: str
    matches: int
    criteria: dict[str, Any]


def issues_of(official_list: OfficialList) -> dict[int, Issue]:
    """Return the publications of the list by number."""
    columns = ("pk", "number", "base", "matches_until", "sha256", "inputs_sha256", "matches", "criteria")
    rows = Publication.objects.filter(official_list=official_list).order_by("number").values_list(*columns)
    return {row[1]: Issue(*row) for row in rows}


def document_of(issue: int) -> bytes:
    """Return the document of the publication with this id."""
    packed = Publication.objects.values_list("document", flat=True).get(pk=issue)
    return zlib.decompress(packed)


def stored_document(issue: int) -> StoredDocument:
    """Return the document of the publication with this id, to be read."""
    return StoredDocument(document_of(issue))


def in_force(issues: Mapping[int, Issue]) -> Iterator[Issue]:
    """Yield the publications whose matches make up the last one, the last first: each begins where the next ends."""
    number = max(issues, default=0)
    while number:
        yield issues[number]
        number = issues[number].base


def begins_after(official_list: OfficialList, issues: Mapping[int, Issue], issue: Issue) -> datetime | None:
    """Return the moment after which the matches of the publication were counted; None if from the first on."""
    return counts_after(official_list, issues[issue.base] if issue.base else None)


def counts_after(official_list: OfficialList, base: Issue | None) -> datetime | None:
    """Return the moment after which matches count that go on from a publication; None if from the first on."""
    moments = (base.matches_until if base else None, official_list.counts_from)
    return max((one for one in moments if one is not None), default=None)


def corrections_of(official_list: OfficialList, issues: Mapping[int, Issue], source: Source) -> tuple[Correction, ...]:
    """Return the matches that were published otherwise than they count now, in the order of rating."""
    was: dict[int, Counted] = {}
    now: dict[int, Counted] = {}
    for issue in in_force(issues):
        after = begins_after(official_list, issues, issue)
        inputs = Inputs()
        for one in source.counted(official_list, after, issue.matches_until):
            inputs.add(one)
        if (inputs.sha256, inputs.count) == (issue.inputs_sha256, issue.matches):
            continue
        published = {one.match: one for one in counted_from(stored_document(issue.pk).rows())}
        for one in source.counted(official_list, after, issue.matches_until):
            if published.get(one.match) == one:
                del published[one.match]
            else:
                now[one.match] = one
        was |= published
    gone = source.why_not(official_list, was.keys() - now.keys())
    found = (_correction(match, was.get(match), now.get(match), gone) for match in {*was, *now})
    return tuple(sorted(found, key=lambda one: (one.place, one.match)))


def _correction(match: int, was: Counted | None, now: Counted | None, gone: Mapping[int, str]) -> Correction:
    if was is None:
        return Correction(match, was, now, "entered_late")
    if now is None:
        return Correction(match, was, now, gone.get(match, "played_later"))
    if {was.winner, was.loser} != {now.winner, now.loser}:
        return Correction(match, was, now, "players_changed")
    if was.at != now.at and was[2:] == now[2:]:
        return Correction(match, was, now, "date_changed")
    return Correction(match, was, now, "result_changed")


def base_for(issues: Mapping[int, Issue], corrections: Sequence[Correction], window: int) -> tuple[Issue | None, Base]:
    """Return the publication from which the next one goes on, and everybody's standing after it, to the last bit.

    It is the last one before everything corrected in which nobody stands who has been merged since: a start value may
    have moved without any match. Up to it, classes have looked at ``window`` matches or more: fewer would not say what
    was reached in these. It is None, with nobody's standing, if there is no such one.
    """
    first = min((one.place[0] for one in corrections), default=None)
    chain = list(in_force(issues))
    for place, issue in enumerate(chain):
        if first is not None and moment(issue.matches_until) >= first:
            continue
        if any(one.criteria.get("class_matches", 0) < window for one in chain[place:]):
            continue
        document = stored_document(issue.pk)
        standings = standings_after(document.said, counted_from(document.rows()), build)
        if not _has_merged(standings):
            return issue, Base(issue.number, issue.sha256, standings)
    return None, Base()


def _has_merged(standings: Mapping[int, Standing]) -> bool:
    ids = iter(standings)
    while chunk := list(islice(ids, CHUNK)):
        if Player.objects.filter(pk__in=chunk, merged_into__isnull=False).exists():
            return True
    return False


def before_from(issue: Issue | None) -> Before:
    """Return what the publication before says of values and classes."""
    if issue is None:
        return Before()
    document = stored_document(issue.pk).said
    values = {line["player"]: line["value"] for line in document["lines"]}
    return Before(issue.number, issue.sha256, values, held_from_json(document["held"]))
