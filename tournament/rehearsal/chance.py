"""What chance decides in a simulated event: the field, the points of a match and how long it lasts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from heapq import heapreplace
from random import Random
from statistics import NormalDist

from tournament.formats.plan import Entrant
from tournament.ranking.standings import Result

MEAN_RATING = 1500
SPREAD = 50
"""The standard deviation of the players' FIBS ratings, that of a tournament's open field.

With it the best of 64 wins a knockout to 7 points in 3.7 % of events (3,000 played); a study with performance ratings
of 6 on average and a standard deviation of 2 has 3.8 % (1,500 played; PileOfCells/backgammon-tournoi,
docs/etude_formats.md).
"""

MINUTES_A_POINT = 8
"""The average minutes that a match of equal players takes for each point of its length."""

PACE = 0.4
"""The standard deviation of the logarithm of the time for one point.

Over a match it falls with the square root of the points played.
"""

DESK_MINUTES = 5
"""The minutes between two times that the desk takes results and calls the next matches."""

_NORMAL = NormalDist()


def draw_field(count: int, seed: str, spread: int = SPREAD, boards: int = 1) -> tuple[Entrant, ...]:
    """Draw ``count`` entrants with ratings around ``MEAN_RATING``, seeded in the order of the ratings.

    With several ``boards`` they are teams, each rated by the mean of as many players. The same arguments always give
    the same field, whichever format it plays.
    """
    rng = Random(f"field {seed}")
    ratings = [
        100 * MEAN_RATING + round(100 * spread * sum(_normal(rng) for _board in range(boards)) / boards)
        for _ in range(count)
    ]
    ranks = sorted(range(count), key=lambda index: (-ratings[index], index))
    seeds = {index: rank for rank, index in enumerate(ranks, start=1)}
    return tuple(
        Entrant(
            id=index + 1,
            name=f"Player {index + 1}",
            seed=seeds[index],
            persons=frozenset({index + 1}),
            rating=rating,
        )
        for index, rating in enumerate(ratings)
    )


def loser_points(length: int, winner_chance: float, rng: Random) -> int:
    """Draw the loser's points in a match to ``length`` whose winner takes points with probability ``winner_chance``.

    A match is a race of single points, as in the FIBS formula.
    """
    weights = [1.0]
    for points in range(1, length):
        weights.append(weights[-1] * (1 - winner_chance) * (length - 1 + points) / points)
    left = rng.random() * sum(weights)
    for points, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return points
    return length - 1


@cache
def mean_points(length: int) -> float:
    """Return how many points two equal players win between them, on average, in a match to ``length`` points."""
    total = sum((length + lost) * math.comb(length - 1 + lost, lost) << (length - lost) for lost in range(length))
    return total / (1 << (2 * length - 1))


def match_minutes(length: int, points: int, rng: Random, minutes_a_point: Fraction = Fraction(MINUTES_A_POINT)) -> int:
    """Draw how long a match to ``length`` in which the loser won ``points`` lasts, until the desk takes its result.

    The duration is log-normal. Its mean is ``minutes_a_point`` for each point of length if as many points are played
    as equal players need on average, and in proportion to the points played otherwise: close matches last longer.

    Source: 8 minutes a point on average, PileOfCells/backgammon-tournoi, docs/specification.md; 11 minutes a point
    until the last match of a round is over, tourneygeek.com. With ``PACE`` the last of sixteen 7-point matches between
    equal players is over after eleven minutes a point.
    """
    played = length + points
    sigma = PACE / math.sqrt(played)
    mean_minutes = float(minutes_a_point) * length * played / mean_points(length)
    minutes = mean_minutes * math.exp(sigma * _normal(rng) - sigma * sigma / 2)
    return DESK_MINUTES * max(1, math.ceil(minutes / DESK_MINUTES))


def last_end(minutes: Iterable[int], tables: int) -> int:
    """Return when the last of these matches ends, if each in turn starts at the first table to become free."""
    ends = [0] * tables
    for duration in minutes:
        heapreplace(ends, ends[0] + duration)
    return max(ends)


def best_of(boards: Sequence[Result]) -> Result:
    """Combine the results of the boards: the side that won more of them has won, and the boards won are the points.

    With as many each, the match is drawn.
    """
    first = boards[0]
    if len(boards) == 1:
        return first
    won = sum(board.winner == first.a for board in boards)
    lost = len(boards) - won
    return replace(first, score_a=won, score_b=lost, winner=None if won == lost else first.a if won > lost else first.b)


def _normal(rng: Random) -> float:
    """Draw a standard normal deviate with one ``rng.random()``."""
    return _NORMAL.inv_cdf(max(rng.random(), 2**-53))
