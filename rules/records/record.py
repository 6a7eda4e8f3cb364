"""A match as a record tells it, before anything in it is believed."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rules.errors import Finding, NotationError, Severity
from rules.game import Beavered, Doubled, Dropped, Took
from rules.notation import Play
from rules.plays import Roll
from rules.score import Side


@dataclass(frozen=True, slots=True)
class Turn:
    """A roll and what the record says was done with it.

    `play` is empty where the record says that nothing could move, and None where it says nothing at all: a dance in
    some dialects, a player who gave up after his roll in all. `unknown` is set where it says that it does not know.
    """

    side: Side
    dice: Roll
    play: Play | None
    unknown: bool = False


@dataclass(frozen=True, slots=True)
class Won:
    """The record gives the side the game for this many points, and says whether that won the match."""

    side: Side
    points: int
    match: bool = False


@dataclass(frozen=True, slots=True)
class Lost:
    """The record says that the side gave the game up for this many points."""

    side: Side
    points: int


Action = Turn | Doubled | Beavered | Took | Dropped | Won | Lost


@dataclass(frozen=True, slots=True)
class Line:
    """One action and the row of its game that it stands in, counted from 1."""

    row: int
    action: Action


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game: its number, the names and the score it is headed with (side A first), and its actions in order."""

    number: int
    names: tuple[str, str]
    score: tuple[int, int]
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A match to `length` points; side A is the left column. `tags` are the remarks the record begins with."""

    length: int
    games: tuple[GameRecord, ...]
    tags: Mapping[str, str] = field(default_factory=dict, hash=False)

    @property
    def names(self) -> tuple[str, str]:
        """The players' names, side A first, as the first game gives them."""
        return self.games[0].names

    @property
    def crawford(self) -> bool:
        """False only if the record says that the Crawford rule was off."""
        return self.tags.get("Crawford", "On").strip().lower() != "off"


class RecordError(NotationError):
    """A NotationError with its place: `finding` carries the code, the game and the row."""

    def __init__(
        self, code: str, template: str, *, game: int | None = None, row: int | None = None, **params: object
    ) -> None:
        super().__init__(template % params)
        self.finding = Finding(code, Severity.ERROR, game, row, template, params, "record")
