"""The matches that a list counts, read in the order of rating and piece by piece."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from heapq import merge
from itertools import islice

from matches.counted import CountedMatch, Recount
from matches.counting import counted_matches, find_counting, waiting_matches
from matches.rateable import RatedMatch, in_order, rateable_sheets, rated_matches
from players.lists.models import OfficialList
from players.lists.values import Counted

CHUNK = 900

CountsFor = Callable[[OfficialList, Sequence[RatedMatch]], Sequence[str | None]]
"""What returns for each rated match why it does not count for a list: a code, None if it counts."""


def all_count(_official_list: OfficialList, matches: Sequence[RatedMatch]) -> list[str | None]:
    """Let every rated match count."""
    return [None] * len(matches)


def state_of_counting() -> tuple[int, int]:
    """Return two numbers that both stay the same while no other matches are counted."""
    counting = find_counting()
    last = Recount.objects.order_by("-pk").values_list("pk", flat=True).first()
    return (counting.changes if counting else -1, last or 0)


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


def counted_between(
    official_list: OfficialList, after: datetime | None, until: datetime, counts_for: CountsFor
) -> Iterator[Counted]:
    """Yield the matches of that time that count for the list, in the order of rating."""
    rated = rated_between(after, until)
    while chunk := list(islice(rated, CHUNK)):
        for match, why_not in zip(chunk, counts_for(official_list, chunk), strict=True):
            if why_not is None:
                yield as_counted(match)


def as_counted(match: RatedMatch) -> Counted:
    result = match.result
    return Counted(match.match_id, moment(match.at), result.winner, result.loser, result.length)


def why_not_counted(official_list: OfficialList, matches: Iterable[int], counts_for: CountsFor) -> dict[int, str]:
    """Return why each of these matches does not count; ``not_rated`` where no list could count it."""
    ids = sorted(matches)
    if not ids:
        return {}
    rated = list(rated_matches(rateable_sheets().filter(match__in=ids)))
    found = zip(rated, counts_for(official_list, rated), strict=True)
    codes = {match.match_id: code for match, code in found}
    return {pk: codes.get(pk, "not_rated") or "" for pk in ids}


def moment(at: datetime) -> str:
    """Return the moment as documents have it: ISO 8601 in UTC, which sorts as time goes."""
    return at.astimezone(UTC).isoformat()
