"""The count of the rated matches, kept up to date at the cost of what has changed since.

A count reads matches without a lock, and stores them under one if nothing else has been stored in the meantime.
"""

from collections.abc import Collection, Iterator
from datetime import datetime
from heapq import merge

from django.db import transaction
from django.db.models import Max, Q, QuerySet

from matches.counted import Checkpoint, CountedMatch, Counting, Recount
from matches.models import RULED, SIDES, Match, Record, SheetChange, SheetState
from matches.rateable import CHUNK, RatedMatch, in_order, rateable_by, rateable_sheets, rated_matches
from players.models import RankingList
from players.ratings import RatedResult
from players.statements import Statement, columns_of

VERSION = 1
"""The version of the rules of what is rated, and of all rating systems: raise it when one of them changes."""

AT_ONCE = 30
"""How many matches are read at a time: a worker with other tasks is kept for about 10 ms."""

AT_ONCE_ALONE = 2000
"""How many are read at a time where nothing else waits."""

MOST_WAITING = 2 * CHUNK
"""How many matches that are not counted yet are read with those that are; if there are more, all are read."""

Position = tuple[datetime, int]
"""The place of a match in rating order: :func:`matches.rateable.in_order`."""


def find_counting() -> Counting | None:
    """Return how far the count has come; None if nothing is counted by the present rules."""
    return next(iter(_COUNTING.find(Counting, VERSION)), None)


_COUNTING = Statement(
    lambda version: Counting.objects.filter(version=version).order_by("pk").values_list(*columns_of(Counting))
)


@transaction.atomic
def start_again(*, at: datetime) -> Counting:
    """Throw away everything counted; every match there is now has to be counted again."""
    begun = {"version": VERSION, "at": at}
    counting, _is_new = Counting.objects.select_for_update().get_or_create(pk=1, defaults=begun)
    CountedMatch.objects.all().delete()
    Checkpoint.objects.all().delete()
    counting.version, counting.at, counting.changes = VERSION, at, counting.changes + 1
    counting.done, counting.goal = 0, Match.objects.aggregate(last=Max("pk"))["last"] or 0
    counting.save()
    _due(at).filter(match__lte=counting.goal).delete()
    return counting


@transaction.atomic
def moment_to_count(now: datetime) -> datetime:
    """Return the moment as of which lists are computed: now, or that of a result if a clock was ahead that entered it.

    What a clock that was ahead has left on lists and on the count is set back, and the lists are to be computed again:
    otherwise nothing would reach them before that time has come.
    """
    ahead = [
        Counting.objects.filter(at__gt=now),
        Recount.objects.filter(at__gt=now),
        RankingList.objects.filter(computed_at__gt=now),
    ]
    if not any(rows.exists() for rows in ahead):
        return now
    decided = SheetChange.objects.filter(state=SheetState.CONFIRMED).aggregate(at=Max("at"))["at"]
    imported = Record.objects.aggregate(at=Max("imported_at"))["at"]
    moment: datetime = max(at for at in (now, decided, imported) if at is not None)
    Counting.objects.filter(at__gt=moment).update(at=moment)
    RankingList.objects.filter(computed_at__gt=moment).update(computed_at=moment, covers=-1)
    return moment


def _due(at: datetime) -> QuerySet[Recount]:
    return Recount.objects.filter(Q(at__isnull=True) | Q(at__lte=at))


def is_counted(counting: Counting | None) -> bool:
    """Whether every match has been counted, apart from those with a :class:`matches.counted.Recount`."""
    return counting is not None and counting.done >= counting.goal


def count_some(counting: Counting, *, at: datetime, alone: bool = False) -> bool:
    """Count some of the matches that wait for it, as they stand at ``at``; return whether none was left to count."""
    size = AT_ONCE_ALONE if alone else AT_ONCE
    asked = dict(_due(at).order_by("pk").values_list("pk", "match")[:size])
    if asked:
        _count(counting, Q(match__in=set(asked.values())), asked=asked, at=at)
    elif counting.done < counting.goal:
        upto = min(counting.done + size, counting.goal)
        _count(counting, Q(match__gt=counting.done, match__lte=upto), at=at, upto=upto)
    else:
        return True
    return False


def _count(counting: Counting, which: Q, *, at: datetime, asked: Collection[int] = (), upto: int | None = None) -> None:
    now = {match.match_id: match for match in rated_matches(rateable_by(at).filter(which))}
    known = {match.match_id: match for match in counted_matches(CountedMatch.objects.filter(which))}
    gone = [match for pk, match in known.items() if now.get(pk) != match]
    new = [match for pk, match in now.items() if known.get(pk) != match]
    with transaction.atomic():
        locked = Counting.objects.select_for_update().get(pk=1)
        if locked.changes != counting.changes:
            return
        Recount.objects.filter(pk__in=list(asked)).delete()
        CountedMatch.objects.filter(pk__in=[match.match_id for match in gone]).delete()
        CountedMatch.objects.bulk_create(_row(match) for match in new)
        if gone or new:
            first = min(map(in_order, (*gone, *new)))
            Checkpoint.objects.filter(at__gte=first[0]).exclude(at=first[0], match__lt=first[1]).delete()
        locked.changes, locked.at = locked.changes + 1, max(locked.at, at)
        locked.done = locked.done if upto is None else upto
        locked.save()


def counted_matches(rows: QuerySet[CountedMatch]) -> Iterator[RatedMatch]:
    """Yield these counted matches in rating order."""
    values = rows.order_by("at", "match").values_list("match", "at", "winner", "loser", "length")
    for pk, at, winner, loser, length in values.iterator(chunk_size=CHUNK):
        yield RatedMatch(pk, at, RatedResult(winner, loser, length))


def _row(match: RatedMatch) -> CountedMatch:
    result = match.result
    return CountedMatch(
        match=match.match_id, at=match.at, winner=result.winner, loser=result.loser, length=result.length
    )


def has_uncounted() -> bool:
    """Whether there is something to count."""
    return not is_counted(find_counting()) or Recount.objects.exists()


def waiting_matches() -> set[int] | None:
    """Return the ids of the matches to be counted again, from whatever moment on; None if they are all or very many."""
    if not is_counted(find_counting()):
        return None
    waiting = {match for (match,) in _RECOUNTED.rows()}
    return waiting if len(waiting) <= MOST_WAITING else None


def rated_waiting() -> list[RatedMatch]:
    """Return the rated ones of the matches to be counted again, in no order.

    A process asks the rules about each score sheet once.
    """
    rows = {repr(row): row[:2] for row in _WAITING.rows()}
    found = {row: _known[row] for row in rows if row in _known}
    new = {row: sheet for row, sheet in rows.items() if row not in found}
    if new:
        sheets = rateable_sheets().filter(pk__in=[sheet for sheet, _match in new.values()])
        made = {match.match_id: match for match in rated_matches(sheets)}
        found |= {row: made.get(match) for row, (_sheet, match) in new.items()}
        if len(_known) + len(new) > MOST_WAITING:
            _known.clear()
        _known.update(found)
    return [match for match in found.values() if match is not None]


_RECOUNTED = Statement(lambda: Recount.objects.order_by().values_list("match")[: MOST_WAITING + 1])
_WAITING = Statement(
    lambda: (
        rateable_sheets()
        .filter(match__in=Recount.objects.order_by().values("match"))
        .order_by()
        .values_list(
            *("pk", "match", "key", "at", "played_at", "final_a", "final_b"),
            *(f"match__{name}" for name in (*SIDES, *RULED, "crawford", "profile")),
        )
    )
)
_known: dict[str, RatedMatch | None] = {}
"""What the rateable sheets say that this process has seen, under everything of them that it follows from."""


def forget_rated() -> None:
    """Throw away what this process remembers of score sheets."""
    _known.clear()


def rated_now() -> Iterator[RatedMatch]:
    """Yield the rated matches in order, as :func:`matches.rateable.rated_matches` does, from what has been counted."""
    waiting = waiting_matches()
    if waiting is None:
        yield from rated_matches()
        return
    read = list(rated_matches(rateable_sheets().filter(match__in=waiting)))
    yield from merge(counted_matches(CountedMatch.objects.exclude(match__in=waiting)), read, key=in_order)
