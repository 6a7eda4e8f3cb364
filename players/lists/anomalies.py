"""What an officer should look at among the matches that count: patterns of results that honest play rarely makes. Pure.

Nothing here is a proof. Each limit is our own definition.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

OFTEN = 12
"""How many matches of one pair are frequent, if they are at least half of those of either player."""
FEW_PER_DAY = 3
"""The matches of a pair in a day that nobody asks about, where the policy says nothing."""
ENOUGH, MOSTLY = 20, 80
"""How many matches of a club against others must be there, and the share in percent of those won that is one way."""
LOW_CLASSES, ENOUGH_LOW, TOO_GOOD = frozenset({"C", "D"}), 10, 80
"""The low classes, how many matches there must be there, and the share in percent that says a player is above them."""
LATE = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Seen:
    """A match that counts: ids of winner and loser with their clubs, 0 for none, and when it was played and entered."""

    match: int
    winner: int
    loser: int
    winner_club: int
    loser_club: int
    event_class: str
    day: date
    late_by: timedelta


@dataclass(frozen=True, slots=True)
class Share:
    """``of`` matches, ``won`` of them won by the player or club ``who``."""

    who: int
    won: int
    of: int

    @property
    def percent(self) -> int:
        return self.won * 100 // self.of


@dataclass(frozen=True, slots=True)
class Pair:
    """Two players, the lower id first, with their matches; on one ``day`` if it is given."""

    first: int
    second: int
    matches: int
    day: date | None = None


@dataclass(frozen=True, slots=True)
class Anomalies:
    pairs: tuple[Pair, ...]
    days: tuple[Pair, ...]
    clubs: tuple[Share, ...]
    players: tuple[Share, ...]
    late: tuple[int, ...]
    """The ids of matches entered late, in the order of play."""


def find_anomalies(matches: Iterable[Seen], *, most_per_day: int | None = None) -> Anomalies:
    """Return what stands out among the matches, the most striking first."""
    pairs: Counter[tuple[int, int]] = Counter()
    days: Counter[tuple[int, int, date]] = Counter()
    played: Counter[int] = Counter()
    clubs, won_by_club = Counter[int](), Counter[int]()
    low, won_low = Counter[int](), Counter[int]()
    late = []
    for one in matches:
        pair = min(one.winner, one.loser), max(one.winner, one.loser)
        pairs[pair] += 1
        days[*pair, one.day] += 1
        played.update(pair)
        if one.winner_club and one.loser_club and one.winner_club != one.loser_club:
            clubs.update((one.winner_club, one.loser_club))
            won_by_club[one.winner_club] += 1
        if one.event_class in LOW_CLASSES:
            low.update(pair)
            won_low[one.winner] += 1
        if one.late_by > LATE:
            late.append(one.match)
    often = [
        Pair(*pair, count)
        for pair, count in pairs.items()
        if count >= OFTEN and 2 * count >= min(played[pair[0]], played[pair[1]])
    ]
    most = most_per_day or FEW_PER_DAY
    many = [Pair(first, second, count, day) for (first, second, day), count in days.items() if count > most]
    return Anomalies(
        pairs=tuple(sorted(often, key=lambda one: (-one.matches, one.first, one.second))),
        days=tuple(sorted(many, key=lambda one: (-one.matches, one.first, one.second, one.day or date.min))),
        clubs=_shares(clubs, won_by_club, ENOUGH, MOSTLY),
        players=_shares(low, won_low, ENOUGH_LOW, TOO_GOOD),
        late=tuple(late),
    )


def _shares(all_of: Counter[int], won: Counter[int], enough: int, percent: int) -> tuple[Share, ...]:
    shares = [Share(who, won[who], count) for who, count in all_of.items() if count >= enough]
    found = [one for one in shares if one.won * 100 >= percent * one.of]
    return tuple(sorted(found, key=lambda one: (-one.percent, -one.of, one.who)))
