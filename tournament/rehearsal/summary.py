"""The results of simulated events: a single event, and the summary of many."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import mean


@dataclass(frozen=True, slots=True)
class PlayedEvent:
    """One event, played to its end or to the first broken invariant.

    ``fewest`` is the number of matches of the player who had the fewest. ``rounds`` is the most pairings, byes
    included, that had to follow one another. ``minutes`` run from the first match to the end of the last. ``waiting``
    is the sum of the minutes that players spent without playing before their last match. ``rematches`` are the
    meetings of two who had met before. ``best_won`` is 1 if the best player came first, a fraction if that place was
    shared. ``violations`` name each broken invariant and its place.
    """

    players: int
    matches: int
    fewest: int
    rounds: int
    minutes: int
    waiting: int
    rematches: int
    byes: int
    best_won: Fraction
    violations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Summary:
    """A summary of ``count`` events of one format: unless said otherwise, means over the events to three decimals.

    ``waiting_minutes`` are those of one player. ``hours_median`` and ``hours_p90`` are the hours after which half and
    nine tenths of the events are over. ``p_best_wins`` is how often the best player came first. ``violations`` counts
    the broken invariants of all events.
    """

    count: int
    matches: float
    rounds: float
    waiting_minutes: float
    rematches: float
    byes: float
    hours_median: float
    hours_p90: float
    p_best_wins: float
    violations: int
    matches_of_a_player: float
    fewest_matches: float


def summarise(events: Sequence[PlayedEvent]) -> Summary:
    """Summarise ``events``, of which there must be at least one."""
    minutes = sorted(event.minutes for event in events)
    return Summary(
        count=len(events),
        matches=_mean(event.matches for event in events),
        rounds=_mean(event.rounds for event in events),
        waiting_minutes=_mean(Fraction(event.waiting, event.players) for event in events),
        rematches=_mean(event.rematches for event in events),
        byes=_mean(event.byes for event in events),
        hours_median=_hours(minutes, Fraction(1, 2)),
        hours_p90=_hours(minutes, Fraction(9, 10)),
        p_best_wins=_mean(event.best_won for event in events),
        violations=sum(len(event.violations) for event in events),
        matches_of_a_player=_mean(Fraction(2 * event.matches, event.players) for event in events),
        fewest_matches=_mean(event.fewest for event in events),
    )


def _mean(values: Iterable[int | Fraction]) -> float:
    return round(float(mean(Fraction(value) for value in values)), 3)


def _hours(minutes: Sequence[int], share: Fraction) -> float:
    """Return the hours after which ``share`` of the events are over, by the nearest rank."""
    return round(minutes[math.ceil(share * len(minutes)) - 1] / 60, 3)
