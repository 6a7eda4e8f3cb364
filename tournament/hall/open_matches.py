"""The open matches of a hall as rows, one for each board, and the pairings still to come."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from django.db.models import F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from matches.claims import claim_of, score_of
from matches.differences import describe_dispute, score_between
from matches.models import SIDES, Match, Scoresheet, SheetChange, SheetState
from matches.services import prefetch_open_sheets, prefetched_reports, prefetched_sheet
from players.statements import Statement
from tournament.formats.knockout import MAIN
from tournament.formats.plan import LoserOf, LoserOfRound, WinnerOf, parse_feed
from tournament.models import Fixture, Tournament

NAME_COLUMNS = ("team", "player__name", "partner__name", "reentry")


Rows = list[dict[str, Any]]


def open_rows(tournament: Tournament, event: int | None = None) -> Rows:
    """Read the columns of every match without a confirmed result, in one query: of all running events, or of one.

    ``played_id`` is the match, ``board`` its board, None between players or pairs.
    """
    found = _OPEN.rows(tournament.pk) if event is None else _OPEN_OF_EVENT.rows(event)
    return [dict(zip(COLUMNS, row, strict=True)) for row in found]


def coming_rows(tournament: Tournament, event: int | None = None) -> Rows:
    """Read every pairing without a match so far, in one query: its place, its length and what feeds it."""
    found = _COMING.rows(tournament.pk) if event is None else _COMING_OF_EVENT.rows(event)
    return [dict(zip(COMING, row, strict=True)) for row in found]


def changed_rows(event: int, since: int) -> Rows:
    """Read the columns of every pairing of the event that has changed since this version of it, in one query.

    They are those of :func:`open_rows`, of pairings that are decided or have no match too.
    """
    return [dict(zip(COLUMNS, row, strict=True)) for row in _CHANGED.rows(event, since)]


def is_open(row: Mapping) -> bool:
    """Whether it is a row of a match without a confirmed result."""
    return row["played_id"] is not None and row["sheet_state"] != SheetState.CONFIRMED


def in_order(rows: Iterable[dict[str, Any]]) -> Rows:
    """Return the rows of one event in the order of :func:`open_rows`."""
    return sorted(rows, key=lambda row: (row["stage_id"], row["round"], row["number"], row["board"] or 0))


COMING = ("id", "event_id", "stage_id", "key", "round", "number", "length", "feed_a", "feed_b")
OF_THE_MATCH = ("length", "created_at", *(f"{side}_id" for side in SIDES))
COLUMNS = (
    *(*COMING, "entry_a_id", "entry_b_id", "played_id", "board", "sheet_state", "sheet_number"),
    *(f"entry_{side}__{column}" for side in "ab" for column in NAME_COLUMNS),
    *(f"boards__match__side_{side}__name" for side in "ab"),
    *(f"match_{column}" for column in OF_THE_MATCH),
    *("event_name", "event_slug", "event_boards"),
)


def _open(fixtures: QuerySet[Fixture]) -> QuerySet:
    return _all(fixtures).filter(
        Q(sheet_state__isnull=True) | ~Q(sheet_state=SheetState.CONFIRMED), played_id__isnull=False
    )


def _all(fixtures: QuerySet[Fixture]) -> QuerySet:
    current = Scoresheet.objects.filter(match=OuterRef("played_id"), state__in=Scoresheet.CURRENT)
    # Reported and disputed sheets come before a live one; alphabetically, disputed comes first.
    reports = Scoresheet.objects.filter(match=OuterRef("played_id"), state__in=Scoresheet.REPORTS).order_by("state")
    fixtures = fixtures.annotate(
        played_id=Coalesce("match_id", "boards__match_id"), board=F("boards__number")
    ).annotate(
        sheet_state=Coalesce(Subquery(reports.values("state")[:1]), Subquery(current.values("state")[:1])),
        sheet_number=Subquery(current.values("number")[:1]),
    )
    named = {f"event_{column}": F(f"stage__event__{column}") for column in ("id", "name", "slug", "boards")}
    played = {f"match_{column}": Coalesce(f"match__{column}", f"boards__match__{column}") for column in OF_THE_MATCH}
    found = fixtures.annotate(**named, **played)
    return found.order_by("stage__event_id", "stage_id", "round", "number", "board").values_list(*COLUMNS)


def _coming(fixtures: QuerySet[Fixture]) -> QuerySet:
    found = fixtures.filter(match=None, boards=None).annotate(event_id=F("stage__event_id"))
    return found.order_by().values_list(*COMING)


def _running(tournament: int) -> QuerySet[Fixture]:
    running = {"stage__event__tournament": tournament, "stage__event__finished_at": None}
    return Fixture.objects.filter(**running, stage__event__deleted_at=None)


def _of_event(event: int) -> QuerySet[Fixture]:
    return Fixture.objects.filter(stage__event=event)


_OPEN, _OPEN_OF_EVENT = Statement(lambda pk: _open(_running(pk))), Statement(lambda pk: _open(_of_event(pk)))
_CHANGED = Statement(lambda event, since: _all(_of_event(event).filter(version__gt=since)))
_COMING, _COMING_OF_EVENT = Statement(lambda pk: _coming(_running(pk))), Statement(lambda pk: _coming(_of_event(pk)))


def ways_to_the_end(rows: Sequence[Mapping], coming: Sequence[Mapping]) -> dict[int, int]:
    """Return, by match, the length in points of the longest path from each open match to the end of its stage.

    The boards of two teams are played at the same time: they are one step of the way.
    """
    followers: dict[tuple[int, str], list[Mapping]] = {}
    of_round: dict[tuple[int, int], list[Mapping]] = {}
    open_fixtures = {(row["stage_id"], row["key"]): row for row in rows}
    for row in (*rows, *coming):
        stage = row["stage_id"]
        for source in (_source(row["feed_a"]), _source(row["feed_b"])):
            if isinstance(source, str):
                followers.setdefault((stage, source), []).append(row)
            elif source is not None:
                of_round.setdefault((stage, source), []).append(row)
    for row in (*rows, *coming) if of_round else ():
        if row["key"].startswith(MAIN):
            place = row["stage_id"], row["key"]
            followers[place] = [*followers.get(place, ()), *of_round.get((row["stage_id"], row["round"]), ())]
    of_entry: dict[int, int] = defaultdict(int)
    for row in open_fixtures.values():
        of_entry[row["entry_a_id"]] += row["length"]
        of_entry[row["entry_b_id"]] += row["length"]
    known: dict[tuple[int, str], int] = {}
    return {
        row["played_id"]: max(
            _way_from(row, followers, known), of_entry[row["entry_a_id"]], of_entry[row["entry_b_id"]]
        )
        for row in rows
    }


def _way_from(
    row: Mapping, followers: Mapping[tuple[int, str], Sequence[Mapping]], known: dict[tuple[int, str], int]
) -> int:
    """Return the points on the longest path from the match on, including its own; ``known`` caches those computed."""
    place = (row["stage_id"], row["key"])
    way = known.get(place)
    if way is None:
        longest = 0
        for other in followers.get(place, ()):
            longest = max(longest, _way_from(other, followers, known))
        known[place] = way = row["length"] + longest
    return way


@lru_cache(maxsize=10_000)
def _source(feed: str) -> str | int | None:
    """Return the pairing from which the feed is filled, or the round of which it awaits a loser; None for neither."""
    match parse_feed(feed):
        case WinnerOf(key) | LoserOf(key):
            return key
        case LoserOfRound(round):
            return round
    return None


@dataclass(frozen=True, slots=True)
class Reported:
    """An open report: its sheet's number, the name of its player (empty for a scorer), and its score."""

    number: int
    by: str
    score: tuple[int, int]
    is_over: bool


@dataclass(frozen=True, slots=True)
class Entered:
    """What has been entered or reported for an undecided match.

    Without a live sheet ``score`` is what all reports agree on. ``dispute`` says where two reports, or a report and
    the live sheet, differ; a match in dispute has no score.
    """

    score: tuple[int, int] | None = None
    reports: tuple[Reported, ...] = ()
    dispute: str = ""


NOTHING_ENTERED = Entered()


def read_entered(rows: Iterable[Mapping]) -> dict[int, Entered]:
    """Read what has been entered for the matches that have a sheet, by match, in at most four queries."""
    begun = [row["played_id"] for row in rows if row["sheet_state"] is not None]
    if not begun:
        return {}
    matches = Match.objects.filter(pk__in=begun).select_related(*SIDES).prefetch_related(prefetch_open_sheets())
    found = {match.pk: _entered(match) for match in matches}
    unexplained = {
        sheet.pk: match
        for match in matches
        for sheet in prefetched_reports(match)
        if sheet.state == SheetState.DISPUTED and not found[match.pk].dispute
    }
    if unexplained:
        changes = SheetChange.objects.filter(sheet__in=unexplained, state=SheetState.DISPUTED)
        for change in changes.order_by("pk"):
            match = unexplained[change.sheet_id]
            found[match.pk] = replace(found[match.pk], dispute=_objection(match, change))
    return found


def _objection(match: Match, change: SheetChange) -> str:
    """Return who disputed a report without sending another, and the reason they gave."""
    names = {"A": match.name_a, "B": match.name_b}
    words = {"name": names.get(change.side) or _("the director"), "reason": change.reason}
    if not change.reason:
        return _("%(name)s disputes this report and gave no reason.") % words
    return _("%(name)s disputes this report: “%(reason)s”") % words


def _entered(match: Match) -> Entered:
    current, reports = prefetched_sheet(match), prefetched_reports(match)
    reported = tuple(_reported(match, sheet) for sheet in reports)
    if any(report.state == SheetState.DISPUTED for report in reports):
        claims = (*([current] if current is not None else []), *reports)
        return Entered(None, reported, describe_dispute(match, claims))
    if current is not None:
        return Entered(_score(match, current)[0], reported)
    score = score_between(match, reports)
    return Entered((score.a, score.b) if score is not None else None, reported)


def _reported(match: Match, sheet: Scoresheet) -> Reported:
    names = {"A": match.name_a, "B": match.name_b}
    score, is_over = _score(match, sheet)
    return Reported(sheet.number, names.get(sheet.side, ""), score, is_over)


def _score(match: Match, sheet: Scoresheet) -> tuple[tuple[int, int], bool]:
    claim = claim_of(sheet)
    score = score_of(match.terms, claim.games, claim.final, claim.awarded_to)
    return (score.a, score.b), score.over
