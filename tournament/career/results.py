"""The decided matches of a player, the latest first, read in two queries however many there are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import F, Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from matches.claims import claim_of, score_of
from matches.models import AWARDS, Conclusion, GameLine, Match, Scoresheet, SheetState
from matches.services import prefetch_open_sheets, prefetched_sheet
from players.models import Player
from rules.score import Side
from tournament.models.team import listed_matches

SEATS = {"A": ("side_a", "partner_a"), "B": ("side_b", "partner_b")}
_PLACES = ("fixture__stage__event", "board__fixture__stage__event", "former__stage__event")
_SHEET = ("final_a", "final_b", "conclusion", "awarded_to", "played_at")
_PEOPLE = tuple(f"{seat}{column}" for seats in SEATS.values() for seat in seats for column in ("_id", "__name"))
_COLUMNS = ("pk", "length", "start_a", "start_b", "penalties", "event", "sheets__pk")


@dataclass(frozen=True, slots=True)
class Person:
    """A player as a result names them."""

    id: int
    name: str


@dataclass(frozen=True, slots=True)
class Result:
    """A decided match as one of its players sees it: ``own`` points and ``theirs``.

    ``opponents`` are one player, or two in consultation doubles, with ``partner``. ``event`` is the event's id, None
    for an imported match. A match that ``is_award`` was decided without being played to its end.
    """

    match_id: int
    at: datetime
    length: int
    own: int
    theirs: int
    won: bool
    is_award: bool
    opponents: tuple[Person, ...]
    partner: Person | None
    event: int | None

    @property
    def opponent(self) -> str:
        return " & ".join(person.name for person in self.opponents)


def results_of(player: Player) -> list[Result]:
    """Return the decided matches of the player, the latest first, in two queries.

    Two more are needed where a ruling gave penalty points in the middle of a match. Void matches have no result.
    """
    return _read(listed_matches(player), player)


def results_between(player: Player, other: Player) -> list[Result]:
    """Return the decided matches in which the two sat on opposite sides, as ``player`` sees them, the latest first."""
    one, two = (Q(side_a=who) | Q(partner_a=who) for who in (player, other))
    facing_one, facing_two = (Q(side_b=who) | Q(partner_b=who) for who in (player, other))
    return _read(listed_matches(player).filter((one & facing_two) | (two & facing_one)), player)


def _read(matches: QuerySet[Match], player: Player) -> list[Result]:
    ways = (Conclusion.PLAYED, *AWARDS)
    decided = matches.filter(sheets__state=SheetState.CONFIRMED, sheets__conclusion__in=ways)
    columns = (*_COLUMNS, *(f"sheets__{name}" for name in _SHEET), *_PEOPLE)
    found = decided.annotate(event=Coalesce(*_PLACES)).order_by("-sheets__played_at", "-pk").values_list(*columns)
    rows = [dict(zip(columns, row, strict=True)) for row in found]
    won = _points_won(decided)
    exact = _exact_scores(row["pk"] for row in rows if row["penalties"])
    return [result for row in rows if (result := _result(row, player, won, exact)) is not None]


def _points_won(decided: QuerySet[Match]) -> Mapping[int, dict[str, int]]:
    """Return the points that each side won in the games of each sheet, by sheet."""
    lines = GameLine.objects.filter(sheet__match__in=decided.values("pk"), sheet__state=SheetState.CONFIRMED)
    sums = lines.order_by().values_list("sheet", "winner").annotate(points=Sum(F("cube") * F("level")))
    points: defaultdict[int, dict[str, int]] = defaultdict(lambda: {"A": 0, "B": 0})
    for sheet, winner, total in sums:
        points[sheet][winner] = total
    return points


def _exact_scores(matches: Iterable[int]) -> dict[int, tuple[int, int]]:
    """Return the final scores of these matches as the rules count them, penalty points in the middle included."""
    wanted = list(matches)
    if not wanted:
        return {}
    found = Match.objects.filter(pk__in=wanted).prefetch_related(prefetch_open_sheets())
    return {match.pk: _score(match, sheet) for match in found if (sheet := prefetched_sheet(match)) is not None}


def _score(match: Match, sheet: Scoresheet) -> tuple[int, int]:
    claim = claim_of(sheet)
    score = score_of(match.terms, claim.games, claim.final, claim.awarded_to)
    return score.a, score.b


def _result(
    row: Mapping[str, Any],
    player: Player,
    won: Mapping[int, dict[str, int]],
    exact: Mapping[int, tuple[int, int]],
) -> Result | None:
    points = exact.get(row["pk"]) or _points(row, won)
    winner = next((side for side, own in zip("AB", points, strict=True) if own >= row["length"]), "")
    if not winner:
        return None
    own = "A" if player.pk in (row["side_a_id"], row["partner_a_id"]) else "B"
    other = Side(own).other.value
    mine, theirs = points if own == "A" else points[::-1]
    return Result(
        match_id=row["pk"],
        at=row["sheets__played_at"],
        length=row["length"],
        own=mine,
        theirs=theirs,
        won=winner == own,
        is_award=row["sheets__conclusion"] in AWARDS,
        opponents=tuple(_people(row, other)),
        partner=next((one for one in _people(row, own) if one.id != player.pk), None),
        event=row["event"],
    )


def _points(row: Mapping[str, Any], won: Mapping[int, dict[str, int]]) -> tuple[int, int]:
    """Return the points at the end: as much as is needed, and an award brings its side to the match length."""
    if row["sheets__final_a"] is not None:
        return row["sheets__final_a"], row["sheets__final_b"]
    games = won[row["sheets__pk"]]
    length, award = row["length"], row["sheets__awarded_to"]
    a, b = (length if award == side else min(row[f"start_{side.lower()}"] + games[side], length) for side in ("A", "B"))
    return a, b


def _people(row: Mapping[str, Any], side: str) -> Iterator[Person]:
    for seat in SEATS[side]:
        if row[f"{seat}_id"] is not None:
            yield Person(row[f"{seat}_id"], row[f"{seat}__name"])
