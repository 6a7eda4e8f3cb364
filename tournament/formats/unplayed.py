"""Matches that are not played by their deadline: the rule that decides them, the days of grace, and extensions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from rules.errors import gettext_noop
from rules.score import Side
from tournament.formats.options import OptionField, OptionKind, Options

MOST_DAYS = 60


class Unplayed(StrEnum):
    """What becomes of a match that has not been begun by its deadline, once the days of grace are over.

    DIRECTOR: nothing by itself. NEITHER: it is void, and nobody has won. OFFERED: a side that offered to play while its
    opponent still had a whole day to answer wins by walkover against one that did not offer; in every other case the
    director decides.
    """

    DIRECTOR = "director"
    NEITHER = "neither"
    OFFERED = "offered"


NAMES = {
    Unplayed.DIRECTOR: gettext_noop("is decided by the director"),
    Unplayed.NEITHER: gettext_noop("is void: neither side wins"),
    Unplayed.OFFERED: gettext_noop("is won by the side that offered to play, if the other did not"),
}

UNPLAYED = OptionField(
    name="unplayed",
    kind=OptionKind.CHOICE,
    label=gettext_noop("A match not begun by its deadline"),
    help=gettext_noop("Players note on their private pages when they have offered to play."),
    default=Unplayed.DIRECTOR.value,
    choices=tuple((rule.value, name) for rule, name in NAMES.items()),
)
GRACE = OptionField(
    name="grace",
    kind=OptionKind.NUMBER,
    label=gettext_noop("Days of grace"),
    help=gettext_noop("For this many days after the deadline, a match can still be played before it is decided."),
    default=0,
    least=0,
    most=MOST_DAYS,
)
EXTENSION = OptionField(
    name="extension",
    kind=OptionKind.NUMBER,
    label=gettext_noop("Days by which players can extend a deadline"),
    help=gettext_noop("Each side can do so once in each match, on its private page; 0 for never."),
    default=0,
    least=0,
    most=MOST_DAYS,
)

UNPLAYED_FIELDS = (UNPLAYED, GRACE, EXTENSION)


@dataclass(frozen=True, slots=True)
class UnplayedRule:
    """How a stage decides matches that are not begun in time; ``grace`` and ``extension`` are in days."""

    rule: Unplayed = Unplayed.DIRECTOR
    grace: int = 0
    extension: int = 0

    @property
    def decides(self) -> bool:
        """Whether anything is decided without the director."""
        return self.rule is not Unplayed.DIRECTOR

    def decided_on(self, deadline: date) -> date | None:
        """Return the first day on which the rule decides; None if the director does."""
        return deadline + timedelta(days=self.grace + 1) if self.decides else None

    def last_to_play(self, deadline: date) -> date:
        """Return the last day of grace, up to which the match can be played and offers can be answered."""
        return deadline + timedelta(days=self.grace)

    def offer_by(self, deadline: date) -> date:
        """Return the last day on which an offer can make its side win: the opponent has a whole day to answer it."""
        return self.last_to_play(deadline) - timedelta(days=1)

    def may_award(self, offered: Mapping[Side, date], deadline: date) -> bool:
        """Whether the rule decides a match in which these sides have offered to play, first on these days.

        An offer that came too late wins nothing, and is an answer all the same.
        """
        in_time = all(day <= self.offer_by(deadline) for day in offered.values())
        return self.rule is Unplayed.NEITHER or (self.rule is Unplayed.OFFERED and len(offered) == 1 and in_time)

    def winner(self, offered: Mapping[Side, date]) -> Side | None:
        """Return the side that wins a match that the rule decides; None if neither does."""
        return None if self.rule is Unplayed.NEITHER else next(iter(offered))


def unplayed_rule(options: Options) -> UnplayedRule:
    """Return the rule that these options choose; the director decides in formats without deadlines."""
    if UNPLAYED.name not in options.own:
        return UnplayedRule()
    return UnplayedRule(
        Unplayed(options.choice(UNPLAYED.name)), options.number(GRACE.name), options.number(EXTENSION.name)
    )
