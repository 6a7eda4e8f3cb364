"""Positions of every kind to try a generator on; the same seed gives the same positions."""

import random
from collections.abc import Callable, Iterator

from rules.plays import legal_plays
from rules.position import BAR, CHECKERS, OFF, START, Position, count
from rules.profiles import WBGF


def random_play(rng: random.Random) -> Iterator[Position]:
    """Yield positions before each roll of games in which every play is random, without end."""
    while True:
        position = START
        while count(position.mine, OFF) < CHECKERS and count(position.theirs, OFF) < CHECKERS:
            yield position
            roll = rng.randint(1, 6), rng.randint(1, 6)
            plays = sorted((after.mine, after.theirs) for after in legal_plays(position, roll, WBGF))
            after = Position(*rng.choice(plays)) if plays else position
            position = after.swapped()


def random_bearoff(rng: random.Random) -> Iterator[Position]:
    """Yield positions with the mover's checkers home or nearly so; the opponent may hold points there or wait."""
    while True:
        mine = _scattered(rng, rng.randint(1, CHECKERS), [1, 2, 3, 4, 5, 6] * 4 + [7, 8, 9])
        free = [point for point in range(1, BAR) if point not in mine]
        theirs = _scattered(rng, rng.randint(1, CHECKERS), free[: rng.choice((6, 12, 24))])
        yield _seen_by_mover(mine, theirs, their_bar=rng.choice((0, 0, 0, 1)))


def random_bar(rng: random.Random) -> Iterator[Position]:
    """Yield positions with one to four of the mover's checkers on the bar, against closed points and blots."""
    while True:
        on_bar = rng.choice((1, 1, 1, 2, 2, 3, 4))
        mine = _scattered(rng, CHECKERS - on_bar, rng.sample(range(1, BAR), 8))
        free = [point for point in range(1, BAR) if point not in mine]
        home = [point for point in free if point >= 19]
        theirs = _scattered(rng, CHECKERS - 1, home * 3 + rng.sample(free, 4))
        yield _seen_by_mover({**mine, BAR: on_bar}, theirs, their_bar=rng.choice((0, 1)))


def dense_contact(rng: random.Random) -> Iterator[Position]:
    """Yield positions with both sides spread over the whole board, so there is much to hit and much that blocks."""
    while True:
        points = rng.sample(range(1, BAR), 24)
        cut = rng.randint(8, 16)
        mine = _scattered(rng, CHECKERS, points[:cut])
        yield _seen_by_mover(mine, _scattered(rng, CHECKERS, points[cut:]), their_bar=0)


KINDS: dict[str, Callable[[random.Random], Iterator[Position]]] = {
    "random play": random_play,
    "bear-off": random_bearoff,
    "bar": random_bar,
    "dense contact": dense_contact,
}


def _scattered(rng: random.Random, checkers: int, points: list[int]) -> dict[int, int]:
    held: dict[int, int] = {}
    for point in rng.choices(points, k=checkers):
        held[point] = held.get(point, 0) + 1
    return held


def _seen_by_mover(mine: dict[int, int], theirs: dict[int, int], their_bar: int) -> Position:
    opposing = {BAR - point: number for point, number in theirs.items()}
    on_bar = min(their_bar, CHECKERS - sum(theirs.values()))
    return Position.of(mine, {**opposing, BAR: on_bar})
