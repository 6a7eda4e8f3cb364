"""The page of a match record at one of its moves: the board, a sentence, the move list, and links to other moves."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules.actions import Beavered, Doubled, Dropped, Raccooned, Took
from rules.answers import Stage
from rules.board import Holder
from rules.disputes import as_made
from rules.game import GameState
from rules.ids import Situation, xgid
from rules.notation import format_play
from rules.notations import write_play
from rules.plays import Roll
from rules.position import START, Position
from rules.records.playback import GamePlayed, Moment, Playback, board_of
from rules.records.record import Lost, SetUp, Turn, Won
from rules.score import MatchScore, Side

DASH = "–"


@dataclass(frozen=True, slots=True)
class BoardShown:
    """A board with side A at the bottom, as arguments of the tag ``{% board %}``."""

    position: Position
    before: Position | None = None
    dice: Roll | None = None
    cube: tuple[int, Holder] | None = None
    mover: str = "mine"


@dataclass(frozen=True, slots=True)
class Cell:
    """A line of the move list, in the column of its side."""

    query: str
    roll: str
    text: str
    shown: bool
    doubted: bool


@dataclass(frozen=True, slots=True)
class GameChip:
    """A game with the score before it, as a link to its start."""

    number: int
    score: MatchScore
    query: str
    shown: bool


@dataclass(frozen=True, slots=True)
class Place:
    """A move of a game as shown; ``move`` 0 is the start of the game. Queries without a target are empty."""

    game: GamePlayed
    move: int
    moment: Moment | None
    sentence: str
    board: BoardShown
    rows: list[tuple[int, list[Cell | None]]]
    games: list[GameChip]
    previous: str
    following: str
    asked: str
    xgid: str


def show_place(playback: Playback, names: tuple[str, str], number: int, move: int) -> Place | None:
    """Return the given move of the game with this number; None if there is no such move."""
    index = next((index for index, game in enumerate(playback.games) if game.number == number), None)
    if index is None or not 0 <= move <= len(playback.games[index].moments):
        return None
    game = playback.games[index]
    moment = game.moments[move - 1] if move else None
    situation = _situation(game, moment)
    return Place(
        game=game,
        move=move,
        moment=moment,
        sentence=_sentence(moment, names) if moment else _("The start of the game."),
        board=_board(moment) if moment else BoardShown(board_of(game.begun, Side.A), cube=_cube(game.begun)),
        rows=_rows(game, move),
        games=[GameChip(one.number, one.begun.score, _query(one, 0), one is game) for one in playback.games],
        previous=_step_back(playback.games, index, move),
        following=_step_on(playback.games, index, move),
        asked=_asked(situation, moment),
        xgid=xgid(situation) if situation else "",
    )


def first_place(playback: Playback) -> tuple[int, int]:
    """Return where the page opens: at the doubtful line if there is one, else at the start."""
    if playback.doubted:
        game, moment = playback.doubted
        return game.number, moment.number
    return playback.games[0].number, 0


def query_of(game: int, move: int) -> str:
    """Return the query of the page at this move of this game."""
    return urlencode({"game": game, "move": move})


def _query(game: GamePlayed, move: int) -> str:
    return query_of(game.number, move)


def _step_back(games: tuple[GamePlayed, ...], index: int, move: int) -> str:
    if move:
        return _query(games[index], move - 1)
    return _query(games[index - 1], len(games[index - 1].moments)) if index else ""


def _step_on(games: tuple[GamePlayed, ...], index: int, move: int) -> str:
    if move < len(games[index].moments):
        return _query(games[index], move + 1)
    return _query(games[index + 1], 0) if index + 1 < len(games) else ""


def _board(moment: Moment) -> BoardShown:
    action = moment.action
    state = moment.after or moment.before
    if not isinstance(action, Turn):
        on_roll = moment.before.on_roll
        return BoardShown(board_of(state, Side.A), cube=_cube(state), mover=_end(on_roll))
    before = board_of(moment.before, Side.A)
    if moment.after is not None:
        after = board_of(moment.after, Side.A)
    else:
        seen = board_of(moment.before, action.side)
        made = as_made(seen, action.play or ()) or seen
        after = made if action.side is Side.A else made.swapped()
    marked = None if after == before else before
    return BoardShown(after, before=marked, dice=action.dice, cube=_cube(state), mover=_end(action.side))


def _end(side: Side | None) -> str:
    return "theirs" if side is Side.B else "mine"


def _cube(state: GameState) -> tuple[int, Holder]:
    owner = state.cube.owner
    holder = Holder.MIDDLE if owner is None else Holder.MINE if owner is Side.A else Holder.THEIRS
    return state.cube.value, holder


def _rows(game: GamePlayed, move: int) -> list[tuple[int, list[Cell | None]]]:
    """Return the rows of the score sheet by number, each with the cells of side A and side B."""
    rows: dict[int, list[Cell | None]] = {}
    for moment in game.moments:
        roll, text = _short(moment)
        cell = Cell(_query(game, moment.number), roll, text, moment.number == move, moment.doubted)
        rows.setdefault(moment.row, [None, None])[moment.side is Side.B] = cell
    return list(rows.items())


def _short(moment: Moment) -> tuple[str, str]:
    """Return the roll and the rest of the line, as written on score sheets."""
    match moment.action:
        case Turn(dice=dice, after=after):
            text = _("illegal") if after is not None else _written(moment) or DASH
            return f"{dice[0]}{dice[1]}", text
        case Doubled(value=value):
            return "", _("Doubles to %(value)s") % {"value": value}
        case Beavered():
            return "", _("Beavers")
        case Raccooned():
            return "", _("Raccoons")
        case Took():
            return "", _("Takes")
        case Dropped():
            return "", _("Drops")
        case Won(points=points):
            return "", ngettext("Wins %(points)s point", "Wins %(points)s points", points) % {"points": points}
        case Lost(points=points):
            return "", ngettext("Loses %(points)s point", "Loses %(points)s points", points) % {"points": points}
        case SetUp():
            return "", _("Set up by hand")


def _written(moment: Moment) -> str:
    """Write the play of a turn in the notation of the rules under which it was played."""
    turn = moment.action
    if not isinstance(turn, Turn):
        return ""
    return write_play(turn.play or (), moment.before.profile, turn.side)


def _sentence(moment: Moment, names: tuple[str, str]) -> str:
    action = moment.action
    name = names[moment.side is Side.B]
    if not isinstance(action, Turn):
        return f"{name}: {_short(moment)[1]}" if moment.side else _short(moment)[1]
    values = {"name": name, "roll": f"{action.dice[0]}{action.dice[1]}", "play": _written(moment)}
    if action.after is not None:
        return _("%(name)s rolls %(roll)s and plays illegally; the play is accepted.") % values
    if action.play:
        return _("%(name)s rolls %(roll)s: %(play)s") % values
    if action.unknown or (action.play is None and (moment.after is None or moment.after.stage is Stage.ROLLED)):
        return _("%(name)s rolls %(roll)s; no play is recorded.") % values
    return _("%(name)s rolls %(roll)s and cannot move.") % values


def _situation(game: GamePlayed, moment: Moment | None) -> Situation | None:
    """Return the board before the line, as an ID would give it; None where a number is too large for an ID."""
    before = game.begun if moment is None else moment.before
    turn = moment.action if moment and isinstance(moment.action, Turn) else None
    side = turn.side if turn else before.on_roll or Side.A
    dice = (max(turn.dice), min(turn.dice)) if turn else None
    position = START if before.on_roll is None else board_of(before, side)
    situation = Situation(position=position, on_roll=side, acting=side, dice=dice, cube=before.cube, score=before.score)
    try:
        xgid(situation)
    except ValueError:
        return None
    return situation


def _asked(situation: Situation | None, moment: Moment | None) -> str:
    """Return the query that asks the rules page about a roll and its play."""
    if situation is None or moment is None or not isinstance(moment.action, Turn):
        return ""
    roll = f"{moment.action.dice[0]}{moment.action.dice[1]}"
    play = {"play": format_play(moment.action.play)} if moment.action.play else {}
    return urlencode({"id": xgid(situation), "roll": roll, **play})
