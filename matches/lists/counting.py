"""The matches that a list counts, read in the order of rating and piece by piece."""

from collections.abc import Collection, Iterator
from datetime import UTC, datetime
from heapq import merge
from typing import Protocol

from matches.counted import CountedMatch
from matches.counting import counted_matches, waiting_matches
from matches.rateable import RatedMatch, in_order, rateable_sheets, rated_matches
from players.lists.models import OfficialList
from players.lists.values import Counted

CHUNK = 900


class Source(Protocol):
    """Where the matches of a list come from: what counts is decided above, where events are known."""

    def counted(self, official_list: OfficialList, after: datetime | None, until: datetime) -> Iterator[Counted]:
        """Yield the matches that ended after one moment, and by the other, and count, in the order of rating."""

    def why_not(self, official_list: OfficialList, matches: Collection[int]) -> dict[int, str]:
        """Return the code of what keeps these matches out, of those that do not count; "" if nothing is known of it."""


class EveryRatedMatch:
    """A source of which each list counts every rated match, whatever its event says."""

    def counted(self, official_list: OfficialList, after: datetime | None, until: datetime) -> Iterator[Counted]:
        return map(as_counted, rated_between(after, until))

    def why_not(self, official_list: OfficialList, matches: Collection[int]) -> dict[int, str]:
        found = rated_matches(rateable_sheets().filter(match__in=matches)) if matches else ()
        rated = {match.match_id for match in found}
        return {match: "not_rated" for match in matches if match not in rated}


def rated_between(after: datetime | None, until: datetime) -> Iterator[RatedMatch]:
    """Yield the rated matches that ended after one moment, and by the other, in the order of rating."""
    counted, sheets = CountedMatch.objects.filter(at__lte=until), rateable_sheets().filter(played_at__lte=until)
    if after is not None:
        counted, sheets = counted.filter(at__gt=after), sheets.filter(played_at__gt=after)
    waiting = waiting_matches()
    if waiting is None:
        yield from rated_matches(sheets)
        return
    if not waiting:
        yield from counted_matches(counted)
        return
    read = list(rated_matches(sheets.filter(match__in=waiting)))
    yield from merge(counted_matches(counted.exclude(match__in=waiting)), read, key=in_order)


def as_counted(match: RatedMatch) -> Counted:
    result = match.result
    return Counted(match.match_id, moment(match.at), result.winner, result.loser, result.length)


def moment(at: datetime) -> str:
    """Return the moment as documents have it: ISO 8601 in UTC, which sorts as time goes."""
    return at.astimezone(UTC).isoformat()
