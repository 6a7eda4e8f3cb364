"""Checking who went on to a later stage: drawn again from the standings in the document of its urn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rules.errors import gettext_noop
from tournament.formats.chance import LotChance
from tournament.formats.lots import QUALIFIERS
from tournament.formats.plan import Entrant, Reason
from tournament.proof.documents import draw_of, entrants_at, entries_in, read_document
from tournament.proof.findings import Finding, Place, note, ok, wrong
from tournament.proof.values import DrawFile, FileUrn
from tournament.ranking.qualifying import qualify
from tournament.ranking.standings import StandingLine

MOST_NAMED = 12


def check_qualifiers(file: DrawFile) -> Iterator[Finding]:
    """Draw those who go on once more in every urn for qualifiers whose document has the standings."""
    for urn in file.urns:
        document = read_document(urn) if urn.scope == QUALIFIERS else None
        if document is not None and "standings" in document:
            yield from _check_urn(file, urn, document)


def _check_urn(file: DrawFile, urn: FileUrn, document: Mapping[str, Any]) -> Iterator[Finding]:
    place = Place(link=urn.number)
    draw = draw_of(file, urn)
    if draw is None:
        return
    try:
        found = _went_on(urn, document, draw.edition)
    except (LookupError, ValueError, TypeError):
        yield wrong(
            "standings_unreadable",
            place,
            gettext_noop("The document of link %(number)s has no standings from which anybody could go on."),
            number=urn.number,
        )
        return
    drawn = {entrant.number: entrant.seed for entrant in entrants_at(draw, urn.scope)}
    if drawn == found:
        yield ok(
            "qualifiers_agree",
            place,
            gettext_noop(
                "Those who went on to stage %(stage)s, as standings and lots of that time give them: %(count)s."
            ),
            stage=urn.stage,
            count=len(found),
        )
        return
    differing = sorted(number for number in drawn.keys() | found.keys() if drawn.get(number) != found.get(number))
    yield note(
        "qualifiers_changed",
        place,
        gettext_noop(
            "Those who play stage %(stage)s, or their seeds, are not those whom link %(number)s gave, among others "
            "%(entries)s: ask which result was corrected since."
        ),
        stage=urn.stage,
        number=urn.number,
        entries=", ".join(map(str, differing[:MOST_NAMED])),
    )


def _went_on(urn: FileUrn, document: Mapping[str, Any], edition: int) -> dict[int, int | None]:
    """Return the seeds of those who went on, by number. Raises ValueError and the like for what are no standings."""
    entries = entries_in(document)
    entrants = {number: Entrant(number, str(row["name"]), number=number) for number, row in entries.items()}
    rankings = {slug: [_line(row) for row in rows] for slug, rows in document["standings"].items()}
    count = document["qualifiers"]
    if type(count) is not int or count < 1:
        raise ValueError(count)
    through = qualify(rankings, entrants, count=count, chance=LotChance(urn.urn), edition=edition)
    return {entrant.number: entrant.seed for entrant in through}


def _line(row: Sequence[int]) -> StandingLine:
    number, place, wins, difference, *halves = row
    draws, rate_wins = halves or (0, 0)
    if any(type(value) is not int for value in row):
        raise ValueError(row)
    return StandingLine(
        entrant=number,
        place=place,
        place_to=place,
        played=wins + draws,
        wins=wins,
        losses=0,
        points_for=difference,
        points_against=0,
        tiebreaks=(),
        decided_by=None,
        why=NO_REASON,
        draws=draws,
        rate_wins=rate_wins,
    )


NO_REASON = Reason(code="", template="")
