"""Legal plays the long way round, on lists of counts: slow, and plain enough to be checked by reading.

Shares nothing with `rules.plays` but the numbering, so that agreement means something.
"""

from rules.position import BAR, OFF, Position
from rules.profiles import Overshoot, RuleProfile

Board = tuple[list[int], list[int]]
"""The mover's checkers on 0..25 and the opponent's on the *mover's* points 0..25, with the opponent's bar at 0."""


def naive_plays(position: Position, roll: tuple[int, int], profile: RuleProfile) -> set[Position]:
    """Return the distinct positions after each legal play, still seen by the player who rolled."""
    first, second = roll
    orders = [[first] * 4] if first == second else [[first, second], [second, first]]
    ends: list[tuple[list[int], Board]] = []
    for order in orders:
        _play_on(_board(position), order, [], profile, ends)
    most = max(len(played) for played, _ in ends)
    if not most:
        return set()
    ends = [(played, board) for played, board in ends if len(played) == most]
    if most == 1 and first != second and profile.higher_die and any(played == [max(roll)] for played, _ in ends):
        ends = [(played, board) for played, board in ends if played == [max(roll)]]
    return {_position(board) for _, board in ends}


def _play_on(
    board: Board, dice: list[int], played: list[int], profile: RuleProfile, ends: list[tuple[list[int], Board]]
) -> None:
    """Add every board at which no further die of this order can be played."""
    starts = [point for point in range(1, BAR + 1) if dice and _may_move(board, point, dice[0], profile)]
    for point in starts:
        _play_on(_moved(board, point, dice[0]), dice[1:], [*played, dice[0]], profile, ends)
    if not starts:
        ends.append((played, board))


def _may_move(board: Board, point: int, die: int, profile: RuleProfile) -> bool:
    mine, theirs = board
    if mine[point] == 0 or (mine[BAR] > 0 and point != BAR):
        return False
    if point > die:
        return theirs[point - die] < 2
    if sum(mine[7:]) > 0:
        return False
    return point == die or profile.bearoff_overshoot is Overshoot.FREE or sum(mine[point + 1 :]) == 0


def _moved(board: Board, point: int, die: int) -> Board:
    mine, theirs = list(board[0]), list(board[1])
    end = max(point - die, OFF)
    mine[point] -= 1
    mine[end] += 1
    if end != OFF and theirs[end] == 1:
        theirs[end] = 0
        theirs[0] += 1
    return mine, theirs


def _board(position: Position) -> Board:
    mine = [position.checkers(point) for point in range(BAR + 1)]
    theirs = [position.swapped().checkers(BAR)] + [position.opposing(point) for point in range(1, BAR)]
    return mine, [*theirs, position.swapped().checkers(OFF)]


def _position(board: Board) -> Position:
    mine, theirs = board
    return Position.of(dict(enumerate(mine)), {BAR - point: number for point, number in enumerate(theirs)})
