"""A match record played again through the rules, action by action."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import ClassVar

from rules.errors import Finding, Severity, gettext_noop
from rules.game import Event, GameState, IllegalAction, Played, Resigned, Rolled, Stage
from rules.notation import Play
from rules.outcome import won_level
from rules.plays import RefusedPlay, UnclearPlay, judge_play, must_pass
from rules.position import Position
from rules.profiles import WBGF, RuleProfile
from rules.records.mat import loads
from rules.records.record import GameRecord, Line, Lost, MatchRecord, RecordError, Turn, Won
from rules.score import Level, MatchScore, Side
from rules.sheet import GameResult


class Verdict(StrEnum):
    """What a replay says of a record.

    PROVED: the match is finished and everything in it holds. INCOMPLETE: everything holds, but the record stops before
    the match is over. QUARANTINED: no rule is broken, but something in it cannot be vouched for. REFUSED: it breaks a
    rule or cannot be read.
    """

    PROVED = "proved"
    INCOMPLETE = "incomplete"
    QUARANTINED = "quarantined"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Replay:
    """A record played again: `games` and `score` go as far as it held, `finding` says why it went no further.

    `names` are side A's (the left column) and side B's. `plays` counts the rolls that were played, dances included.
    `both_moved` is true once each side has finished a turn. `crawford` says that the Crawford rule was in force.
    `length` is 0 and the names are empty if the record could not be read. `finding` is None if the record is PROVED
    or INCOMPLETE.
    """

    verdict: Verdict
    length: int
    names: tuple[str, str]
    games: tuple[GameResult, ...]
    plays: int
    score: MatchScore
    finding: Finding | None
    both_moved: bool
    crawford: bool


class _Stop(Exception):  # noqa: N818
    """The replay ends here, with a verdict and what it found."""

    verdict: ClassVar[Verdict]
    severity: ClassVar[Severity]

    def __init__(
        self,
        code: str,
        rule: str,
        template: str,
        game: int | None,
        row: int | None = None,
        params: Mapping[str, object] | None = None,
    ) -> None:
        self.finding = Finding(code, self.severity, game, row, template, params or {}, rule)


class _Refused(_Stop):
    verdict = Verdict.REFUSED
    severity = Severity.ERROR


class _Doubtful(_Stop):
    verdict = Verdict.QUARANTINED
    severity = Severity.WARNING


def verify(data: bytes, profile: RuleProfile = WBGF, reader: Callable[[bytes], MatchRecord] = loads) -> Replay:
    """The replay of a record in bytes. Never raises for what the bytes hold: what cannot be read is REFUSED."""
    try:
        record = reader(data)
    except RecordError as error:
        return refused(error)
    return replay(record, profile)


def refused(error: RecordError) -> Replay:
    """The replay of a record that could not even be read."""
    return Replay(
        Verdict.REFUSED,
        length=0,
        names=("", ""),
        games=(),
        plays=0,
        score=MatchScore(0),
        finding=error.finding,
        both_moved=False,
        crawford=True,
    )


def replay(record: MatchRecord, profile: RuleProfile = WBGF) -> Replay:
    """The record played again: every heading, roll, play, cube action and result is held against the rules."""
    match = _Match(record, profile)
    try:
        match.play()
        match.check_names()
    except _Stop as stop:
        return match.judged(stop.verdict, stop.finding)
    return match.judged(Verdict.PROVED if match.score.over else Verdict.INCOMPLETE, None)


@dataclass(slots=True)
class _Match:
    """The replay of a match so far."""

    record: MatchRecord
    profile: RuleProfile
    score: MatchScore = field(init=False)
    games: list[GameResult] = field(default_factory=list)
    plays: int = 0
    moved: set[Side] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.score = MatchScore(self.record.length, crawford=self.record.crawford)

    def judged(self, verdict: Verdict, finding: Finding | None) -> Replay:
        return Replay(
            verdict=verdict,
            length=self.record.length,
            names=self.record.names,
            games=tuple(self.games),
            plays=self.plays,
            score=self.score,
            finding=finding,
            both_moved=len(self.moved) == 2,
            crawford=self.record.crawford,
        )

    def play(self) -> None:
        """Plays every game; stops at the first place that does not hold."""
        for game in self.record.games:
            self._check_heading(game)
            result = _Game(self, game).result()
            if result is not None:
                self.score = self.score.after(result.winner, result.points)
                self.games.append(result)

    def check_names(self) -> None:
        left, right = self.record.names
        if not (left and right):
            template = gettext_noop("A player has no name, so the result cannot be given to anybody.")
            raise _Doubtful("name_missing", "record", template, None)
        if left == right:
            template = gettext_noop("Both players are called %(name)s, so the result cannot be given to one of them.")
            raise _Doubtful("names_equal", "record", template, None, params={"name": left})
        if (self.record.tags.get("Player 1"), self.record.tags.get("Player 2")) == (right, left):
            template = gettext_noop(
                "The remarks call %(right)s player 1, but the games have %(left)s in the first column."
            )
            raise _Doubtful("names_exchanged", "record", template, None, params={"left": left, "right": right})

    def _check_heading(self, game: GameRecord) -> None:
        a, b = self.score.a, self.score.b
        if self.score.over:
            template = gettext_noop("The match was already over at %(a)s-%(b)s; no game follows.")
            raise _Refused("game_after_match_over", "I8", template, game.number, params={"a": a, "b": b})
        if game.names != self.record.names:
            template = gettext_noop("The game is headed %(left)s v. %(right)s, the match %(first)s v. %(second)s.")
            names = dict(zip(("left", "right", "first", "second"), game.names + self.record.names, strict=True))
            raise _Refused("names_changed", "I14", template, game.number, params=names)
        if game.score != (a, b):
            template = gettext_noop("The game is headed %(left)s-%(right)s, but the score before it is %(a)s-%(b)s.")
            scores = {"left": game.score[0], "right": game.score[1], "a": a, "b": b}
            raise _Refused("score_mismatch", "I14", template, game.number, params=scores)


class _Game:
    """One game of a record, played again."""

    def __init__(self, match: _Match, record: GameRecord) -> None:
        self.match = match
        self.record = record
        self.number = record.number
        self.last = record is match.record.games[-1]
        self.begun = GameState.begin(match.score, match.profile)
        self.turned: tuple[Position, Side] | None = None
        self.unplayed: tuple[int, Turn] | None = None
        self.printed: list[tuple[int, Won | Lost]] = []

    @property
    def state(self) -> GameState:
        """The game so far."""
        if self.turned is not None:
            position, on_roll = self.turned
            self.begun = replace(self.begun, position=position, on_roll=on_roll)
            self.turned = None
        return self.begun

    @state.setter
    def state(self, state: GameState) -> None:
        self.begun = state

    def result(self) -> GameResult | None:
        """The result of the game; None if the record stops in it, which only the last game may."""
        for line in self.record.lines:
            self._read(line)
        if self.printed:
            return self._settled()
        self._check_unplayed()
        if self.state.result is None and not self.last:
            template = gettext_noop("The game has no end, yet another game follows.")
            row = self.record.lines[-1].row if self.record.lines else None
            raise _Refused("game_unfinished", "I14", template, self.number, row)
        return self.state.result

    def _read(self, line: Line) -> None:
        action = line.action
        if isinstance(action, Won | Lost):
            if any(type(earlier) is type(action) for _, earlier in self.printed):
                raise self._over_already(line.row)
            self.printed.append((line.row, action))
            return
        if self.printed:
            raise self._over_already(line.row)
        self._check_unplayed()
        if isinstance(action, Turn):
            self._turn(line.row, action)
        else:
            self._advance(line.row, action)

    def _turn(self, row: int, turn: Turn) -> None:
        if self._plainly_turned(turn):
            return
        self._advance(row, Rolled(turn.side, turn.dice))
        if turn.play is not None:
            self._play(row, turn.side, turn.play)
        elif must_pass(self.state.position, turn.dice, self.match.profile):
            self._play(row, turn.side, ())
        else:
            self.unplayed = row, turn

    def _plainly_turned(self, turn: Turn) -> bool:
        """True if this is a whole turn that breaks no rule and after which the game goes on; then it is made.

        Only the board and the side on roll change by it, so that no state is made of every turn of a game.
        """
        position, on_roll = self.turned or (self.begun.position, self.begun.on_roll)
        if self.begun.stage is not Stage.TURN or turn.side is not on_roll or self.begun.spent:
            return False
        try:
            after = judge_play(position, turn.dice, turn.play or (), self.match.profile)
        except (RefusedPlay, UnclearPlay):
            return False
        if won_level(after, self.match.profile) is not None:
            return False
        self.turned = after.swapped(), turn.side.other
        self._count_play(turn.side)
        return True

    def _play(self, row: int, side: Side, play: Play) -> None:
        self._advance(row, Played(side, play))
        self._count_play(side)

    def _count_play(self, side: Side) -> None:
        self.match.plays += 1
        self.match.moved.add(side)

    def _advance(self, row: int, event: Event) -> None:
        try:
            self.state = self.state.apply(event)
        except UnclearPlay as error:
            raise _Doubtful(error.code, error.rule, error.template, self.number, row, error.params) from None
        except (IllegalAction, RefusedPlay) as error:
            raise _Refused(error.code, error.rule, error.template, self.number, row, error.params) from None

    def _check_unplayed(self) -> None:
        """Stops if a roll that could have been played was not: only a resignation by its player explains that."""
        if self.unplayed is None:
            return
        row, turn = self.unplayed
        if turn.unknown:
            template = gettext_noop("The record does not know what was played with this roll.")
            raise _Doubtful("play_unknown", "I13", template, self.number, row)
        self._play(row, turn.side, ())

    def _over_already(self, row: int) -> _Refused:
        return _Refused("game_over", "I8", gettext_noop("The game is already over."), self.number, row)

    def _settled(self) -> GameResult:
        """The game's result, held against what the record prints as its result."""
        row, winner, points = self._printed_result()
        if self.state.result is None:
            self._resign(row, winner, points)
        result = self.state.result
        if result is None or result.winner is not winner:
            template = gettext_noop("The record gives the game to the side that lost it.")
            raise _Refused("result_winner", "I13", template, self.number, row)
        self._check_match_won(row, result, points)
        self._check_points(row, result, points)
        return result

    def _printed_result(self) -> tuple[int, Side, int]:
        """The row, the winner and the points of the printed result."""
        row = self.printed[-1][0]
        winners = {action.side if isinstance(action, Won) else action.side.other for _, action in self.printed}
        points = {action.points for _, action in self.printed}
        if len(winners) > 1:
            template = gettext_noop("The record writes a win and a loss into the same player's column.")
            raise _Doubtful("result_contradiction", "I13", template, self.number, row)
        if len(points) > 1:
            template = gettext_noop("The points that the record writes for the win and for the loss differ.")
            raise _Refused("result_points", "I4", template, self.number, row)
        return row, winners.pop(), points.pop()

    def _resign(self, row: int, winner: Side, points: int) -> None:
        """Ends a game that was given up; the level of the resignation follows from the printed points."""
        if self.state.stage is Stage.OPENING:
            template = gettext_noop("The record awards the game before its first roll.")
            stop = _Doubtful if self.last else _Refused
            raise stop("game_awarded", "I13", template, self.number, row)
        if self.unplayed is not None and self.unplayed[1].side is winner:
            self._check_unplayed()
        cube = self.state.cube.value
        level = Level.SINGLE if points <= cube else Level.GAMMON if points <= 2 * cube else Level.BACKGAMMON
        self._advance(row, Resigned(winner.other, level))

    def _check_match_won(self, row: int, result: GameResult, points: int) -> None:
        """Stops if the record says that the match is won and neither board nor printed points reach its length."""
        says_so = any(isinstance(action, Won) and action.match for _, action in self.printed)
        if says_so and max(result.points, points) < self._away(result):
            template = gettext_noop("The record says that this game won the match, but %(away)s points were needed.")
            raise _Refused("match_not_won", "I8", template, self.number, row, {"away": self._away(result)})

    def _check_points(self, row: int, result: GameResult, points: int) -> None:
        """Stops if the printed points are not those of the result, nor what of them was still needed.

        In the last game, more than any game at this cube is worth breaks no rule but is beyond vouching for.
        """
        if points in self._printable(result.points, result):
            return
        params = {"points": points, "cube": result.cube, "right": result.points}
        if len(self.match.record.games) == 1 and points == result.cube == 1 and result.points < self._away(result):
            template = gettext_noop(
                "The record prints 1 point for a game that a match counts as %(right)s: "
                "it looks like a single money game under the Jacoby rule."
            )
            raise _Doubtful("jacoby_result", "I11", template, self.number, row, params)
        most = result.cube * max(self.match.profile.multipliers)
        if not self.last or points <= most:
            template = gettext_noop("The points that the record prints, %(points)s, are not the %(right)s of the game.")
            raise _Refused("result_points", "I4", template, self.number, row, params)
        if points == self._away(result):
            template = gettext_noop(
                "The record awards the %(points)s points that the winner needed, "
                "which no game with the cube at %(cube)s is worth."
            )
            raise _Doubtful("result_awarded", "I4", template, self.number, row, params)
        template = gettext_noop(
            "The record prints %(points)s points, which no game with the cube at %(cube)s is worth."
        )
        raise _Doubtful("result_unexplained", "I4", template, self.number, row, params)

    def _printable(self, points: int, result: GameResult) -> set[int]:
        """What records print for a game of these points: all of them, or no more than the winner or anybody needs."""
        away = self._away(result)
        return {points} if points < away else {points, away, min(points, self.match.score.length)}

    def _away(self, result: GameResult) -> int:
        return self.match.score.away(result.winner)
