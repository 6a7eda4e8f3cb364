"""What an event file holds and no row does: what other programs wrote there, kept with the event and written again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from players.models import Player, Visibility
from tournament.interchange.form import DOCUMENT, version_of
from tournament.interchange.read import minor_of
from tournament.interchange.shape import FREE, Items, OrNull, Record, Shape
from tournament.models import Event
from tournament.transfer.people import People

VERB = "import_event"
"""The step of the log whose row keeps it, under ``kept``, and what is of people under :data:`KEPT_PEOPLE`."""
KEPT_PEOPLE = "kept_people"

UNSTORED = frozenset({"federations", "ids", "memberships", "rated_for", "record"})
"""The members of the form for which no row has a place."""

EMPTY: tuple[object, ...] = ([], None)

PEOPLE = "/people/"

Kept = Mapping[str, Mapping[str, Any]]
"""By the place of an object, the members that no row holds."""


def take(document: Mapping[str, Any]) -> Kept:
    """Return what the file holds besides what is stored: every ``x``, unknown members, and those without a row.

    What it holds of people is theirs, wherever the next file names them: see :func:`take_people`.
    """
    kept = {place: own for place, own in _found(DOCUMENT, document, "") if not place.startswith(PEOPLE)}
    if document["version"] != version_of(document):
        kept[""] = {**kept.get("", {}), "version": document["version"]}
    return kept


def take_people(document: Mapping[str, Any], people: Mapping[str, Player]) -> dict[str, dict[str, Any]]:
    """Return what the file holds of people besides what is stored, by the ids of their players.

    Of those who are not public nothing is kept: numbers say who they are, and so may anything else.
    """
    found = (
        (people[place.removeprefix(PEOPLE)], own)
        for place, own in _found(DOCUMENT, document, "")
        if place.startswith(PEOPLE)
    )
    return {str(player.pk): own for player, own in found if player.visibility == Visibility.PUBLIC}


def _found(shape: Shape, value: Any, place: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield for each object in the value its place and its members that are not stored."""
    for record, row, where in _records(shape, value, place):
        own = {
            name: one
            for name, one in row.items()
            if name == FREE or name not in record.shapes or (name in UNSTORED and one not in EMPTY)
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
        for name, inner in shape.shapes.items():
            if name in value and name not in UNSTORED:
                yield from _records(inner, value[name], f"{place}/{name}")


def put_back(document: dict[str, Any], events: Sequence[Event], people: People) -> None:
    """Give the file what was kept of the files from which these events came, and the latest of their versions."""
    kept: dict[str, dict[str, Any]] = {}
    of_people: dict[int, dict[str, Any]] = {}
    versions = [document["version"]]
    for event in events:
        step = event.log.filter(verb=VERB).order_by("id").first()
        if step is None:
            continue
        for place, own in step.detail.get("kept", {}).items():
            kept.setdefault(place, {}).update(own)
        versions += [own["version"] for place, own in kept.items() if not place and "version" in own]
        for id, own in step.detail.get(KEPT_PEOPLE, {}).items():
            of_people.setdefault(int(id), {}).update(own)
    if kept:
        for _record, row, place in list(_records(DOCUMENT, document, "")):
            if not place.startswith(PEOPLE):  # of files imported when people were told by their place
                row.update(kept.get(place, {}))
    document["version"] = max(versions, key=minor_of)
    if of_people:
        people.put_back(_of_those_they_are(of_people))


def _of_those_they_are(kept: Mapping[int, dict[str, Any]]) -> dict[int, dict[str, Any]]:
    """Return it by the players who stand for these people now, some of whom have been merged."""
    merged = dict(Player.objects.filter(merged_into__isnull=False).values_list("pk", "merged_into"))
    found: dict[int, dict[str, Any]] = {}
    for id, own in kept.items():
        person = id
        while (kept_one := merged.get(person)) is not None:
            person = kept_one
        found.setdefault(person, {}).update(own)
    return found
