"""The replay of one game of a match record under the rules, action by action."""

from collections.abc import Callable, Sequence
from typing import Protocol

from rules.actions import ActionFault, Event, IllegalAction, Played, Resigned, Rolled, Took
from rules.answers import Offer, Stage
from rules.errors import Finding, gettext_noop
from rules.game import GameState
from rules.notation import Play
from rules.outcome import won_level
from rules.plain import made_by_steps
from rules.plays import RefusedPlay, UnclearPlay, judge_play, legal_plays, must_pass
from rules.position import BAR, CHECKERS, COUNT, OFF, Position
from rules.profiles import RuleProfile, Variants
from rules.records.record import Action, GameRecord, Line, Lost, MatchRecord, SetUp, Turn, Won
from rules.records.verdict import Doubtful, Refused, note
from rules.score import Ending, Level, MatchScore, Side
from rules.sheet import GameResult


class MatchSoFar(Protocol):
    """What a game needs to know about its match, and what it adds to it.

    `watch` is called with the game before its first line, and with every line that holds.
    """

    record: MatchRecord
    profile: RuleProfile
    variants: Variants
    score: MatchScore
    plays: int
    moved: set[Side]
    doubts: list[Doubtful]
    notes: list[Finding]
    given_up: list[int]
    gave_up: Side | None
    watch: Callable[["GameReplay", Line | None], None] | None


class GameReplay:
    """The replay of one game of a record."""

    def __init__(self, match: "MatchSoFar", record: GameRecord) -> None:
        self.match = match
        self.record = record
        self.number = record.number
        self.last = record is match.record.games[-1]
        self.state = GameState.begin(match.score, match.profile, match.variants)
        self.unplayed: tuple[int, Turn] | None = None
        self.printed: list[tuple[int, Won | Lost]] = []

    def result(self) -> GameResult | None:
        """Return the result of the game; None if the record ends during it, which is allowed only in the last game."""
        lines, read, watch = self.record.lines, 0, self.match.watch
        if watch is not None:
            watch(self, None)
        while read < len(lines):
            turns = self._plain_turns(lines[read:]) if watch is None else 0
            if not turns:
                self._read(lines[read])
                if watch is not None:
                    watch(self, lines[read])
            read += turns or 1
        if self.printed:
            return self._settled()
        if self.unplayed is not None and self.last:
            template = gettext_noop("The record stops after the roll of %(roll)s, and does not say how it was played.")
            at, turn = self.unplayed
            roll = f"{turn.dice[0]}{turn.dice[1]}"
            self.match.notes.append(note("stops_after_roll", template, self.number, at, roll=roll))
            return None
        self._check_unplayed()
        if self.state.result is None and not self.last:
            template = gettext_noop("The game is unfinished, but another game follows it.")
            row = self.record.lines[-1].row if self.record.lines else None
            raise Refused("game_unfinished", "I14", template, self.number, row)
        return self.state.result

    def _read(self, line: Line) -> None:
        action = line.action
        if isinstance(action, Won | Lost):
            if any(type(earlier) is type(action) and earlier.points for _, earlier in self.printed):
                raise self._over_already(line.row)
            self.printed.append((line.row, action))
            return
        if self.printed:
            raise self._over_already(line.row)
        if isinstance(action, SetUp):
            template = gettext_noop("The position was set up by hand here, so what follows proves nothing.")
            raise Doubtful("set_up", "record", template, self.number, line.row)
        self._check_unplayed()
        if isinstance(action, Turn):
            self._turn(line.row, action)
        else:
            self._advance(line.row, action)

    def _plain_turns(self, lines: Sequence[Line]) -> int:
        """Play the leading lines that are whole turns, break no rule and cannot end the game; return their number.

        They change only the board and the side on roll, so not every turn needs a state of its own.
        """
        mover = self._next_mover(lines[0].action)
        if mover is None:
            return 0
        mine, theirs = self.state.position
        other, turns = mover.other, 0
        for _, turn in lines:
            if type(turn) is not Turn:
                break
            side, _, play, _, accepted = turn
            if side is not mover or accepted is not None:
                break
            borne_off = mine & COUNT
            if play and borne_off + len(play) >= CHECKERS:
                break
            steps = turn.steps
            after = made_by_steps(mine, theirs, steps) if steps else None
            after = after or self._judged(Position(mine, theirs), turn)
            if after is None:
                break
            theirs, mine = after
            mover, other = other, mover
            turns += 1
        if turns:
            self.match.moved.update((mover, other) if turns > 1 else (other,))
            self.match.plays += turns
            self.state = self.state.turn(Position(mine, theirs), mover)
        return turns

    def _next_mover(self, action: Action) -> Side | None:
        """Return the side whose whole turn is next; None if something else is, or the action cannot open the game."""
        state = self.state
        if type(action) is not Turn or self.printed or self.unplayed or state.spent:
            return None
        if state.stage is Stage.TURN:
            return state.on_roll
        if state.stage is not Stage.OPENING:
            return None
        first, second = action.dice
        return action.side if first != second or self.match.profile.first_roll_may_be_double else None

    def _judged(self, position: Position, turn: Turn) -> Position | None:
        """Return the position after the turn; None if it breaks a rule."""
        if not turn.play:
            return position if must_pass(position, turn.dice, self.match.profile) else None
        try:
            return judge_play(position, turn.dice, turn.play, self.match.profile)
        except (RefusedPlay, UnclearPlay):
            return None

    def _turn(self, row: int, turn: Turn) -> None:
        if self.state.offer in (Offer.BEAVER, Offer.RACCOON) and self.state.offered_by is not None:
            self._advance(row, Took(self.state.offered_by.other))
        self._advance(row, Rolled(turn.side, turn.dice))
        if turn.after is not None:
            self._accept(row, turn, turn.after)
        elif turn.play is not None:
            self._play(row, turn.side, turn.play)
        elif must_pass(self.state.position, turn.dice, self.match.profile):
            self._play(row, turn.side, ())
        else:
            self.unplayed = row, turn

    def _play(self, row: int, side: Side, play: Play) -> None:
        self._advance(row, Played(side, play))
        self._count_play(side)

    def _count_play(self, side: Side) -> None:
        self.match.plays += 1
        self.match.moved.add(side)

    def _accept(self, row: int, turn: Turn, after: Position) -> None:
        """Continue from the position after a play that the record calls illegal, as the opponent did.

        Only the record knows what was moved, so the replay cannot vouch for the match. Source: S2 (dbf), row 59.
        """
        before = self.state.position
        if after in legal_plays(before, turn.dice, self.match.profile):
            template = gettext_noop(
                "The record calls the play of %(roll)s illegal, but a legal play leads to this position."
            )
            code = "play_legal"
        else:
            template = gettext_noop("The play of %(roll)s was illegal, and the record says that it was accepted.")
            code = "illegal_play"
        roll = {"roll": f"{turn.dice[0]}{turn.dice[1]}"}
        self.match.doubts.append(Doubtful(code, "row 59", template, self.number, row, roll))
        theirs, left = before.swapped(), after.swapped()
        hits = all(left.checkers(point) <= theirs.checkers(point) for point in range(1, BAR))
        if not hits or left.checkers(OFF) != theirs.checkers(OFF):
            template = gettext_noop(
                "After the illegal play the opponent's checkers are where no hit could have put them."
            )
            raise Refused("illegal_play_position", "row 59", template, self.number, row)
        if won_level(after, self.match.profile) is not None:
            raise self.match.doubts[-1]
        self.state = self.state._replace(position=left, on_roll=turn.side.other, stage=Stage.TURN, roll=None)
        self.match.plays += 1
        self.match.moved.add(turn.side)

    def _advance(self, row: int, event: Event) -> None:
        try:
            self.state = self.state.apply(event)
        except UnclearPlay as error:
            raise Doubtful(error.code, error.rule, error.template, self.number, row, error.params) from None
        except (IllegalAction, RefusedPlay) as error:
            if error.code == ActionFault.GAME_OVER:
                raise self._over_already(row) from None
            raise Refused(error.code, error.rule, error.template, self.number, row, error.params) from None

    def _check_unplayed(self) -> None:
        """Stop if a roll that could have been played was not: only a resignation by its player explains that."""
        if self.unplayed is None:
            return
        row, turn = self.unplayed
        if turn.unknown:
            template = gettext_noop("The record does not say how this roll was played.")
            raise Doubtful("play_unknown", "I13", template, self.number, row)
        self._play(row, turn.side, ())

    def _over_already(self, row: int) -> Refused:
        template = gettext_noop("The game is already over.")
        if self.state.result is not None and self.state.result.ending is Ending.DROP:
            template = gettext_noop("The game is already over: the double was refused.")
        return Refused(ActionFault.GAME_OVER, "I8", template, self.number, row)

    def _settled(self) -> GameResult:
        """Return the game's result, checked against the result that the record gives."""
        row, winner, points = self._printed_result()
        if self.state.result is None:
            self._resign(row, winner, points)
        result = self.state.result
        if result is None or result.winner is not winner:
            template = gettext_noop("The record gives the game to the side that lost it.")
            raise Refused("result_winner", "I13", template, self.number, row)
        self._check_match_won(row, result, points)
        self._check_points(row, result, points)
        return result

    def _printed_result(self) -> tuple[int, Side, int]:
        """Return the row, the winner and the points of the result that the record gives."""
        row = self.printed[-1][0]
        winners = {action.side if isinstance(action, Won) else action.side.other for _, action in self.printed}
        said = {action.points for _, action in self.printed if isinstance(action, Won) or action.points}
        points = said or {self._gained()}
        if len(winners) > 1:
            winners = {self._only_winner(row, max(points))}
        if len(points) > 1:
            template = gettext_noop("The record gives different points for the win and for the loss.")
            raise Refused("result_points", "I4", template, self.number, row)
        if not said and points == {0}:
            template = gettext_noop("The record says that the game was given up, but not for how many points.")
            raise Doubtful("resignation_level", "I13", template, self.number, row)
        return row, winners.pop(), points.pop()

    def _only_winner(self, row: int, points: int) -> Side:
        """Return who won a game whose win and loss are in the same player's column, if only one of them can have."""
        able = [self.state.result.winner] if self.state.result else list(Side)
        if self.unplayed is not None:
            able = [side for side in able if side is not self.unplayed[1].side]
        gained = self._score_after()
        if gained is not None:
            able = [side for side in able if gained[0 if side is Side.A else 1] > 0]
        if any(isinstance(action, Won) and action.match for _, action in self.printed):
            able = [side for side in able if points >= self.match.score.away(side)]
        is_known = len(able) > 1 and self.match.gave_up is not None
        if is_known:
            able = [side for side in able if side is not self.match.gave_up]
        if len(able) != 1:
            template = gettext_noop(
                "The record has a win and a loss in the same player's column, so who gave up is not certain."
            )
            raise Doubtful("result_contradiction", "I13", template, self.number, row)
        template = (
            gettext_noop(
                "The record has a win and a loss in the same player's column; that %(winner)s won is known from "
                "elsewhere."
            )
            if is_known
            else gettext_noop(
                "The record has a win and a loss in the same player's column, but only %(winner)s can have won."
            )
        )
        winner = self.record.names[0 if able[0] is Side.A else 1]
        self.match.notes.append(note("result_column", template, self.number, row, winner=winner))
        return able[0]

    def _score_after(self) -> tuple[int, int] | None:
        """Return what each side gained by the heading of the next game; None if there is none."""
        games = self.match.record.games
        following = next((game for game in games if game.number == self.number + 1), None)
        if following is None:
            return None
        return following.score[0] - self.match.score.a, following.score[1] - self.match.score.b

    def _gained(self) -> int:
        """Return the points of the game by the heading of the next one; 0 without one."""
        return max(self._score_after() or (0, 0))

    def _resign(self, row: int, winner: Side, points: int) -> None:
        """End a game that was given up, deriving the level of the resignation from the points in the record."""
        if self.state.stage is Stage.OPENING:
            template = gettext_noop("The record awards the game before its first roll.")
            stop = Doubtful if self.last else Refused
            raise stop("game_awarded", "I13", template, self.number, row)
        if self.unplayed is not None and self.unplayed[1].side is winner:
            self._check_unplayed()
        cube = self.state.cube.value
        level = Level.SINGLE if points <= cube else Level.GAMMON if points <= 2 * cube else Level.BACKGAMMON
        self._advance(row, Resigned(winner.other, level))
        self.match.given_up.append(self.number)

    def _check_match_won(self, row: int, result: GameResult, points: int) -> None:
        """Stop if the record says that the match is won, but neither board nor printed points reach its length."""
        says_so = any(isinstance(action, Won) and action.match for _, action in self.printed)
        if says_so and not self.match.score.length:
            template = gettext_noop("The record says that this game won the match, but a money session is not a match.")
            raise Refused("match_not_won", "I8", template, self.number, row)
        if says_so and max(result.points, points) < self._away(result):
            template = gettext_noop("The record says that this game won the match, but %(away)s points were needed.")
            raise Refused("match_not_won", "I8", template, self.number, row, {"away": self._away(result)})

    def _check_points(self, row: int, result: GameResult, points: int) -> None:
        """Stop if the points in the record are neither those of the result nor what was still needed of them.

        In the last game, more points than any game at this cube is worth break no rule, but cannot be vouched for.
        """
        if points in self._printable(result):
            return
        params = {"points": points, "cube": result.cube, "right": result.points}
        money = self.match.score.length == 0
        alone = not money and len(self.match.record.games) == 1
        if alone and points == result.cube == 1 and result.points < self._away(result):
            template = gettext_noop(
                "The record gives 1 point for a game that would be worth %(right)s in a match: it looks like one "
                "game of money play under the Jacoby rule."
            )
            raise Doubtful("jacoby_result", "I11", template, self.number, row, params)
        most = result.cube * max(self.match.profile.multipliers)
        if not self.last or points <= most:
            template = gettext_noop("The record gives %(points)s points for the game, but it was worth %(right)s.")
            if 2 * points == result.cube and self._ends_with_a_take():
                template = gettext_noop(
                    "The record says that the double was accepted, but it scores the game at %(points)s, as if the "
                    "double had been refused; the game was worth %(right)s."
                )
            raise Refused("result_points", "I4", template, self.number, row, params)
        if not money and points == self._away(result):
            template = gettext_noop(
                "The record awards the %(points)s points that the winner needed, "
                "but no game with the cube at %(cube)s is worth that."
            )
            raise Doubtful("result_awarded", "I4", template, self.number, row, params)
        template = gettext_noop(
            "The record gives %(points)s points, but no game with the cube at %(cube)s is worth that."
        )
        raise Doubtful("result_unexplained", "I4", template, self.number, row, params)

    def _ends_with_a_take(self) -> bool:
        """Whether the last thing done in the game, before its result, was to accept a double."""
        done = [line.action for line in self.record.lines if not isinstance(line.action, Won | Lost)]
        return bool(done) and isinstance(done[-1], Took)

    def _printable(self, result: GameResult) -> set[int]:
        """Return what records give for a game: all its points or, in a match, no more than a side needs."""
        points = result.points
        if not self.match.score.length:
            return {points}
        away = self._away(result)
        return {points} if points < away else {points, away, min(points, self.match.score.length)}

    def _away(self, result: GameResult) -> int:
        return self.match.score.away(result.winner)
