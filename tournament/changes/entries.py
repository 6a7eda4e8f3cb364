"""An entry as the log keeps it: all that it is, and what it was before a change."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from tournament.models import Entry, Event

FIELDS = {field.attname: field for field in Entry._meta.concrete_fields}
"""The columns of an entry, by their names."""

LASTING = frozenset({"id", "event_id", "number", "team", "rating"})
"""The fields that stay as they are while an event goes on, and the rating, which the draw sets."""

OF_ENTRY = tuple(name for name in FIELDS if name not in LASTING)
"""The fields of an entry that may change while its event goes on."""

KEPT = tuple(name for name in FIELDS if name != "event_id")
"""The fields that the log keeps of an entry that is entered or removed; its event is that of the row."""


def as_kept(entry: Entry) -> dict[str, object]:
    """Return the fields of an entry as the log keeps them, without its members."""
    return {name: _as_json(getattr(entry, name)) for name in KEPT}


def fields_from(kept: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that the log kept, as an entry has them. An older row may lack some."""
    return {name: FIELDS[name].to_python(kept[name]) for name in KEPT if name in kept}


class EntriesBefore:
    """The entries of a locked event as they are when this object is made, for comparison with what they become."""

    def __init__(self, event: Event) -> None:
        self.event = event
        self.before = self._entries()

    def _entries(self) -> dict[int, dict[str, object]]:
        return {row.pop("id"): row for row in self.event.entries.values("id", *OF_ENTRY)}

    def was(self) -> dict[str, dict[str, object]]:
        """Return the former values of the fields that have changed, by entry: the ``was`` of a log row."""
        now = self._entries()
        changed = {
            pk: {name: value for name, value in before.items() if now[pk][name] != value}
            for pk, before in self.before.items()
            if pk in now
        }
        return {
            str(pk): {name: _as_json(value) for name, value in fields.items()}
            for pk, fields in changed.items()
            if fields
        }


def _as_json(value: object) -> object:
    return value.isoformat() if isinstance(value, date) else value
