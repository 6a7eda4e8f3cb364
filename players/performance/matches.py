"""A match that a program has analysed, and the performance rating over several of them."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from math import floor


@dataclass(frozen=True, slots=True)
class AnalysedMatch:
    """A match of one player as a program judges it; ``match`` is its id.

    ``pr`` is the performance rating (the lower the better), None while the match has not been handed in or analysed.
    ``clocked`` says that it had a clock, and ``approved`` that its event is approved for this.
    Raises ValueError for a length that is none or a rating below 0.
    """

    match: int
    length: int
    begun_at: datetime
    announced_at: datetime | None
    pr: Decimal | None
    clocked: bool = True
    approved: bool = True

    def __post_init__(self) -> None:
        if self.length < 1 or (self.pr is not None and not (self.pr.is_finite() and self.pr >= 0)):
            raise ValueError("A match has a length of 1 point or more, and a performance rating of 0 or more.")

    @property
    def is_announced(self) -> bool:
        """Whether it was said before the match that it counts."""
        return self.announced_at is not None and self.announced_at < self.begun_at

    @property
    def day(self) -> date:
        return self.begun_at.date()

    def is_asked_for(self, *, clocked: bool, approved: bool) -> bool:
        """Whether the match had a clock and is approved, where that is asked for."""
        return (self.clocked or not clocked) and (self.approved or not approved)


@dataclass(frozen=True, slots=True)
class Performance:
    """The performance rating over ``matches``, oldest first; each counts as often as its length."""

    matches: tuple[AnalysedMatch, ...]

    @property
    def points(self) -> int:
        """The experience points: the sum of the lengths."""
        return sum(one.length for one in self.matches)

    @property
    def pr(self) -> Fraction | None:
        """The exact mean; None without a match."""
        judged = [(one.length, Fraction(one.pr)) for one in self.matches if one.pr is not None]
        points = sum(length for length, _ in judged)
        return sum((length * pr for length, pr in judged), Fraction(0)) / points if points else None

    @property
    def total(self) -> Decimal:
        """The sum of the performance ratings, each as often as the length of its match."""
        return sum((one.length * one.pr for one in self.matches if one.pr is not None), Decimal(0))

    @property
    def shown(self) -> Decimal | None:
        """The mean to two decimal places."""
        return None if self.pr is None else Decimal(floor(100 * self.pr + Fraction(1, 2))).scaleb(-2)


def in_order(matches: Iterable[AnalysedMatch]) -> list[AnalysedMatch]:
    """Return the matches by the time at which they began, then by id."""
    return sorted(matches, key=lambda one: (one.begun_at, one.match))


def counting(
    matches: Iterable[AnalysedMatch], *, shortest: int = 1, clocked: bool = True, approved: bool = True
) -> list[AnalysedMatch]:
    """Return the matches that count, oldest first: announced, judged, not too short, and as they are asked to be."""
    found = (one for one in in_order(matches) if one.is_announced and one.pr is not None and one.length >= shortest)
    return [one for one in found if one.is_asked_for(clocked=clocked, approved=approved)]


def latest(matches: Sequence[AnalysedMatch], window: int) -> Performance:
    """Return the performance over the latest of these matches, oldest first, that have ``window`` points at most.

    A match that would go beyond the window does not count, nor does any before it.
    """
    points, first = 0, len(matches)
    while first and points + matches[first - 1].length <= window:
        first -= 1
        points += matches[first].length
    return Performance(tuple(matches[first:]))


def selection(matches: Iterable[AnalysedMatch], *, least: int = 300) -> Performance | None:
    """Return the performance over announced matches by which a national team is selected; None below ``least`` points.

    Every announced match that is not handed in costs the best one. Source: backgammon.dk, Landsholdet.
    """
    announced = [one for one in in_order(matches) if one.is_announced]
    handed_in = [one for one in announced if one.pr is not None]
    missing = len(announced) - len(handed_in)
    best_first = sorted(handed_in, key=lambda one: (one.pr or Decimal(0), one.begun_at, one.match))
    found = Performance(tuple(in_order(best_first[missing:])))
    return found if found.points >= least else None


def months_after(day: date, months: int) -> date:
    """Return the day so many months later, or the last day of that month if it has no such day."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))
