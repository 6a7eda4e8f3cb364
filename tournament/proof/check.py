"""Checking a draw file: everything in it that can be computed again, as findings, and each entry's lots."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tournament.proof.again import check_pairings_made_again
from tournament.proof.documents import check_documents
from tournament.proof.drawn_lots import UrnLots, lots_of
from tournament.proof.findings import Finding, Verdict
from tournament.proof.latecomers import check_latecomers
from tournament.proof.links import check_chains
from tournament.proof.plans import check_plans
from tournament.proof.publics import check_public_values, check_signatures
from tournament.proof.qualifiers import check_qualifiers
from tournament.proof.values import DrawFile


@dataclass(frozen=True, slots=True)
class Report:
    """What was found, in the order of checking, and the lots by urn."""

    findings: tuple[Finding, ...]
    lots: tuple[UrnLots, ...]

    @property
    def holds(self) -> bool:
        """Whether nothing is wrong."""
        return not self.wrong

    @property
    def wrong(self) -> tuple[Finding, ...]:
        """The findings that speak against the draw."""
        return tuple(finding for finding in self.findings if finding.verdict is Verdict.WRONG)


def check_file(file: DrawFile) -> Report:
    """Check the file against itself: it needs no database and no server."""
    return Report(findings=tuple(_findings(file)), lots=lots_of(file))


def _findings(file: DrawFile) -> Iterator[Finding]:
    yield from check_chains(file)
    yield from check_public_values(file)
    yield from check_signatures(file)
    yield from check_documents(file)
    yield from check_qualifiers(file)
    yield from check_latecomers(file)
    yield from check_plans(file)
    yield from check_pairings_made_again(file)
