"""How far a player is from the next title of a body: what is reached, what is held, and what is missing."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

from players.performance.matches import AnalysedMatch, Performance
from players.performance.norms import BotNorm, Norm
from players.performance.titles import Tally, Title, TitleTable

NEAR_POINTS, NEAR_RATING, NEAR_THIRDS = Decimal("0.25"), Decimal("0.5"), 3
"""Near a title: at most this part of its points, this much of the rating and so many thirds of norms are missing."""


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables of a body, each with the first day on which it holds, oldest first."""

    rows: tuple[tuple[date, TitleTable], ...]

    def on(self, day: date) -> TitleTable | None:
        """Return the table of this day; None before there was one."""
        return next((table for since, table in reversed(self.rows) if since <= day), None)


@dataclass(frozen=True, slots=True)
class HeldNorm:
    """A norm that has been recorded, with the matches that are its evidence; a void one counts no longer."""

    kind: str
    on: date
    thirds: int = 3
    matches: tuple[int, ...] = ()
    is_void: bool = False


@dataclass(frozen=True, slots=True)
class Held:
    """What a body has recorded of a player: the codes of titles, norms, and from when to when they are a member.

    Both days are included, and None is open.
    """

    titles: frozenset[str] = frozenset()
    norms: tuple[HeldNorm, ...] = ()
    memberships: tuple[tuple[date, date | None], ...] = ((date.min, None),)

    def may_have_titles(self, table: TitleTable, on: date) -> bool:
        """Whether the player may have a title by this table on this day."""
        is_member = any(starts <= on and (ends is None or on <= ends) for starts, ends in self.memberships)
        return is_member or not table.members

    def thirds(self, on: date) -> int:
        """Return how many thirds of norms count on this day."""
        return sum(one.thirds for one in self.norms if not one.is_void and one.on <= on)


@dataclass(frozen=True, slots=True)
class NormProgress:
    """Norms by their rule: those ``reached`` and not recorded, and how many matches the next one needs.

    ``missing`` is 0 if the player has all norms that they can have.
    """

    rule: BotNorm
    reached: tuple[Norm, ...]
    missing: int


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a player is by the table of today.

    ``award`` is a title that is reached and not held, with the day on which it was. ``next`` is the lowest title above
    those reached and held; None if there is none.
    """

    table: TitleTable
    performance: Performance
    thirds: int
    next: Title | None
    award: tuple[Title, date] | None
    norm: NormProgress | None

    @property
    def missing_points(self) -> int:
        """How many points of analysed matches the next title needs besides those played."""
        if self.next is None or self.next.limit is None:
            return 0
        return max(0, self.table.least - self.performance.points)

    @property
    def missing_thirds(self) -> int:
        return 0 if self.next is None else max(0, 3 * self.next.norms - self.thirds)

    @property
    def is_rating_met(self) -> bool:
        """Whether the rating is low enough for the next title; not if there is no rating yet."""
        if self.next is None or self.next.limit is None:
            return True
        pr = self.performance.pr
        return pr is not None and pr <= self.next.limit

    @property
    def is_near(self) -> bool:
        """Whether little is missing for the next title."""
        if self.next is None or self.missing_thirds > NEAR_THIRDS:
            return False
        if self.next.limit is None:
            return self.thirds > 0
        pr = self.performance.pr
        enough = self.missing_points <= NEAR_POINTS * self.table.least
        return enough and pr is not None and pr <= self.next.limit + NEAR_RATING


def progress_of(tables: Tables, played: Sequence[AnalysedMatch], held: Held, on: date) -> Progress | None:
    """Return how far the player is on this day; None while the body has no table.

    A title is never lost, and one that was reached by the table of its day stays reached, whatever is asked for today.
    Norms that follow from matches are found by the table of today.
    """
    table = tables.on(on)
    if table is None:
        return None
    played = [one for one in played if one.day <= on]
    ranks = {title.code: rank for rank, title in enumerate(table.titles)}
    has = min((ranks[code] for code in held.titles if code in ranks), default=len(ranks))
    reached = _reached(tables, played, held, on)
    best = min(((ranks[code], day) for code, day in reached if code in ranks), default=(len(ranks), on))
    above, has_titles = min(has, best[0]), held.may_have_titles(table, on)
    return Progress(
        table,
        table.performance(played),
        held.thirds(on),
        next=table.titles[above - 1] if above else None,
        award=(table.titles[best[0]], best[1]) if best[0] < has else None,
        norm=_norms(table, table.norm, played, held.norms, on) if table.norm and has_titles else None,
    )


def _reached(tables: Tables, played: Sequence[AnalysedMatch], held: Held, on: date) -> Iterator[tuple[str, date]]:
    """Yield the highest title by the table of the day: after every match and norm, and where a table or membership
    begins."""
    for number, (since, table) in enumerate(tables.rows):
        until = tables.rows[number + 1][0] if number + 1 < len(tables.rows) else date.max
        tallies = table.tallies(played)
        others = sorted({since, *(one.on for one in held.norms), *(starts for starts, _ends in held.memberships)})
        for day, tally in [*tallies, *((day, _last(tallies, day)) for day in others)]:
            if not (since <= day < until and day <= on and held.may_have_titles(table, day)):
                continue
            title = table.title_for(tally, held.thirds(day))
            if title is not None:
                yield title.code, day


def _last(tallies: Sequence[tuple[date, Tally]], on: date) -> Tally:
    return next((tally for day, tally in reversed(tallies) if day <= on), Tally())


def _norms(
    table: TitleTable, rule: BotNorm, played: Sequence[AnalysedMatch], held: Collection[HeldNorm], on: date
) -> NormProgress:
    """Return the norms by their rule that have not been recorded. No match is evidence twice.

    A norm that was recorded without its matches has used all up to its day.
    """
    recorded = [one for one in held if one.kind == rule.kind]
    used = {match for one in recorded for match in one.matches}
    spent = max((one.on for one in recorded if not one.matches), default=date.min)
    most = max(0, rule.most - sum(not one.is_void for one in recorded))
    left = replace(rule, most=most, clocked=table.clocked, approved=table.sanction)
    free = [one for one in played if one.match not in used and one.day > spent]
    return NormProgress(rule, left.reached(free), left.missing(free, on))
