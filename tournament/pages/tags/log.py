"""Tags for rows of the log, as the pages present them."""

from collections.abc import Iterable, Set

from django import template
from django.utils import timezone
from django.utils.formats import date_format

from tournament.log.words import changes_in, tell, verb_name
from tournament.models import LogEntry
from tournament.money.moves import Move
from tournament.roles.authors import author, is_ruling
from tournament.snapshot import EventSnapshot
from tournament.snapshot.states import MatchState

CLAIMS = frozenset({"enter_result", "correct_result", "report_result"})

register = template.Library()
register.filter("told", tell)
register.filter("changes", changes_in)
register.filter(verb_name)


@register.filter
def author_for(entry: LogEntry, may: Set[str]) -> str:
    """Return who took the step, as a reader with these actions is told."""
    return author(entry.actor, may or frozenset(), rules=is_ruling(entry.verb))


@register.filter
def reason(entry: LogEntry) -> str:
    return str(entry.detail.get("reason", ""))


@register.filter
def seed(entry: LogEntry) -> str:
    return str(entry.detail.get("seed", "")) if entry.verb in {"make_draw", "cancel_draw"} else ""


@register.filter
def moves(entry: LogEntry) -> tuple[Move, ...]:
    """Return what the step moved on the accounts, if it was taken after play had begun."""
    return tuple(Move.parse(kept) for kept in entry.detail.get("moves", ()))


@register.simple_tag
def undone_step(entry: LogEntry, rows: Iterable[LogEntry]) -> LogEntry | None:
    """Return the step that this one takes back, if it is among the rows."""
    undone = entry.detail.get("undoes")
    return next((row for row in rows if row.pk == undone), None) if undone else None


@register.simple_tag
def disputed_in(event: EventSnapshot) -> frozenset[int | None]:
    """Return the matches in dispute, by id."""
    fixtures = (fixture for stage in event.stages for fixture in stage.fixtures)
    played = (one for fixture in fixtures for one in fixture.boards or (fixture,))
    return frozenset(one.match_id for one in played if one.status is MatchState.DISPUTED)


@register.filter
def claims_one_of(entry: LogEntry, disputed: frozenset[int | None]) -> bool:
    """Whether the step claimed a result of one of the matches in dispute."""
    return entry.verb in CLAIMS and entry.detail.get("match") in disputed


@register.filter
def time_beside(step: LogEntry, later: LogEntry) -> str:
    """Write when the step was taken: the time, with the day if it is not that of the later step."""
    at, beside = timezone.localtime(step.at), timezone.localtime(later.at)
    return date_format(at, "TIME_FORMAT" if at.date() == beside.date() else "DATETIME_FORMAT")
