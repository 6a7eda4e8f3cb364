"""A match counted again in the plainest way: lists of checkers, sums of points, and GNU Backgammon's legal plays.

Shares nothing with `rules`, so agreement of the two about a record means something. It handles whole records of
the usual kind: from 0-0, with names that stay the same and no position set up by hand.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations

from tests.rules.records.plain_reader import Hop, PlainGame, PlainMatch, Step, Untrue, read

Side = tuple[int, ...]
"""A side's checkers on its points 0 (off) to 25 (bar), in its own numbering."""

START: Side = tuple({24: 2, 13: 5, 8: 3, 6: 5}.get(point, 0) for point in range(26))


@dataclass(frozen=True)
class Turn:
    """A roll, and both sides (the mover first) before the play and after it: None if the roll was not played.

    `cube` is what was done with the cube since the turn before.
    """

    side: int
    cube: tuple[str, ...]
    dice: tuple[int, int]
    before: tuple[Side, Side]
    after: tuple[Side, Side] | None


@dataclass(frozen=True)
class Count:
    """The count of a record that may have happened.

    It has the length and the names in the record, the points of both sides, whether the match is over, the turns of all
    games, and the result of each: the winner and all points of the game.
    """

    length: int
    names: tuple[str, str]
    score: tuple[int, int]
    over: bool
    turns: tuple[Turn, ...]
    won: tuple[tuple[int, int], ...]


def recount(text: str) -> Count:
    """Return the count of a record. Raises Untrue at the first place that no match can have."""
    match = read(text)
    score, crawford_due = (0, 0), match.crawford and match.length > 1
    turns: list[Turn] = []
    results: list[tuple[int, int]] = []
    for game in match.games:
        if max(score) >= match.length:
            raise Untrue("a game after the match", game.number)
        if game.names != match.games[0].names:
            raise Untrue("headed with other names", game.number)
        if game.score != score:
            raise Untrue("headed with another score", game.number, begins_elsewhere=game is match.games[0])
        crawford = crawford_due and max(score) == match.length - 1
        if match.crawford and game.crawford not in (None, crawford) and score[0] != score[1]:
            raise Untrue("the Crawford game is another one", game.number)
        crawford_due = crawford_due and not crawford
        won = _Recount(match, game, score, turns, crawford=crawford).result()
        if won is not None:
            results.append(won)
            winner, points = won
            total = min(score[winner] + points, match.length)
            score = (total, score[1]) if winner == 0 else (score[0], total)
    if match.players == match.games[0].names[::-1]:
        raise Untrue("the players are the other way round")
    over = max(score) >= match.length
    return Count(match.length, match.games[0].names, score, over, tuple(turns), tuple(results))


@dataclass
class _Recount:
    """One game, step by step. `turn` is None before the first roll, `over` the winner with all points of the game."""

    match: PlainMatch
    game: PlainGame
    score: tuple[int, int]
    turns: list[Turn]
    crawford: bool
    boards: list[Side] = field(default_factory=lambda: [START, START])
    turn: int | None = None
    cube: int = 1
    owner: int | None = None
    offered: bool = False
    waiting: Step | None = None
    cube_steps: tuple[str, ...] = ()
    over: tuple[int, int] | None = None

    def result(self) -> tuple[int, int] | None:
        """Return the winner and the points; None if the record stops here."""
        results: list[Step] = []
        for step in self.game.steps:
            if step.word in ("wins", "losses"):
                self._true(step.word not in [result.word for result in results], "a result twice", step)
                results.append(step)
                continue
            self._true(not results, "it goes on after its result", step)
            self._true(self.waiting is None, "a roll that was not played", self.waiting)
            self._true(self.over is None, "it goes on after its end", step)
            getattr(self, f"_{step.word}")(step)
            self.cube_steps = () if step.word == "roll" else (*self.cube_steps, step.word)
        if results:
            return self._printed(results)
        last = self.game is self.match.games[-1]
        self._true(last or self.waiting is None, "a roll that was not played", self.waiting)
        self._true(last or self.over is not None, "no end", (self.game.steps or (None,))[-1])
        return self.over

    def _true(self, holds: bool, why: str, step: Step | None) -> None:
        if not holds:
            raise Untrue(why, self.game.number, step.row if step else None)

    def _roll(self, step: Step) -> None:
        if self.turn is None:
            self._true(step.dice[0] != step.dice[1], "the opening roll is a double", step)
            self.turn = step.side
        self._true(step.side == self.turn, "not this side's turn", step)
        self._true(not self.offered, "a double without an answer", step)
        mine, theirs = self.boards[step.side], self.boards[1 - step.side]
        before = mine, theirs
        plays = legal_results(mine, theirs, *step.dice)
        if plays and step.play is None:
            self.waiting = step
            self.turns.append(Turn(step.side, self.cube_steps, step.dice, before, None))
            return
        if plays or step.play:
            result = after_play(mine, theirs, step.dice, step.play or ())
            if isinstance(result, str):
                raise Untrue(result, self.game.number, step.row)
            mine, theirs = result
        self.turns.append(Turn(step.side, self.cube_steps, step.dice, before, (mine, theirs)))
        self.boards[step.side], self.boards[1 - step.side] = mine, theirs
        self.turn = 1 - step.side
        if mine[0] == 15:
            self.over = step.side, self.cube * _level(theirs)

    def _double(self, step: Step) -> None:
        self._true(self.turn is not None and step.side == self.turn, "not this side's turn to double", step)
        self._true(not self.offered, "two doubles", step)
        self._true(not self.crawford and self.match.length > 1, "no cube in this game", step)
        self._true(self.owner in (None, step.side), "not this side's cube", step)
        self._true(step.number in (None, 2 * self.cube), "not twice the cube", step)
        self.offered = True

    def _take(self, step: Step) -> None:
        self._true(self.offered and step.side != self.turn, "nothing to take", step)
        self.cube, self.owner, self.offered = 2 * self.cube, step.side, False

    def _drop(self, step: Step) -> None:
        self._true(self.offered and step.side != self.turn, "nothing to drop", step)
        self.over = 1 - step.side, self.cube
        self.offered = False

    def _printed(self, results: list[Step]) -> tuple[int, int]:
        """Return the result that the printed points must match: in full, up to what was needed or to the length."""
        last = results[-1]
        winners = {step.side if step.word == "wins" else 1 - step.side for step in results}
        points = {step.number for step in results}
        self._true(len(winners) == len(points) == 1, "two results", last)
        winner, printed = winners.pop(), points.pop()
        needed = self.match.length - self.score[winner]
        worths = [self.over[1]] if self.over else [self.cube * level for level in (1, 2, 3)]
        possible = [
            worth
            for worth in worths
            if printed == worth or (worth >= needed and printed in (needed, min(worth, self.match.length)))
        ]
        if self.over is None:
            self._true(self.turn is not None, "given up before the first roll", last)
            self._true(not self.offered, "a double without an answer", last)
            gave_up = self.waiting is None or self.waiting.side != winner
            self._true(gave_up, "the winner did not play a roll", self.waiting)
        else:
            self._true(self.over[0] == winner, "the other side won", last)
        claimed = any(step.match for step in results)
        self._true(not claimed or max([printed, *possible]) >= needed, "the match was not won", last)
        self._true(bool(possible), "other points", last)
        return winner, possible[0]


def _level(loser: Side) -> int:
    """Return 1 if the loser has borne off a checker, 3 if one is in the winner's home board or on the bar, else 2."""
    return 1 if loser[0] else 3 if any(loser[19:]) else 2


@lru_cache(maxsize=1 << 14)
def legal_results(mine: Side, theirs: Side, first: int, second: int) -> tuple[tuple[Side, Side], ...]:
    """Both sides after each legal play, as GNU Backgammon generates them; none if the roll must be passed."""
    import gnubg_nn  # noqa: PLC0415 - optional package

    keys = gnubg_nn.moves([theirs[1:], mine[1:]], first, second)
    boards = (gnubg_nn.board_from_position_key(key) for key in keys)
    return tuple((_with_off(after), _with_off(opposing)) for opposing, after in boards)


@lru_cache(maxsize=1 << 14)
def after_play(mine: Side, theirs: Side, dice: tuple[int, int], play: tuple[Hop, ...]) -> tuple[Side, Side] | str:
    """Return the legal result that matches the play, or why there is none.

    It hits at the ends of its hops, and on their way as little as possible.
    """
    wanted = list(mine)
    for start, end, _ in play:
        if not 0 <= end < start <= 25:
            return "backwards"
        if end and theirs[25 - end] > 1:
            return "a stop where the opponent holds the point"
        wanted[start] -= 1
        wanted[end] += 1
    if len(play) > 4 or not _fits(play, dice * 2 if dice[0] == dice[1] else dice):
        return "not these dice"
    matching = [after for after in legal_results(mine, theirs, *dice) if after[0] == tuple(wanted)]
    if not matching:
        return "not legal"
    ends = {end for _, end, _ in play}
    marked = {end for _, end, hit in play if hit} | {end for end in ends - {0} if theirs[25 - end] == 1}
    hits = [{point for point in range(1, 25) if theirs[25 - point] > after[1][25 - point]} for after in matching]
    ways = [(len(hit - ends), after) for hit, after in zip(hits, matching, strict=True) if marked <= hit]
    if not ways:
        return "a hit that is none"
    fewest = [after for extra, after in ways if extra == min(ways)[0]]
    return fewest[0] if len(fewest) == 1 else "not clear"


def _with_off(points: tuple[int, ...]) -> Side:
    return (15 - sum(points), *points)


def _fits(play: tuple[Hop, ...], dice: tuple[int, ...]) -> bool:
    """Whether the dice can be shared out among the hops; only a checker borne off may need less than its dice."""
    if not play:
        return True
    (start, end, _), *rest = play
    return any(_fits(tuple(rest), left) for used, left in _dealt(dice) if _reaches(start - end, used, off=end == 0))


def _dealt(dice: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    for number in range(1, len(dice) + 1):
        for places in combinations(range(len(dice)), number):
            yield (
                tuple(dice[place] for place in places),
                tuple(die for place, die in enumerate(dice) if place not in places),
            )


def _reaches(pips: int, used: tuple[int, ...], *, off: bool) -> bool:
    return sum(used) == pips or (off and sum(used) > pips > sum(used) - max(used))
