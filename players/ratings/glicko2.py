"""Glicko-2: a rating that knows how sure it is of each player."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, cast

from players.parameters import Parameter, ParameterKind
from players.ratings.system import DatedResult, Rating, RatingChange, RatingSystem, Result, start_parameter
from rules.errors import gettext_noop

SCALE = 173.7178
"""Rating points in one unit of the paper's own scale, on which 0 is a rating of 1500."""

TOLERANCE = 1e-6
FARTHEST = 100.0
"""The largest distance, on the paper's scale, that is told apart: the upset is then as good as impossible anyway."""


@dataclass(frozen=True, slots=True)
class Glicko2Rating(Rating):
    """A rating as it would stand if its rating period ended now, and what the period began with.

    The player's strength lies with 95 % between two deviations below and above the value. ``day`` is the ordinal of the
    last match, 0 if it is not known. ``information`` and ``surprise`` are the sums of g²E(1-E) and g(s-E) over the
    matches of the period so far, from which the paper's v and Δ follow.
    """

    layout: ClassVar[str] = "dIIIddIddddd"

    deviation: float = 350.0
    volatility: float = 0.06
    day: int = 0
    opening_value: float = 1500.0
    opening_deviation: float = 350.0
    opening_volatility: float = 0.06
    information: float = 0.0
    surprise: float = 0.0


@dataclass(frozen=True, slots=True)
class Opening:
    """What the period of a match begins with for a player, the sums of its matches so far, and the periods waited."""

    value: float
    deviation: float
    volatility: float
    information: float = 0.0
    surprise: float = 0.0
    waited: float = 1.0

    def met(self, other: Opening, score: int) -> Opening:
        """Add a match against the other player, won (1) or lost (0)."""
        g = impact(other.deviation)
        ahead = _advantage(self.value, other.value, g)
        less = math.exp(-abs(ahead))
        return Opening(
            self.value,
            self.deviation,
            self.volatility,
            self.information + g * g * less / (1 + less) ** 2,
            self.surprise + g * (score - 1 / (1 + math.exp(-ahead))),
            self.waited,
        )

    def closed(self, tau: float) -> tuple[float, float, float]:
        """Return value, deviation and volatility after the period: the paper's steps 3 to 8."""
        variance = 1 / self.information
        volatility = new_volatility(self.deviation, self.volatility, variance, self.surprise * variance, tau)
        phi2 = (self.deviation / SCALE) ** 2 + self.waited * volatility * volatility
        phi2 = 1 / (1 / phi2 + self.information)
        return self.value + SCALE * phi2 * self.surprise, SCALE * math.sqrt(phi2), volatility


def impact(deviation: float) -> float:
    """Return the paper's g(φ): how much a result against a player of this deviation says (1 for one who is known)."""
    phi = deviation / SCALE
    return 1 / math.sqrt(1 + 3 * phi * phi / (math.pi * math.pi))


def _advantage(value: float, other: float, g: float) -> float:
    return max(-FARTHEST, min(FARTHEST, g * (value - other) / SCALE))


def new_volatility(deviation: float, volatility: float, variance: float, delta: float, tau: float) -> float:
    """Return the paper's σ' by its iteration (step 5): ``variance`` is v, ``delta`` is Δ."""
    phi2, a = (deviation / SCALE) ** 2, math.log(volatility * volatility)

    def f(x: float) -> float:
        power = math.exp(x)
        total = phi2 + variance + power
        return power * (delta * delta - total) / (2 * total * total) - (x - a) / (tau * tau)

    low = a
    if delta * delta > phi2 + variance:
        high = math.log(delta * delta - phi2 - variance)
    else:
        high = a - tau
        while f(high) < 0:
            high -= tau
    f_low, f_high = f(low), f(high)
    while abs(high - low) > TOLERANCE:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f_middle
    return math.exp(low / 2)


@dataclass(frozen=True)
class Glicko2(RatingSystem):
    """Every player has a rating, a deviation that says how sure it is, and a volatility that says how erratic they are.

    ``update`` is "period" as in the paper: all results of ``period_days`` days count as simultaneous, and a player
    who does not play grows less certain with each period. With "match" each match is a period of its own, and the time
    since the last one counts in fractions of a period. Results without a date all belong to one period, or have no time
    between them. Nobody becomes less certain by waiting than a newcomer is. The length of a match does not matter.
    """

    slug: ClassVar[str] = "glicko-2"
    name: ClassVar[str] = gettext_noop("Glicko-2")
    description: ClassVar[str] = gettext_noop(
        "Knows how certain each rating is, and moves uncertain ones faster. The length of a match does not count."
    )
    source: ClassVar[str] = "Glickman, Example of the Glicko-2 system, glicko.net/glicko/glicko2.pdf"
    verified: ClassVar[bool] = True
    parameters: ClassVar[tuple[Parameter, ...]] = (
        start_parameter(1500.0),
        Parameter(
            "deviation", ParameterKind.DECIMAL, gettext_noop("Deviation of a newcomer"), 350.0, least=1, most=1000
        ),
        Parameter(
            "volatility", ParameterKind.DECIMAL, gettext_noop("Volatility of a newcomer"), 0.06, least=0.001, most=1
        ),
        Parameter(
            "tau",
            ParameterKind.DECIMAL,
            gettext_noop("Limit to changes of volatility (τ)"),
            0.5,
            gettext_noop("From 0.3, for games with many surprises, to 1.2."),
            least=0.1,
            most=2,
            neutral=True,
        ),
        Parameter(
            "update",
            ParameterKind.CHOICE,
            gettext_noop("Results count"),
            "period",
            choices=(
                ("period", gettext_noop("together, once a rating period")),
                ("match", gettext_noop("match by match")),
            ),
        ),
        Parameter(
            "period_days",
            ParameterKind.INT,
            gettext_noop("Days of a rating period"),
            30,
            gettext_noop("Ten matches or more for a player in a period are best."),
            least=1,
            most=3660,
            neutral=True,
        ),
        Parameter(
            "provisional_deviation",
            ParameterKind.DECIMAL,
            gettext_noop("Provisional from this deviation"),
            110.0,
            gettext_noop("Players with a higher deviation are listed by themselves. 0 lists all players together."),
            least=0,
            most=1000,
            neutral=True,
        ),
    )

    start: float = 1500.0
    deviation: float = 350.0
    volatility: float = 0.06
    tau: float = 0.5
    update: str = "period"
    period_days: int = 30
    provisional_deviation: float = 110.0

    @property
    def is_sequential(self) -> bool:
        return self.update == "match"

    def starting(self, value: float, *, experience: int = 0, matches: int = 0, wins: int = 0) -> Glicko2Rating:
        opening = (value, self.deviation, self.volatility)
        return Glicko2Rating(value, experience, matches, wins, self.deviation, self.volatility, 0, *opening)

    @property
    def counts_time(self) -> bool:
        return True

    def is_provisional(self, rating: Rating) -> bool:
        return 0 < self.provisional_deviation <= cast("Glicko2Rating", rating).deviation

    def as_of(self, rating: Rating, day: int) -> Glicko2Rating:
        """Return the rating as it stands on a day: the deviation has grown since the last match."""
        known = cast("Glicko2Rating", rating)
        return replace(known, deviation=self._grown(known, self._waited(known, day)))

    def rate_match(self, winner: Rating, loser: Rating, length: int) -> tuple[Glicko2Rating, Glicko2Rating]:
        """Return both ratings after a match on the day of the later of their last matches."""
        return self.rate_on(0, winner, loser, length)

    def rate_on(self, day: int, winner: Rating, loser: Rating, length: int) -> tuple[Glicko2Rating, Glicko2Rating]:
        """Return both ratings after a match on a day (an ordinal), or later if one of them has played since."""
        won, lost = cast("Glicko2Rating", winner), cast("Glicko2Rating", loser)
        day = max(day, won.day, lost.day)
        first, second = self._opening(won, day), self._opening(lost, day)
        return (
            self._after(won, first.met(second, 1), day, length, 1),
            self._after(lost, second.met(first, 0), day, length, 0),
        )

    def changes(self, results: Iterable[Result], known: Mapping[int, Rating] | None = None) -> Iterator[RatingChange]:
        ratings, newcomer = dict(known or {}), self.newcomer
        for result in results:
            winner, loser = ratings.get(result.winner, newcomer), ratings.get(result.loser, newcomer)
            day = result.day if isinstance(result, DatedResult) else 0
            winner_after, loser_after = self.rate_on(day, winner, loser, result.length)
            ratings[result.winner], ratings[result.loser] = winner_after, loser_after
            yield RatingChange(result, winner, winner_after, loser, loser_after)

    def rate(self, results: Iterable[Result], known: Mapping[int, Rating] | None = None) -> dict[int, Rating]:
        ratings = dict(known or {})
        for change in self.changes(results, known):
            ratings[change.result.winner], ratings[change.result.loser] = change.winner_after, change.loser_after
        return ratings

    def _waited(self, rating: Glicko2Rating, day: int) -> float:
        """Return for how many periods the player has not played before that day; match by match, with fractions."""
        if not rating.day or day <= rating.day:
            return 0.0
        if self.is_sequential:
            return (day - rating.day) / self.period_days
        return max(0, day // self.period_days - rating.day // self.period_days - 1)

    def _grown(self, rating: Glicko2Rating, waited: float) -> float:
        grown = math.sqrt(rating.deviation**2 + waited * (SCALE * rating.volatility) ** 2)
        return min(grown, max(rating.deviation, self.deviation))

    def _opening(self, rating: Glicko2Rating, day: int) -> Opening:
        waited = self._waited(rating, day)
        if self.is_sequential:
            return Opening(rating.value, rating.deviation, rating.volatility, waited=waited)
        if day // self.period_days == rating.day // self.period_days:
            opening = (rating.opening_value, rating.opening_deviation, rating.opening_volatility)
            return Opening(*opening, rating.information, rating.surprise)
        return Opening(rating.value, self._grown(rating, waited), rating.volatility)

    def _after(self, rating: Glicko2Rating, period: Opening, day: int, length: int, won: int) -> Glicko2Rating:
        value, deviation, volatility = period.closed(self.tau)
        return Glicko2Rating(
            value,
            rating.experience + length,
            rating.matches + 1,
            rating.wins + won,
            deviation,
            volatility,
            day,
            period.value,
            period.deviation,
            period.volatility,
            period.information,
            period.surprise,
        )
