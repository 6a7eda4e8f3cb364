"""Games as they might be played: legal, of every kind, and mostly likely ones."""

from random import Random

from rules.errors import Severity
from rules.score import Ending, Level, MatchScore, Side
from rules.sheet import GameResult, Terms, check_game


def random_match(terms: Terms, *, rng: Random, chance: float = 0.5) -> list[GameResult]:
    """Return the games of a whole match under these terms, all legal; side A wins each with probability ``chance``."""
    games: list[GameResult] = []
    score = terms.opening
    while not score.over:
        game = _likely_game(terms, score, len(games) + 1, rng=rng, chance=chance)
        games.append(game)
        score = terms.after(score, len(games), game)
    return games


def _likely_game(terms: Terms, score: MatchScore, number: int, *, rng: Random, chance: float) -> GameResult:
    """Return a legal game that raises no warning, or any legal game if 30 attempts do not produce one.

    A single game with the cube at 1 is always legal.
    """
    legal = GameResult(Side.A if rng.random() < chance else Side.B)
    for _attempt in range(30):
        game = _random_game(rng, chance)
        findings = check_game(terms, score, number, game)
        if not findings:
            return game
        if all(finding.severity is Severity.WARNING for finding in findings):
            legal = game
    return legal


def _random_game(rng: Random, chance: float) -> GameResult:
    """Return a typical game: half have a double taken, a quarter end in a drop, a quarter of the others are gammons."""
    winner = Side.A if rng.random() < chance else Side.B
    (cube,) = rng.choices((1, 2, 4, 8), (45, 50, 4, 1))
    if rng.random() < 0.25:
        return GameResult(winner, min(cube, 2), Level.SINGLE, Ending.DROP)
    (level,) = rng.choices((Level.SINGLE, Level.GAMMON, Level.BACKGAMMON), (74, 25, 1))
    (ending,) = rng.choices((Ending.BEAROFF, Ending.RESIGNED), (70, 30))
    return GameResult(winner, cube, level, ending)
