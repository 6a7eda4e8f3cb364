"""The adviser: formats compared for one field, by means of events simulated bit by bit and kept in the cache."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, fields
from zlib import crc32

from django.core.cache import cache

from tournament.formats import SIMULATED, parse_options
from tournament.formats.drawn_matches import takes_boards
from tournament.formats.errors import PlanError
from tournament.formats.options import Options
from tournament.formats.plan import Draw
from tournament.rehearsal.chance import draw_field
from tournament.rehearsal.simulation import simulate_event
from tournament.rehearsal.summary import PlayedEvent, Summary, summarise
from tournament.work import ask

MOST_PLAYERS = 128
MOST_TABLES = 200
MOST_EVENTS = 400
"""How many events of each format are simulated; fewer say nothing about the chance of the best player.

The standard error of a share of 400 events is up to 2.5 %, and among 16 players chance alone gives 6.25 %. On one core,
400 events of every format take about 20 seconds for 8 players, a minute for 16, three for 32, ten for 64 and seventeen
for 128.
"""

LONG_EVENT = 512
"""An event with more matches is simulated only :data:`FEWEST_EVENTS` times: enough for its hours, not for a chance."""

FEWEST_EVENTS = 10

AT_ONCE_SECONDS = 0.4
"""How long a request simulates when nothing is known yet, at most once in two seconds; a task does the rest."""

SLICE_SECONDS = 0.5
"""How long one task simulates, so that standings never wait long behind it."""

KEPT_SECONDS = 24 * 3600
RUNNING, AT_ONCE = "advice-running", "advice-at-once"
"""Marks in the cache while a task or a request simulates: only one of each does at a time, however many ask."""

TASK_SECONDS = 15
"""How long a task may be silent before it is taken for lost."""

TURN_SECONDS = 10
"""How long the tasks of one question follow one another; then it is the turn of whoever asks next."""


@dataclass(frozen=True, slots=True)
class Question:
    """A field of players, or of teams with this many ``boards``; the ``tables`` (None: enough); the match lengths."""

    players: int
    tables: int | None
    lengths: tuple[int, ...]
    boards: int = 1

    @property
    def key(self) -> str:
        """The key of the answer in the cache."""
        field = f"{self.players}-{self.boards}-{self.tables or 0}"
        return f"advice-{SHAPE}-{field}-{'.'.join(map(str, self.lengths))}"

    @property
    def by_chance(self) -> float:
        """How often each entrant would come first if chance alone decided, to four decimals."""
        return round(1 / self.players, 4)


@dataclass(frozen=True, slots=True)
class Share:
    """The share of events that the best player won, with its standard error and the bounds of its 95 % interval.

    All to three decimals. Source of the interval: Wilson, Journal of the American Statistical Association 22 (1927),
    209-212.
    """

    value: float
    error: float
    low: float
    high: float

    @classmethod
    def of(cls, value: float, count: int) -> Share:
        """Return the share ``value`` of ``count`` events with its errors."""
        z, n, p = 1.96, count, value
        middle = p + z * z / (2 * n)
        half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        low, high = ((middle + side * half) / (1 + z * z / n) for side in (-1, 1))
        return cls(p, round(math.sqrt(p * (1 - p) / n), 3), max(0.0, round(low, 3)), round(high, 3))


@dataclass(frozen=True, slots=True)
class AdviceLine:
    """One format: the ``summary`` of the events simulated so far, if any, and how many are ``wanted`` in all."""

    format: str
    wanted: int
    summary: Summary | None

    @property
    def played(self) -> int:
        return self.summary.count if self.summary else 0

    @property
    def best_wins(self) -> Share | None:
        """How often the best player came first; None before there are enough events to tell."""
        if self.summary is None or self.summary.count < MOST_EVENTS:
            return None
        return Share.of(self.summary.p_best_wins, self.summary.count)


SHAPE = crc32(
    " ".join(
        [*SIMULATED, *(field.name for kind in (PlayedEvent, Summary, AdviceLine) for field in fields(kind))]
    ).encode()
)
"""Part of the key, so that answers of a version of the program with other fields are not read."""

Events = dict[str, tuple[PlayedEvent, ...]]
"""The events simulated so far, for each format that can draw the field."""


def advise(question: Question) -> tuple[AdviceLine, ...]:
    """Return a line for each format that can draw this field, as far as known; a task simulates what is missing.

    The complete answer to a question is always the same.
    """
    lines: tuple[AdviceLine, ...] | None = cache.get(question.key)
    if lines is None:
        lines = play_on(question, seconds=AT_ONCE_SECONDS if cache.add(AT_ONCE, True, 2) else 0)
    if not is_complete(lines) and cache.add(RUNNING, time.time(), TASK_SECONDS):
        ask("play_for_advice", question.players, question.tables, list(question.lengths), question.boards)
    return lines


def is_complete(lines: Sequence[AdviceLine]) -> bool:
    """Whether all events that are wanted have been simulated."""
    return all(line.played == line.wanted for line in lines)


def play_slice(question: Question) -> bool:
    """Do a task's share of the simulation; True if there is more to do, and the turn of this question is not over."""
    began: float = cache.get(RUNNING) or time.time()
    if is_complete(play_on(question, seconds=SLICE_SECONDS)) or abs(time.time() - began) > TURN_SECONDS:
        cache.delete(RUNNING)
        return False
    cache.set(RUNNING, began, TASK_SECONDS)
    return True


def play_on(question: Question, *, seconds: float) -> tuple[AdviceLine, ...]:
    """Simulate more events until there are enough or the time is up, and return the lines as they are then."""
    known: tuple[AdviceLine, ...] | None = cache.get(question.key)
    if known is not None and is_complete(known):
        return known
    events: Events = cache.get(f"{question.key}-events") or {slug: () for slug in SIMULATED if _draws(slug, question)}
    until = time.monotonic() + seconds
    while (slug := _next(events)) and time.monotonic() < until:
        number = len(events[slug]) + 1
        event = simulate_event(
            SIMULATED[slug],
            _options(slug, question),
            question.players,
            str(number),
            question.tables,
            boards=question.boards,
        )
        events[slug] = (*events[slug], event)
    lines = tuple(
        AdviceLine(slug, wanted(played), summarise(played) if played else None) for slug, played in events.items()
    )
    if slug is None:
        cache.delete(f"{question.key}-events")
    else:
        cache.set(f"{question.key}-events", events, KEPT_SECONDS)
    cache.set(question.key, lines, KEPT_SECONDS)
    return lines


def _next(events: Events) -> str | None:
    """Return the format with the fewest events, of those that still lack some."""
    lacking = [slug for slug, played in events.items() if len(played) < wanted(played)]
    return min(lacking, key=lambda slug: len(events[slug]), default=None)


def wanted(played: Sequence[PlayedEvent]) -> int:
    """Return how many events of a format to simulate, given the number of matches in the first."""
    return FEWEST_EVENTS if played and played[0].matches > LONG_EVENT else MOST_EVENTS


def _draws(slug: str, question: Question) -> bool:
    """Whether the format, with its default options, can draw this field at all, and takes teams with these boards."""
    format = SIMULATED[slug]
    if not takes_boards(format, question.boards):
        return False
    draw = Draw(draw_field(question.players, "1", boards=question.boards), _options(slug, question), seed="1")
    try:
        return bool(format.plan(draw).pairings)
    except PlanError:
        return False


def _options(slug: str, question: Question) -> Options:
    return parse_options(slug, {"lengths": list(question.lengths)})
