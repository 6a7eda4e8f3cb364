"""One game as a fold over what the players do: opening, turns, cube, disputes at the board, resignation."""

from itertools import product
from typing import Final, NamedTuple, Self

from rules import cube
from rules.actions import (
    ActionFault,
    Beavered,
    Doubled,
    Dropped,
    EarlyRollJudged,
    Event,
    IllegalAction,
    InvalidRoll,
    OpeningThrow,
    Played,
    PlayedIllegally,
    Raccooned,
    RedoDemanded,
    Resigned,
    Rolled,
    RolledEarly,
    Took,
    not_now,
)
from rules.answers import ANSWERS, UNANSWERED, Offer, Stage
from rules.cube import CENTRED, Cube, CubeFault, double_fault
from rules.outcome import won_level
from rules.plays import Roll, judge_play, legal_plays
from rules.position import BAR, CHECKERS, OFF, START, Position, count
from rules.profiles import (
    USUAL,
    VARIANT_TEMPLATES,
    DoubleTiming,
    IllegalMove,
    Opening,
    Resignation,
    RuleProfile,
    Variants,
    variant_fault,
)
from rules.score import Ending, Level, MatchScore, Side
from rules.sheet import GameResult

JACQUET_START: Final = Position.of({BAR: CHECKERS}, {BAR: CHECKERS})
"""The start with all thirty checkers still to be entered. Source: S0 (dk-leaflet), "Jacqet"."""

FACES: Final = frozenset(range(1, 7))
ROLLS: Final = frozenset(product(FACES, repeat=2))
"""Every roll of two dice, in either order."""

OPPONENT_DECIDES: Final = frozenset({IllegalMove.ACCEPT_OR_REDO_ALL, IllegalMove.RESPONSIBLE_MOVES})
"""The rules under which the opponent may accept an illegal play."""


class GameState(NamedTuple):
    """A game begun at `score`, after the events so far.

    `position` is seen by `on_roll`, the side whose turn it is; before the opening roll there is none. While a double
    stands, `offered_by` is the side that made it and the other side must answer; `cube` is then what a drop pays.
    `spent` holds the sides that can no longer double because they threw dice that do not count. `disputed` is the board
    that an illegal play left, seen by its player, until the opponent has accepted it or had it played again. `early` is
    a roll thrown before this turn was over, waiting to be judged (stage EARLY) or judged to stand. `ties` counts the
    ties of the opening throw. `result` is set when `stage` is OVER.
    """

    profile: RuleProfile
    score: MatchScore
    position: Position = START
    on_roll: Side | None = None
    cube: Cube = CENTRED
    stage: Stage = Stage.OPENING
    roll: Roll | None = None
    offered_by: Side | None = None
    result: GameResult | None = None
    variants: Variants = USUAL
    offer: Offer | None = None
    spent: frozenset[Side] = frozenset()
    disputed: Position | None = None
    early: Roll | None = None
    ties: int = 0

    @classmethod
    def begin(cls, score: MatchScore, profile: RuleProfile, variants: Variants = USUAL) -> Self:
        """Begin a game, which then waits for its opening roll.

        Raises ValueError if the match is over, and for a variant that is not allowed.
        """
        if score.over:
            raise ValueError("The match is over: no game can follow.")
        fault = variant_fault(variants, profile, score.length)
        if fault is not None:
            raise ValueError(VARIANT_TEMPLATES[fault])
        start = JACQUET_START if variants.jacquet else START
        return cls(profile=profile, score=score, position=start, variants=variants)

    def apply(self, event: Event) -> "GameState":
        """Return the state after the event.

        Raises IllegalAction for an event that is not allowed now, and RefusedPlay or UnclearPlay for a play.
        """
        if self.stage in ANSWERS and not isinstance(event, ANSWERS[self.stage]):
            raise not_now(UNANSWERED[self.stage])
        match event:
            case Rolled():
                return self._rolled(event)
            case Played():
                return self._played(event)
            case Doubled():
                return self._doubled(event)
            case Took():
                return self._took(event)
            case Dropped():
                return self._dropped(event)
            case OpeningThrow():
                return self._thrown(event)
            case Beavered():
                return self._beavered(event)
            case Raccooned():
                return self._raccooned(event)
            case Resigned():
                return self._resigned(event)
            case InvalidRoll():
                return self._rolled_invalidly(event)
            case RolledEarly():
                return self._rolled_early(event)
            case EarlyRollJudged():
                return self._early_judged(event)
            case PlayedIllegally():
                return self._played_illegally(event)
            case RedoDemanded():
                return self._redo_demanded(event)

    def _thrown(self, event: OpeningThrow) -> "GameState":
        if self.stage is not Stage.OPENING:
            raise not_now(ActionFault.OPENING_DECIDED)
        number = 2 if self.profile.opening is Opening.TWO_DICE_HIGHEST_TOTAL else 1
        for thrown in (event.a, event.b):
            if len(thrown) != number:
                raise not_now(ActionFault.OPENING_DICE, count=len(thrown))
            if not FACES.issuperset(thrown):
                raise not_now(ActionFault.NO_SUCH_DICE)
        if sum(event.a) == sum(event.b):
            ties = self.ties + 1
            doubles = ties <= self.variants.automatic_doubles and not self._at_cap(self.cube.value)
            return self._replace(ties=ties, cube=Cube(self.cube.value * 2) if doubles else self.cube)
        starts, dice = (Side.A, event.a) if sum(event.a) > sum(event.b) else (Side.B, event.b)
        first, second = dice if number == 2 else event.a + event.b
        return self._replace(on_roll=starts, stage=Stage.ROLLED, roll=(first, second))

    def _rolled(self, event: Rolled) -> "GameState":
        if event.dice not in ROLLS:
            raise not_now(ActionFault.NO_SUCH_DICE)
        if self.stage is Stage.OPENING:
            if event.dice[0] == event.dice[1] and not self.profile.first_roll_may_be_double:
                raise not_now(ActionFault.OPENING_DOUBLE)
            return self._turn(self.position, event.side, event.dice)
        if self.stage is Stage.ILLEGAL:
            if self.early is not None and event.dice != self.early:
                raise not_now(ActionFault.ALREADY_ROLLED)
            return self._accepted(event.side)._rolled(event)
        if event.side is not self.on_roll:
            raise not_now(ActionFault.WRONG_TURN)
        if self.stage is Stage.ROLLED:
            raise not_now(ActionFault.ALREADY_ROLLED)
        return self._turn(self.position, event.side, event.dice)

    def _rolled_invalidly(self, event: InvalidRoll) -> "GameState":
        """Let the dice be thrown again, but with no chance to double beforehand.

        Source: S2 (dbf), "Dobleterningen": after an invalid roll the chance to double is gone for this turn.
        """
        if self.stage is Stage.OPENING:
            return self
        if event.side is not self.on_roll:
            raise not_now(ActionFault.WRONG_TURN)
        if self.stage is Stage.ROLLED:
            raise not_now(ActionFault.ALREADY_ROLLED)
        return self._replace(spent=self.spent | {event.side})

    def _rolled_early(self, event: RolledEarly) -> "GameState":
        if self.stage is not Stage.ROLLED or event.side is self.on_roll or self.early is not None:
            raise not_now(ActionFault.NO_EARLY_ROLL)
        if event.dice not in ROLLS:
            raise not_now(ActionFault.NO_SUCH_DICE)
        return self._replace(stage=Stage.EARLY, early=event.dice)

    def _early_judged(self, event: EarlyRollJudged) -> "GameState":
        """Let the early roll stand or not, as the opponent chooses. Source: S2 (dbf), "Ugyldige slag & ulovlige ryk".

        A roll that is called back was thrown all the same, so its side may not double in the coming turn.
        """
        if self.stage is not Stage.EARLY:
            raise not_now(ActionFault.NO_EARLY_ROLL)
        if event.side is not self.on_roll:
            raise not_now(ActionFault.WRONG_TURN)
        if event.stands:
            return self._replace(stage=Stage.ROLLED)
        return self._replace(stage=Stage.ROLLED, early=None, spent=self.spent | {event.side.other})

    def _played(self, event: Played) -> "GameState":
        if self.on_roll is not None and event.side is not self.on_roll:
            raise not_now(ActionFault.WRONG_TURN)
        if self.roll is None:
            raise not_now(ActionFault.NOT_ROLLED_YET)
        after = judge_play(self.position, self.roll, event.play, self.profile)
        level = won_level(after, self.profile)
        if level is not None:
            return self._over(event.side, self.cube.value, level, Ending.BEAROFF, position=after)
        return self._handed_on(event.side, after)

    def _played_illegally(self, event: PlayedIllegally) -> "GameState":
        """Wait for the opponent's answer to the illegal play. Source: S2 (dbf), "Ugyldige slag & ulovlige ryk".

        Raises ValueError if the board does not hold fifteen checkers of each side.
        """
        if self.stage is Stage.OPENING or event.side is not self.on_roll:
            raise not_now(ActionFault.WRONG_TURN)
        if self.roll is None:
            raise not_now(ActionFault.NOT_ROLLED_YET)
        if self.profile.illegal_move is IllegalMove.UNSTATED:
            raise not_now(ActionFault.ILLEGAL_PLAY_UNSTATED)
        _check_checkers(event.position)
        if event.position in (legal_plays(self.position, self.roll, self.profile) or {self.position}):
            raise not_now(ActionFault.PLAY_IS_LEGAL)
        return self._replace(stage=Stage.ILLEGAL, disputed=event.position)

    def _redo_demanded(self, event: RedoDemanded) -> "GameState":
        if self.stage is not Stage.ILLEGAL:
            raise not_now(ActionFault.NO_ILLEGAL_PLAY)
        if event.side is self.on_roll:
            raise not_now(ActionFault.WRONG_TURN)
        return self._replace(stage=Stage.ROLLED, disputed=None)

    def _accepted(self, side: Side) -> "GameState":
        """Return the turn of `side`, which accepts the illegal play by beginning it."""
        if self.disputed is None or side is self.on_roll:
            raise not_now(ActionFault.ILLEGAL_PLAY_UNANSWERED)
        ends = won_level(self.disputed, self.profile) is not None
        if ends or self.profile.illegal_move not in OPPONENT_DECIDES:
            raise not_now(ActionFault.ILLEGAL_PLAY_NOT_ACCEPTABLE)
        after = self._replace(early=None, disputed=None)._handed_on(side.other, self.disputed)
        return after if self.early is None else after._replace(spent=after.spent | {side})

    def _handed_on(self, side: Side, after: Position) -> "GameState":
        """Return the opponent's turn after ``side`` left the board as ``after``, with any early roll as its roll."""
        state = self._turn(after.swapped(), side.other, self.early)
        return state._replace(spent=state.spent - {side}) if state.spent else state

    def turn(self, position: Position, on_roll: Side) -> "GameState":
        """Return the turn of this side, before its roll, after plays that left the board so."""
        return self._turn(position, on_roll, None)

    def _turn(self, position: Position, on_roll: Side, roll: Roll | None) -> "GameState":
        """Return a turn in which nothing awaits an answer, before or after the roll. Most states are created here."""
        return GameState(
            profile=self.profile,
            score=self.score,
            position=position,
            on_roll=on_roll,
            cube=self.cube,
            stage=Stage.TURN if roll is None else Stage.ROLLED,
            roll=roll,
            variants=self.variants,
            spent=self.spent,
            ties=self.ties,
        )

    def _doubled(self, event: Doubled) -> "GameState":
        if self.stage is Stage.OPENING:
            raise not_now(ActionFault.OPENING_ROLL_FIRST)
        if self.stage is Stage.DOUBLED:
            return self._redoubled(event)
        if self.stage is Stage.ILLEGAL:
            return self._accepted(event.side)._doubled(event)
        if self.profile.double_timing is DoubleTiming.BEFORE_OWN_ROLL:
            if event.side is not self.on_roll:
                raise not_now(ActionFault.WRONG_TURN)
            if self.stage is Stage.ROLLED:
                raise not_now(ActionFault.DOUBLE_AFTER_ROLL)
            if event.side in self.spent:
                raise not_now(ActionFault.DOUBLE_CHANCE_GONE)
        self._check_double(self.cube, event.side, event.value)
        return self._replace(stage=Stage.DOUBLED, offered_by=event.side, offer=Offer.DOUBLE)

    def _redoubled(self, event: Doubled) -> "GameState":
        """Offer the double back at twice the value.

        Source: S0 (dk-leaflet), "Doblerterningen": the side may also redouble; a refusal then pays the first double.
        """
        if not self.profile.immediate_redouble or self.offer not in (Offer.DOUBLE, Offer.REDOUBLE):
            raise not_now(ActionFault.DOUBLE_UNANSWERED)
        self._check_answer(event.side)
        taken = self.cube.taken(event.side)
        self._check_double(taken, event.side, event.value)
        return self._replace(cube=taken, offered_by=event.side, offer=Offer.REDOUBLE)

    def _beavered(self, event: Beavered) -> "GameState":
        self._check_answer(event.side)
        self._check_beaver()
        if self.offer is not Offer.DOUBLE:
            raise not_now(ActionFault.DOUBLE_UNANSWERED)
        taken = self.cube.taken(event.side)
        self._check_double(taken, event.side, taken.value * 2)
        return self._replace(cube=taken, offered_by=event.side, offer=Offer.BEAVER)

    def _raccooned(self, event: Raccooned) -> "GameState":
        self._check_answer(event.side)
        self._check_beaver()
        if self.offer is not Offer.BEAVER:
            raise not_now(ActionFault.NO_BEAVER)
        taken = self.cube.taken(event.side.other)
        self._check_double(Cube(taken.value), event.side, taken.value * 2)
        return self._replace(cube=taken, offered_by=event.side, offer=Offer.RACCOON)

    def _took(self, event: Took) -> "GameState":
        self._check_answer(event.side)
        owner = self.cube.owner if self.offer in (Offer.BEAVER, Offer.RACCOON) else event.side
        return self._replace(
            cube=Cube(self.cube.value * 2, owner),
            stage=Stage.TURN if self.roll is None else Stage.ROLLED,
            offered_by=None,
            offer=None,
        )

    def _dropped(self, event: Dropped) -> "GameState":
        self._check_answer(event.side)
        return self._over(event.side.other, self.cube.value, Level.SINGLE, Ending.DROP)

    def _resigned(self, event: Resigned) -> "GameState":
        if self.stage is Stage.OPENING:
            raise not_now(ActionFault.OPENING_ROLL_FIRST)
        if self.profile.resignation is Resignation.ALWAYS_BACKGAMMON and event.level is not Level.BACKGAMMON:
            raise not_now(ActionFault.RESIGNATION_LEVEL)
        if event.level not in self.profile.multipliers:
            raise not_now(ActionFault.RESIGNATION_UNKNOWN)
        return self._over(event.side.other, self.cube.value, event.level, Ending.RESIGNED)

    def _check_answer(self, side: Side) -> None:
        if self.stage is not Stage.DOUBLED:
            raise not_now(ActionFault.NO_DOUBLE)
        if side is self.offered_by:
            raise not_now(ActionFault.WRONG_TURN)

    def _check_beaver(self) -> None:
        if self.score.length:
            raise _bad_cube(CubeFault.BEAVER_IN_MATCH)
        if not self.variants.beavers:
            raise _bad_cube(CubeFault.BEAVER_NOT_AGREED)

    def _check_double(self, held: Cube, side: Side, value: int) -> None:
        if not self.variants.cube:
            raise _bad_cube(CubeFault.NO_CUBE)
        fault = double_fault(held, side, value, self.score, self.profile)
        if fault is not None:
            raise _bad_cube(fault, cube=held.value, right=held.value * 2, value=value)

    def _at_cap(self, value: int) -> bool:
        return self.profile.cube_cap is not None and value >= self.profile.cube_cap

    def _over(
        self, winner: Side, value: int, level: Level, ending: Ending, position: Position | None = None
    ) -> "GameState":
        """Return the finished game; the board stays as it was unless bearing off left `position`, seen by the winner.

        Under Jacoby a game in which no double was taken is a single game. Invariant I11.
        """
        if self.variants.jacoby and self.cube.owner is None:
            level = Level.SINGLE
        return self._replace(
            position=position or self.position,
            stage=Stage.OVER,
            roll=None,
            offered_by=None,
            offer=None,
            disputed=None,
            early=None,
            result=GameResult(winner=winner, cube=value, level=level, ending=ending),
        )


def _check_checkers(position: Position) -> None:
    for side in (position.mine, position.theirs):
        if sum(count(side, point) for point in range(OFF, BAR + 1)) != CHECKERS:
            raise ValueError(f"Each side must have {CHECKERS} checkers.")
    if any(position.checkers(point) and position.opposing(point) for point in range(1, BAR)):
        raise ValueError("No point can hold checkers of both sides.")


def _bad_cube(fault: CubeFault, **params: object) -> IllegalAction:
    return IllegalAction(fault, cube.TEMPLATES[fault], params, cube.RULES[fault])
