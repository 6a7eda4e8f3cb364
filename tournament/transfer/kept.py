"""What an event file holds and no row does: what other programs wrote there, kept with the event and written again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tournament.interchange.form import DOCUMENT, VERSION
from tournament.interchange.shape import FREE, Items, OrNull, Record, Shape
from tournament.models import Event

VERB = "import_event"
"""The step of the log whose row keeps it, under ``kept``."""

UNSTORED = frozenset({"federations", "visibility", "ids", "memberships", "rated_for", "record"})
"""The members of the form for which no row has a place."""

EMPTY: tuple[object, ...] = ([], None, "public")

Kept = Mapping[str, Mapping[str, Any]]
"""By the place of an object, the members that no row holds."""


def take(document: Mapping[str, Any]) -> Kept:
    """Return what the file holds besides what is stored: every ``x``, unknown members, and those without a row."""
    kept = dict(_found(DOCUMENT, document, ""))
    if document["version"] != VERSION:
        kept[""] = {**kept.get("", {}), "version": document["version"]}
    return kept


def _found(shape: Shape, value: Any, place: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield for each object in the value its place and its members that are not stored."""
    for record, row, where in _records(shape, value, place):
        own = {
            name: one
            for name, one in row.items()
            if name == FREE or name not in record.members or (name in UNSTORED and one not in EMPTY)
        }
        if own:
            yield where, own


def _records(shape: Shape, value: Any, place: str) -> Iterator[tuple[Record, dict[str, Any], str]]:
    """Yield every object in the value with its shape and its place: keys, and items by what they differ in."""
    if isinstance(shape, OrNull) and value is not None:
        yield from _records(shape.shape, value, place)
    elif isinstance(shape, Items):
        for index, one in enumerate(value):
            name = one[shape.key] if shape.key and isinstance(one, dict) else index
            yield from _records(shape.shape, one, f"{place}/{name}")
    elif isinstance(shape, Record):
        yield shape, value, place
        for name, inner in shape.members.items():
            if name in value and name not in UNSTORED:
                yield from _records(inner, value[name], f"{place}/{name}")


def put_back(document: dict[str, Any], events: Sequence[Event]) -> None:
    """Give the file what was kept of the files from which these events came."""
    kept: dict[str, dict[str, Any]] = {}
    for event in events:
        step = event.log.filter(verb=VERB).order_by("id").first()
        for place, own in (step.detail.get("kept", {}) if step else {}).items():
            kept.setdefault(place, {}).update(own)
    if kept:
        for _record, row, place in list(_records(DOCUMENT, document, "")):
            row.update(kept.get(place, {}))
