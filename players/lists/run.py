"""A run of a rating system over what a list counts: streaming, with memory for the players alone. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from hashlib import sha256

from players.lists.criteria import next_peaks, peaks_within
from players.lists.values import Counted, Effect, Standing, Start
from players.ratings import Rating, RatingSystem

FULL = 100

ENGINE = 2
"""The version of what a run does: raised when the same list would come out otherwise.

Lists of the first engine kept highest ratings from when more matches were looked at, and went by the day in UTC.
"""
ENGINES = range(1, ENGINE + 1)
"""Those by which a list can be computed again."""


class Order(ValueError):  # noqa: N818
    """A match that does not follow the one before it in the order of rating."""


class Inputs:
    """The hash over matches in their order: SHA-256 of a line for each, with its fields separated by spaces."""

    def __init__(self) -> None:
        self._hash, self.count = sha256(), 0

    def add(self, one: Counted) -> None:
        self._hash.update(f"{one[0]} {one[1]} {one[2]} {one[3]} {one[4]} {one[5]} {one[6]}\n".encode())
        self.count += 1

    @property
    def sha256(self) -> str:
        return self._hash.hexdigest()


class Run:
    """A list on its way through its matches. ``standings`` are everybody's, once :meth:`effects` is exhausted.

    ``window`` is the number of ratings that a class is found from; 0 keeps none.
    """

    def __init__(
        self,
        system: RatingSystem,
        base: Mapping[int, Standing],
        starts: Mapping[int, Start],
        window: int = 0,
        engine: int = ENGINE,
    ) -> None:
        self.system, self.window, self.inputs = system, window, Inputs()
        self._ratings = {player: one.rating for player, one in base.items()}
        self._ratings |= {player: started(system, *one) for player, one in starts.items()}
        self._played = {player: one.last_played for player, one in base.items()}
        self._peaks = {
            player: one.peaks if engine == 1 else peaks_within(one, window) for player, one in base.items() if one.peaks
        }

    def effects(self, matches: Iterable[Counted]) -> Iterator[Effect]:
        """Yield each match with what it does to both ratings. Raises Order for one that comes too early."""
        ratings, played, newcomer = self._ratings, self._played, self.system.newcomer
        rate, add, last, counts_time = self.system.rate_match, self.inputs.add, ("", 0), self.system.counts_time
        for one in matches:
            match, at, winner, loser, length, weight, guest = one
            if (at, match) <= last:
                raise Order(match)
            last = at, match
            add(one)
            won, lost = ratings.get(winner, newcomer), ratings.get(loser, newcomer)
            if guest:
                yield self._against_guest(one, won, lost)
                continue
            new_winner, new_loser = self._rate_on(at, won, lost, length) if counts_time else rate(won, lost, length)
            if weight != FULL:
                new_winner, new_loser = weighed(won, new_winner, weight), weighed(lost, new_loser, weight)
            ratings[winner], ratings[loser] = new_winner, new_loser
            played[winner] = played[loser] = at
            if self.window:
                self._look_back(winner, loser)
            yield Effect(one, won.value, new_winner.value, lost.value, new_loser.value)

    def _against_guest(self, one: Counted, won: Rating, lost: Rating) -> Effect:
        """Rate the player alone: the guest's own rating, if there is one, stays."""
        fixed, is_winner = started(self.system, fixed_rating(one.guest), 0), one.guest[0] == "l"
        player, before = (one.winner, won) if is_winner else (one.loser, lost)
        rated = self._rate_on(one.at, *((before, fixed) if is_winner else (fixed, before)), one.length)
        after = weighed(before, rated[0 if is_winner else 1], one.weight)
        self._ratings[player], self._played[player] = after, one.at
        if self.window:
            self._look_back(player)
        values = (before.value, after.value), (fixed.value, fixed.value)
        return Effect(one, *(values[0] + values[1] if is_winner else values[1] + values[0]))

    def _rate_on(self, at: str, won: Rating, lost: Rating, length: int) -> tuple[Rating, Rating]:
        return self.system.rate_on(date.fromisoformat(at[:10]).toordinal(), won, lost, length)

    def _look_back(self, *players: int) -> None:
        for player in players:
            rating = self._ratings[player]
            known = Standing(rating, peaks=self._peaks.get(player, ()))
            self._peaks[player] = next_peaks(known, rating.value, rating.matches, self.window)

    @property
    def standings(self) -> dict[int, Standing]:
        return {
            player: Standing(rating, self._played.get(player, ""), self._peaks.get(player, ()))
            for player, rating in self._ratings.items()
        }


def run_through(run: Run, matches: Iterable[Counted]) -> dict[int, Standing]:
    """Return everybody's standing after these matches."""
    for _effect in run.effects(matches):
        pass
    return run.standings


def started(system: RatingSystem, value: float, experience: int) -> Rating:
    """Return the rating of a player who begins with these; matches and wins are those of this list."""
    return system.starting(value, experience=experience)


def weighed(before: Rating, after: Rating, weight: int) -> Rating:
    """Return the rating after a match that counts so many hundredths."""
    return replace(after, value=before.value + (after.value - before.value) * weight / FULL)


def fixed_rating(guest: str) -> float:
    """Return the rating that a guest has throughout. Raises ValueError for anything but ``w1500`` and ``l1500``."""
    if guest[:1] not in ("w", "l"):
        raise ValueError(guest)
    return float(int(guest[1:]))
