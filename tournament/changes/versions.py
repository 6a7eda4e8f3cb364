"""The versions of what pages show, read by one statement: more is read only if one of them has changed."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import Exists, FilteredRelation, OuterRef, Q, QuerySet, Subquery, Sum

from players.statements import Statement
from tournament.changes.topics import event_topic
from tournament.formats.jackpot import Jackpot
from tournament.models import LogEntry, Stage, Tournament

OF_EVENT = ("event__pk", "event__version", "event__finished_at", "standings", "own", "common")
COLUMNS = (*OF_EVENT, "event__whole_version", "is_jackpot", "hall_version", "newest")
PK, VERSION, FINISHED_AT = (COLUMNS.index(f"event__{name}") for name in ("pk", "version", "finished_at"))
STANDINGS = COLUMNS.index("standings")
WHOLE, IS_JACKPOT, HALL = map(COLUMNS.index, ("event__whole_version", "is_jackpot", "hall_version"))


def _newest(**terms: object) -> Subquery:
    """Return the number of the newest row of the tournament's log that fits the terms."""
    rows = LogEntry.objects.filter(tournament=OuterRef("pk"), **terms).order_by("-id")
    return Subquery(rows.values("id")[:1])


def _versions(tournament: int) -> QuerySet:
    """Find the events of a tournament, the latest first, with the versions of what pages show of each.

    A tournament without events is one row.
    """
    stages = Stage.objects.filter(event=OuterRef("event__pk")).order_by().values("event")
    found = Tournament.everything.filter(pk=tournament).annotate(
        event=FilteredRelation("events", condition=Q(events__deleted_at=None)),
        standings=Subquery(stages.annotate(all=Sum("standings_version")).values("all")),
        own=_newest(event=OuterRef("event__pk")),
        is_jackpot=Exists(Stage.objects.filter(event=OuterRef("event__pk"), number=1, format=Jackpot.slug)),
        common=_newest(event=None),
        newest=_newest(),
    )
    return found.order_by("-event__pk").values_list(*COLUMNS)


_VERSIONS = Statement(_versions)


@dataclass(frozen=True, slots=True)
class Versions:
    """The versions of a tournament's hall and of its events, the latest event first."""

    rows: tuple[tuple[Any, ...], ...]

    @property
    def of_hall(self) -> tuple[object, ...]:
        """What the pages depend on that show what happens in the hall, to whichever event."""
        return self.rows

    def of_event(self, event: int) -> tuple[object, ...]:
        """Return what the pages of the event depend on that show nothing of the hall; nothing if it is deleted."""
        return next((row[: len(OF_EVENT)] for row in self.rows if row[PK] == event), ())

    def topics(self, events: Iterable[int]) -> dict[str, tuple[int, ...]]:
        """Return these events as topics to follow, with their versions (:mod:`tournament.changes.topics`)."""
        versions = {row[PK]: (row[VERSION], row[STANDINGS] or 0, row[HALL]) for row in self.rows}
        return {event_topic(event): versions[event] for event in events if event in versions}

    def running(self) -> dict[int, int]:
        """Return the versions of the events that have not ended, by event."""
        return {row[PK]: row[VERSION] for row in self.rows if row[PK] is not None and row[FINISHED_AT] is None}

    def whole(self) -> dict[int, int]:
        """Return by event the version at which more of it has changed than single fixtures."""
        return {row[PK]: row[WHOLE] for row in self.rows}

    @property
    def of_play(self) -> tuple[tuple[object, ...], ...]:
        """Every event with its version: what follows from results and not from calls."""
        return tuple((row[PK], row[VERSION]) for row in self.rows)

    @property
    def hall(self) -> int:
        """The version of the hall; 0 for a tournament that does not exist."""
        return self.rows[0][HALL] if self.rows else 0

    @property
    def with_queues(self) -> list[int]:
        """The events in which jackpots may wait for more entrants."""
        return [row[PK] for row in self.rows if row[IS_JACKPOT]]


def read_versions(tournament: int) -> Versions:
    """Read the versions, before what a page shows is read: a change in the meantime is shown, and asked for again."""
    return Versions(tuple(_VERSIONS.rows(tournament)))


def writing_depth() -> int:
    """Return how many blocks of a transaction are open; what is read in one may be taken back.

    Those that a test is wrapped in are not counted, as Django does for ``durable`` transactions.
    """
    return sum(not block._from_testcase for block in connection.atomic_blocks)  # type: ignore[attr-defined]
