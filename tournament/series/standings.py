"""The standings of a series, computed from the finishing orders of its events that have ended."""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from itertools import groupby

from players.models import Player
from players.points import POINTS, Finish, PlayedEvent, PointSystem, Win, build_points
from players.points.series import SeriesLine, series_standings
from players.points.system import CONSOLATION, LAST_CHANCE, MAIN
from players.services import name_key
from rules.score import Side
from tournament.models import Event, EventMoney, Series, SeriesEvent, Stage, Standing
from tournament.reporting.facts import BRACKETS, Bracket, decided_in, is_member_of
from tournament.snapshot.ranking import whole_places

WORTH = {
    Bracket.MAIN: MAIN,
    Bracket.ROUNDS: MAIN,
    Bracket.CONSOLATION: CONSOLATION,
    Bracket.LAST_CHANCE: LAST_CHANCE,
}
"""Which bracket of a point system is meant by that of a match; a jackpot is none."""


class Counted(StrEnum):
    """Whether an event of the series counts: it has ended, goes on, or is of pairs or teams by now.

    While the standings of one that has ended are being computed, what is stored of it counts.
    """

    ENDED = "ended"
    COMPUTING = "computing"
    OPEN = "open"
    OF_MANY = "of_many"

    @property
    def counts(self) -> bool:
        return self in (Counted.ENDED, Counted.COMPUTING)


@dataclass(frozen=True, slots=True)
class Award:
    """What a player got for the event at place ``number`` of the series, and whether it is among the best."""

    number: int
    points: Decimal
    counts: bool


@dataclass(frozen=True, slots=True)
class Ranked:
    """A player's line: the place, or the first and the last of those that are shared, with a result for each event.

    ``awards`` are those of the events that count, in order; None for one that the player got nothing for.
    """

    player: Player
    place: int
    place_to: int
    points: Decimal
    awards: tuple[Award | None, ...]


@dataclass(frozen=True, slots=True)
class SeriesTable:
    """A series with its events in order, how each counts, and its standings. ``decimals`` are those of all points."""

    series: Series
    events: tuple[tuple[SeriesEvent, Counted], ...]
    lines: tuple[Ranked, ...]
    decimals: int


def table_of(series: Series) -> SeriesTable:
    """Return the series as it stands, in a number of queries that does not grow. Reads ``series.federation``."""
    rows = SeriesEvent.objects.filter(series=series, event__in=Event.objects.all()).order_by("number")
    events = _counted(list(rows.select_related("event__tournament")))
    system = build_points(series.points, series.parameters) if series.points in POINTS else None
    awards = _awards(series, system, [row for row, how in events if how.counts]) if system else {}
    played = [{} if not how.counts else awards.get(row.event_id, {}) for row, how in events]
    found = series_standings(played, best=series.best)
    people = Player.objects.select_related("club").in_bulk([line.player for line in found])
    lines = [_ranked(line, people[line.player], events, played) for line in found]
    lines.sort(key=lambda one: (one.place, name_key(one.player.name), one.player.pk))
    return SeriesTable(series, tuple(events), tuple(lines), system.decimals if system else 0)


def _ranked(
    line: SeriesLine,
    player: Player,
    events: list[tuple[SeriesEvent, Counted]],
    played: list[dict[int, Decimal]],
) -> Ranked:
    awards = tuple(
        Award(row.number, played[index][player.pk], index in line.counted) if player.pk in played[index] else None
        for index, (row, how) in enumerate(events)
        if how.counts
    )
    return Ranked(player, line.place, line.place_to, line.points, awards)


def _counted(rows: list[SeriesEvent]) -> list[tuple[SeriesEvent, Counted]]:
    drawn = Stage.objects.filter(event__in=[row.event_id for row in rows], drawn_at__isnull=False)
    versions = list(drawn.values_list("event", "standings_version"))

    def how(event: Event) -> Counted:
        if event.doubles or event.has_teams:
            return Counted.OF_MANY
        if event.finished_at is None:
            return Counted.OPEN
        stale = any(pk == event.pk and version != event.version for pk, version in versions)
        return Counted.COMPUTING if stale else Counted.ENDED

    return [(row, how(row.event)) for row in rows]


def _awards(series: Series, system: PointSystem, rows: list[SeriesEvent]) -> dict[int, dict[int, Decimal]]:
    """Return what each player got for each of these events, by event: of members alone where the series asks so."""
    ids = [row.event_id for row in rows]
    places = _finishing_orders(ids)
    wins = _wins(ids) if system.counts_wins else {}
    fees = dict(EventMoney.objects.filter(event__in=ids).values_list("event", "fee"))
    found = {}
    for row in rows:
        order = places.get(row.event_id, {})
        if order:
            own = wins.get(row.event_id, {})
            finishes = [Finish(player, *place, tuple(own.get(player, ()))) for player, place in order.items()]
            event = PlayedEvent(
                players=len(order),
                finishes=tuple(finishes),
                fee=fees.get(row.event_id, 0),
                division=row.division,
                weight=Fraction(row.weight, 100),
                designated=row.designated,
            )
            found[row.event_id] = system.award(event)
    return _of_members(series, rows, found) if series.members_only else found


def _of_members(
    series: Series, rows: list[SeriesEvent], awards: Mapping[int, dict[int, Decimal]]
) -> dict[int, dict[int, Decimal]]:
    is_member = is_member_of(series.federation, {player for own in awards.values() for player in own})
    days = {
        row.event_id: row.event.finished_at.astimezone(row.event.tournament.zone).date()
        for row in rows
        if row.event.finished_at is not None
    }
    return {
        event: {player: points for player, points in own.items() if is_member(player, days[event])}
        for event, own in awards.items()
    }


def _finishing_orders(events: Collection[int]) -> dict[int, dict[int, tuple[int, int]]]:
    """Return the first and the last of the places of each person, by event: those of the best of their entries.

    Places are counted again without the other entries, so that nobody is placed behind them.
    """
    lines = Standing.objects.filter(stage__event__in=events, stage__drawn_at__isnull=False, section="")
    lines = lines.select_related("stage", "entry").order_by("stage__event", "stage__number", "order")
    found = {}
    for event, own in groupby(lines, key=lambda line: line.stage.event_id):
        stages = [list(part) for _number, part in groupby(own, key=lambda line: line.stage.number)]
        best: dict[int, int] = {}
        for line, first, _last in whole_places(stages, lambda one: one.entry_id):
            player = line.entry.player_id
            best[player] = min(first, best.get(player, first))
        places = sorted(best.values())
        found[event] = {
            player: (bisect_left(places, first) + 1, bisect_right(places, first)) for player, first in best.items()
        }
    return found


def _wins(events: Collection[int]) -> dict[int, dict[int, list[Win]]]:
    """Return the matches that each player has won, by event."""
    found: dict[int, dict[int, list[Win]]] = {}
    for one in decided_in(Event.objects.filter(pk__in=events)):
        bracket = WORTH.get(BRACKETS.get(one.bracket[:1], Bracket.ROUNDS))
        winner = one.winner
        if winner is None or bracket is None or one.is_board:
            continue
        player = one.match.side_a_id if winner is Side.A else one.match.side_b_id
        found.setdefault(one.event.pk, {}).setdefault(player, []).append(Win(one.match.length, bracket))
    return found
