"""Records of random matches that nobody played: random rolls, plays that hit and hide, doubles, resignations."""

import random
from collections.abc import Iterator

from rules.actions import Doubled, Dropped, Event, Played, Resigned, Rolled, Took
from rules.cube import double_fault
from rules.game import GameState
from rules.listing import WrittenPlay, written_plays
from rules.position import BAR
from rules.profiles import WBGF
from rules.records.record import Action, GameRecord, MatchRecord, Turn, Won, number_rows
from rules.score import Level, MatchScore, Side

LENGTHS = (1, 3, 5, 7, 9)
NAMES = ("Runa", "Viggo Holm")


def played_matches(seed: int) -> Iterator[MatchRecord]:
    """Yield records of whole matches without end, the same for the same seed; every tenth without the Crawford rule."""
    rng = random.Random(seed)
    while True:
        yield _match(rng, rng.choice(LENGTHS), crawford=rng.random() < 0.9)


def _match(rng: random.Random, length: int, *, crawford: bool) -> MatchRecord:
    """Return a match from 0-0 to its end. The points of its last game are given in full, or up to what was needed."""
    score = MatchScore(length, crawford=crawford)
    in_full = rng.random() < 0.5
    games: list[GameRecord] = []
    while not score.over:
        actions, state = _game(rng, score)
        result = state.result
        assert result is not None, "a game goes on to its end"
        points = result.points if in_full else min(result.points, score.away(result.winner))
        after = score.after(result.winner, result.points)
        actions.append(Won(result.winner, points, match=after.over))
        lines = number_rows([(action.side, action) for action in actions])
        games.append(GameRecord(len(games) + 1, NAMES, (score.a, score.b), lines))
        score = after
    return MatchRecord(length, tuple(games), {"Crawford": "On" if crawford else "Off"})


def _game(rng: random.Random, score: MatchScore) -> tuple[list[Action], GameState]:
    """Return what was done in a game, except for a resignation, and the finished game."""
    state, actions = GameState.begin(score, WBGF), list[Action]()
    while state.result is None:
        for event in _turn(rng, state):
            state = state.apply(event)
            if isinstance(event, Rolled):
                rolled = event
            elif isinstance(event, Played):
                actions.append(Turn(event.side, rolled.dice, event.play))
            elif isinstance(event, Doubled | Took | Dropped):
                actions.append(event)
    return actions, state


def _turn(rng: random.Random, state: GameState) -> list[Event]:
    """Yield what the side on roll does next, and how a double is answered."""
    side, cube, score = state.on_roll, state.cube.value, state.score
    if side is None:
        side = rng.choice(list(Side))
    elif rng.random() < 0.05 and cube < score.away(side) and not double_fault(state.cube, side, cube * 2, score, WBGF):
        return [Doubled(side, cube * 2), Took(side.other) if rng.random() < 0.7 else Dropped(side.other)]
    elif rng.random() < 0.02 and state.position.pips() > state.position.swapped().pips() + 40:
        return [Resigned(side, rng.choice([Level.SINGLE, Level.SINGLE, Level.GAMMON, Level.BACKGAMMON]))]
    faces = range(1, 7)
    first, second = rng.sample(faces, 2) if state.on_roll is None else rng.choices(faces, k=2)
    plays = written_plays(state.position, (first, second), WBGF)
    return [Rolled(side, (first, second)), Played(side, _chosen(rng, plays).play if plays else ())]


def _chosen(rng: random.Random, plays: tuple[WrittenPlay, ...]) -> WrittenPlay:
    """Return, of four random plays, the one that sends most checkers to the bar and leaves fewest alone."""

    def worth(written: WrittenPlay) -> int:
        mine, theirs = written.after, written.after.swapped()
        return 3 * theirs.checkers(BAR) - sum(mine.checkers(point) == 1 for point in range(1, BAR))

    return max(rng.sample(plays, min(4, len(plays))), key=worth)
