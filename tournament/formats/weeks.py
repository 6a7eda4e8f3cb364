"""Rounds spread over weeks: the dates of each round, and the day on which a home side plays its match."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from rules.errors import gettext_noop
from tournament.formats.options import OptionField, OptionKind, Options

STARTS_ON = OptionField(
    name="starts_on",
    kind=OptionKind.DATE,
    label=gettext_noop("First day"),
    help=gettext_noop("The day on which round 1 begins; leave empty if rounds have no dates."),
    default="",
)

DAYS = OptionField(
    name="days",
    kind=OptionKind.NUMBER,
    label=gettext_noop("Days between rounds"),
    default=7,
    least=1,
    most=60,
)

WEEK_FIELDS = (STARTS_ON, DAYS)


@dataclass(frozen=True, slots=True)
class Week:
    """The days of a round; ``last`` is its deadline, the day before the next round begins."""

    first: date
    last: date

    def evening(self, weekday: int | None) -> date | None:
        """Return the first ``weekday`` of the round, 0 for Monday; None if it has no such day, or without a weekday."""
        if weekday is None:
            return None
        day = self.first + timedelta(days=(weekday - self.first.weekday()) % 7)
        return day if day <= self.last else None


def week_of(options: Options, round: int) -> Week | None:
    """Return the days of ``round``, counted from 1; None if the rounds have no dates."""
    if not options.own.get(STARTS_ON.name):
        return None
    days = options.number(DAYS.name)
    first = date.fromisoformat(options.choice(STARTS_ON.name)) + timedelta(days=days * (round - 1))
    return Week(first, first + timedelta(days=days - 1))
