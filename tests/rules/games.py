"""Score-sheet games for tests."""

from rules.score import Ending, Level, Side
from rules.sheet import GameResult

A, B = Side.A, Side.B
HUGE = 10**30


def game(winner, cube=1, level=Level.SINGLE, ending=Ending.BEAROFF):
    return GameResult(winner, cube, level, ending)


def codes(check):
    return [(finding.game, finding.code) for finding in check.findings]


AT_CRAWFORD = [game(A, 2, Level.BACKGAMMON)]  # 6-0 to 7
