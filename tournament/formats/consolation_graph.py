"""The graph of a knockout with everything that may be attached to it: consolations, last chance, finals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

from rules.errors import gettext_noop
from tournament.formats.editions import EDITION, FIRST
from tournament.formats.knockout import (
    CONSOLATION,
    FINAL,
    LAST_CHANCE,
    NOBODY,
    SECOND_CONSOLATION,
    SECOND_PLACE,
    THIRD_PLACE,
    Feed,
    FeedKind,
    Graph,
    Node,
)
from tournament.formats.main_bracket import add_main, leaving_order, winners_meet
from tournament.formats.placing import why_placed_later
from tournament.formats.plan import Reason
from tournament.formats.repeats import mix, mix_again, mix_last_chance, mix_shifted, mix_shifted_all
from tournament.formats.waves import Berth, Side, lay_out, packed_rounds, spare_second_byes, steady_rounds


@dataclass(frozen=True, slots=True)
class Shape:
    """What is attached to a main bracket.

    Losers of the first ``falling`` main rounds enter the consolation; 0 is no consolation. With ``winless`` that is one
    round, and those who lose their first match in round 2, after a bye, enter too. ``last_chance`` is "none", "partial"
    or "full", ``reunite`` "none", "second-place" or "grand-final". With ``placed`` the losers of later rounds are
    placed when their round is over. ``edition`` is that of the rules.
    """

    falling: int = 0
    winless: bool = False
    shifted: bool = False
    second_consolation: bool = False
    last_chance: str = "none"
    reunite: str = "none"
    recharge: bool = False
    third_place: bool = False
    placed: bool = False
    edition: int = EDITION


FED = (FeedKind.WINNER, FeedKind.LOSER, FeedKind.WINLESS_LOSER, FeedKind.PLACED)
"""The kinds of seats that are filled from an earlier node."""

SPARED = Reason(
    "bye_of_losers",
    gettext_noop(
        "Bye: those who enter here do not fill all the lines; those least likely to have had a bye get the byes first, "
        "then later losers, and among equals the lines of the draw decide."
    ),
)

Order = Callable[[Sequence[int], int, int], list[int]]
"""The order in which the losers of a main round enter the consolation, given them, the round and how many entered."""

OrderAgain = Callable[[Sequence[Feed], int], list[Feed]]
"""The order in which the losers of a consolation's round enter the next one, given them and the wave, from 0."""


@lru_cache(maxsize=32)
def knockout_graph(byes: tuple[int, ...], shape: Shape) -> Graph:
    """Return the graph for a main bracket with these byes. It is cached and must not be changed."""
    return build_graph(byes, shape)


def build_graph(byes: Sequence[int], shape: Shape, order: Order | None = None) -> Graph:
    """Build the graph for a main bracket with these byes, leaving out any bracket that fewer than two could reach.

    Without an ``order`` the losers enter in the order that the drop tables have for this shape.
    """
    graph = Graph()
    rounds = add_main(graph, byes)
    leaving = leaving_order(graph, rounds)
    champion: Feed | None = None
    order, order_again = (order, mix_again) if order else _orders(shape, len(rounds), sum(map(len, leaving)) + 1)
    if shape.falling:
        waves, enters = _fallen(graph, leaving, shape, order)
        spread = shape.edition > FIRST
        champion, consolation = _add_losers(graph, CONSOLATION, waves, enters, "consolation_lengths", spread=spread)
        if shape.second_consolation:
            waves = _beaten(graph, consolation, mix_again)
            _, consolation = _add_losers(graph, SECOND_CONSOLATION, waves, None, "second_consolation_lengths")
        if shape.last_chance != "none":
            waves = _beaten(graph, consolation, order_again)
            if shape.last_chance == "partial":
                waves = waves[-2:]
            _add_losers(graph, LAST_CHANCE, waves, None, "last_chance_lengths")
    if shape.third_place and len(rounds) > 1 and len(leaving[-2]) > 1:
        _add_third_place(graph, leaving[-2])
    if champion is not None:
        _add_finals(graph, rounds[-1][0], champion, shape)
    return graph


def _orders(shape: Shape, rounds: int, entrants: int) -> tuple[Order, OrderAgain]:
    """Return the tabulated orders in which losers enter the consolation and, from there, the last chance."""
    if shape.shifted:
        mixed = mix_shifted_all if shape.falling == rounds else mix_shifted
        return partial(mixed, edition=shape.edition), mix_again
    steady = partial(mix, edition=shape.edition)
    if shape.last_chance == "full" and not shape.second_consolation and shape.falling == rounds - 1:
        return steady, partial(mix_last_chance, entrants=entrants, edition=shape.edition)
    return steady, mix_again


def _fallen(
    graph: Graph, leaving: Sequence[Sequence[int]], shape: Shape, order: Order
) -> tuple[list[list[Feed]], list[int]]:
    """Return the waves of losers that enter the consolation from the main bracket, and the rounds they enter in."""
    if shape.winless:
        return _winless(graph, leaving)
    entrants = sum(map(len, leaving)) + 1
    waves = []
    for round, nodes in enumerate(leaving[: shape.falling], start=1):
        kind = FeedKind.PLACED if shape.placed and round > 1 and len(nodes) > 1 else FeedKind.LOSER
        waves.append([Feed(kind, node) for node in order(nodes, round, entrants)])
    sizes = [len(wave) for wave in waves]
    return waves, packed_rounds(sizes) if shape.shifted else steady_rounds(sizes)


def _winless(graph: Graph, leaving: Sequence[Sequence[int]]) -> tuple[list[list[Feed]], list[int]]:
    """Return the entrants who lose their first match: in round 1, or in round 2 after a bye.

    Where only one side of a match of round 2 had a bye, the result decides whether its loser is one of them. If
    round 2 is the final, its loser does not come.
    """
    first = [Feed(FeedKind.LOSER, node) for node in leaving[0]]
    sure, unsure = [], []
    for node in leaving[1] if len(leaving) > 2 else ():
        free = [graph.nodes[feed.index].is_bye for feed in (graph.nodes[node].a, graph.nodes[node].b)]
        if all(free):
            sure.append(Feed(FeedKind.LOSER, node))
        elif any(free):
            unsure.append(Feed(FeedKind.WINLESS_LOSER, node))
    return [unsure, first, sure], [1, 1, 1]


def _beaten(graph: Graph, rounds: Sequence[Sequence[int]], order: OrderAgain) -> list[list[Feed]]:
    """Return the losers of every round of a bracket except its final, as waves."""
    return [
        order([Feed(FeedKind.LOSER, node) for node in nodes if not graph.nodes[node].is_bye], wave)
        for wave, nodes in enumerate(rounds[:-1])
    ]


def _add_losers(
    graph: Graph,
    bracket: str,
    waves: Sequence[Sequence[Feed]],
    enters: Sequence[int] | None,
    lengths: str,
    *,
    spread: bool = False,
) -> tuple[Feed | None, list[list[int]]]:
    """Add the bracket to the graph; return where its winner comes from, and its node indexes by round.

    With ``spread`` its byes go to those who are least likely to have had one, and else to the last who enter.
    """
    losers = [feed for wave in waves for feed in wave]
    if len(losers) < 2:
        return (losers[0] if losers else None), []
    sizes = [len(wave) for wave in waves]
    layout = lay_out(sizes, packed_rounds(sizes) if enters is None else enters)
    if spread:
        spare_second_byes(layout, bye_chances(graph, waves))
    rounds: list[list[int]] = []
    for meetings in layout.rounds:
        nodes = []
        for number, sides in enumerate(meetings, start=1):
            a, b = (feed_of_side(side, waves, rounds) for side in sides)
            why = SPARED if spread and b is NOBODY else why_losers_meet(graph, a, b)
            to_final = len(layout.rounds) - len(rounds) - 1
            place = (len(rounds) + 1, number)
            nodes.append(graph.add(bracket, place, (a, b), why, to_final=to_final, lengths=lengths))
        rounds.append(nodes)
    return Feed(FeedKind.WINNER, rounds[-1][0]), rounds


def bye_chances(graph: Graph, waves: Sequence[Sequence[Feed]]) -> list[list[float]]:
    """Return how likely each loser is to have had a bye, if all matches are even: exact, as they are halves of halves.

    One who may not come comes only after a bye, so this is also how likely it is that they come and have had one.
    """
    chances: list[float] = []
    for node in graph.nodes:
        sides = [chances[feed.index] if feed.origin in FED else 0.0 for feed in (node.a, node.b)]
        chances.append(1.0 if node.is_bye else sum(sides) / 2)
    return [[chances[feed.index] for feed in wave] for wave in waves]


def feed_of_side(side: Side, waves: Sequence[Sequence[Feed]], rounds: Sequence[Sequence[int]]) -> Feed:
    """Return the feed that fills a side of the round after ``rounds``, the nodes of the bracket so far."""
    if side is None:
        return NOBODY
    if isinstance(side, Berth):
        return waves[side.wave][side.place]
    return Feed(FeedKind.WINNER, rounds[-1][side.number])


def _add_third_place(graph: Graph, semifinals: Sequence[int]) -> None:
    upper, lower = (Feed(FeedKind.LOSER, node) for node in semifinals)
    why = Reason("third_place", gettext_noop("The losers of the semifinals play for third place."))
    graph.add(THIRD_PLACE, (1, 1), (upper, lower), why, to_final=1)


def _add_finals(graph: Graph, final: int, champion: Feed, shape: Shape) -> None:
    if shape.reunite == "second-place":
        why = Reason(
            "for_second_place",
            gettext_noop("The loser of the main final and the winner of the consolation play for second place."),
        )
        seats = (Feed(FeedKind.LOSER, final), champion)
        graph.add(SECOND_PLACE, (1, 1), seats, why, to_final=0, lengths="final_lengths")
    elif shape.reunite == "grand-final":
        why = Reason(
            "grand_final",
            gettext_noop("The grand final: the winner of the main bracket against the winner of the consolation."),
        )
        seats = (Feed(FeedKind.WINNER, final), champion)
        grand = graph.add(FINAL, (1, 1), seats, why, to_final=0, lengths="final_lengths")
        if shape.recharge:
            again = Reason(
                "recharge",
                gettext_noop(
                    "Played only if the winner of the main bracket loses %(key)s: then both have lost once, and this "
                    "match decides."
                ),
                (("key", graph.nodes[grand].key),),
            )
            seats = (Feed(FeedKind.LOSER, grand), Feed(FeedKind.WINNER, grand))
            graph.add(FINAL, (2, 1), seats, again, to_final=0, lengths="final_lengths", recharge=grand)


def why_losers_meet(graph: Graph, a: Feed, b: Feed) -> Reason:
    """Return the reason for a pairing in a bracket of losers."""
    upper = graph.nodes[a.index]
    if b is NOBODY:
        return Reason(
            "bye_of_losers",
            gettext_noop(
                "Bye: those who enter here do not fill all the lines; later losers get the byes first, and among "
                "equals the lines of the draw decide."
            ),
        )
    lower = graph.nodes[b.index]
    if b.origin is FeedKind.PLACED:
        return why_placed_later(lower.round)
    keys = (("upper", upper.key), ("lower", lower.key))
    if a.origin is FeedKind.WINNER and b.origin is FeedKind.WINNER:
        return winners_meet(upper, lower)
    if FeedKind.WINLESS_LOSER in (a.origin, b.origin):
        return _why_winless(a, upper, lower)
    if a.origin is FeedKind.WINNER:
        return Reason(
            "loser_comes_in",
            gettext_noop(
                "The loser of %(lower)s enters against the winner of %(upper)s: losers enter where rematches "
                "come as late as possible."
            ),
            keys,
        )
    return Reason("losers_meet", gettext_noop("The loser of %(upper)s meets the loser of %(lower)s."), keys)


def _why_winless(a: Feed, upper: Node, lower: Node) -> Reason:
    first, other = (upper, lower) if a.origin is FeedKind.WINLESS_LOSER else (lower, upper)
    return Reason(
        "winless_comes_in",
        gettext_noop(
            "The loser of %(key)s enters if that was their first match, after a bye, and meets the loser of %(other)s."
        ),
        (("key", first.key), ("other", other.key)),
    )
