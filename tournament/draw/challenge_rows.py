"""The challenges of a ladder as they are stored: read with their stage, and their deadlines."""

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from zoneinfo import ZoneInfo

from django.db.models import prefetch_related_objects
from django.utils import timezone

from tournament.formats import FORMATS, parse_options
from tournament.formats.ladder import DAYS
from tournament.models import Challenge, Stage


def is_ladder(stage: Stage) -> bool:
    """Whether the stage is paired by challenges."""
    return FORMATS[stage.format].pairs_on_challenge()


def with_challenges(stages: Iterable[Stage]) -> list[Stage]:
    """Return the stages, with the challenges of all ladders read in one query; without a ladder this takes none."""
    stages = list(stages)
    prefetch_related_objects([stage for stage in stages if is_ladder(stage)], "challenges")
    return stages


def standing_challenges(stage: Stage) -> Sequence[Challenge]:
    """Return the challenges that were not withdrawn; reads them as :func:`with_challenges` does."""
    rows = stage.challenges.all() if is_ladder(stage) else ()
    return [row for row in rows if row.withdrawn_at is None]


def deadlines_of(stage: Stage, zone: ZoneInfo) -> dict[int, date]:
    """Return the last day on which each standing challenge may be played, by number, in the zone of the tournament."""
    return {row.number: deadline_of(row, zone, stage) for row in standing_challenges(stage)}


def deadline_of(row: Challenge, zone: ZoneInfo, stage: Stage | None = None) -> date:
    """Return the last day on which the challenge may be played; its ``stage`` is read unless it is given."""
    stage = stage or row.stage
    days = parse_options(stage.format, stage.options).number(DAYS.name)
    return timezone.localdate(row.made_at, zone) + timedelta(days=days)
