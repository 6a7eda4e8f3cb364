"""Seeds and families of many entries, edited as one table and saved at once."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from players.errors import Conflict, Refusal
from players.models import User
from tournament.changes.entries import EntriesBefore
from tournament.changes.record import begin_step, record_change
from tournament.draw.public_value import require_entries_open
from tournament.entries.enrolment import MAX_ENTRIES
from tournament.models import Entry, Event
from tournament.models.event import MAX_FAMILY


@dataclass(frozen=True, slots=True)
class Seeding:
    """What a table has for an entry: its seed, if any, and the family that is kept apart in round 1."""

    seed: int | None = None
    family: str = ""

    @property
    def tidy(self) -> "Seeding":
        return Seeding(self.seed, " ".join(self.family.split()))


@dataclass(frozen=True, slots=True)
class SeedingRow:
    """A row of the table: the entry as its sender wants it, and as they saw it (``base``) before."""

    entry_id: int
    wanted: Seeding
    base: Seeding


class RowRefusal(Refusal):
    """A refusal with a sentence for each row that it is about, by the id of the entry."""

    def __init__(self, code: str, rows: Mapping[int, str]) -> None:
        super().__init__(code, " ".join(dict.fromkeys(rows.values())))
        self.rows = dict(rows)


class RowConflict(RowRefusal, Conflict):
    """A conflict with a sentence for each row that somebody else has changed meanwhile."""


@transaction.atomic
def set_seeding(event: Event, *, rows: Sequence[SeedingRow], by: User | None, at: datetime) -> list[Entry]:
    """Give the entries the seeds and families of the table, all or none, before the draw; return those that changed.

    Rows that their sender left as they were stay as they are by now. Raises RowConflict for rows that the sender and
    somebody else have changed differently, or that are gone, and RowRefusal for seeds and families that cannot be.
    """
    event, at = begin_step(event, at)
    require_entries_open(event)
    if event.stages.filter(drawn_at__isnull=False).exists():
        raise Conflict(
            "event_drawn", _("The draw has been made: entries are closed. Take the draw back to change them.")
        )
    before = EntriesBefore(event)
    entries = {entry.pk: entry for entry in event.entries.select_related("player", "partner").order_by("number")}
    edited = [row for row in rows if row.wanted.tidy != row.base.tidy]
    _refuse_stale(edited, entries)
    wanted = {row.entry_id: row.wanted.tidy for row in edited}
    _refuse_impossible(wanted, entries)
    changed = [entries[pk] for pk in entries if pk in wanted and wanted[pk] != _seeding_of(entries[pk])]
    told = [_told(entry, wanted[entry.pk]) for entry in changed]
    # Two that change places would meet on the way: no seed is there twice at any moment.
    event.entries.filter(pk__in=[entry.pk for entry in changed]).update(seed=None)
    for entry in changed:
        entry.seed, entry.family = wanted[entry.pk].seed, wanted[entry.pk].family
    Entry.objects.bulk_update(changed, ["seed", "family"])
    if changed:
        names = [entry.name for entry in changed]
        record_change(event, verb="set_seeding", by=by, at=at, names=names, rows=told, was=before.was())
    return changed


def _refuse_stale(edited: Iterable[SeedingRow], entries: Mapping[int, Entry]) -> None:
    stale = {}
    for row in edited:
        entry = entries.get(row.entry_id)
        if entry is None:
            stale[row.entry_id] = _("An entry of this table has been removed meanwhile.")
        elif _seeding_of(entry) not in (row.base.tidy, row.wanted.tidy):
            stale[row.entry_id] = _("Somebody else has changed %(name)s meanwhile: %(now)s.") % {
                "name": entry.name,
                "now": _in_words(_seeding_of(entry)),
            }
    if stale:
        raise RowConflict("seeding_changed", stale)


def _refuse_impossible(wanted: Mapping[int, Seeding], entries: Mapping[int, Entry]) -> None:
    """Raise RowRefusal for every wanted seed that is out of range or somebody else's too, and every long family."""
    seeds = {pk: wanted[pk].seed if pk in wanted else entry.seed for pk, entry in entries.items()}
    taken = Counter(seed for seed in seeds.values() if seed is not None)
    wrong: dict[str, dict[int, str]] = {}
    for pk, one in wanted.items():
        name = entries[pk].name
        if one.seed is not None and not 1 <= one.seed <= MAX_ENTRIES:
            sentence = _("%(name)s: a seed must be a number from 1 to %(limit)s.")
            wrong.setdefault("seed_out_of_range", {})[pk] = sentence % {"name": name, "limit": MAX_ENTRIES}
        elif one.seed is not None and taken[one.seed] > 1:
            others = _others(seeds, one.seed, pk, entries)
            sentence = _("%(name)s: seed %(seed)s is also that of %(others)s.")
            wrong.setdefault("seed_taken", {})[pk] = sentence % {"name": name, "seed": one.seed, "others": others}
        elif len(one.family) > MAX_FAMILY:
            sentence = _("%(name)s: the name of a family can have at most %(limit)s characters.")
            wrong.setdefault("family_too_long", {})[pk] = sentence % {"name": name, "limit": MAX_FAMILY}
    if wrong:
        raise RowRefusal(next(iter(wrong)), {pk: why for rows in wrong.values() for pk, why in rows.items()})


def _others(seeds: Mapping[int, int | None], seed: int, but: int, entries: Mapping[int, Entry]) -> str:
    return ", ".join(entries[pk].name for pk, other in seeds.items() if other == seed and pk != but)


def _seeding_of(entry: Entry) -> Seeding:
    return Seeding(entry.seed, entry.family)


def _told(entry: Entry, wanted: Seeding) -> dict[str, object]:
    """Return a changed row as the log tells it."""
    return {"entry": entry.pk, "seed": [entry.seed, wanted.seed], "family": [entry.family, wanted.family]}


def _in_words(seeding: Seeding) -> str:
    seed = _("seed %(seed)s") % {"seed": seeding.seed} if seeding.seed is not None else _("no seed")
    return f"{seed}, {_('family “%(family)s”') % {'family': seeding.family}}" if seeding.family else seed


def seeding_before(told: Iterable[Mapping[str, Any]]) -> list[SeedingRow]:
    """Return the table that takes back what these rows of the log tell."""
    found = []
    for row in told:
        (seed_before, seed_after), (family_before, family_after) = row["seed"], row["family"]
        wanted, base = Seeding(seed_before, family_before), Seeding(seed_after, family_after)
        found.append(SeedingRow(row["entry"], wanted, base))
    return found
