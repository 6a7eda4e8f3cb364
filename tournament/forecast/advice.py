"""Formats side by side for one field: simulated events, played a little at a time and kept in the cache."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, fields
from zlib import crc32

from django.core.cache import cache

from tournament.formats import FORMATS, parse_options
from tournament.formats.errors import PlanError
from tournament.formats.options import Options
from tournament.formats.plan import Draw
from tournament.rehearsal.chance import draw_field
from tournament.rehearsal.simulation import simulate_event
from tournament.rehearsal.summary import PlayedEvent, Summary, summarise
from tournament.work import ask

MOST_PLAYERS = 128
MOST_TABLES = 200
FEWEST_EVENTS, MOST_EVENTS = 10, 100
MATCHES_A_FORMAT = 3000
"""So many matches of each format are played, within the fewest and the most events."""

AT_ONCE_SECONDS = 0.4
"""How long a request plays when nothing is known yet, at most once in two seconds; the rest is the task's."""

SLICE_SECONDS = 0.5
"""How long one task plays, so that standings never wait long behind it."""

KEPT_SECONDS = 24 * 3600
RUNNING, AT_ONCE = "advice-running", "advice-at-once"
"""What the cache holds while a task or a request plays: one of each at a time, whoever asks how much."""

TASK_SECONDS = 15
"""After so long without news a task is taken for lost."""


@dataclass(frozen=True, slots=True)
class Question:
    """A field of players, or of teams with so many ``boards``; the ``tables`` (None: enough); the match lengths."""

    players: int
    tables: int | None
    lengths: tuple[int, ...]
    boards: int = 1

    @property
    def key(self) -> str:
        """The name of the answer in the cache."""
        field = f"{self.players}-{self.boards}-{self.tables or 0}"
        return f"advice-{SHAPE}-{field}-{'.'.join(map(str, self.lengths))}"


@dataclass(frozen=True, slots=True)
class AdviceLine:
    """One format: the ``summary`` of the events played so far, of ``wanted`` altogether; None before the first."""

    format: str
    wanted: int
    summary: Summary | None

    @property
    def played(self) -> int:
        return self.summary.count if self.summary else 0

    @property
    def best_wins(self) -> tuple[float, float, float]:
        """``p_best_wins`` between the bounds of its 95 % interval, to three decimals.

        Source: Wilson, Journal of the American Statistical Association 22 (1927), 209-212.
        """
        if self.summary is None:
            return 0.0, 0.0, 1.0
        z, n, p = 1.96, self.summary.count, self.summary.p_best_wins
        middle = p + z * z / (2 * n)
        half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        low, high = ((middle + side * half) / (1 + z * z / n) for side in (-1, 1))
        return max(0.0, round(low, 3)), p, round(high, 3)


SHAPE = crc32(
    " ".join(
        [*FORMATS, *(field.name for kind in (PlayedEvent, Summary, AdviceLine) for field in fields(kind))]
    ).encode()
)
"""Answers of another version of the program, which may look otherwise, are not read."""

Events = dict[str, tuple[PlayedEvent, ...]]
"""The events played so far of each format that draws the field."""


def advise(question: Question) -> tuple[AdviceLine, ...]:
    """A line for each format that draws this field, as far as it is known; what is missing is played by and by.

    The complete answer to a question is always the same.
    """
    lines: tuple[AdviceLine, ...] | None = cache.get(question.key)
    if lines is None:
        lines = play_on(question, seconds=AT_ONCE_SECONDS if cache.add(AT_ONCE, True, 2) else 0)
    if not is_complete(lines) and cache.add(RUNNING, True, TASK_SECONDS):
        ask("play_for_advice", question.players, question.tables, list(question.lengths), question.boards)
    return lines


def is_complete(lines: Sequence[AdviceLine]) -> bool:
    """Whether all events that are wanted have been played."""
    return all(line.played == line.wanted for line in lines)


def play_slice(question: Question) -> bool:
    """A task's share is played; True if there is more to do."""
    if is_complete(play_on(question, seconds=SLICE_SECONDS)):
        cache.delete(RUNNING)
        return False
    cache.set(RUNNING, True, TASK_SECONDS)
    return True


def play_on(question: Question, *, seconds: float) -> tuple[AdviceLine, ...]:
    """More events are played until there are all or the time is over; the lines as they are then."""
    known: tuple[AdviceLine, ...] | None = cache.get(question.key)
    if known is not None and is_complete(known):
        return known
    events: Events = cache.get(f"{question.key}-events") or {slug: () for slug in FORMATS if _draws(slug, question)}
    until = time.monotonic() + seconds
    while (slug := _next(events)) and time.monotonic() < until:
        number = len(events[slug]) + 1
        event = simulate_event(
            FORMATS[slug],
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
    """The format of which the fewest events were played, among those that lack some."""
    lacking = [slug for slug, played in events.items() if len(played) < wanted(played)]
    return min(lacking, key=lambda slug: len(events[slug]), default=None)


def wanted(played: Sequence[PlayedEvent]) -> int:
    """How many events of a format are played, by the matches that its first one had."""
    matches = played[0].matches if played else MATCHES_A_FORMAT
    return min(MOST_EVENTS, max(FEWEST_EVENTS, MATCHES_A_FORMAT // matches))


def _draws(slug: str, question: Question) -> bool:
    """Whether somebody is drawn with the format's own options as they are by default."""
    format = FORMATS[slug]
    draw = Draw(draw_field(question.players, "1", boards=question.boards), _options(slug, question), seed="1")
    try:
        return bool(format.plan(draw).pairings)
    except PlanError:
        return False


def _options(slug: str, question: Question) -> Options:
    return parse_options(slug, {"lengths": list(question.lengths)})
