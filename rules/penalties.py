"""Penalty points, which a director gives between games to the opponent of a player who was late or broke a rule."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rules.score import MatchScore, Side


@dataclass(frozen=True, slots=True)
class Penalty:
    """Points that side A and side B gave away after game ``after``; 0 means before game 1."""

    after: int
    against_a: int
    against_b: int

    def against(self, side: Side) -> int:
        return self.against_a if side is Side.A else self.against_b


def total_against(side: Side, penalties: Iterable[Penalty]) -> int:
    """Return the total of the points that the side gave away."""
    return sum(penalty.against(side) for penalty in penalties)


def give_penalties(score: MatchScore, penalties: Iterable[Penalty], *, after: int) -> MatchScore:
    """Return the score with the points given after game ``after``, each going to the opponent of the side penalised.

    Points that end the match are added last, and none after that. Source: UK Open rules, 6 (late at the start or after
    a break). Raises ValueError in money play, where nobody needs points.
    """
    for penalty in penalties:
        if penalty.after != after or score.over:
            continue
        for side in sorted(Side, key=lambda side: penalty.against(side) >= score.away(side.other)):
            if penalty.against(side) and not score.over:
                score = score.after(side.other, penalty.against(side), played=False)
    return score


def lateness_points(minutes: int, *, every: int) -> int:
    """Return the penalty points for coming ``minutes`` late: one for each full ``every`` minutes.

    Source: NVBC, Club rules (first point 5 minutes after the draw, then one per 5); UK Open rules, 6, likewise. Raises
    ValueError for a negative time, and if ``every`` is less than a minute.
    """
    if minutes < 0 or every < 1:
        raise ValueError("Lateness is counted in whole minutes, at least one for each point.")
    return minutes // every


def penalty_limit(length: int) -> int:
    """Return the number of penalty points that loses a match to ``length``: the first above half of it.

    Source: UK Open rules, penalty points of more than half the length. Raises ValueError below length 1.
    """
    if length < 1:
        raise ValueError("Only a match has a length of 1 or more.")
    return length // 2 + 1
