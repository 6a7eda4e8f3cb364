"""An entry that was taken out, and is back once that is undone: as it was, if nobody has taken its place."""

import pytest

from players.errors import Conflict
from players.models import Player
from tests.builders import AT, build_director, build_event
from tests.tournament.corrections.test_undo import adding, first_of, leaving, newest, picture
from tournament.corrections.undo import undo_step
from tournament.draw.make import make_draw
from tournament.entries.attendance import check_in, set_door
from tournament.entries.identity import merge_players
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries, remove_entry

pytestmark = pytest.mark.django_db


def test_a_team_that_was_taken_out_is_back_with_its_members():
    event = build_event(build_director(), players=4, boards=3, drawn=False)
    before = picture(event)
    remove_entry(first_of(event), by=None, at=AT)
    undo_step(newest(event), by=None, at=AT)
    assert picture(event) == before


def test_an_entry_that_was_taken_out_is_back_as_it_was_and_waits_if_its_place_is_taken():
    event = build_event(build_director(), players=4, drawn=False)
    set_door(event, max_entries=4, check_in=True, late_minutes=None, by=None, at=AT)
    adding(event)
    gone = first_of(event)
    check_in(gone, by=None, at=AT)
    remove_entry(gone, by=None, at=AT)
    assert not event.entries.get(player__name="Somebody Else").waiting
    undo_step(newest(event), by=None, at=AT)
    back = first_of(event)
    assert (back.name, back.waiting, back.checked_in_at) == (gone.name, True, AT)


def test_a_player_who_had_left_and_was_taken_out_is_back_as_one_who_has_left():
    event = build_event(build_director(), players=4, drawn=False)
    leaving(event)
    before = picture(event)
    remove_entry(first_of(event), by=None, at=AT)
    undo_step(newest(event), by=None, at=AT)
    assert picture(event) == before
    make_draw(event, by=None, at=AT)
    assert first_of(event).pk not in event.stages.get().fixtures.values_list("entry_a", flat=True)


def test_a_removal_is_not_undone_if_a_player_was_entered_meanwhile_and_its_undoing_follows_a_merge():
    event = build_event(build_director(), players=0, drawn=False, doubles=True)
    for names in ("Anna & Bo", "Carl & Dora"):
        add_entries(event, lines=[EntryLine(name=names)], by=None, at=AT)
    anna = first_of(event).player
    remove_entry(first_of(event), by=None, at=AT)
    row = newest(event)
    add_entries(event, lines=[EntryLine(name="Eva & Bo")], by=None, at=AT)
    with pytest.raises(Conflict) as refused:
        undo_step(row, by=None, at=AT)
    assert refused.value.code == "entry_taken"
    remove_entry(event.entries.get(player__name="Eva"), by=None, at=AT)
    eva = Player.objects.get(name="Eva")
    merge_players(eva, anna, by=None, at=AT)
    undo_step(row, by=None, at=AT)
    assert first_of(event).name == "Eva & Bo"
