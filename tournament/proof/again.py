"""Naming rounds that were paired again once their lots could be read: nobody chose the lots, but somebody knew them."""

from __future__ import annotations

from collections.abc import Iterator

from rules.errors import gettext_noop
from tournament.formats import FORMATS
from tournament.formats.lots import ROUND, round_scope
from tournament.proof.findings import Finding, Place, note
from tournament.proof.node import moment_of
from tournament.proof.values import DrawFile, FileDraw, FileUrn


def check_pairings_made_again(file: DrawFile) -> Iterator[Finding]:
    """Compare when the link of each round or batch was opened with when its pairings were made."""
    for urn in file.urns:
        draw = next((one for one in file.draws if urn.place in one.links), None)
        if draw is not None and FORMATS[draw.format].pairs_by_round:
            yield from _check_urn(urn, draw)


def _check_urn(urn: FileUrn, draw: FileDraw) -> Iterator[Finding]:
    place = Place(link=urn.number, is_cancelled=draw.cancelled_at is not None)
    opened = moment_of(urn.opened_at)
    steps = [step for step in draw.steps if urn.scope == round_scope(step.round)]
    for step in steps:
        paired = moment_of(step.paired_at)
        if opened is not None and paired is not None and opened < paired:
            yield note(
                "link_opened_early",
                place,
                gettext_noop(
                    "Link %(number)s was opened at %(opened)s, but its pairings stand since %(at)s: a result, an entry "
                    "or a pairing was changed in between, by somebody who could know the lots."
                ),
                number=urn.number,
                opened=urn.opened_at,
                at=step.paired_at,
            )
    if not steps and urn.scope.startswith(ROUND):
        yield note(
            "link_without_pairings",
            place,
            gettext_noop(
                "Link %(number)s was opened at %(opened)s, but its pairings were taken back: somebody who saw them "
                "knows the lots."
            ),
            number=urn.number,
            opened=urn.opened_at,
        )
