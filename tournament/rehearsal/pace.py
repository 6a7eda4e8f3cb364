"""How fast a hall plays, learnt from matches completed there, and the resulting times of day."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction

from tournament.rehearsal.chance import MINUTES_A_POINT

ENOUGH = 8
"""The number of ended matches from which they are believed more than the model."""

LEAST_SECONDS_A_POINT = 30
"""A match that was over sooner was not played during its call: somebody was tidying up the desk."""

SLOW = Fraction(11, 8)
"""A match is late once it has taken this many times as long as expected.

Source: a round of equal matches at 8 minutes a point is over after 11, tourneygeek.com (see
:func:`tournament.rehearsal.chance.match_minutes`); so at most the last match of a round is late.
"""


@dataclass(frozen=True, slots=True)
class Timed:
    """A match that was played to its end: its length in points, and how long it took."""

    length: int
    seconds: int


@dataclass(frozen=True, slots=True)
class Pace:
    """The seconds that a hall takes per point of posted length, learnt from ``matches``, or assumed if that is 0."""

    seconds_a_point: int
    matches: int

    @property
    def minutes_a_point(self) -> Fraction:
        return Fraction(self.seconds_a_point, 60)

    def lasts(self, length: int) -> timedelta:
        """Return how long a match of this length is expected to last."""
        return timedelta(seconds=length * self.seconds_a_point)

    def is_late(self, length: int, played: timedelta) -> bool:
        """Whether a match of this length, still unfinished after ``played``, is running late."""
        return played > self.lasts(length) * SLOW.numerator / SLOW.denominator


MODEL = Pace(MINUTES_A_POINT * 60, 0)


def learn_pace(timed: Iterable[Timed]) -> Pace:
    """Return the median pace of the matches, the slower of the two in the middle; the model's if there are too few."""
    paces = sorted(match.seconds // match.length for match in timed)
    paces = [pace for pace in paces if pace >= LEAST_SECONDS_A_POINT]
    if len(paces) < ENOUGH:
        return MODEL
    return Pace(paces[len(paces) // 2], len(paces))


@dataclass(frozen=True, slots=True)
class Pause:
    """A period in which nobody plays."""

    name: str
    starts_at: datetime
    ends_at: datetime


def after_playing(start: datetime, lasting: timedelta, pauses: Sequence[Pause]) -> datetime:
    """Return when play that begins at ``start``, takes ``lasting`` and stops during the pauses will finish."""
    now, left = start, lasting
    for pause in sorted(pauses, key=lambda pause: pause.starts_at):
        if pause.ends_at <= now:
            continue
        until = max(timedelta(0), pause.starts_at - now)
        if left <= until:
            break
        left -= until
        now = pause.ends_at
    return now + left


def playing_time(start: datetime, now: datetime, pauses: Iterable[Pause]) -> timedelta:
    """Return how much of the time from ``start`` to ``now`` was outside the pauses, which do not overlap."""
    rested = sum(
        (max(timedelta(0), min(now, pause.ends_at) - max(start, pause.starts_at)) for pause in pauses),
        timedelta(0),
    )
    return max(timedelta(0), now - start - rested)


def pause_met(start: datetime, lasting: timedelta, pauses: Iterable[Pause]) -> Pause | None:
    """Return the first pause that play of this length from ``start`` would run into, or begin in."""
    met = [pause for pause in pauses if pause.starts_at < start + lasting and pause.ends_at > start]
    return min(met, key=lambda pause: pause.starts_at, default=None)
