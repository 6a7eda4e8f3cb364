"""The entries of an event as a table."""

from tournament.exports.formats import Cell, Export
from tournament.snapshot import EntrySnapshot, EventSnapshot

COLUMNS = (
    *("schema", "event_id", "entry_id", "number", "state", "name", "player_id", "partner_id", "members"),
    *("club", "country", "seed", "family", "checked_in", "left_reason", "late"),
)


def export_entries(event: EventSnapshot, *, with_reasons: bool) -> Export:
    """Export all entries in the order in which they were made; families and why they left only ``with_reasons``.

    ``state`` is entered, waiting, withdrawn, no-show or disqualified; ``late`` entries took a bye after the draw.
    ``members`` are those of a team in the order of its boards, with a comma between them.
    """
    schema = "sixprime-entries-1"
    everybody = sorted((*event.entries, *event.waiting, *event.gone), key=lambda entry: entry.number)
    event_id = f"{event.tournament_slug}/{event.slug}"
    return Export(schema, COLUMNS, tuple((schema, event_id, *_cells(entry, with_reasons)) for entry in everybody))


def _cells(entry: EntrySnapshot, with_reasons: bool) -> tuple[Cell, ...]:
    state = entry.left_kind or ("waiting" if entry.waiting else "entered")
    people = (None if entry.members else entry.player_id, entry.partner_id)
    members = ", ".join(member.name for member in entry.members)
    family, reason = (entry.family, entry.left_reason) if with_reasons else ("", "")
    return (
        *(entry.id, entry.number, state, entry.name, *people, members),
        *(entry.club, entry.country, entry.seed, family, entry.checked_in, reason),
        entry.bye_taken > 0,
    )
