"""Who stands where: wins, then the event's tie-breaks in order; or the places of a knockout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rules.errors import gettext_noop
from tournament.formats.plan import Entrant, Placing, Reason
from tournament.tiebreaks import TIEBREAKS, Conclusion, Result, Value

__all__ = ["Conclusion", "Result", "StandingLine", "compute_standings"]


@dataclass(frozen=True, slots=True)
class StandingLine:
    """One entrant's line; ``place`` to ``place_to`` is a shared place when they differ.

    ``played`` counts every decided match, walkovers and forfeits too, so it is ``wins + losses``; points count as
    ``Result.counted_points`` says. ``tiebreaks`` are slug and value in the event's order; a value is None where the
    tie-break does not apply, and head to head is the wins among all those level before it was first applied.
    ``decided_by`` is the slug of the tie-break that put this line below the one above; None when wins did, or places,
    or nothing. ``note`` says what a reader would otherwise ask about, such as a cycle.
    """

    entrant: int
    place: int
    place_to: int
    played: int
    wins: int
    losses: int
    points_for: int
    points_against: int
    tiebreaks: tuple[tuple[str, Value | None], ...]
    decided_by: str | None
    note: Reason | None = None


@dataclass(slots=True)
class _Record:
    wins: int = 0
    losses: int = 0
    points_for: int = 0
    points_against: int = 0


@dataclass(frozen=True, slots=True)
class _Tied:
    """Entrants whom nothing separates, and what separates them from those above."""

    ids: list[int]
    decided_by: str | None = None


def compute_standings(
    entrants: Sequence[Entrant],
    results: Sequence[Result],
    tiebreaks: Sequence[str],
    placings: Sequence[Placing] | None,
) -> tuple[StandingLine, ...]:
    """Every entrant has one line, best first.

    Without ``placings`` wins decide, then each tie-break in order among those still level; whom nothing separates
    share the place. With ``placings`` these are the places, and wins, tie-breaks and name only order the lines of a
    shared place. Raises ValueError for a tie-break that does not exist, a result of somebody who is no entrant, or
    placings that are not those of the entrants.
    """
    _check(entrants, results, tiebreaks, placings)
    ranking = _Ranking(entrants, results, tiebreaks)
    everyone = [entrant.id for entrant in entrants]
    if placings is None:
        return tuple(ranking.lines(ranking.separate(everyone)))
    sharing: dict[tuple[int, int], list[int]] = {}
    for placing in placings:
        sharing.setdefault((placing.place, placing.place_to), []).append(placing.entrant)
    lines: list[StandingLine] = []
    for (place, place_to), ids in sorted(sharing.items()):
        ordered = [entrant for tied in ranking.separate(ids) for entrant in ranking.by_name(tied.ids)]
        lines += [ranking.line(entrant, place, place_to, None) for entrant in ordered]
    return tuple(lines)


def _check(
    entrants: Sequence[Entrant],
    results: Sequence[Result],
    tiebreaks: Sequence[str],
    placings: Sequence[Placing] | None,
) -> None:
    for slug in tiebreaks:
        if slug not in TIEBREAKS:
            raise ValueError(f"there is no tie-break {slug!r}")
    ids = {entrant.id for entrant in entrants}
    for result in results:
        if not {result.a, result.b} <= ids:
            raise ValueError(f"{result.key}: a side is no entrant")
    if placings is not None and sorted(placing.entrant for placing in placings) != sorted(ids):
        raise ValueError("the placings are not those of the entrants")


class _Ranking:
    """The records of all entrants, and the tie-break values found on the way."""

    def __init__(self, entrants: Sequence[Entrant], results: Sequence[Result], tiebreaks: Sequence[str]) -> None:
        self.names = {entrant.id: entrant.name for entrant in entrants}
        self.results = results
        self.slugs = tuple(dict.fromkeys(tiebreaks))
        self.records = _records(self.names, results)
        self.values: dict[str, dict[int, Value | None]] = {
            slug: {} if TIEBREAKS[slug].within_group else dict(TIEBREAKS[slug].compute(results, list(self.names)))
            for slug in self.slugs
        }
        self.notes: dict[int, Reason] = {}

    def separate(self, ids: Sequence[int]) -> list[_Tied]:
        """``ids`` by wins, then by the tie-breaks."""
        wins: dict[int, Value] = {entrant: self.records[entrant].wins for entrant in ids}
        return [tied for level in _levels(wins, higher_is_better=True) for tied in self._break_tie(level, self.slugs)]

    def _break_tie(self, ids: list[int], slugs: Sequence[str]) -> list[_Tied]:
        if len(ids) == 1 or not slugs:
            return [_Tied(ids)]
        slug, later = slugs[0], slugs[1:]
        tiebreak = TIEBREAKS[slug]
        values = _known(self._values(slug, ids))
        if values is None:
            return self._break_tie(ids, later)
        levels = _levels(values, higher_is_better=tiebreak.higher_is_better)
        if len(levels) == 1:
            if tiebreak.within_group and len(ids) > 2:
                self._note_cycle(ids)
            return self._break_tie(ids, later)
        broken: list[_Tied] = []
        for level in levels:
            first, *others = self._break_tie(level, slugs if tiebreak.within_group else later)
            broken += [_Tied(first.ids, slug if broken else None), *others]
        return broken

    def _values(self, slug: str, ids: list[int]) -> Mapping[int, Value | None]:
        if not TIEBREAKS[slug].within_group:
            return {entrant: self.values[slug][entrant] for entrant in ids}
        values = TIEBREAKS[slug].compute(self.results, ids)
        for entrant in ids:
            self.values[slug].setdefault(entrant, values[entrant])
        return values

    def _note_cycle(self, ids: list[int]) -> None:
        note = Reason(
            "head_to_head_cycle",
            gettext_noop("Head to head does not separate %(names)s: they beat each other in a cycle."),
            (("names", ", ".join(self.names[entrant] for entrant in self.by_name(ids))),),
        )
        for entrant in ids:
            self.notes[entrant] = note

    def by_name(self, ids: Sequence[int]) -> list[int]:
        """``ids`` in the order in which those who share a place are listed."""
        return sorted(ids, key=lambda entrant: (self.names[entrant].casefold(), entrant))

    def lines(self, groups: Sequence[_Tied]) -> list[StandingLine]:
        """A line for everyone in ``groups``, best first; each group shares its place."""
        lines: list[StandingLine] = []
        for tied in groups:
            place, place_to = len(lines) + 1, len(lines) + len(tied.ids)
            first, *others = self.by_name(tied.ids)
            lines.append(self.line(first, place, place_to, tied.decided_by))
            lines += [self.line(entrant, place, place_to, None) for entrant in others]
        return lines

    def line(self, entrant: int, place: int, place_to: int, decided_by: str | None) -> StandingLine:
        """The line of ``entrant`` at this place."""
        record = self.records[entrant]
        return StandingLine(
            entrant=entrant,
            place=place,
            place_to=place_to,
            played=record.wins + record.losses,
            wins=record.wins,
            losses=record.losses,
            points_for=record.points_for,
            points_against=record.points_against,
            tiebreaks=tuple((slug, self.values[slug].get(entrant)) for slug in self.slugs),
            decided_by=decided_by,
            note=self.notes.get(entrant),
        )


def _records(names: Mapping[int, str], results: Sequence[Result]) -> dict[int, _Record]:
    records = {entrant: _Record() for entrant in names}
    for result in results:
        points_a, points_b = result.counted_points
        for side, mine, theirs in ((result.a, points_a, points_b), (result.b, points_b, points_a)):
            record = records[side]
            record.points_for += mine
            record.points_against += theirs
            if side == result.winner:
                record.wins += 1
            else:
                record.losses += 1
    return records


def _known(values: Mapping[int, Value | None]) -> dict[int, Value] | None:
    """``values`` if every entrant has one; None where the tie-break does not apply."""
    known = {entrant: value for entrant, value in values.items() if value is not None}
    return known if len(known) == len(values) else None


def _levels(values: Mapping[int, Value], *, higher_is_better: bool) -> list[list[int]]:
    """The entrants grouped by value, the best value first."""
    levels: dict[Value, list[int]] = {}
    for entrant, value in values.items():
        levels.setdefault(value, []).append(entrant)
    return [levels[value] for value in sorted(levels, reverse=higher_is_better)]
