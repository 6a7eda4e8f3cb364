"""When each event of a hall will finish: tasks simulate the rest of it bit by bit, and the cache keeps the forecast."""

from __future__ import annotations

import math
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from fractions import Fraction

from django.core.cache import cache

from players.errors import Refusal
from tournament.draw.calls import prefetched_call
from tournament.draw.chain import Chain, load_chain
from tournament.draw.outcomes import match_has_sheet
from tournament.formats import FORMATS, SIMULATED, parse_options
from tournament.formats.errors import PlanError
from tournament.formats.plan import Entrant
from tournament.hall.open_matches import open_rows
from tournament.hall.timing import pace_of, pauses_of
from tournament.models import Event, Fixture, Stage, Table, Tournament
from tournament.rehearsal.chance import MEAN_RATING, MINUTES_A_POINT
from tournament.rehearsal.pace import Pace, Pause, after_playing, playing_time
from tournament.rehearsal.rest import UnfinishedStage, minutes_left
from tournament.rehearsal.simulation import play_event
from tournament.work import ask

PLAYS = 40
MOST_SECONDS = 20.0
"""An event whose rest takes long to simulate is simulated fewer than ``PLAYS`` times."""

SLICE_SECONDS = 0.4
"""How long one task simulates, so that standings never wait long behind it."""

KEPT_SECONDS = 6 * 3600
FRESH = timedelta(minutes=10)
"""How long a forecast of the event's present version is good for: the hall goes on meanwhile."""

ASKED_SECONDS = 30
"""How often a forecast is asked for at most, however many people look."""

HALF, NINE_TENTHS = Fraction(1, 2), Fraction(9, 10)


@dataclass(frozen=True, slots=True)
class Forecast:
    """The minutes of play that the rest of the event took from ``at`` in each simulation, the shortest first.

    ``version`` is that of the event. There are no minutes if its format cannot be simulated from where it stands.
    """

    version: int
    at: datetime
    minutes: tuple[int, ...]
    seconds: float = 0.0
    """How long the simulations took."""

    @property
    def is_complete(self) -> bool:
        return len(self.minutes) >= PLAYS or self.seconds >= MOST_SECONDS

    def over_at(self, share: Fraction, pauses: Sequence[Pause]) -> datetime | None:
        """Return when the event was over in ``share`` of the simulations, by the nearest rank."""
        if not self.minutes:
            return None
        minutes = self.minutes[math.ceil(share * len(self.minutes)) - 1]
        return after_playing(self.at, timedelta(minutes=minutes), pauses)


def forecasts(events: Iterable[Event], *, at: datetime) -> dict[int, Forecast]:
    """Return the forecasts that are known, by event; a missing or outdated one is requested and follows later."""
    events = [event for event in events if event.finished_at is None]
    known: dict[str, Forecast] = cache.get_many([_key(event.pk) for event in events])
    for event in events:
        found = known.get(_key(event.pk))
        is_old = found is None or found.version != event.version or abs(at - found.at) > FRESH
        if is_old and cache.add(f"{_key(event.pk)}-asked", True, ASKED_SECONDS):
            ask("play_forecast", event.pk)
    return {event.pk: known[_key(event.pk)] for event in events if _key(event.pk) in known}


def play_slice(event_id: int, *, at: datetime) -> bool:
    """Do a task's share of the forecast; True if there is more to do."""
    event = Event.objects.select_related("tournament").filter(pk=event_id, finished_at__isnull=True).first()
    if event is None:
        return False
    begun: Forecast | None = cache.get(f"{_key(event_id)}-begun")
    if begun is None or begun.version != event.version or abs(at - begun.at) > FRESH:
        begun = Forecast(event.version, max(at, event.starts_at or at) if _is_to_come(event) else at, ())
    played = _play_on(event, begun)
    if played.is_complete:
        cache.delete(f"{_key(event_id)}-begun")
        cache.set(_key(event_id), played, KEPT_SECONDS)
        return False
    cache.set(f"{_key(event_id)}-begun", played, KEPT_SECONDS)
    return True


def _key(event_id: int) -> str:
    return f"forecast-{event_id}"


def _is_to_come(event: Event) -> bool:
    return not event.stages.filter(drawn_at__isnull=False).exists()


def _play_on(event: Event, forecast: Forecast) -> Forecast:
    """Add as many simulations as a slice has time for; for a format that cannot be simulated, finish without any."""
    started = time.monotonic()
    minutes = list(forecast.minutes)
    try:
        chain = load_chain(event)
        stage = _stage_of(chain)
        pace, tables = pace_of(event.tournament), _tables_for(event)
        situation = _situation(chain, stage, pace, tables, forecast.at)
        while len(minutes) < PLAYS and (spent := time.monotonic() - started) < SLICE_SECONDS:
            seed = f"{event.pk} {forecast.version} {len(minutes)}"
            left = minutes_left(situation, seed)
            if left is None:
                return replace(forecast, minutes=(), seconds=MOST_SECONDS)
            minutes.append(left + _later_stages(chain, stage, situation, seed))
    except (PlanError, Refusal):
        return replace(forecast, minutes=(), seconds=MOST_SECONDS)
    spent = time.monotonic() - started
    return replace(forecast, minutes=tuple(sorted(minutes)), seconds=forecast.seconds + spent)


def _stage_of(chain: Chain) -> Stage:
    """Return the stage in play: the last one drawn, or else the first."""
    return [chain.stages[0], *(stage for stage in chain.stages if stage.drawn_at is not None)][-1]


def _situation(chain: Chain, stage: Stage, pace: Pace, tables: int | None, at: datetime) -> UnfinishedStage:
    planned = chain.at(stage)
    draw = planned.draw
    entrants = tuple(_rated(entrant) for entrant in draw.entrants)
    return UnfinishedStage(
        format=FORMATS[stage.format],
        draw=replace(draw, entrants=entrants),
        running=_running(chain.fixtures.get(stage.pk, ()), pauses_of(chain.event.tournament), at),
        tables=len(entrants) * chain.event.boards if tables is None else tables,
        minutes_a_point=pace.minutes_a_point,
        boards=chain.event.boards,
        opened=planned.lots.opened if planned.lots else {},
    )


def _rated(entrant: Entrant) -> Entrant:
    return entrant if entrant.rating is not None else replace(entrant, rating=100 * MEAN_RATING)


def _running(fixtures: Iterable[Fixture], pauses: Sequence[Pause], at: datetime) -> Mapping[str, int]:
    """Return how many minutes each match of the stage has been going on, by key; 0 for one without a table.

    For two teams it is the board that has been going on longest.
    """
    running: dict[str, int] = {}
    for fixture in fixtures:
        for match in fixture.matches.values():
            call = prefetched_call(match)
            minutes = None
            if call is not None and call.started_at is not None:
                minutes = int(playing_time(call.started_at, at, pauses).total_seconds()) // 60
            elif call is not None or match_has_sheet(match):
                minutes = 0
            if minutes is not None:
                running[fixture.key] = max(minutes, running.get(fixture.key, 0))
    return running


def _tables_for(event: Event) -> int | None:
    """Return how many tables the event has: its own and its share of the tables for all. None in a hall without any.

    Of the tables for all, an event needs one for each match that could be played now and has none of its own tables.
    If there are too few, they are shared as evenly as these needs allow; what no other event needs goes to this one.
    """
    tables = Table.objects.filter(tournament=event.tournament_id, out_of_order=False, streamed=False)
    reserved: list[int | None] = list(tables.values_list("event_id", flat=True))
    if not reserved:
        return None
    needs = {
        other: max(0, places - reserved.count(other)) for other, places in _places_needed(event.tournament).items()
    }
    needs.pop(event.pk, None)
    left = reserved.count(None)
    sharing = len(needs) + 1
    for need in sorted(needs.values()):
        fair = left // sharing
        # An event that needs less than an even share leaves the rest to the others; none gets more than its share.
        left -= min(need, fair)
        sharing -= 1
    return max(1, reserved.count(event.pk) + left)


def _places_needed(tournament: Tournament) -> dict[int, int]:
    """Return how many tables each running event could use now: for its open matches, with each entry at one table."""
    opened: dict[int, set[tuple]] = defaultdict(set)
    entries: dict[int, set[int]] = defaultdict(set)
    boards: dict[int, int] = {}
    for row in open_rows(tournament):
        opened[row["event_id"]].add((row["stage_id"], row["key"]))
        entries[row["event_id"]] |= {row["entry_a_id"], row["entry_b_id"]}
        boards[row["event_id"]] = row["event_boards"]
    return {event: min(len(opened[event]), len(entries[event]) // 2) * boards[event] for event in opened}


def _later_stages(chain: Chain, stage: Stage, situation: UnfinishedStage, seed: str) -> int:
    """Return the minutes of the stages not drawn yet, each played by as many of the best-rated as qualify for it."""
    plan = chain.at(stage).plan
    field = sorted(situation.draw.entrants, key=lambda entrant: (-(entrant.rating or 0), entrant.id))
    tables, boards = max(1, situation.tables), situation.boards
    minutes, groups = Fraction(0), max(1, len(plan.sections) if plan.groups else 1)
    for later in chain.stages[stage.number :]:
        through = tuple(field[: (later.qualifiers or 0) * groups])
        groups = 1
        if len(through) > 1 and later.format in SIMULATED:
            options = parse_options(later.format, later.options)
            played = play_event(FORMATS[later.format], options, through, f"{seed} {later.number}", tables, boards)
            minutes += played.minutes * situation.minutes_a_point / MINUTES_A_POINT
    return round(minutes)
