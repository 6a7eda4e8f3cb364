"""An entry is taken out and put back around a merge: when the merge is undone, it belongs to the player it was of."""

import pytest

from players.models import Merge, Player
from players.services import create_player
from tests.builders import AT, build_event, build_tournament
from tournament.audit import audit_event
from tournament.corrections.undo import undo_step
from tournament.draw.make import make_draw
from tournament.draw.standings import store_standings
from tournament.entries.identity import merge_players, undo_merge
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries, remove_entry
from tournament.models import Event, LogEntry
from tournament.past.event import find_moment, snapshot_at

pytestmark = pytest.mark.django_db


@pytest.fixture
def anna(director) -> Player:
    return create_player(name="Anna", at=AT)


def event_of(director, *lines: str, **terms) -> Event:
    event = build_event(director, players=0, drawn=False, tournament=build_tournament(director), **terms)
    add_entries(event, lines=[EntryLine(name=line, line=n) for n, line in enumerate(lines, 1)], by=None, at=AT)
    return event


def known(name: str) -> Player:
    return Player.objects.get(name=name)


def take_out(event: Event) -> LogEntry:
    remove_entry(event.entries.get(number=1), by=None, at=AT)
    return event.log.select_related("event").first()


def names_in(event: Event) -> list[list[str]]:
    """The names of the people in each entry."""
    people = [(entry, entry.members.select_related("player")) for entry in event.entries.order_by("number")]
    return [
        [str(one) for one in (entry.player, entry.partner, *(member.player for member in members)) if one]
        for entry, members in people
    ]


EVENTS = [
    (["Anne", "Bo"], {}, [["Anne"], ["Bo"]]),
    (["Bo & Anne", "Carl & Dora"], {"doubles": True}, [["Bo", "Anne"], ["Carl", "Dora"]]),
]
TEAM = ["Reds: Bo, Anne, Carl"]


@pytest.mark.parametrize(
    ("lines", "terms", "names"), [*EVENTS, (TEAM, {"boards": 3}, [["Bo", "Anne", "Carl"]])], ids=["one", "pair", "team"]
)
def test_a_player_taken_out_before_the_merge_has_the_entry_again(director, anna, lines, terms, names):
    event = event_of(director, *lines, **terms)
    row = take_out(event)
    merge_players(anna, known("Anne"), by=None, at=AT)
    undo_step(row, by=None, at=AT)
    undo_merge(known("Anne"), by=None, at=AT)
    assert names_in(event) == names
    assert event.log.first().verb == "undo_merge"


@pytest.mark.parametrize(("lines", "terms", "names"), EVENTS, ids=["one", "pair"])
def test_a_player_taken_out_after_the_merge_has_the_entry_again(director, anna, lines, terms, names):
    event = event_of(director, *lines, **terms)
    merge_players(anna, known("Anne"), by=None, at=AT)
    undo_step(take_out(event), by=None, at=AT)
    undo_step(take_out(event), by=None, at=AT)
    undo_merge(known("Anne"), by=None, at=AT)
    assert names_in(event) == names


@pytest.mark.parametrize("is_first", [True, False])
def test_each_of_several_merges_in_a_row_passes_the_entry_on(director, anna, is_first):
    event = event_of(director, "Ana", "Bo")
    ann = create_player(name="Anne", at=AT)
    if is_first:
        row = take_out(event)
    merge_players(ann, known("Ana"), by=None, at=AT)
    merge_players(anna, ann, by=None, at=AT)
    undo_step(row if is_first else take_out(event), by=None, at=AT)
    undo_merge(ann, by=None, at=AT)
    assert names_in(event) == [["Anne"], ["Bo"]]
    undo_merge(known("Ana"), by=None, at=AT)
    assert names_in(event) == [["Ana"], ["Bo"]]


def test_entries_of_the_kept_player_stay_theirs(director, anna):
    event = event_of(director, "Anna", "Bo")
    merge_players(anna, create_player(name="Anne", at=AT), by=None, at=AT)
    undo_step(take_out(event), by=None, at=AT)
    undo_merge(known("Anne"), by=None, at=AT)
    assert names_in(event) == [["Anna"], ["Bo"]]
    assert Merge.objects.get().detail["events"] == []


def test_the_past_and_the_audit_of_the_event_stay_correct(director, anna):
    event = event_of(director, "Anne", "Bo", "Carl")
    row = take_out(event)
    merge_players(anna, known("Anne"), by=None, at=AT)
    restored = undo_step(row, by=None, at=AT)
    undo_merge(known("Anne"), by=None, at=AT)
    make_draw(event, by=None, at=AT)
    store_standings(event.pk)
    seen = [snapshot_at(event.pk, find_moment(event, str(one.pk))) for one in (row, restored, event.log.first())]
    names = [sorted(entry.name for entry in snapshot.entries) for snapshot in seen]
    assert names == [["Bo", "Carl"], ["Anna", "Bo", "Carl"], ["Anne", "Bo", "Carl"]]
    assert [str(difference) for difference in audit_event(event)] == []
