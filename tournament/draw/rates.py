"""The error rates of matches as they were typed in, one after the other: a match itself has only those of now."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from matches.error_rates import Rates
from matches.models import Conclusion, Match, SheetState
from tournament.formats import parse_options
from tournament.formats.rate_points import gives_rate_point
from tournament.models import Event, LogEntry, Stage
from tournament.models.team import matches_in

History = Sequence[tuple[datetime, Rates | None]]


def count_open_rates(event: Event) -> int:
    """Return how many matches were played, and wait for the error rates that count in their stage."""
    stages = [stage for stage in event.stages.all() if gives_rate_point(parse_options(stage.format, stage.options))]
    played = (Conclusion.PLAYED, Conclusion.FORFEIT)
    return sum(
        matches_in(event, stage=stage)
        .filter(sheets__state=SheetState.CONFIRMED, sheets__conclusion__in=played, rate_a__isnull=True)
        .count()
        for stage in stages
    )


def rates_over_time(stage: Stage, matches: Collection[int]) -> Mapping[int, History]:
    """Return what was typed in or taken back for these matches, by id; no query where rates do not count."""
    found: dict[int, list[tuple[datetime, Rates | None]]] = defaultdict(list)
    if not gives_rate_point(parse_options(stage.format, stage.options)):
        return found
    rows = LogEntry.objects.filter(event=stage.event_id, verb__in=("set_error_rates", "void_result")).order_by("id")
    for at, verb, detail in rows.values_list("at", "verb", "detail"):
        if detail["match"] in matches:
            rates = detail["rates"] if verb == "set_error_rates" else None
            found[detail["match"]].append((at, rates and tuple(rates)))
    return found


def rate_as_of(match: Match, typed: History, moment: datetime) -> None:
    """Give the match the rates that it had at the moment, of those ``typed`` in for it."""
    match.rate_a, match.rate_b = None, None
    for at, rates in typed:
        if at <= moment:
            match.rate_a, match.rate_b = rates or (None, None)
