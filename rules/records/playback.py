"""A record played through for people to watch: the board before and after each of its lines."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from rules.answers import Stage
from rules.errors import Finding
from rules.game import GameState
from rules.position import Position
from rules.profiles import WBGF, RuleProfile
from rules.records.game_replay import GameReplay
from rules.records.known import NOTHING, Known
from rules.records.record import Action, Line, Lost, MatchRecord, SetUp, Won
from rules.records.replay import Replay, replay
from rules.score import Side


@dataclass(frozen=True, slots=True)
class Moment:
    """One line of a game, `number` from 1: what it says was done, and the game before and after it.

    `after` is None if the line breaks a rule, or if its effect cannot be known. `doubted` if the finding is about this
    line.
    """

    number: int
    row: int
    action: Action
    before: GameState
    after: GameState | None
    doubted: bool = False

    @property
    def side(self) -> Side | None:
        """The side whose line it is; None if it belongs to neither."""
        return None if isinstance(self.action, SetUp) else self.action.side


@dataclass(frozen=True, slots=True)
class GamePlayed:
    """A game of the record as it begins, and its lines up to the first that does not hold."""

    number: int
    begun: GameState
    moments: tuple[Moment, ...]


@dataclass(frozen=True, slots=True)
class Playback:
    """A replay, and the games as far as it got."""

    replay: Replay
    games: tuple[GamePlayed, ...]

    @property
    def doubted(self) -> tuple[GamePlayed, Moment] | None:
        """The line that the finding of the replay is about, in its game; None if it is not about a single line."""
        lines = ((game, moment) for game in self.games for moment in game.moments)
        return next((line for line in lines if line[1].doubted), None)


def play_through(record: MatchRecord, profile: RuleProfile = WBGF, known: Known = NOTHING) -> Playback:
    """Put every line of the record on a board, up to the first that does not hold; `known` is what the caller knows."""
    watched: list[_Watched] = []

    def watch(game: GameReplay, line: Line | None) -> None:
        if line is None:
            watched.append(_Watched(game, game.state))
        else:
            watched[-1].held.append((line, game.state))

    result = replay(record, profile, watch=watch, known=known)
    return Playback(result, tuple(game.played(result.finding) for game in watched))


def board_of(state: GameState, side: Side) -> Position:
    """Return the board as this side sees it."""
    return state.position if state.on_roll in {side, None} else state.position.swapped()


@dataclass(slots=True)
class _Watched:
    """A game and the lines that held, each with the state after it."""

    game: GameReplay
    begun: GameState
    held: list[tuple[Line, GameState]] = field(default_factory=list)

    def played(self, finding: Finding | None) -> GamePlayed:
        return GamePlayed(self.game.number, self.begun, tuple(self._moments(finding)))

    def _moments(self, finding: Finding | None) -> Iterator[Moment]:
        lines: list[tuple[Line, GameState | None]] = [*self.held]
        stopped = self._stopped_at()
        if stopped is not None:
            lines.append((stopped, None))
        doubted = None
        if finding is not None and finding.game == self.game.number:
            doubted = max((index for index, (line, _) in enumerate(lines) if line.row == finding.row), default=None)
        before = self.begun
        for index, (line, after) in enumerate(lines):
            yield Moment(index + 1, line.row, line.action, before, after, doubted=index == doubted)
            before = after or before

    def _stopped_at(self) -> Line | None:
        """Return the line that did not hold; None if all held, or if an unplayed roll before it is to blame."""
        rest = self.game.record.lines[len(self.held) :]
        if not rest:
            return None
        waiting = bool(self.held) and self.held[-1][1].stage is Stage.ROLLED
        return None if waiting and not isinstance(rest[0].action, SetUp | Won | Lost) else rest[0]
