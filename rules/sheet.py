"""Checking a score sheet: forbidden results refuse it, legal but unlikely ones ask for confirmation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rules.errors import Finding, Severity, gettext_noop
from rules.findings import error, readable, warning
from rules.penalties import Penalty, give_penalties
from rules.profiles import (
    DEFAULT_PROFILE,
    USUAL,
    VARIANT_TEMPLATES,
    Resignation,
    RuleProfile,
    Variants,
    variant_fault,
)
from rules.score import Ending, Level, MatchScore, Phase, Side, is_integer


@dataclass(frozen=True, slots=True)
class GameResult:
    """One game of a sheet: its winner, the final cube (before a refused double), the level and how it ended."""

    winner: Side
    cube: int = 1
    level: Level = Level.SINGLE
    ending: Ending = Ending.BEAROFF

    @property
    def points(self) -> int:
        return self.cube * self.level


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms under which two sides play.

    Length 0 is money play; ``start`` is 0-0, or the score where a match resumes.
    ``penalties`` are those given so far. ``waived`` holds the numbers of the games whose cube stands by a ruling
    although they were the Crawford game. Any values can be stored here; :func:`check_sheet` finds the wrong ones.
    """

    length: int
    profile: RuleProfile = DEFAULT_PROFILE
    crawford: bool = True
    start: tuple[int, int] = (0, 0)
    crawford_done: bool = False
    variants: Variants = USUAL
    waived: frozenset[int] = frozenset()
    penalties: tuple[Penalty, ...] = ()

    @property
    def opening(self) -> MatchScore:
        """The score before game 1, with penalty points given by then. Raises ValueError if it is impossible."""
        a, b = self.start
        start = MatchScore(self.length, a, b, crawford=self.crawford, crawford_done=self.crawford_done)
        return give_penalties(start, self.penalties, after=0)

    def after(self, before: MatchScore, number: int, game: GameResult) -> MatchScore:
        """Return the score after game ``number`` (from 1), played at ``before``, with penalty points given after it."""
        return give_penalties(before.after(game.winner, game.points), self.penalties, after=number)

    def scores(self, games: Sequence[GameResult]) -> tuple[MatchScore, ...]:
        """Return the score before game 1 and after every game of a sheet that passed its check."""
        scores = [self.opening]
        for number, game in enumerate(games, start=1):
            scores.append(self.after(scores[-1], number, game))
        return tuple(scores)


@dataclass(frozen=True, slots=True)
class SheetCheck:
    """The result of a check: the scores as far as the sheet is legal, and the findings.

    ``scores[0]`` is the score before game 1, ``scores[g]`` before game g + 1.
    """

    scores: tuple[MatchScore, ...]
    findings: tuple[Finding, ...]

    @property
    def errors(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.severity is Severity.ERROR)

    @property
    def warnings(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if finding.severity is Severity.WARNING)

    @property
    def ok(self) -> bool:
        """Whether nothing is forbidden; there may still be warnings."""
        return not self.errors

    @property
    def score(self) -> MatchScore:
        """The last legal score. Raises ValueError if the terms themselves are wrong, since there is no score then."""
        if not self.scores:
            raise ValueError("The terms of the match are wrong: there is no score.")
        return self.scores[-1]

    @property
    def over(self) -> bool:
        return bool(self.scores) and self.score.over


def check_sheet(terms: Terms, games: Sequence[GameResult]) -> SheetCheck:
    """Return the score after every game, and every error and warning up to the first game with an error.

    Checking stops there, since every later score would be a guess. A sheet without games is legal: nothing is played.
    """
    findings = list(check_terms(terms))
    if findings:
        return SheetCheck((), tuple(findings))
    scores = [terms.opening]
    for number, game in enumerate(games, start=1):
        found = check_game(terms, scores[-1], number, game)
        findings.extend(found)
        if any(finding.severity is Severity.ERROR for finding in found):
            break
        scores.append(terms.after(scores[-1], number, game))
    return SheetCheck(tuple(scores), tuple(findings))


def check_game(terms: Terms, before: MatchScore, number: int, game: GameResult) -> tuple[Finding, ...]:
    """Check game ``number`` (from 1), played at the score ``before``, against the rules.

    Warnings only if it is legal.
    """
    if before.over:
        template = gettext_noop(
            "Game %(game)s: the match was already over at %(a)s–%(b)s; "
            "no game can follow once a side has all the points."
        )
        return (error("game_after_match_over", template, number, a=readable(before.a), b=readable(before.b)),)
    return _game_errors(terms, before, number, game) or _game_warnings(terms, before, number, game)


def check_terms(terms: Terms) -> tuple[Finding, ...]:
    """Return the first thing that is wrong with the terms themselves, as one error, or nothing."""
    if not is_integer(terms.length) or terms.length < 0:
        template = gettext_noop(
            "The match length must be a whole number of points, 1 or more (0 for money play), not %(length)s."
        )
        return (error("length_invalid", template, length=readable(terms.length)),)
    start = terms.start
    if not isinstance(start, tuple) or len(start) != 2 or not all(is_integer(value) and value >= 0 for value in start):
        template = gettext_noop("The starting score must be two whole numbers, 0 or more, not %(start)s.")
        return (error("start_invalid", template, start=readable(start)),)
    a, b = start
    if terms.length and (max(a, b) > terms.length or a == b == terms.length):
        template = gettext_noop(
            "No match to %(length)s can start at %(a)s–%(b)s: "
            "at most one side can have all the points, and neither can have more."
        )
        return (error("start_invalid", template, length=readable(terms.length), a=readable(a), b=readable(b)),)
    if terms.crawford_done and not (terms.crawford and terms.length >= 2 and max(a, b) >= terms.length - 1):
        template = gettext_noop(
            "The Crawford game cannot have been played at %(a)s–%(b)s to %(length)s: "
            "it is the first game in which a side needs one point, in a match with the Crawford rule."
        )
        return (error("crawford_done_invalid", template, a=readable(a), b=readable(b), length=readable(terms.length)),)
    fault = variant_fault(terms.variants, terms.profile, terms.length)
    return () if fault is None else (error(fault.value, VARIANT_TEMPLATES[fault]),)


def _game_errors(terms: Terms, before: MatchScore, number: int, game: GameResult) -> tuple[Finding, ...]:
    found = []
    if not isinstance(game.winner, Side):
        template = gettext_noop("Game %(game)s: the winner must be side A or side B, not %(winner)s.")
        found.append(error("winner_invalid", template, number, winner=readable(game.winner)))
    if not isinstance(game.ending, Ending):
        template = gettext_noop(
            "Game %(game)s: a game ends with a bear-off, a drop, a resignation or a forfeit, not with %(ending)s."
        )
        found.append(error("ending_invalid", template, number, ending=readable(game.ending)))
    found.extend(_cube_errors(terms, before, number, game))
    found.extend(_level_errors(terms, number, game))
    if before.is_crawford and game.ending == Ending.DROP and number not in terms.waived:
        template = gettext_noop(
            "Game %(game)s ended with a drop, but it is the Crawford game, in which nobody may double."
        )
        found.append(error("crawford_drop", template, number))
    return tuple(found)


def _cube_errors(terms: Terms, before: MatchScore, number: int, game: GameResult) -> list[Finding]:
    cube, cap = game.cube, terms.profile.cube_cap
    if not is_integer(cube) or cube < 1 or cube & (cube - 1):
        template = gettext_noop("Game %(game)s: the cube must be a power of two (1, 2, 4, 8 and so on), not %(cube)s.")
        return [error("cube_not_power_of_two", template, number, cube=readable(cube))]
    found = []
    if cap is not None and cube > cap:
        template = gettext_noop("Game %(game)s: the cube is %(cube)s, but under these rules it stops at %(cap)s.")
        found.append(error("cube_above_cap", template, number, cube=readable(cube), cap=cap))
    if cap is not None and cube == cap and game.ending == Ending.DROP:
        template = gettext_noop(
            "Game %(game)s: a drop is worth the value of the cube before the refused double, and at %(cube)s nobody "
            "may double again."
        )
        found.append(error("drop_cube", template, number, cube=readable(cube)))
    if not terms.variants.cube and (cube > 1 or game.ending == Ending.DROP):
        template = gettext_noop("Game %(game)s: this match is played without the doubling cube.")
        found.append(error("no_cube", template, number))
    if before.is_crawford and cube > 1 and number not in terms.waived:
        template = gettext_noop(
            "Game %(game)s: the cube is %(cube)s, but this is the Crawford game, in which nobody may double."
        )
        found.append(error("crawford_cube", template, number, cube=readable(cube)))
    return found


def _level_errors(terms: Terms, number: int, game: GameResult) -> list[Finding]:
    level, profile = game.level, terms.profile
    if not is_integer(level) or level not in profile.multipliers:
        template = gettext_noop(
            "Game %(game)s: under these rules the level is one of %(levels)s (1 single, 2 gammon, 3 backgammon), "
            "not %(level)s."
        )
        levels = ", ".join(str(multiplier) for multiplier in profile.multipliers)
        return [error("level_not_in_profile", template, number, levels=levels, level=readable(level))]
    found = []
    if game.ending == Ending.DROP and level > Level.SINGLE:
        template = gettext_noop(
            "Game %(game)s: a game that ends with a drop is a single game, never a gammon or a backgammon."
        )
        found.append(error("drop_level", template, number))
    always = profile.resignation is Resignation.ALWAYS_BACKGAMMON
    uncounted = level == Level.SINGLE and terms.variants.jacoby and _may_be_untaken(terms, game.cube)
    if always and game.ending == Ending.RESIGNED and level != Level.BACKGAMMON and not uncounted:
        template = gettext_noop("Game %(game)s: under these rules a resigned game is always lost as a backgammon.")
        found.append(error("resignation_level", template, number))
    if terms.variants.jacoby and game.cube == 1 and level > Level.SINGLE:
        template = gettext_noop(
            "Game %(game)s: under the Jacoby rule gammons and backgammons count only after a double has been taken."
        )
        found.append(error("jacoby_level", template, number))
    return found


def _may_be_untaken(terms: Terms, cube: object) -> bool:
    """Whether automatic doubles alone may have brought the cube to this value."""
    return any(cube == 1 << ties for ties in range(min(terms.variants.automatic_doubles, 64) + 1))


def _game_warnings(terms: Terms, before: MatchScore, number: int, game: GameResult) -> tuple[Finding, ...]:
    if not before.length:
        return ()
    found = []
    most_needed = max(before.away(Side.A), before.away(Side.B))
    if _has_dead_double(before, game):
        template = gettext_noop(
            "Game %(game)s: a side doubled although the cube was already worth all the points that the side needed "
            "(dead cube). Is the cube of %(cube)s right?"
        )
        found.append(warning("dead_cube", template, number, cube=readable(game.cube)))
    if game.cube // 2 >= most_needed:
        template = gettext_noop(
            "Game %(game)s: the cube is %(cube)s, but neither side needed more than %(needed)s. Is that right?"
        )
        found.append(
            warning("cube_implausible", template, number, cube=readable(game.cube), needed=readable(most_needed))
        )
    if game.cube * (game.level - 1) >= before.away(game.winner):
        template = gettext_noop(
            "Game %(game)s: a lower level (single or gammon) would already have won the match. Is the level right?"
        )
        found.append(warning("overshoot", template, number))
    if before.phase is Phase.AFTER and most_needed > 1 and game.cube == 1 and game.ending is not Ending.FORFEIT:
        trailer = Side.A if before.a < before.b else Side.B
        if not (game.ending is Ending.DROP and game.winner is trailer):
            template = gettext_noop(
                "Game %(game)s: after the Crawford game the trailer has nothing to lose by doubling, "
                "yet the cube stayed at 1. Is that right?"
            )
            found.append(warning("trailer_did_not_double", template, number))
    if number == usual_games(terms.length) + 1:
        template = gettext_noop(
            "Game %(game)s: a match to %(length)s rarely takes this many games. Do they all belong to this match?"
        )
        found.append(warning("many_games", template, number, length=readable(terms.length)))
    return tuple(found)


def _has_dead_double(before: MatchScore, game: GameResult) -> bool:
    """Whether some double was pointless, whichever side doubled first: from c to 2c by a side that needed c or less.

    The sides double in turn, so a side's largest cube before its own double decides. A drop names the last doubler:
    the winner, who would have turned the cube from its final value.
    """

    def dead(last: Side, cube: int) -> bool:
        return cube >= before.away(last) or (cube > 1 and cube // 2 >= before.away(last.other))

    if game.ending is Ending.DROP:
        return dead(game.winner, game.cube)
    return game.cube > 1 and all(dead(side, game.cube // 2) for side in Side)


def usual_games(length: int) -> int:
    """Return the most games that a match to ``length`` usually takes: half as many again as its points."""
    return length * 3 // 2
