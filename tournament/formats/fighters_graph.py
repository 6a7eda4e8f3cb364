"""The graph of a fighter's bracket: a main bracket and its consolation, each until four are left, and the final eight.

The final eight is added once those who reach it are known, as it is drawn from them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from tournament.formats.consolation_graph import SPARED, bye_chances, feed_of_side, why_losers_meet
from tournament.formats.knockout import CONSOLATION, FINAL_EIGHT, NOBODY, Feed, FeedKind, Graph
from tournament.formats.main_bracket import add_main, add_main_rounds, leaving_order, round_count, winners_meet
from tournament.formats.plan import Reason
from tournament.formats.repeats import mix
from tournament.formats.waves import lay_out, spare_second_byes, steady_rounds

FOUR = 4
FINAL_ROUNDS = round_count(2 * FOUR)
EIGHT_KEYS = frozenset(
    f"{FINAL_EIGHT}{round}-{number}"
    for round in range(1, FINAL_ROUNDS + 1)
    for number in range(1, 2 ** (FINAL_ROUNDS - round) + 1)
)
"""The keys of the pairings in the final eight."""

Seats = tuple[Feed, Feed]


class FighterGraph(NamedTuple):
    """The graph up to the final eight, and where its sides come from: four of each bracket, from top to bottom."""

    graph: Graph
    main: tuple[Feed, ...]
    fallen: tuple[Feed, ...]


@lru_cache(maxsize=32)
def fighters_graph(byes: tuple[int, ...]) -> FighterGraph:
    """Return the graph for a main bracket with these byes, four pairings or more. It is cached: do not change it."""
    full = Graph()
    rounds = add_main(full, byes)
    before = len(rounds) - round_count(FOUR)
    leaving = leaving_order(full, rounds)
    graph = Graph()
    main = add_main_rounds(graph, byes, left=FOUR, to_final=before + FINAL_ROUNDS - 1)
    entrants = sum(map(len, leaving)) + 1
    waves = [
        [Feed(FeedKind.LOSER, node) for node in mix(nodes, round, entrants)]
        for round, nodes in enumerate(leaving[:before], start=1)
    ]
    fallen = _add_consolation(graph, waves)
    return FighterGraph(graph, tuple(Feed(FeedKind.WINNER, node) for node in main[-1]), tuple(fallen))


def _add_consolation(graph: Graph, waves: Sequence[Sequence[Feed]]) -> list[Feed]:
    """Add the consolation without its last two rounds; return where the four who come out of it come from."""
    sizes = [len(wave) for wave in waves]
    layout = lay_out(sizes, steady_rounds(sizes))
    spare_second_byes(layout, bye_chances(graph, waves))
    *played, semifinals, _final = layout.rounds
    rounds: list[list[int]] = []
    for meetings in played:
        to_final = len(played) - len(rounds) - 1 + FINAL_ROUNDS
        nodes = []
        for number, sides in enumerate(meetings, start=1):
            a, b = (feed_of_side(side, waves, rounds) for side in sides)
            place = (len(rounds) + 1, number)
            why = SPARED if b is NOBODY else why_losers_meet(graph, a, b)
            nodes.append(graph.add(CONSOLATION, place, (a, b), why, to_final=to_final, lengths="consolation_lengths"))
        rounds.append(nodes)
    return [feed_of_side(side, waves, rounds) for meeting in semifinals for side in meeting if side is not None]


def with_final_eight(before: Graph, seats: Sequence[Seats], reasons: Sequence[Reason]) -> Graph:
    """Return a graph with the final eight added: ``seats`` are those of its first round, with a reason for each."""
    graph = Graph(list(before.nodes), dict(before.index), list(map(list, before.followers)))
    nodes = [
        graph.add(FINAL_EIGHT, (1, number), pair, why, to_final=FINAL_ROUNDS - 1)
        for number, (pair, why) in enumerate(zip(seats, reasons, strict=True), start=1)
    ]
    for round in range(2, FINAL_ROUNDS + 1):
        pairs = list(zip(nodes[::2], nodes[1::2], strict=True))
        nodes = []
        for number, (upper, lower) in enumerate(pairs, start=1):
            feeds = (Feed(FeedKind.WINNER, upper), Feed(FeedKind.WINNER, lower))
            why = winners_meet(graph.nodes[upper], graph.nodes[lower])
            nodes.append(graph.add(FINAL_EIGHT, (round, number), feeds, why, to_final=FINAL_ROUNDS - round))
    return graph
