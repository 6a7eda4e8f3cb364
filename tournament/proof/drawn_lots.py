"""The lots that decided in an urn: those that its draw asked for, each with the name that was hashed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tournament.formats import FORMATS
from tournament.formats.errors import PlanError
from tournament.formats.knockout import MAIN
from tournament.formats.lots import LATE, QUALIFIERS, Urn, pairing_name, round_scope
from tournament.proof.documents import draw_of, entries_in, read_document
from tournament.proof.plans import BROKEN, FileLots, asked_at
from tournament.proof.values import DrawFile, FileDraw, FileEntrant, FileStep, FileUrn

ABSENT = "absent "
"""How the scope begins in which it is decided which of two who have both left goes on; the pairing's key follows."""

PLACES = re.compile(r"^(line|pairing|group)s? (\d+(-\d+)?|\w+ place \d+)")
"""The lines of lots for places in a bracket or in a group."""


@dataclass(frozen=True, slots=True)
class EntryLot:
    """A lot of an urn: ``line`` is the fourth line that is hashed, ``number`` the entry it stands for, if any.

    ``name`` is that of the entry. A bye is named by the entry that had it.
    """

    number: int | None
    name: str
    lot: str
    line: str

    @property
    def kind(self) -> str:
        """What the line says besides numbers of entries, lines or pairings: lots are compared within one kind."""
        first, *rest = self.line.split(" ", 1)
        return " ".join(rest) if first.isdigit() else PLACES.sub(r"\1", self.line)


@dataclass(frozen=True, slots=True)
class UrnLots:
    """An urn with the lots that decided, the smallest first; second lots follow the first ones."""

    urn: FileUrn
    lots: tuple[EntryLot, ...]

    def command(self, name: str) -> str:
        """Return the line for a shell that computes the lot drawn for ``name``."""
        lines = (self.urn.link, self.urn.public_value, self.urn.digest, name)
        quoted = " ".join("'" + line.replace("'", "'\\''") + "'" for line in lines)
        return f"printf '%s\\n' {quoted} | sha256sum"


@dataclass(frozen=True, eq=False)
class HeardUrn(Urn):
    """An urn that remembers for which names it was asked. It equals itself alone, so that no cache answers for it."""

    names: dict[str, None] = field(default_factory=dict)

    def lot(self, name: str) -> str:
        self.names[name] = None
        return super().lot(name)

    __eq__ = object.__eq__
    __hash__ = object.__hash__


def lots_of(file: DrawFile, urns: Iterable[FileUrn] | None = None) -> tuple[UrnLots, ...]:
    """Return the lots of these urns, or of every urn, in the order in which they were opened."""
    wanted = list(file.urns if urns is None else urns)
    heard: dict[tuple[int, int], tuple[str, ...]] = {}
    for draw in file.draws:
        heard.update(_heard(draw, [urn for urn in wanted if urn.place in draw.links]))
    return tuple(UrnLots(urn, tuple(_lots(file, urn, heard.get(urn.place, ())))) for urn in wanted)


def _heard(draw: FileDraw, urns: Sequence[FileUrn]) -> Iterator[tuple[tuple[int, int], tuple[str, ...]]]:
    """Plan the draw once more, and yield for each of its urns the names for which its formats asked."""
    planned = [urn for urn in urns if not urn.scope.startswith((LATE, ABSENT)) and urn.scope != QUALIFIERS]
    if not planned or not draw.steps or draw.seed:
        return
    last = draw.steps[-1].round
    rounds = {round_scope(step.round): step.round for step in draw.steps if step.round}
    wanted = {rounds.get(urn.scope, last) for urn in planned}
    for step, asked in asked_at(draw):
        here = [urn for urn in planned if rounds.get(urn.scope, last) == step.round]
        if step.round not in wanted or not here or (not step.round and step is not draw.steps[-1]):
            continue
        ears = {urn.scope: HeardUrn(urn.link, urn.public_value, urn.digest) for urn in here}
        try:
            FORMATS[draw.format].plan(replace(asked, lots=FileLots(ears, "no urn")))
        except (PlanError, *BROKEN):
            continue
        for urn in here:
            yield urn.place, tuple(ears[urn.scope].names)


def _lots(file: DrawFile, urn: FileUrn, heard: Sequence[str]) -> Sequence[EntryLot]:
    document = read_document(urn) or {}
    draw = draw_of(file, urn)
    names = {number: str(row.get("name", "")) for number, row in entries_in(document).items()}
    if urn.scope.startswith(LATE):
        holders = _holders(draw) if draw else {}
        lines: dict[str, int | None] = {pairing_name(bye): holders.get(bye) for bye in _byes(document)}
    elif urn.scope.startswith(ABSENT):
        lines = dict(_of_absent(draw, urn.scope.removeprefix(ABSENT))) if draw else {}
    elif urn.scope == QUALIFIERS:
        lines = {f"{number} qualifying": number for number in _ranked(document, names)}
    else:
        lines = {line: _entry(line) for line in heard or map(str, names)}
    found = [EntryLot(number, names.get(number or 0, ""), urn.urn.lot(line), line) for line, number in lines.items()]
    kinds: dict[str, int] = {}
    for one in found:
        kinds.setdefault(one.kind, len(kinds))
    return sorted(found, key=lambda one: (kinds[one.kind], one.lot))


def _entry(line: str) -> int | None:
    first = line.split(" ", 1)[0]
    return int(first) if first.isdigit() else None


def _byes(document: Mapping[str, Any]) -> list[int]:
    byes = document.get("byes")
    return [bye for bye in byes if type(bye) is int] if isinstance(byes, list) else []


def _ranked(document: Mapping[str, Any], names: Mapping[int, str]) -> list[int]:
    """Return the numbers in the standings of the document; all its entries if it is older than they are."""
    standings = document.get("standings")
    if not isinstance(standings, dict):
        return list(names)
    rows = [row for lines in standings.values() if isinstance(lines, list) for row in lines]
    return [row[0] for row in rows if isinstance(row, list) and row and type(row[0]) is int]


def _holders(draw: FileDraw) -> dict[int, int]:
    """Return by round 1 pairing the entry that was drawn there with a bye, whether or not it has been taken since."""
    late: dict[int, int] = {one.number: one.bye_taken for one in _last_entrants(draw)}
    found = {}
    for step in draw.steps:
        for one in step.pairings:
            drawn = [side for side in (one.a, one.b) if side is not None and not late.get(side)]
            if one.bracket == MAIN and one.round == 1 and len(drawn) == 1:
                found[one.number] = drawn[0]
    return found


def _last_entrants(draw: FileDraw) -> Sequence[FileEntrant]:
    return next((step.entrants for step in reversed(draw.steps) if step.entrants is not None), ())


def _of_absent(draw: FileDraw, key: str) -> Iterator[tuple[str, int]]:
    """Yield the two lines of those who were due to meet in this pairing, as far as the file names them."""
    for sides in (_met(step, key) for step in reversed(draw.steps)):
        if sides:
            yield from ((f"{side} in {key}", side) for side in sides)
            return


def _met(step: FileStep, key: str) -> list[int]:
    results = [side for one in step.results if one.key == key for side in (one.winner, one.loser)]
    seats = [side for one in step.pairings if one.key == key for side in (one.a, one.b)]
    return next(
        ([side for side in sides if side is not None] for sides in (results, seats) if sides and None not in sides), []
    )
