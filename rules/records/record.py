"""A match as a record gives it, before anything in it has been checked."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple

from rules.actions import Beavered, Doubled, Dropped, Raccooned, Took
from rules.errors import Finding, NotationError, Severity
from rules.notation import Play
from rules.plain import Steps, steps_of
from rules.plays import Roll
from rules.position import OFF, Position
from rules.score import Side


def moved(play: Play) -> str:
    """Return what a play takes from each point and brings to each; a stop on the way counts for nothing."""
    change: dict[int, int] = {}
    for start, end, _ in play:
        change[start] = change.get(start, 0) - 1
        change[end] = change.get(end, 0) + 1
    kept = [(point, number) for point, number in sorted(change.items()) if number and point != OFF]
    return ",".join([f"{point}+{number}" if number > 0 else f"{point}{number}" for point, number in kept])


class _Turn(NamedTuple):
    side: Side
    dice: Roll
    play: Play | None
    unknown: bool = False
    after: Position | None = None


class Turn(_Turn):
    """A roll and what the record says was done with it.

    `play` is empty where the record says that nothing could move, and None where it says nothing at all: a dance in
    some dialects, a player who gave up after the roll in all of them. `unknown` is set where the record says that it
    does not know. `after` is set where the record says that the play was illegal and instead shows the position it
    left, seen by the player who rolled.

    What follows from these alone is remembered with them: a reader gives the same turn for the same text.
    """

    @cached_property
    def steps(self) -> Steps | None:
        """The play step by step, if it is written so that each hop takes one die and all are taken."""
        return steps_of(self.dice, self.play) if self.play else None

    @cached_property
    def done(self) -> str:
        """What was rolled and what moved, in the same words whatever program wrote it."""
        low, high = sorted(self.dice)
        placed = f" {self.after}" if self.after is not None else ""
        return f"{low}{high}{moved(self.play) if self.play else ''}{placed}"


@dataclass(frozen=True, slots=True)
class Won:
    """The record gives this side the game for this many points, and says whether that won the match."""

    side: Side
    points: int
    match: bool = False


@dataclass(frozen=True, slots=True)
class Lost:
    """The record says that the side gave the game up for this many points; 0 if it does not say for how many."""

    side: Side
    points: int


@dataclass(frozen=True, slots=True)
class SetUp:
    """Checkers, cube or turn set up by hand; `properties` hold what the SGF node says, each a name and its values."""

    properties: tuple[tuple[str, tuple[str, ...]], ...]


Action = Turn | Doubled | Beavered | Raccooned | Took | Dropped | Won | Lost | SetUp


class Line(NamedTuple):
    """One action and the row of its game that it is in, counted from 1."""

    row: int
    action: Action


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game: its number, the names and the score in its heading (side A first), and its actions in order.

    `ratings` are the players' ratings as written, where the heading has them. `crawford` says whether the heading
    calls this the Crawford game; None if it does not say.
    """

    number: int
    names: tuple[str, str]
    score: tuple[int, int]
    lines: tuple[Line, ...]
    ratings: tuple[str, str] = ("", "")
    crawford: bool | None = None


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A match to `length` points, or a money session with length 0; side A is the left column.

    `tags` are the remarks that the record begins with.
    """

    length: int
    games: tuple[GameRecord, ...]
    tags: Mapping[str, str] = field(default_factory=dict, hash=False)

    @property
    def names(self) -> tuple[str, str]:
        """The players' names, side A first, as the first game gives them."""
        return self.games[0].names

    @property
    def crawford(self) -> bool:
        """False in a money session, and in a match only if the record says that the Crawford rule was off."""
        return self.length > 0 and not self._says_off("Crawford")

    @property
    def jacoby(self) -> bool | None:
        """Whether the record of a money session says that the Jacoby rule was on; None if it does not say."""
        return None if "Jacoby" not in self.tags else not self._says_off("Jacoby")

    @property
    def beavers(self) -> bool:
        """False only if the record of a money session says that beavers were not agreed on."""
        return not self._says_off("Beaver")

    def _says_off(self, tag: str) -> bool:
        return self.tags.get(tag, "On").strip().lower() in {"off", "false", "no", "0"}

    @property
    def names_guessed(self) -> bool:
        """Whether the letters of a player's name are a guess, as the text did not declare its encoding."""
        return LETTERS in self.tags and not all(name.isascii() for game in self.games for name in game.names)


LETTERS: Final = "Letters"
"""The remark that a reader adds where it had to guess the encoding; it is written out, so that the doubt stays."""


def number_rows(actions: Iterable[tuple[Side | None, Action]]) -> tuple[Line, ...]:
    """Put the actions in rows with a left cell for side A and a right one for side B, as on a score sheet.

    An action that belongs to neither side gets a row of its own.
    """
    lines: list[Line] = []
    row, taken = 0, True
    for side, action in actions:
        if taken or side is not Side.B:
            row += 1
        taken = side is not Side.A
        lines.append(Line(row, action))
    return tuple(lines)


class RecordError(NotationError):
    """A NotationError with its place: `finding` carries the code, the game and the row."""

    def __init__(
        self, code: str, template: str, *, game: int | None = None, row: int | None = None, **params: object
    ) -> None:
        super().__init__(template % params)
        self.finding = Finding(code, Severity.ERROR, game, row, template, params, "record")
