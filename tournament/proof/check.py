"""Checking a draw file: everything in it that can be computed again, as findings, and each entry's lots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tournament.proof.again import check_pairings_made_again
from tournament.proof.documents import check_documents, draw_of, entrants_at, entries_in, read_document
from tournament.proof.findings import Finding, Verdict
from tournament.proof.latecomers import check_latecomers
from tournament.proof.links import check_chains
from tournament.proof.plans import check_plans
from tournament.proof.publics import check_public_values, check_signatures
from tournament.proof.qualifiers import check_qualifiers
from tournament.proof.values import DrawFile, FileUrn


@dataclass(frozen=True, slots=True)
class EntryLot:
    """The lot of an entry in an urn."""

    number: int
    name: str
    lot: str


@dataclass(frozen=True, slots=True)
class UrnLots:
    """An urn with the lot of every entry, the smallest first."""

    urn: FileUrn
    lots: tuple[EntryLot, ...]

    def command(self, name: str) -> str:
        """Return the line for a shell that computes the lot drawn for ``name``."""
        lines = (self.urn.link, self.urn.public_value, self.urn.digest, name)
        quoted = " ".join("'" + line.replace("'", "'\\''") + "'" for line in lines)
        return f"printf '%s\\n' {quoted} | sha256sum"


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


def lots_of(file: DrawFile) -> tuple[UrnLots, ...]:
    """Return the lots of every urn, in the order in which the urns were opened."""
    return tuple(UrnLots(urn, tuple(_lots(file, urn))) for urn in file.urns)


def _lots(file: DrawFile, urn: FileUrn) -> Sequence[EntryLot]:
    rows: Mapping[int, Mapping[str, Any]] = entries_in(read_document(urn) or {})
    names = {number: str(row.get("name", "")) for number, row in rows.items()}
    draw = draw_of(file, urn)
    for entrant in entrants_at(draw, urn.scope) if draw else ():
        names.setdefault(entrant.number, entrant.name)
    found = [EntryLot(number, name, urn.urn.lot(str(number))) for number, name in names.items()]
    return sorted(found, key=lambda one: one.lot)
