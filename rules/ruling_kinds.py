"""What each ruling asks a director to state, and what it then proposes. A new ruling needs a line in ``RULINGS``.

The form on the page of a match, the address of that form and the API are built from these declarations.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from rules.awards import rule_awarded, rule_clock_lost, rule_clock_penalty
from rules.errors import gettext_noop
from rules.rulings import (
    Proposal,
    RulingKind,
    RulingRefused,
    rule_crawford_annulled,
    rule_crawford_stands,
    rule_penalty_points,
    rule_resumed,
)
from rules.score import Side
from rules.sheet import GameResult, Terms
from rules.wrong_length import LengthSchool, rule_wrong_length


class FieldKind(StrEnum):
    """What a director supplies: points of both sides, games, a match length, yes or no, or one of the two sides."""

    POINTS = "points"
    GAMES = "games"
    LENGTH = "length"
    FLAG = "flag"
    SIDE = "side"


@dataclass(frozen=True, slots=True)
class RulingField:
    """One thing a director states about a match. ``description`` is for the API, ``label`` for the page, translated.

    The points of the two sides are ``stem``_a and ``stem``_b in a form. ``crawford_only`` asks in a match with the
    Crawford rule alone.
    """

    name: str
    kind: FieldKind
    description: str
    label: str = ""
    stem: str = ""
    crawford_only: bool = False


PENALTY_POINTS = RulingField(
    "penalty_points",
    FieldKind.POINTS,
    "That side A and side B gave away before the next game, in all; 0, 0 takes them back.",
    stem="against",
)
GAMES = RulingField("games", FieldKind.GAMES, "All that were played, legal or not.")
FINAL = RulingField(
    "final", FieldKind.POINTS, "The score at which the players stopped, if the games are not known.", stem="final"
)
NEXT_BEGUN = RulingField("next_begun", FieldKind.FLAG, "A game after the last of `games` has begun.")
PLAYED_TO = RulingField("played_to", FieldKind.LENGTH, "The length played to.")
SCORE = RulingField("score", FieldKind.POINTS, "Where the match is resumed, side A's points first.", stem="score")
AWARDED_TO = RulingField(
    "awarded_to", FieldKind.SIDE, "The side that wins by the ruling.", label=gettext_noop("Who is awarded the match?")
)
CRAWFORD_DONE = RulingField(
    "crawford_done",
    FieldKind.FLAG,
    "Its Crawford game has been played.",
    label=gettext_noop("The Crawford game has already been played."),
    crawford_only=True,
)
FIELDS = (PENALTY_POINTS, GAMES, FINAL, NEXT_BEGUN, PLAYED_TO, SCORE, AWARDED_TO, CRAWFORD_DONE)
"""All that any ruling asks for, each an attribute of a :class:`Statement`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """What a director states about a match, under the names in ``FIELDS``; a ruling reads what it declares.

    ``games`` are None where those of the current sheet are meant.
    """

    games: tuple[GameResult, ...] | None = None
    final: tuple[int, int] | None = None
    penalty_points: tuple[int, int] = (0, 0)
    score: tuple[int, int] = (0, 0)
    crawford_done: bool = False
    next_begun: bool = False
    played_to: int = 0
    awarded_to: Side | None = None

    def as_json(self) -> dict[str, object]:
        """Return the statement as JSON represents it."""
        games = self.games
        awarded = {"awarded_to": self.awarded_to.value} if self.awarded_to else {}
        return {
            **awarded,
            "games": None if games is None else [[game.winner, game.cube, game.level, game.ending] for game in games],
            "final": None if self.final is None else list(self.final),
            "penalty_points": list(self.penalty_points),
            "score": list(self.score),
            "crawford_done": self.crawford_done,
            "next_begun": self.next_begun,
            "played_to": self.played_to,
        }


@dataclass(frozen=True, slots=True)
class Case:
    """A match as it stands and what is stated about it: everything from which a ruling is proposed.

    ``posted`` is the length before any ruling. ``games`` and ``final`` are those of the statement, or else of the
    sheet. ``final_entered`` says that the sheet holds a final score alone, ``recorded`` that the result is confirmed.
    """

    terms: Terms
    posted: int
    games: tuple[GameResult, ...]
    final: tuple[int, int] | None
    final_entered: bool
    recorded: bool
    statement: Statement


@dataclass(frozen=True, slots=True)
class DeclaredRuling:
    """A kind of ruling: what a director must state, what may be stated as well, and the function that proposes it.

    ``way`` is the last word of the address of its form. Kinds that share one have a form of their own; any other form
    is built from ``title``, ``help`` (which may name the ``%(number)s`` of the next game) and the labels of its fields.
    ``note`` says in the API what its fields do not. ``after_the_end`` rulings can be made once the match is over; one
    that ``sets_aside`` does not look at the sheet.
    """

    way: str
    needs: tuple[RulingField, ...]
    propose: Callable[[Case], Proposal]
    takes: tuple[RulingField, ...] = ()
    title: str = ""
    help: str = ""
    note: str = ""
    after_the_end: bool = False
    sets_aside: bool = False


def _penalty_points(case: Case) -> Proposal:
    _require_no_final(case)
    a, b = case.statement.penalty_points
    return rule_penalty_points(case.terms, case.games, against_a=a, against_b=b)


def _crawford_annulled(case: Case) -> Proposal:
    next_begun = case.statement.next_begun
    return rule_crawford_annulled(case.terms, case.games, next_begun=next_begun, recorded=case.recorded)


def _crawford_stands(case: Case) -> Proposal:
    next_begun = case.statement.next_begun
    return rule_crawford_stands(case.terms, case.games, next_begun=next_begun, recorded=case.recorded)


def _length_posted(case: Case) -> Proposal:
    return _wrong_length(case, LengthSchool.POSTED)


def _length_agreed(case: Case) -> Proposal:
    return _wrong_length(case, LengthSchool.AGREED)


def _wrong_length(case: Case, school: LengthSchool) -> Proposal:
    played = case.statement.played_to
    return rule_wrong_length(case.terms, case.games, posted=case.posted, played=played, school=school, final=case.final)


def _resumed(case: Case) -> Proposal:
    a, b = case.statement.score
    return rule_resumed(case.terms, a=a, b=b, crawford_done=case.statement.crawford_done, games=case.games)


def _clock_lost(case: Case) -> Proposal:
    return rule_clock_lost(case.terms, case.games, expired=_winner(case).other)


def _clock_penalty(case: Case) -> Proposal:
    _require_no_final(case)
    a, b = case.statement.penalty_points
    return rule_clock_penalty(case.terms, case.games, against_a=a, against_b=b)


def _awarded(case: Case) -> Proposal:
    return rule_awarded(case.terms, case.games, winner=_winner(case))


def _winner(case: Case) -> Side:
    """Return the side that the match is awarded to."""
    if case.final_entered:
        raise RulingRefused("award_after_the_end", gettext_noop("The match is over: there is nothing left to award."))
    if case.statement.awarded_to is None:
        raise RulingRefused("award_without_side", gettext_noop("Say who wins the match by this ruling."))
    return case.statement.awarded_to


def _require_no_final(case: Case) -> None:
    if case.final_entered:
        raise RulingRefused(
            "penalty_after_end", gettext_noop("The match is over: penalty points can only be given before it ends.")
        )


OTHER_GAMES = "and `games` or `final` if they are not those of the current sheet"

RULINGS: dict[RulingKind, DeclaredRuling] = {
    RulingKind.PENALTY_POINTS: DeclaredRuling(
        "penalty",
        (PENALTY_POINTS,),
        _penalty_points,
        title=gettext_noop("Penalty points"),
        help=gettext_noop("Each player's total before game %(number)s; the points go to the opponent."),
    ),
    RulingKind.CRAWFORD_ANNULLED: DeclaredRuling(
        "crawford", (GAMES, NEXT_BEGUN), _crawford_annulled, after_the_end=True
    ),
    RulingKind.CRAWFORD_STANDS: DeclaredRuling("crawford", (GAMES, NEXT_BEGUN), _crawford_stands, after_the_end=True),
    RulingKind.LENGTH_POSTED: DeclaredRuling(
        "length", (PLAYED_TO,), _length_posted, takes=(GAMES, FINAL), note=OTHER_GAMES, after_the_end=True
    ),
    RulingKind.LENGTH_AGREED: DeclaredRuling(
        "length", (PLAYED_TO,), _length_agreed, takes=(GAMES, FINAL), note=OTHER_GAMES, after_the_end=True
    ),
    RulingKind.RESUMED: DeclaredRuling(
        "resume",
        (SCORE, CRAWFORD_DONE),
        _resumed,
        title=gettext_noop("Resume from another score"),
        help=gettext_noop(
            "The match goes on from this score. Games entered so far are set aside but stay in the history."
        ),
        after_the_end=True,
        sets_aside=True,
    ),
    RulingKind.CLOCK_LOST: DeclaredRuling("clock", (AWARDED_TO,), _clock_lost),
    RulingKind.CLOCK_PENALTY: DeclaredRuling(
        "clock", (PENALTY_POINTS,), _clock_penalty, note="besides those given there already"
    ),
    RulingKind.AWARDED: DeclaredRuling(
        "awarded", (AWARDED_TO,), _awarded, title=gettext_noop("Award the match by ruling")
    ),
}
"""Every ruling that a director makes; UNDONE is none of these, as it is made from the history of an event."""
