"""The main bracket: how its rounds feed each other, and the order in which its losers leave it."""

from __future__ import annotations

from collections.abc import Sequence

from rules.errors import gettext_noop
from tournament.formats.chance import Chance
from tournament.formats.knockout import MAIN, NOBODY, Feed, FeedKind, Graph, Node
from tournament.formats.lots import pairing_name
from tournament.formats.plan import Reason


def round_count(lines: int) -> int:
    """Return how many rounds a field of two or more entrants needs."""
    return (lines - 1).bit_length()


def round_title(round: int, rounds: int) -> Reason:
    """Return what players call ``round`` of ``rounds``: the final, the semifinals, the quarterfinals, or its number."""
    titles = (
        Reason("final", gettext_noop("Final")),
        Reason("semifinals", gettext_noop("Semifinals")),
        Reason("quarterfinals", gettext_noop("Quarterfinals")),
    )
    to_final = rounds - round
    if to_final < len(titles):
        return titles[to_final]
    return Reason("round", gettext_noop("Round %(round)s"), (("round", round),))


def seeding_order(lines: int) -> list[int]:
    """Return the seed for each line of a bracket, top to bottom: 1 8 4 5 2 7 3 6 for eight lines (a power of two).

    Each seed is followed by the one that adds up with it to one more than the lines, so that the best two can meet only
    in the final, the best four only in the semifinals, and so on.
    """
    order = [1]
    while len(order) < lines:
        total = 2 * len(order) + 1
        order = [seed for better in order for seed in (better, total - better)]
    return order


def spread_byes(pairings: int, byes: int, chance: Chance, *, first: int = 1, width: int = 1) -> list[int]:
    """Return how many byes (0 or 1) each first-round pairing has, top to bottom.

    Any two halves, quarters, eighths ... of the bracket differ by at most one bye; which of two halves has the odd one
    is drawn, by the lots of ``pairings 1-4`` and ``pairings 5-8``. ``pairings`` is a power of two and not less than
    ``byes``; they are counted from ``first``, and each of them stands for as many as ``width``.
    """
    if pairings == 1:
        return [byes]
    half = pairings // 2
    middle = first + half * width
    upper = lower = byes // 2
    if byes % 2:
        if chance.is_first(_block_name(first, half * width), _block_name(middle, half * width)):
            upper += 1
        else:
            lower += 1
    return [
        *spread_byes(half, upper, chance, first=first, width=width),
        *spread_byes(half, lower, chance, first=middle, width=width),
    ]


def _block_name(first: int, count: int) -> str:
    return pairing_name(first) if count == 1 else f"pairings {first}-{first + count - 1}"


def add_main(graph: Graph, byes: Sequence[int]) -> list[list[int]]:
    """Add the main bracket to the graph; return its node indexes, round by round and from top to bottom.

    ``byes`` has 0 or 1 for each pairing of the first round.
    """
    return add_main_rounds(graph, byes, left=1, to_final=round_count(2 * len(byes)) - 1)


def add_main_rounds(graph: Graph, byes: Sequence[int], *, left: int, to_final: int) -> list[list[int]]:
    """Add the main bracket as :func:`add_main` does, but only until ``left`` are left in it, a power of two.

    ``to_final`` is the first round counted back from the final.
    """
    first = []
    for number, bye in enumerate(byes, start=1):
        lines = (Feed(FeedKind.LINE, 2 * number - 2), NOBODY if bye else Feed(FeedKind.LINE, 2 * number - 1))
        first.append(graph.add(MAIN, (1, number), lines, None, to_final=to_final))
    rounds = [first]
    while len(rounds[-1]) > left:
        to_final -= 1
        before = rounds[-1]
        place = len(rounds) + 1
        rounds.append([])
        for number, (upper, lower) in enumerate(zip(before[::2], before[1::2], strict=True), start=1):
            seats = (Feed(FeedKind.WINNER, upper), Feed(FeedKind.WINNER, lower))
            why = _why_fed(graph.nodes[upper], graph.nodes[lower])
            rounds[-1].append(graph.add(MAIN, (place, number), seats, why, to_final=to_final))
    return rounds


def leaving_order(graph: Graph, rounds: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return the indexes of each round's nodes that have a loser, in the order in which the drop tables count them.

    That is from top to bottom once each part of the bracket has been turned so that its half with more byes is above:
    so all draws of a field with evenly spread byes are the same, whichever lines have the byes.
    """
    byes = [[int(graph.nodes[node].is_bye) for node in rounds[0]]]
    while len(byes[-1]) > 1:
        byes.append([upper + lower for upper, lower in zip(byes[-1][::2], byes[-1][1::2], strict=True)])
    turned = [0]
    order = [list(rounds[-1])]
    for counts, nodes in zip(byes[-2::-1], rounds[-2::-1], strict=True):
        turned = [half for number in turned for half in _byes_first(2 * number, counts)]
        order.append([nodes[number] for number in turned])
    return [[node for node in nodes if not graph.nodes[node].is_bye] for nodes in reversed(order)]


def _byes_first(upper: int, byes: Sequence[int]) -> tuple[int, int]:
    return (upper, upper + 1) if byes[upper] >= byes[upper + 1] else (upper + 1, upper)


def _why_fed(upper: Node, lower: Node) -> Reason:
    if upper.is_bye and lower.is_bye:
        return Reason("after_byes", gettext_noop("Both had a bye in round 1, on neighbouring lines of the draw."))
    if upper.is_bye or lower.is_bye:
        return Reason(
            "after_bye",
            gettext_noop(
                "After a bye in round 1, against the winner of %(key)s, on the neighbouring lines of the draw."
            ),
            (("key", lower.key if upper.is_bye else upper.key),),
        )
    return winners_meet(upper, lower)


def winners_meet(upper: Node, lower: Node) -> Reason:
    """Return the reason why the winners of two pairings in one bracket meet."""
    return Reason(
        "winners_meet",
        gettext_noop("The winner of %(upper)s meets the winner of %(lower)s."),
        (("upper", upper.key), ("lower", lower.key)),
    )
