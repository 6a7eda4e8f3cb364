"""The computation of each tie-break: an exact value for everyone in a group, from the results of the field."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations

from tournament.ranking.tiebreaks.results import Field, Result, Value, half_wins_in, halved, whole

Values = Mapping[int, Value | None]
Compute = Callable[[Field, Sequence[int]], Values]
"""A value for each entrant of the group; None for those to whom the tie-break does not apply."""


def head_to_head(field: Field, group: Sequence[int]) -> Values:
    """Count wins against the others of ``group``; None for all unless every two of them have met.

    If three or more are equal, they beat each other in a cycle or equally often, and the tie stands.
    """
    inside = _inside(field.results, group)
    met = {frozenset((result.a, result.b)) for result in inside}
    if any(frozenset(pair) not in met for pair in combinations(group, 2)):
        return dict.fromkeys(group)
    return _in_wins(half_wins_in(inside), group)


def play_off(field: Field, group: Sequence[int]) -> Values:
    """Count wins in play-off matches against the others of ``group``; None for all unless each has played one."""
    inside = _inside(field.play_offs, group)
    if {side for result in inside for side in (result.a, result.b)} != set(group):
        return dict.fromkeys(group)
    return _in_wins(half_wins_in(inside), group)


def point_difference(field: Field, group: Sequence[int]) -> Values:
    """Count the points won minus the points lost in all matches."""
    difference: Counter[int] = Counter()
    for result in field.results:
        points_a, points_b = result.counted_points
        difference[result.a] += points_a - points_b
        difference[result.b] += points_b - points_a
    return _count(difference, group)


def points_for(field: Field, group: Sequence[int]) -> Values:
    """Count the points won in all matches."""
    points: Counter[int] = Counter()
    for result in field.results:
        points_a, points_b = result.counted_points
        points[result.a] += points_a
        points[result.b] += points_b
    return _count(points, group)


def buchholz(field: Field, group: Sequence[int], *, lowest: int = 0, highest: int = 0) -> Values:
    """Add up the wins of all opponents; an opponent met twice counts twice.

    The ``lowest`` and ``highest`` are how many are left out at either end; with no more opponents than that it is 0.
    """
    wins = field.wins()
    opponents: dict[int, list[Value]] = defaultdict(list)
    for result in field.results:
        opponents[result.a].append(wins[result.b])
        opponents[result.b].append(wins[result.a])
    for entrant, rounds in field.free_wins.items():
        opponents[entrant] += [wins[entrant]] * len(rounds)
    counted = {entrant: sorted(opponents[entrant])[lowest : len(opponents[entrant]) - highest] for entrant in group}
    return {entrant: whole(sum(wins)) for entrant, wins in counted.items()}


def sonneborn_berger(field: Field, group: Sequence[int]) -> Values:
    """Add up the wins of the opponents who were beaten, and half the wins of those who were drawn with.

    An opponent beaten twice counts twice.
    """
    wins = field.wins()
    total: dict[int, Value] = defaultdict(int)
    for result in field.results:
        for entrant, opponent, share in result.half_wins:
            total[entrant] += share * wins[opponent]
    for entrant, rounds in field.free_wins.items():
        total[entrant] += 2 * wins[entrant] * len(rounds)
    return _in_wins(total, group)


def progressive(field: Field, group: Sequence[int]) -> Values:
    """Add up the wins after each round: a win in the first of five rounds counts five times, in the last once.

    None for all if the round of any match is not known.
    """
    won = [(entrant, share, result.round) for result in field.results for entrant, _, share in result.half_wins]
    if not all(round for _, _, round in won):
        return dict.fromkeys(group)
    won += [(entrant, 2, round) for entrant, rounds in field.free_wins.items() for round in rounds]
    last = max((round for _, _, round in won), default=0)
    total: dict[int, Value] = defaultdict(int)
    for entrant, share, round in won:
        total[entrant] += share * (last - round + 1)
    return _in_wins(total, group)


def opponents_win_rate(field: Field, group: Sequence[int]) -> Values:
    """Average, over all meetings, the share of their matches that the opponents won; None without any meeting."""
    halves = half_wins_in(field.results)
    most: Counter[int] = Counter()
    for result in field.results:
        most.update({result.a: result.most_half_wins, result.b: result.most_half_wins})
    rates: dict[int, list[Fraction]] = defaultdict(list)
    for result in field.results:
        for side, opponent in ((result.a, result.b), (result.b, result.a)):
            rates[side].append(Fraction(halves[opponent], most[opponent]))
    return {entrant: sum(met, Fraction()) / len(met) if (met := rates[entrant]) else None for entrant in group}


def rating(field: Field, group: Sequence[int]) -> Values:
    """Take the rating at the draw, in hundredths; None for an entrant without one."""
    return {entrant: field.ratings.get(entrant) for entrant in group}


def shared(field: Field, group: Sequence[int]) -> Values:
    """Separate nobody: all entrants who are still tied share the place."""
    return dict.fromkeys(group)


def _inside(results: Sequence[Result], group: Sequence[int]) -> list[Result]:
    members = set(group)
    return [result for result in results if result.a in members and result.b in members]


def _in_wins(halves: Mapping[int, Value], group: Sequence[int]) -> Values:
    return {entrant: halved(halves.get(entrant, 0)) for entrant in group}


def _count(counter: Counter[int], group: Sequence[int]) -> Values:
    return {entrant: counter[entrant] for entrant in group}
