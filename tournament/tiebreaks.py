"""What separates entrants with the same number of wins.

What counts, the same for every tie-break (our definition; the sources differ or are silent):

- *bye*: no match. No win, no opponent, no points.
- *walkover* (not begun): a win and a loss, and the two count as each other's opponents, so that everyone who was to
  meet a player who withdrew is treated alike. No points for either side, whatever score is noted.
- *forfeit* (begun and given up): a win and a loss, and the points on the score sheet as it stood.

Values are whole numbers or fractions: a tie is an exact equality.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import combinations

from rules.errors import gettext_noop


class Conclusion(StrEnum):
    """How a decided match came to its end."""

    PLAYED = "played"
    FORFEIT = "forfeit"
    WALKOVER = "walkover"


@dataclass(frozen=True, slots=True)
class Result:
    """A decided match as the ranking sees it: entry ids, the final score of each side, and who won.

    Raises ValueError if the winner is not one of two different sides or the conclusion is unknown.
    """

    key: str
    a: int
    b: int
    score_a: int
    score_b: int
    winner: int
    conclusion: str
    length: int

    def __post_init__(self) -> None:
        if self.a == self.b or self.winner not in (self.a, self.b):
            raise ValueError(f"{self.key}: the winner must be one of two different sides")
        Conclusion(self.conclusion)

    @property
    def loser(self) -> int:
        """The entry id of the side that did not win."""
        return self.b if self.winner == self.a else self.a

    @property
    def counted_points(self) -> tuple[int, int]:
        """The points of side A and side B that count: none in a walkover, else the score as it stood."""
        if self.conclusion == Conclusion.WALKOVER:
            return 0, 0
        return self.score_a, self.score_b


Value = int | Fraction
Compute = Callable[[Sequence[Result], Sequence[int]], Mapping[int, Value | None]]


def head_to_head(results: Sequence[Result], group: Sequence[int]) -> dict[int, Value | None]:
    """Wins against the others of ``group``; None for all unless every two of them have met.

    Equal wins of three or more are a cycle, which this tie-break leaves a tie.
    """
    members = set(group)
    inside = [result for result in results if result.a in members and result.b in members]
    met = {frozenset((result.a, result.b)) for result in inside}
    if any(frozenset(pair) not in met for pair in combinations(group, 2)):
        return dict.fromkeys(group)
    wins = Counter(result.winner for result in inside)
    return {entrant: wins[entrant] for entrant in group}


def point_difference(results: Sequence[Result], group: Sequence[int]) -> dict[int, Value | None]:
    """Points won less points lost over all matches."""
    difference: Counter[int] = Counter()
    for result in results:
        points_a, points_b = result.counted_points
        difference[result.a] += points_a - points_b
        difference[result.b] += points_b - points_a
    return {entrant: difference[entrant] for entrant in group}


def buchholz(results: Sequence[Result], group: Sequence[int]) -> dict[int, Value | None]:
    """The wins of all opponents, added up; an opponent met twice counts twice."""
    wins = Counter(result.winner for result in results)
    total: Counter[int] = Counter()
    for result in results:
        total[result.a] += wins[result.b]
        total[result.b] += wins[result.a]
    return {entrant: total[entrant] for entrant in group}


def sonneborn_berger(results: Sequence[Result], group: Sequence[int]) -> dict[int, Value | None]:
    """The wins of the opponents that were beaten, added up; one beaten twice counts twice."""
    wins = Counter(result.winner for result in results)
    total: Counter[int] = Counter()
    for result in results:
        total[result.winner] += wins[result.loser]
    return {entrant: total[entrant] for entrant in group}


@dataclass(frozen=True, slots=True)
class TieBreak:
    """One line of ``TIEBREAKS``.

    ``compute(results, group)`` gives a value for each entrant of ``group``, or None for all where the tie-break does
    not apply. ``within_group`` says that the value depends on who else is in the group, so that it is computed anew
    for those still tied; all others are computed once from all results.
    """

    name: str
    description: str
    source: str
    higher_is_better: bool
    compute: Compute
    within_group: bool = False


TIEBREAKS: dict[str, TieBreak] = {
    "head-to-head": TieBreak(
        name=gettext_noop("Head to head"),
        description=gettext_noop(
            "Wins in the matches among those who are tied, if each of them has met all the others. "
            "When they beat each other in a cycle the tie stands."
        ),
        source="After FIDE Handbook C.07 (2023), Direct Encounter; only where all have met: our definition.",
        higher_is_better=True,
        compute=head_to_head,
        within_group=True,
    ),
    "point-difference": TieBreak(
        name=gettext_noop("Point difference"),
        description=gettext_noop("Points won less points lost over all matches; a walkover counts no points."),
        source="Our definition.",
        higher_is_better=True,
        compute=point_difference,
    ),
    "buchholz": TieBreak(
        name=gettext_noop("Buchholz"),
        description=gettext_noop("The wins of all opponents, added up; a bye is no opponent."),
        source="After FIDE Handbook C.07 (2023), Buchholz; matches not played: our definition.",
        higher_is_better=True,
        compute=buchholz,
    ),
    "sonneborn-berger": TieBreak(
        name=gettext_noop("Sonneborn-Berger"),
        description=gettext_noop("The wins of the opponents that were beaten, added up."),
        source="After FIDE Handbook C.07 (2023), Sonneborn-Berger; matches not played: our definition.",
        higher_is_better=True,
        compute=sonneborn_berger,
    ),
}
