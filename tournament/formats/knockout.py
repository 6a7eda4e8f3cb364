"""A knockout as a graph: all the pairings that its brackets can have, and where each seat is filled from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum, auto

from tournament.formats.plan import Bye, LoserOf, LoserOfRound, Reason, Seat, WinnerOf, feed_of

MAIN = "M"
CONSOLATION = "C"
SECOND_CONSOLATION = "D"
LAST_CHANCE = "L"
FINAL = "F"
SECOND_PLACE = "P"
THIRD_PLACE = "T"
FINAL_EIGHT = "E"
BUY_IN = "B"

BYE = Bye()


class FeedKind(Enum):
    """The kind of source that fills a seat of the graph."""

    LINE = auto()
    NOBODY = auto()
    WINNER = auto()
    LOSER = auto()
    WINLESS_LOSER = auto()
    PLACED = auto()


@dataclass(frozen=True, slots=True)
class Feed:
    """One seat of a node; ``index`` is that of a line of the draw, or of an earlier node of the graph.

    A winless loser comes only if the lost match was their first; if they had won one before, nobody comes. Where losers
    are placed when their round is over, ``index`` is the node whose loser comes here in the fixed order, and any loser
    of that round may.
    """

    origin: FeedKind
    index: int = -1


NOBODY = Feed(FeedKind.NOBODY)


@dataclass(slots=True)
class Node:
    """One pairing of the graph. ``waiting`` holds its seats before any entrant is known, ``feeds`` the same as text.

    ``lengths`` names the option that holds the match length, and ``to_final`` is the round counted back from the final
    of the bracket. ``why`` is None where the draw itself is the reason. ``recharge`` is the index of the grand final
    that this pairing repeats if the side that came to it unbeaten has lost it. ``is_certain`` says that it is a match
    whatever the results are, ``has_winner`` that somebody comes out of it whatever they are.
    """

    key: str
    bracket: str
    round: int
    number: int
    a: Feed
    b: Feed
    waiting: tuple[Seat, Seat]
    feeds: tuple[str, str]
    lengths: str
    to_final: int
    why: Reason | None
    is_certain: bool
    has_winner: bool
    recharge: int | None = None

    @property
    def is_bye(self) -> bool:
        """Whether a seat stays empty whatever the results."""
        return self.b.origin is FeedKind.NOBODY


@dataclass(slots=True, eq=False)
class Graph:
    """The nodes of a knockout, each after those that feed it: built once, and never changed afterwards.

    ``followers`` are, for each node, those whose seats depend on its result.
    ``places_losers`` says that some seats are for losers who are placed when their round is over, ``asks_for_wins``
    that some are for losers who have not won before.
    """

    nodes: list[Node] = field(default_factory=list)
    index: dict[str, int] = field(default_factory=dict)
    followers: list[list[int]] = field(default_factory=list)
    places_losers: bool = False
    asks_for_wins: bool = False

    def add(
        self,
        bracket: str,
        place: tuple[int, int],
        seats: tuple[Feed, Feed],
        why: Reason | None,
        *,
        to_final: int,
        lengths: str = "lengths",
        recharge: int | None = None,
    ) -> int:
        """Add a pairing at ``place`` (its round and number) and return its index.

        An empty seat is always the second.
        """
        round, number = place
        a, b = seats
        key = f"{bracket}{round}-{number}"
        waiting = (self._waiting(a), self._waiting(b))
        feeds = (_text(a, waiting[0]), _text(b, waiting[1]))
        self.places_losers |= FeedKind.PLACED in (a.origin, b.origin)
        self.asks_for_wins |= FeedKind.WINLESS_LOSER in (a.origin, b.origin)
        comes = (self._is_sure(a), self._is_sure(b))
        is_certain, has_winner = all(comes) and recharge is None, any(comes)
        node = Node(
            key, bracket, round, number, a, b, waiting, feeds, lengths, to_final, why, is_certain, has_winner, recharge
        )
        self.index[key] = len(self.nodes)
        sources = {
            feed.index for feed in seats if feed.origin in (FeedKind.WINNER, FeedKind.LOSER, FeedKind.WINLESS_LOSER)
        }
        for source in sources | ({recharge} if recharge is not None else set()):
            self.followers[source].append(len(self.nodes))
        self.followers.append([])
        self.nodes.append(node)
        return self.index[key]

    def _is_sure(self, feed: Feed) -> bool:
        """Whether ``feed`` supplies an entrant whatever the results."""
        match feed.origin:
            case FeedKind.WINNER:
                return self.nodes[feed.index].has_winner
            case FeedKind.LOSER | FeedKind.PLACED:
                return self.nodes[feed.index].is_certain
        return feed.origin is FeedKind.LINE

    def _waiting(self, feed: Feed) -> Seat:
        match feed.origin:
            case FeedKind.WINNER:
                return WinnerOf(self.nodes[feed.index].key)
            case FeedKind.LOSER | FeedKind.WINLESS_LOSER:
                return LoserOf(self.nodes[feed.index].key)
            case FeedKind.PLACED:
                return LoserOfRound(self.nodes[feed.index].round)
        return BYE

    def bracket(self, letter: str) -> Iterator[tuple[int, Node]]:
        """Iterate over the index and node of every pairing of a bracket, from round 1 on and from top to bottom."""
        return ((index, node) for index, node in enumerate(self.nodes) if node.bracket == letter)


def _text(feed: Feed, waiting: Seat) -> str:
    return "" if feed.origin is FeedKind.LINE else feed_of(waiting)
