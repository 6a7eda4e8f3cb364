"""What somebody who keeps the score may enter: for each score of a match, the results that its next game can have.

The table is asked of the engine, so that a phone without a network refuses what the engine refuses. A phone knows a
game by its winner, its cube and one word for its level and ending (:data:`WORDS`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rules.errors import Severity
from rules.score import Ending, Level, MatchScore, Phase, Side
from rules.sheet import GameResult, Terms, check_game

LEVEL_WORDS = {Level.SINGLE: "single", Level.GAMMON: "gammon", Level.BACKGAMMON: "backgammon"}
WORDS: dict[str, tuple[Level, Ending]] = {
    **{word: (level, Ending.BEAROFF) for level, word in LEVEL_WORDS.items()},
    "drop": (Level.SINGLE, Ending.DROP),
    **{f"resigned-{word}": (level, Ending.RESIGNED) for level, word in LEVEL_WORDS.items()},
    **{f"forfeit-{word}": (level, Ending.FORFEIT) for level, word in LEVEL_WORDS.items()},
}
"""How a game ended in one word. A phone offers the first four; the others come from the desk, and are sent back."""

IN_A_WORD = {ended: word for word, ended in WORDS.items()}
PHASE_MARKS = {Phase.CRAWFORD: "c", Phase.AFTER: "p"}
ANY_GAME = 0
"""The number of a game of which no ruling and no warning about too many games says anything."""
CUBES = tuple(1 << power for power in range(31))
OFFERED = (*LEVEL_WORDS.values(), "drop")


@dataclass(frozen=True, slots=True)
class Kind:
    """The results that a game can have: ``endings``, at the ``cubes`` of a game played out, and at those of a drop.

    The cube of a drop is the one before the refused double. What is legal but has a cube that neither side needed is
    left out.
    """

    cubes: tuple[int, ...]
    drops: tuple[int, ...]
    endings: tuple[str, ...]

    def has(self, game: GameResult) -> bool:
        """Whether the table lets somebody enter the game."""
        word = IN_A_WORD.get((game.level, game.ending), "")
        return word in self.endings and game.cube in (self.drops if word == "drop" else self.cubes)

    def as_dict(self) -> dict[str, object]:
        return {"cubes": list(self.cubes), "drops": list(self.drops), "endings": list(self.endings)}


def word_of(game: GameResult) -> str:
    """Return the one word for how the game ended."""
    return IN_A_WORD[game.level, game.ending]


def alike(one: GameResult, other: GameResult) -> bool:
    """Whether both tell of the same game, no matter whether it was borne off or resigned: a phone cannot tell."""
    ended = [Ending.BEAROFF if game.ending is Ending.RESIGNED else game.ending for game in (one, other)]
    return (one.winner, one.cube, one.level) == (other.winner, other.cube, other.level) and ended[0] == ended[1]


def games_alike(one: Sequence[GameResult], other: Sequence[GameResult]) -> int:
    """Return how many games both sheets have alike from the first one on."""
    pairs = zip(one, other, strict=False)
    return next(
        (number for number, (game, told) in enumerate(pairs) if not alike(game, told)), min(len(one), len(other))
    )


def first_difference(one: Sequence[GameResult], other: Sequence[GameResult]) -> int | None:
    """Return the number of the first game that the sheets tell differently; None if neither contradicts the other."""
    same = games_alike(one, other)
    return same + 1 if same < min(len(one), len(other)) else None


def score_key(score: MatchScore) -> str:
    """Return the score as the table names it: 3-2; 6-2c before the Crawford game, 6-2p after it."""
    return f"{score.a}-{score.b}{PHASE_MARKS.get(score.phase, '')}"


def kind_at(terms: Terms, score: MatchScore) -> Kind:
    """Return what the engine lets the next game at this score be. Raises ValueError once the match is over."""
    if score.over:
        raise ValueError("The match is over: no game can follow.")
    words: dict[int, list[str]] = {}
    for cube in CUBES:
        words[cube] = [word for word in OFFERED if _can_be(terms, score, word, cube)]
        if not words[cube]:
            break  # where nothing can be, nothing can be at a higher cube
    return Kind(
        cubes=tuple(cube for cube, found in words.items() if set(found) - {"drop"}),
        drops=tuple(cube for cube, found in words.items() if "drop" in found),
        endings=tuple(word for word in OFFERED if any(word in found for found in words.values())),
    )


def _can_be(terms: Terms, score: MatchScore, word: str, cube: int) -> bool:
    level, ending = WORDS[word]
    found = check_game(terms, score, ANY_GAME, GameResult(Side.A, cube, level, ending))
    return not any(one.severity is Severity.ERROR or one.code == "cube_implausible" for one in found)


def scores_of(terms: Terms) -> Iterator[MatchScore]:
    """Return every score that a game of the match can begin at."""
    opening, last = terms.opening, terms.length - 1
    for a in range(opening.a, terms.length):
        for b in range(opening.b, terms.length):
            if not terms.crawford or terms.length < 2 or max(a, b) < last:
                yield MatchScore(terms.length, a, b, crawford=terms.crawford)
                continue
            score = MatchScore(terms.length, a, b)
            if not terms.crawford_done and _begins_the_crawford_game(terms, score, opening):
                yield score
            trailed = (a == last and b > opening.b) or (b == last and a > opening.a)
            if terms.crawford_done or trailed:
                yield MatchScore(terms.length, a, b, crawford_done=True)


def _begins_the_crawford_game(terms: Terms, score: MatchScore, opening: MatchScore) -> bool:
    """Whether the first game in which a side needs one point can begin at this score."""
    if terms.penalties:
        return True
    if opening.is_crawford:
        return (score.a, score.b) == (opening.a, opening.b)
    return score.a != score.b


@lru_cache(maxsize=64)
def table_of(terms: Terms) -> dict[str, object]:
    """Return the table of a match under these terms, ready for JSON; most scores share a few kinds of games.

    ``start`` is the score before game 1. Penalty points are added after their game; they go TO the side named.
    The engine asks only the phase and how much the side behind still needs, so it is asked once for each of these.
    """
    kinds: dict[Kind, int] = {}
    places: dict[tuple[Phase, int], int] = {}
    scores: dict[str, int] = {}
    for score in scores_of(terms):
        alike_scores = score.phase, max(score.away(side) for side in Side)
        if alike_scores not in places:
            places[alike_scores] = kinds.setdefault(kind_at(terms, score), len(kinds))
        scores[score_key(score)] = places[alike_scores]
    opening = terms.opening
    later = [penalty for penalty in terms.penalties if penalty.after > 0]
    return {
        "length": terms.length,
        "crawford": terms.crawford,
        "start": [opening.a, opening.b],
        "crawford_done": terms.crawford_done,
        "waived": sorted(terms.waived),
        "penalties": [{"after": one.after, "a": one.against_b, "b": one.against_a} for one in later],
        "scores": scores,
        "kinds": [kind.as_dict() for kind in kinds],
    }
