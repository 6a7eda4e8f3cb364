"""The fields of an entry: each is kept, unwound and shown, or named here as one that is not."""

import json
from dataclasses import fields

import pytest

from players.models import Player
from tests.builders import AT, build_event
from tests.tournament.replay.pictures import ENTRY as REPLAYED
from tournament.api.entries.serializers import EntrySerializer, EntryViewSerializer
from tournament.changes.entries import KEPT, OF_ENTRY, EntriesBefore, as_kept, fields_from
from tournament.entries.admission import SAVED, Admission
from tournament.entries.attendance import LEFT
from tournament.models import Entry
from tournament.snapshot import EntrySnapshot

FIELDS = tuple(field.attname for field in Entry._meta.concrete_fields)
ROWS = {"id", "event_id"}
"""Where an entry is stored, which is another place for each copy of it."""

VALUES = {
    "team": "Aces",
    "reentry": 1,
    "number": 7,
    "seed": 3,
    "family": "Hansen",
    "presence": [1, 3],
    "rating": 150_000,
    "home_evening": 2,
    "waiting": True,
    "checked_in_at": AT,
    "left_at": AT,
    "left_kind": "withdrawn",
    "left_reason": "A cold.",
    "left_bracket": "M",
    "left_stage": 2,
    "bye_taken": 1,
    "drawn_as": ["Anna", "", "DK"],
    "link_epoch": 4,
}
"""Of each field a value that is not its default, and people beside them."""
PEOPLE = ("player_id", "partner_id")

UNSEEN = {"event_id", "rating", "left_stage", "drawn_as"}
"""What nobody is shown: where the entry is, and what only draws read."""
PLACES = {
    "a snapshot": ({field.name for field in fields(EntrySnapshot)}, UNSEEN | {"team", "left_at"}),
    "the API, of one entry": ({*EntrySerializer.Meta.fields}, UNSEEN | {"team", "link_epoch"}),
    "the API, in its event": (
        {field.source or name for name, field in EntryViewSerializer._declared_fields.items()},
        UNSEEN | {"team", "left_at", "reentry", "link_epoch", "family", "left_reason"},
    ),
    "the picture of a replay": (set(REPLAYED), {*ROWS, "rating"}),
}
"""The places that list fields of an entry: which they list, and which they leave out; ``name`` is for a team's."""
SHOWN_AS = {"checked_in_at": "checked_in", "left_bracket": "left_main_only"}


def names_of(field: str) -> set[str]:
    """The names under which a field may be listed."""
    bare = field.removesuffix("_id")
    return {field, bare, f"{bare}__name", SHOWN_AS.get(field, field)}


def person(name: str) -> Player:
    return Player.objects.create(name=name, created_at=AT)


@pytest.mark.parametrize("place", PLACES)
def test_every_field_is_listed_or_left_out_on_purpose(place):
    listed, left_out = PLACES[place]
    assert [field for field in FIELDS if not names_of(field) & listed] == [name for name in FIELDS if name in left_out]


def test_every_field_has_a_value_here():
    assert sorted({*FIELDS} - ROWS) == sorted([*VALUES, *PEOPLE])


def test_all_of_an_entry_but_its_event_can_be_read_from_the_log(director):
    event = build_event(director, players=1, drawn=False)
    player, partner = person("Anna"), person("Bo")
    entry = Entry(pk=99, event=event, player=player, partner=partner, **VALUES)
    kept = json.loads(json.dumps(as_kept(entry)))
    again = Entry(event=event, **fields_from(kept))
    assert {name: getattr(again, name) for name in FIELDS} == {name: getattr(entry, name) for name in FIELDS}
    assert (set(kept), set(FIELDS) - set(KEPT)) == (set(KEPT), {"event_id"})


LASTING = {*ROWS, "number", "team", "rating"}
CHANGING = {name: value for name, value in VALUES.items() if name not in LASTING}


def test_what_may_become_of_an_entry_is_every_field_that_does_not_last():
    assert {*FIELDS} - {*OF_ENTRY} == LASTING


@pytest.mark.parametrize("field", [*CHANGING, *PEOPLE])
def test_a_change_of_a_field_is_told_by_what_it_was(director, field):
    event = build_event(director, players=1, drawn=False)
    entry = event.entries.get()
    before = EntriesBefore(event)
    departure = {name: VALUES[name] for name in FIELDS if name.startswith("left_")}
    change = departure if field in departure else {field: CHANGING.get(field) or person("Bo").pk}
    old = {name: getattr(entry, name) for name in change}
    Entry.objects.filter(pk=entry.pk).update(**change)
    (was,) = json.loads(json.dumps(before.was())).values()
    assert fields_from(was) == old


def test_leaving_writes_every_field_of_a_departure():
    assert {name for name in FIELDS if name.startswith("left_")} == {*LEFT} - {"presence", "waiting"}


@pytest.mark.parametrize("drawn", [False, True])
def test_what_admission_changes_is_saved(director, drawn):
    event = build_event(director, players=5, drawn=drawn)
    entry = Entry(event=event, number=9, player=person("Late Comer"), waiting=True, presence=[])
    before = {name: getattr(entry, name) for name in FIELDS}
    Admission(event.stages.get()).admit(entry)
    changed = {name for name in FIELDS if getattr(entry, name) != before[name]}
    assert changed == {*SAVED} - (set() if drawn else {"bye_taken"})
