"""The decided matches of a player, the latest first, read in one query however many there are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import F, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from matches.claims import claim_of, score_of
from matches.models import AWARDS, Conclusion, GameLine, Match, Scoresheet, SheetState
from matches.services import prefetch_open_sheets, prefetched_sheet
from players.models import Player
from players.statements import Statement
from rules.score import Side
from tournament.models.team import listed_matches

SEATS = {"A": ("side_a", "partner_a"), "B": ("side_b", "partner_b")}
_PLACES = ("fixture__stage__event", "board__fixture__stage__event", "former__stage__event")
_PEOPLE = tuple(f"{seat}{column}" for seats in SEATS.values() for seat in seats for column in ("_id", "__name"))
_COLUMNS = (
    *("pk", "length", "start_a", "start_b", "penalties", "event", "won_a", "won_b"),
    *(f"sheets__{name}" for name in ("final_a", "final_b", "conclusion", "awarded_to", "played_at")),
    *_PEOPLE,
)


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
    """Return the decided matches of the player, the latest first, in one query.

    Two more are needed where a ruling gave penalty points in the middle of a match. Void matches have no result.
    """
    return _results(_OF.rows(player.pk), player)


def results_between(player: Player, other: Player) -> list[Result]:
    """Return the decided matches in which the two sat on opposite sides, as ``player`` sees them, the latest first."""
    return _results(_BETWEEN.rows(player.pk, other.pk), player)


def _decided(matches: QuerySet[Match]) -> QuerySet[Match, tuple[Any, ...]]:
    """Return the ``_COLUMNS`` of those that are decided, the latest first."""
    ways = (Conclusion.PLAYED, *AWARDS)
    decided = matches.filter(sheets__state=SheetState.CONFIRMED, sheets__conclusion__in=ways)
    found = decided.annotate(event=Coalesce(*_PLACES), won_a=_points_won("A"), won_b=_points_won("B"))
    return found.order_by("-sheets__played_at", "-pk").values_list(*_COLUMNS)


def _points_won(side: str) -> Coalesce:
    """Return the points that the side won in the games of the sheet."""
    lines = GameLine.objects.filter(sheet=OuterRef("sheets__pk"), winner=side).order_by().values("sheet")
    return Coalesce(Subquery(lines.annotate(points=Sum(F("cube") * F("level"))).values("points")), 0)


def _between(player: int, other: int) -> QuerySet[Match]:
    one, two = (Q(side_a=who) | Q(partner_a=who) for who in (player, other))
    facing_one, facing_two = (Q(side_b=who) | Q(partner_b=who) for who in (player, other))
    return listed_matches(player).filter((one & facing_two) | (two & facing_one))


_OF = Statement(lambda player: _decided(listed_matches(player)))
_BETWEEN = Statement(lambda player, other: _decided(_between(player, other)))


def _results(found: Iterable[tuple[Any, ...]], player: Player) -> list[Result]:
    rows = [dict(zip(_COLUMNS, row, strict=True)) for row in found]
    exact = _exact_scores(row["pk"] for row in rows if row["penalties"])
    return [result for row in rows if (result := _result(row, player, exact)) is not None]


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


def _result(row: Mapping[str, Any], player: Player, exact: Mapping[int, tuple[int, int]]) -> Result | None:
    points = exact.get(row["pk"]) or _points(row)
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


def _points(row: Mapping[str, Any]) -> tuple[int, int]:
    """Return the points at the end: as much as is needed, and an award brings its side to the match length."""
    if row["sheets__final_a"] is not None:
        return row["sheets__final_a"], row["sheets__final_b"]
    length, award = row["length"], row["sheets__awarded_to"]
    a, b = (
        length if award == side.upper() else min(row[f"start_{side}"] + row[f"won_{side}"], length) for side in "ab"
    )
    return a, b


def _people(row: Mapping[str, Any], side: str) -> Iterator[Person]:
    for seat in SEATS[side]:
        if row[f"{seat}_id"] is not None:
            yield Person(row[f"{seat}_id"], row[f"{seat}__name"])
