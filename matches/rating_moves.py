"""What a change to a few rated matches does to the ratings, found from those that were rated before."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from matches.checkpoints import Tally, last_tally, matches_after
from matches.counted import CountedMatch
from matches.counting import Position, counted_matches, find_counting, rated_waiting, waiting_matches
from matches.rateable import RatedMatch, in_order, rated_matches
from matches.ratings import as_listed
from players.ratings import RATINGS, Rating, RatingSystem

Move = tuple[Decimal | None, Decimal | None]
"""A player's rating before and after; None where the player is not on the list."""


def moves_between(before: Sequence[RatedMatch], after: Sequence[RatedMatch]) -> dict[str, dict[int, Move]]:
    """Return the ratings that move, by system and player, if the matches ``after`` take the place of those ``before``.

    All other rateable matches stand as they are stored now. A system in which nothing moves has an empty mapping. Only
    what follows the last checkpoint before these matches is rated again.
    """
    (found,) = moves_to_each(before, [after])
    return found


def moves_to_each(
    before: Sequence[RatedMatch], afters: Sequence[Sequence[RatedMatch]]
) -> list[dict[str, dict[int, Move]]]:
    """Return for each of ``afters`` what :func:`moves_between` does, from one reading of the other matches."""
    old, each = frozenset(before), [frozenset(after) for after in afters]
    if all(new == old for new in each):
        return [{slug: {} for slug in RATINGS} for _new in each]
    while True:
        changes = _changes()
        others = _read_others(old, each)
        moves = {slug: _moves(system, others, old, each) for slug, system in RATINGS.items()}
        # What was read while something was counted may not fit together.
        if others.since is None or changes == _changes():
            return [{slug: found[number] for slug, found in moves.items()} for number in range(len(each))]


def _changes() -> int | None:
    counting = find_counting()
    return counting.changes if counting else None


@dataclass(frozen=True, slots=True)
class _Others:
    """The rated matches that stay: those counted except these ids, and the ``more``.

    Before the place ``since`` they are those counted. It is None if the count is not to be used: then ``more`` are all.
    """

    more: Sequence[RatedMatch]
    without: Collection[int] = ()
    since: Position | None = None


def _read_others(old: frozenset[RatedMatch], each: Sequence[frozenset[RatedMatch]]) -> _Others:
    own = {match.match_id for side in (old, *each) for match in side}
    waiting = waiting_matches()
    if waiting is None:
        return _Others([match for match in rated_matches() if match.match_id not in own])
    more = [match for match in rated_waiting() if match.match_id in waiting - own]
    without = waiting | own
    counted = frozenset(counted_matches(CountedMatch.objects.filter(match__in=without)))
    differing = (match for side in (old, *each) for match in counted ^ side.union(more))
    return _Others(more, without, min(map(in_order, differing)))


def _moves(
    system: RatingSystem, others: _Others, old: frozenset[RatedMatch], each: Sequence[frozenset[RatedMatch]]
) -> list[dict[int, Move]]:
    tally, rest = Tally(), list(others.more)
    if others.since is not None:
        tally = last_tally(system.slug, before=others.since)
        rest += counted_matches(matches_after(tally, without=others.without))
    stays = old.intersection(*each)
    first = min(in_order(match) for side in (old, *each) for match in side - stays)

    def rate(known: dict[int, Rating], matches: Iterable[RatedMatch]) -> dict[int, Rating]:
        return system.rate((match.result for match in sorted(matches, key=in_order)), known)

    def is_left(match: RatedMatch) -> bool:
        return tally.after is None or in_order(match) > tally.after

    shared = rate(dict(tally.ratings), (one for one in (*rest, *stays) if is_left(one) and in_order(one) < first))
    later = [one for one in rest if in_order(one) >= first]
    was, *ratings = (rate(shared, (*later, *(one for one in side if in_order(one) >= first))) for side in (old, *each))
    return [_moved(was, now) for now in ratings]


def _moved(was: Mapping[int, Rating], now: Mapping[int, Rating]) -> dict[int, Move]:
    moves = {
        player: (_listed(was.get(player)), _listed(now.get(player)))
        for player in sorted(was.keys() | now.keys())
        if was.get(player) != now.get(player)
    }
    return {player: move for player, move in moves.items() if move[0] != move[1]}


def _listed(rating: Rating | None) -> Decimal | None:
    return None if rating is None else as_listed(rating.value)
