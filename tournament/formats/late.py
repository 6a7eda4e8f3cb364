"""Late entries: which byes in round 1 can be filled without taking anyone out of a match that has begun."""

from __future__ import annotations

from collections.abc import Sequence, Set
from functools import lru_cache
from typing import Protocol, runtime_checkable

from tournament.formats.consolation_graph import Shape, build_graph, knockout_graph
from tournament.formats.editions import EDITION
from tournament.formats.knockout import MAIN, Feed, FeedKind, Graph
from tournament.formats.main_bracket import round_count
from tournament.formats.options import Options


@runtime_checkable
class Knockout(Protocol):
    """A format whose draw is the graph of a knockout, with the shape that :meth:`shape` returns."""

    def shape(self, options: Options, rounds: int, edition: int) -> Shape: ...


def byes_to_take(
    format: object, options: Options, byes: Sequence[int], begun: Set[str], edition: int = EDITION
) -> list[int]:
    """Return the numbers of the round 1 pairings whose bye a late entry may fill.

    ``byes`` has 0 or 1 for each pairing, ``edition`` is that of the draw. The holder of the bye must not have begun
    their next match, and every pairing of ``begun``, by key, must keep its two entrants: in a consolation one loser
    more may bring others together. There are none in a format that is no knockout, or where round 1 is the final.
    """
    if not isinstance(format, Knockout) or len(byes) < 2:
        return []
    free = [number for number, bye in enumerate(byes, start=1) if bye and f"{MAIN}2-{(number + 1) // 2}" not in begun]
    # The main bracket itself stays as it is but for the next match.
    elsewhere = {key for key in begun if not key.startswith(MAIN)}
    if not elsewhere:
        return free
    shape = format.shape(options, round_count(2 * len(byes)), edition)
    return [number for number in free if elsewhere <= _unchanged(tuple(byes), number, shape)]


@lru_cache(maxsize=256)
def _unchanged(byes: tuple[int, ...], taken: int, shape: Shape) -> frozenset[str]:
    """Return the keys of the pairings that stay as they are, whatever the results, if the bye of ``taken`` is filled.

    They get the same entrants at the same length. The last answers are cached, as every visitor of a page asks.
    """
    before = knockout_graph(byes, shape)
    after = build_graph([0 if number == taken else bye for number, bye in enumerate(byes, start=1)], shape)
    same: set[str] = set()
    for node in after.nodes:
        index = before.index.get(node.key)
        if index is None:
            continue
        old = before.nodes[index]
        feeds = zip((old.a, old.b), (node.a, node.b), strict=True)
        if (old.lengths, old.to_final) == (node.lengths, node.to_final) and all(
            _is_same(before, after, same, *two) for two in feeds
        ):
            same.add(node.key)
    return frozenset(same)


def _is_same(before: Graph, after: Graph, same: Set[str], old: Feed, new: Feed) -> bool:
    if FeedKind.PLACED in (old.origin, new.origin):
        return False
    if old.origin is not new.origin or old.origin in (FeedKind.NOBODY, FeedKind.LINE):
        return old == new
    key = after.nodes[new.index].key
    return before.nodes[old.index].key == key and key in same
