"""The entrants who go on from one stage to the next, and their seeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tournament.formats.chance import Chance
from tournament.formats.editions import EDITION, FIRST
from tournament.formats.plan import Entrant
from tournament.ranking.crossing import seed_across
from tournament.ranking.standings import StandingLine

Ranking = Sequence[StandingLine]


def qualify(
    rankings: Mapping[str, Ranking],
    entrants: Mapping[int, Entrant],
    *,
    count: int,
    chance: Chance,
    gone: frozenset[int] = frozenset(),
    edition: int = EDITION,
) -> tuple[Entrant, ...]:
    """Return the ``count`` best of each ranking, seeded 1, 2, ...: first places before second places, and so on.

    Within a place those of several groups are seeded across (:func:`tournament.ranking.crossing.seed_across`); in the
    first ``edition`` more wins came first, then the better point difference. If a place is shared across the cut, or
    two are equal in all of that, lots decide. Nobody who has left or is ``gone`` goes on. Those who
    come from the same group are made a family, so that round 1 of a random draw keeps them apart.
    """
    through: list[tuple[int, StandingLine, str]] = []
    for bracket, ranking in rankings.items():
        present = [line for line in ranking if has_stayed(entrants[line.entrant], gone)]
        chance.shuffle(present, lambda line: f"{entrants[line.entrant].lot_name} qualifying")
        present.sort(key=lambda line: line.place)
        through += [(rank, line, bracket) for rank, line in enumerate(present[:count], start=1)]
    through.sort(key=lambda found: (found[0], -found[1].half_wins, found[1].points_against - found[1].points_for))
    if len(rankings) > 1 and edition > FIRST:
        through = _across(through, list(rankings))
    return tuple(
        replace(
            entrants[line.entrant],
            seed=number,
            presence=(1,),
            family=entrants[line.entrant].family or (bracket if len(rankings) > 1 else ""),
        )
        for number, (_rank, line, bracket) in enumerate(through, start=1)
    )


def _across(
    through: Sequence[tuple[int, StandingLine, str]], brackets: Sequence[str]
) -> list[tuple[int, StandingLine, str]]:
    """Return those who go on in the order of their seeds."""
    came = {(brackets.index(bracket), rank - 1): (rank, line, bracket) for rank, line, bracket in through}
    ranks = sorted({place for _group, place in came})
    return [came[one] for one in seed_across(tuple(tuple(sorted(g for g, p in came if p == rank)) for rank in ranks))]


def survivors(
    ranking: Ranking,
    entrants: Mapping[int, Entrant],
    lives: Mapping[int, int],
    gone: frozenset[int] = frozenset(),
) -> tuple[Entrant, ...]:
    """Return all entrants who still have a life, with the lives they have left, seeded in the order of ``ranking``."""
    left = [
        line.entrant for line in ranking if lives.get(line.entrant, 0) > 0 and has_stayed(entrants[line.entrant], gone)
    ]
    return tuple(
        replace(entrants[entrant], seed=number, presence=(1,), lives=lives[entrant])
        for number, entrant in enumerate(left, start=1)
    )


def has_stayed(entrant: Entrant, gone: frozenset[int]) -> bool:
    """Whether the entrant can go on: still present, and not among those who are ``gone``."""
    return entrant.id not in gone and len(entrant.presence) % 2 == 1
