"""What follows when somebody leaves or is removed: asked before it is done, and done as it was asked."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import asdict, dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from matches.models import Conclusion, Scoresheet, SheetSource, SheetState
from players.errors import Conflict
from players.models import User
from rules.score import Side
from tournament.changes.record import begin_step
from tournament.draw.lots import on_paper
from tournament.entries.attendance import leave_event, leave_out_absent
from tournament.entries.digest import digest_of
from tournament.entries.services import remove_entries, remove_entry
from tournament.models import Entry, Event, Fixture

Act = Callable[[Event, datetime], list[str]]


@dataclass(frozen=True, slots=True)
class Gain:
    """A match that is awarded because somebody leaves: ``began`` if it is lost with what was played on its sheet."""

    stage: int
    key: str
    winner: str
    began: bool


@dataclass(frozen=True, slots=True)
class Consequences:
    """Everything that a departure brings, and the digest by which somebody confirms exactly that.

    ``later`` says that the draw has matches whose players are still to be found; they may gain as well.
    """

    leaving: tuple[str, ...]
    gains: tuple[Gain, ...]
    moved_up: tuple[str, ...]
    later: bool
    digest: str


@dataclass(frozen=True, slots=True)
class Departing:
    """How an entry is to leave, in the words of :func:`tournament.entries.attendance.leave_event`."""

    kind: str
    reason: str = ""
    plays_on: bool = False
    only_main: bool = False


def preview_departure(entry: Entry, departing: Departing, *, at: datetime) -> Consequences:
    """Return what follows if the entry leaves so. Raises as :func:`tournament.entries.attendance.leave_event` does."""

    def leave(event: Event, at: datetime) -> list[str]:
        return [leave_event(entry, **asdict(departing), by=None, at=at).name]

    return _try(entry.event, leave, at, entry.pk, asdict(departing))


@transaction.atomic
def confirm_departure(entry: Entry, departing: Departing, *, digest: str, by: User | None, at: datetime) -> Entry:
    """Let the entry leave if what follows is what the digest was made of. Raises Conflict otherwise."""
    begin_step(entry.event, at)
    _require_same(preview_departure(entry, departing, at=at), digest)
    return leave_event(entry, **asdict(departing), by=by, at=at)


def preview_absent(event: Event, *, at: datetime) -> Consequences:
    """Return what follows if everybody who has not checked in is left out."""
    return _try(event, lambda event, at: [entry.name for entry in leave_out_absent(event, by=None, at=at)], at)


@transaction.atomic
def confirm_absent(event: Event, *, digest: str, by: User | None, at: datetime) -> list[Entry]:
    """Leave out everybody who has not checked in, if they are those of the digest. Raises Conflict otherwise."""
    begin_step(event, at)
    _require_same(preview_absent(event, at=at), digest)
    return leave_out_absent(event, by=by, at=at)


def preview_removal(event: Event, ids: Collection[int], *, at: datetime) -> Consequences:
    """Return what follows if these entries are removed. Raises as :func:`_remove` does."""
    return _try(event, lambda event, at: _remove(event, ids, by=None, at=at), at, sorted(ids))


@transaction.atomic
def confirm_removal(event: Event, ids: Collection[int], *, digest: str, by: User | None, at: datetime) -> list[str]:
    """Remove these entries if what follows is what the digest was made of. Raises Conflict otherwise."""
    begin_step(event, at)
    _require_same(preview_removal(event, ids, at=at), digest)
    return _remove(event, ids, by=by, at=at)


def _remove(event: Event, ids: Collection[int], *, by: User | None, at: datetime) -> list[str]:
    """Remove the entries and return their names. A single one may go after the draw too, if it is in no draw."""
    entry = event.entries.filter(pk__in=ids).select_related("player", "partner", "event").first()
    if len(ids) != 1 or entry is None:
        return remove_entries(event, ids=ids, by=by, at=at)
    remove_entry(entry, by=by, at=at)
    return [entry.name]


def _try(event: Event, act: Act, at: datetime, *facts: object) -> Consequences:
    """Return the consequences of the act, which is done and undone. It returns the names of those who go."""
    with transaction.atomic(), on_paper():
        event, at = begin_step(event, at)
        before, waiting = set(_absences(event)), _waiting(event)
        names = act(event, at)
        gains = _gains(event, [pk for pk in _absences(event) if pk not in before])
        moved_up, later = _moved_up(event, waiting), _has_open_seats(event)
        transaction.set_rollback(True)
    digest = digest_of(event.pk, names, [asdict(gain) for gain in gains], moved_up, facts)
    return Consequences(tuple(names), tuple(gains), moved_up, later, digest)


def _require_same(now: Consequences, digest: str) -> None:
    if now.digest != digest:
        raise Conflict(
            "consequences_changed",
            _("Something has changed since you were asked. Look at what would happen now and confirm it."),
        )


def _absences(event: Event) -> list[int]:
    """Return the ids of the standing sheets that somebody's absence made."""
    made = Scoresheet.objects.filter(source=SheetSource.ABSENCE, state=SheetState.CONFIRMED)
    single = made.filter(match__fixture__stage__event=event)
    board = made.filter(match__board__fixture__stage__event=event)
    return [*single.values_list("pk", flat=True), *board.values_list("pk", flat=True)]


def _gains(event: Event, sheets: Iterable[int]) -> list[Gain]:
    """Return the matches that these sheets award to somebody who is there, in the order of the draw.

    A match of two teams is there once.
    """
    found: dict[int, Gain] = {}
    made = {sheet.match_id: sheet for sheet in Scoresheet.objects.filter(pk__in=list(sheets))}
    people = ("entry_a__player", "entry_a__partner", "entry_b__player", "entry_b__partner")
    fixtures = Fixture.objects.filter(stage__event=event).select_related("stage", "match", *people)
    for fixture in fixtures.prefetch_related("boards__match").order_by("stage__number", "round", "number"):
        for match in fixture.matches.values():
            sheet = made.get(match.pk)
            sides = {Side.A: fixture.entry_a, Side.B: fixture.entry_b}
            winner = sides.get(Side(sheet.awarded_to)) if sheet is not None and sheet.awarded_to else None
            if sheet is not None and winner is not None and not winner.is_absent_from(fixture.bracket):
                began = sheet.conclusion == Conclusion.FORFEIT
                found.setdefault(fixture.pk, Gain(fixture.stage.number, fixture.key, winner.name, began))
    return list(found.values())


def _has_open_seats(event: Event) -> bool:
    open_seats = Q(entry_a__isnull=True) | Q(entry_b__isnull=True)
    return Fixture.objects.filter(open_seats, stage__event=event).exclude(feed_b="bye").exists()


def _waiting(event: Event) -> set[int]:
    return set(event.entries.filter(waiting=True).values_list("pk", flat=True))


def _moved_up(event: Event, waiting: set[int]) -> tuple[str, ...]:
    now = event.entries.filter(pk__in=waiting, waiting=False, left_at__isnull=True)
    return tuple(entry.name for entry in now.select_related("player", "partner").order_by("number"))
