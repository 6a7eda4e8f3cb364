"""What truly happened in a record that holds, turn by turn, and what else the rules would have allowed."""

from collections.abc import Iterator
from dataclasses import dataclass

from rules.actions import Played, Rolled
from rules.errors import NotationError
from rules.game import GameState
from rules.notation import parse_play
from rules.plays import legal_plays
from rules.position import Position
from rules.profiles import WBGF
from rules.records.record import Line, Lost, MatchRecord, Turn, Won
from rules.records.replay import replay
from rules.score import MatchScore


@dataclass(frozen=True)
class TrueTurn:
    before: Position
    roll: tuple[int, int]
    after: Position
    first: bool
    last: bool


def true_turns(record: MatchRecord) -> Iterator[tuple[int, Line, TrueTurn]]:
    """The number of the game, the line and the turn of every roll that was played, dances included."""
    score = MatchScore(record.length, crawford=record.crawford)
    for game, result in zip(record.games, replay(record).games, strict=False):
        state = GameState.begin(score, WBGF)
        rolls = [line for line in game.lines if isinstance(line.action, Turn)]
        for line in game.lines:
            action = line.action
            if isinstance(action, Won | Lost):
                continue
            if not isinstance(action, Turn):
                state = state.apply(action)
                continue
            if action.play is None and legal_plays(state.position, action.dice, WBGF):
                break
            before = state.position
            state = state.apply(Rolled(action.side, action.dice)).apply(Played(action.side, action.play or ()))
            after = state.position if state.result else state.position.swapped()
            yield game.number, line, TrueTurn(before, action.dice, after, line is rolls[0], line is rolls[-1])
        score = score.after(result.winner, result.points)


def arrangement(position: Position, play):
    """The mover's checkers after the hops, whatever the rules say; None if a hop starts from an empty point."""
    mine = {point: position.checkers(point) for point in range(26)}
    for hop in play:
        mine[hop.start] -= 1
        mine[hop.end] += 1
    return mine if min(mine.values()) >= 0 else None


def could_be_played(position: Position, roll: tuple[int, int], text: str) -> bool:
    """Whether some legal play leaves the mover's checkers as this text does."""
    try:
        play = parse_play("" if text.strip() == "Cannot Move" else text)
    except NotationError:
        return False
    wanted = arrangement(position, play)
    results = legal_plays(position, roll, WBGF)
    if not play:
        return not results
    return any(wanted == {point: result.checkers(point) for point in range(26)} for result in results)
