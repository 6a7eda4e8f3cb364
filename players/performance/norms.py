"""The norms of the Danish federation, from matches and ratings. Source: dbgf.dk, Regler for normer og titler."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from players.performance.matches import AnalysedMatch, in_order, months_after


@dataclass(frozen=True, slots=True)
class Norm:
    """A norm with the day on which it was reached and the ids of the matches that are its evidence."""

    on: date
    matches: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BotNorm:
    """The rule of bot norms: so many matches below a performance rating, the first and the last within some months.

    A player has at most ``most`` of them, which are recorded as norms of this ``kind``. Whether the matches need a
    clock and an approved event, the table of titles says.
    """

    matches: int = 5
    below: Decimal = Decimal("3.5")
    shortest: int = 13
    months: int = 12
    most: int = 2
    kind: str = "BN"
    clocked: bool = True
    approved: bool = True

    def reached(self, played: Iterable[AnalysedMatch]) -> tuple[Norm, ...]:
        """Return the norms, oldest first; each match is evidence for one of them."""
        good, first = self._good(played), 0
        norms: list[Norm] = []
        while len(norms) < self.most and first + self.matches <= len(good):
            group = good[first : first + self.matches]
            if group[-1].day <= months_after(group[0].day, self.months):
                norms.append(Norm(group[-1].day, tuple(one.match for one in group)))
                first += self.matches
            else:
                first += 1
        return tuple(norms)

    def missing(self, played: Iterable[AnalysedMatch], on: date) -> int:
        """Return how many more matches the next norm needs, played on that day or soon after; 0 if no norm is left."""
        so_far = [one for one in played if one.day <= on]
        norms = self.reached(so_far)
        if len(norms) == self.most:
            return 0
        used = {match for norm in norms for match in norm.matches}
        good = [one for one in self._good(so_far) if one.match not in used]
        return self.matches - sum(on <= months_after(one.day, self.months) for one in good)

    def _good(self, played: Iterable[AnalysedMatch]) -> list[AnalysedMatch]:
        good = (one for one in in_order(played) if one.pr is not None and one.pr < self.below)
        valid = (one for one in good if one.is_asked_for(clocked=self.clocked, approved=self.approved))
        return [one for one in valid if one.length >= self.shortest]


@dataclass(frozen=True, slots=True)
class RatedBefore:
    """A rated match of a player: its id, day and length, and the player's rating before and after it."""

    match: int
    day: date
    length: int
    before: Decimal
    after: Decimal


RATING_NORM = Decimal(1300)
"""The rating that gives the one rating norm, at whatever time it is reached."""

TMP_LIMITS: tuple[tuple[date, Decimal], ...] = ((date(2012, 1, 1), Decimal(1210)), (date.min, Decimal(1200)))
"""The rating at the beginning of a match from which its points count for a TMP norm, by the day from which it holds."""

TMP_POINTS, MOST_TMP_NORMS = 1200, 3


def rating_norm(played: Sequence[RatedBefore]) -> Norm | None:
    """Return the rating norm of a player with these matches, in order."""
    return next((Norm(one.day, (one.match,)) for one in played if max(one.before, one.after) >= RATING_NORM), None)


def tmp_points(played: Iterable[RatedBefore]) -> int:
    """Return the points of the matches that the player began with a rating high enough on that day."""
    return sum(one.length for one in played if _counts(one))


def tmp_norms(played: Iterable[RatedBefore]) -> tuple[Norm, ...]:
    """Return the TMP norms of a player with these matches, in order; the evidence is the match that completed each."""
    norms: list[Norm] = []
    points = 0
    for one in played:
        points += one.length if _counts(one) else 0
        while len(norms) < MOST_TMP_NORMS and points >= TMP_POINTS * (len(norms) + 1):
            norms.append(Norm(one.day, (one.match,)))
    return tuple(norms)


def _counts(match: RatedBefore) -> bool:
    return match.before >= next(limit for since, limit in TMP_LIMITS if match.day >= since)
