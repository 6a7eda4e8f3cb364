"""Lists from files: a preview of what becomes of each row, and the import that it announced."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.db import transaction
from django.utils.translation import gettext as _

from players.errors import Conflict, Refusal
from players.models import Player, User
from tournament.changes.record import begin_step, require_running
from tournament.entries.admission import Admission, free_places, require_open_entries
from tournament.entries.digest import digest_of
from tournament.entries.enrolment import MAX_ENTRIES, Enrolment
from tournament.entries.lists import EntryLine
from tournament.entries.services import Watch, add_entries
from tournament.models import Entry, Event


class Outcome(StrEnum):
    """What becomes of a row."""

    ENTERS = "enters"
    WAITS = "waits"
    """It is entered, on the waiting list."""
    ALREADY = "already"
    """Somebody in it is entered already, so it is left out."""
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody whom a row names: a known player, or a new one without an id."""

    name: str
    club: str
    country: str
    player_id: int | None


@dataclass(frozen=True, slots=True)
class Fate:
    """What becomes of a row of the list.

    ``people`` are whom it enters, in their order. A row that is left out has a ``code`` and a ``reason`` instead.
    ``bye`` says that it takes a bye of a draw that has been made; ``moving`` are the ready matches, by their players,
    one of which then waits again.
    """

    line: EntryLine
    outcome: Outcome
    name: str
    people: tuple[Person, ...] = ()
    bye: bool = False
    moving: tuple[str, ...] = ()
    code: str = ""
    reason: str = ""

    @property
    def is_entered(self) -> bool:
        return self.outcome in (Outcome.ENTERS, Outcome.WAITS)

    @property
    def facts(self) -> list[object]:
        """Everything that a confirmation holds on to; the reason is in the language of its reader."""
        people = [[one.name, one.club, one.country, one.player_id] for one in self.people]
        return [self.line.line, self.outcome, self.name, self.line.seed, people, self.bye, self.moving, self.code]


@dataclass(frozen=True, slots=True)
class ListPreview:
    """The fates of all rows of a list, and the digest by which they are confirmed."""

    fates: tuple[Fate, ...]
    digest: str

    @property
    def entered(self) -> tuple[Fate, ...]:
        return tuple(fate for fate in self.fates if fate.is_entered)

    @property
    def left_out(self) -> tuple[Fate, ...]:
        return tuple(fate for fate in self.fates if not fate.is_entered)


def preview_import(event: Event, *, lines: Sequence[EntryLine], at: datetime) -> ListPreview:
    """Return what :func:`import_entries` would do with each line now; nothing is stored.

    Raises Refusal for an empty list and for one with more lines than an event has entries, and Conflict where nobody
    can be entered at all.
    """
    with transaction.atomic():
        event, at = begin_step(event, at)
        fates = tuple(_fates(event, lines, at))
        transaction.set_rollback(True)
    return ListPreview(fates, digest_of(event.pk, [fate.facts for fate in fates]))


@transaction.atomic
def import_entries(
    event: Event, *, lines: Sequence[EntryLine], digest: str, by: User | None, at: datetime, watch: Watch = iter
) -> list[Entry]:
    """Enter the lines that the preview with this digest announced, and leave the others out.

    Raises Conflict if it would announce something else by now, and Refusal if no line can be entered.
    """
    event, at = begin_step(event, at)
    preview = preview_import(event, lines=lines, at=at)
    if preview.digest != digest:
        raise Conflict(
            "preview_changed",
            _("Something has changed since this preview was made. Look at the new one and confirm it."),
        )
    if not preview.entered:
        raise Refusal("nothing_to_enter", _("No row of this list can be entered."))
    return add_entries(event, lines=[fate.line for fate in preview.entered], by=by, at=at, watch=watch)


def _fates(event: Event, lines: Sequence[EntryLine], at: datetime) -> Iterator[Fate]:
    """Yield the fate of each line. What is entered on the way is for the caller to roll back."""
    stage = require_open_entries(event)
    if stage.drawn_at is not None:
        require_running(event)
    if not lines:
        raise Refusal("entries_empty", _("The list contains no players."))
    if len(lines) > MAX_ENTRIES:
        raise _too_many()
    room, free = MAX_ENTRIES - event.entries.count(), free_places(event)
    enrolment, admission = Enrolment(event, stage, lines, at), Admission(stage)
    known = {player.pk for players in enrolment.by_name.values() for player in players}
    known |= {player.pk for found in enrolment.by_number.values() for player in found.people}
    entered = 0
    for line in lines:
        tried = enrolment.copy()
        try:
            with transaction.atomic():
                entry, members = tried.enter(line)
                if entered >= room:
                    raise _too_many()
                waits = free is not None and entered >= free
                if not waits:
                    admission.admit(entry)
        except Refusal as refusal:
            yield _left_out(line, refusal)
            continue
        enrolment, entered = tried, entered + 1
        people = [entry.player, entry.partner, *(member.player for member in members)]
        yield Fate(
            line,
            Outcome.WAITS if waits else Outcome.ENTERS,
            entry.name,
            tuple(_person(player, known) for player in people if player is not None),
            bye=bool(entry.bye_taken),
            moving=admission.moving if entry.bye_taken else (),
        )


def _person(player: Player, known: set[int]) -> Person:
    club = player.club.name if player.club else ""
    return Person(player.name, club, player.country, player.pk if player.pk in known else None)


def _left_out(line: EntryLine, refusal: Refusal) -> Fate:
    outcome = Outcome.ALREADY if refusal.code == "entry_twice" else Outcome.REFUSED
    return Fate(line, outcome, line.name, code=refusal.code, reason=str(refusal))


def _too_many() -> Refusal:
    return Refusal("entries_too_many", _("An event takes at most %(limit)s entries.") % {"limit": MAX_ENTRIES})
