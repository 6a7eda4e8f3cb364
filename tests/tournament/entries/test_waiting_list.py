"""Entries beyond the limit of an event wait; if an event asks for it, only entries that are checked in are drawn."""

import pytest

from players.errors import Conflict, Refusal
from tests.builders import AT, build_event
from tests.tournament.entries.test_attendance import assert_audited, late, leave, set_limit, sides
from tournament.draw.make import make_draw
from tournament.entries.attendance import check_in, leave_out_absent, move_up, put_to_wait, undo_check_in
from tournament.entries.services import remove_entry

pytestmark = pytest.mark.django_db


def test_entries_beyond_the_limit_wait_and_move_up_in_order(director):
    event = build_event(director, players=0, drawn=False)
    set_limit(event, 3)
    late(event, "Ann", "Bo", "Cyd", "Dee", "Eli")
    assert [entry.player.name for entry in event.entries.filter(waiting=True)] == ["Dee", "Eli"]
    leave(event.entries.get(number=1))
    remove_entry(event.entries.get(number=2), by=None, at=AT)
    assert not event.entries.filter(waiting=True).exists()
    make_draw(event, by=None, at=AT)
    drawn = {entry for pair in sides(event).values() for entry in pair if entry}
    assert {event.entries.get(pk=pk).player.name for pk in drawn} == {"Cyd", "Dee", "Eli"}
    assert_audited(event)


def test_a_waiting_entry_is_in_no_draw_and_may_take_a_bye_after_it(director):
    event = build_event(director, players=3, drawn=False)
    put_to_wait(event.entries.get(number=1), by=None, at=AT)
    late(event, "Four")
    make_draw(event, by=None, at=AT)
    waiting = event.entries.get(number=1)
    assert not any(waiting.pk in pair for pair in sides(event).values())
    move_up(waiting, by=None, at=AT)
    assert any(waiting.pk in pair for pair in sides(event).values())
    assert_audited(event)


def test_full_event_lets_nobody_move_up_by_hand(director):
    event = build_event(director, players=3, drawn=False)
    set_limit(event, 3)
    (entry,) = late(event, "Four")
    with pytest.raises(Conflict) as refused:
        move_up(entry, by=None, at=AT)
    assert refused.value.code == "event_full"
    set_limit(event, 4)
    entry.refresh_from_db()
    assert not entry.waiting


@pytest.mark.parametrize(
    ("door", "code"),
    [
        ({"max_entries": 1}, "max_entries_out_of_range"),
        ({"max_entries": 1025}, "max_entries_out_of_range"),
        ({"late_minutes": 0}, "late_minutes_out_of_range"),
        ({"late_minutes": 121}, "late_minutes_out_of_range"),
    ],
)
def test_door_out_of_range_is_refused(director, door, code):
    event = build_event(director, players=2, drawn=False)
    with pytest.raises(Refusal) as refused:
        set_limit(
            event, **{"most": None, **({"most": door.pop("max_entries")} if "max_entries" in door else {}), **door}
        )
    assert refused.value.code == code


def test_only_entries_that_are_checked_in_are_drawn_if_the_event_says_so(director):
    event = build_event(director, players=4, drawn=False)
    set_limit(event, 3, check_in=True)
    (waits,) = late(event, "Five")
    for number in (1, 2, 5):
        check_in(event.entries.get(number=number), by=None, at=AT)
    check_in(event.entries.get(number=3), by=None, at=AT)
    undo_check_in(event.entries.get(number=3), by=None, at=AT)
    with pytest.raises(Conflict) as refused:
        make_draw(event, by=None, at=AT)
    assert refused.value.code == "not_checked_in"
    assert "Player 3, Player 4" in str(refused.value)
    assert [entry.number for entry in leave_out_absent(event, by=None, at=AT)] == [3, 4]
    waits.refresh_from_db()
    assert not waits.waiting
    make_draw(event, by=None, at=AT)
    drawn = {entry for pair in sides(event).values() for entry in pair if entry}
    assert {event.entries.get(pk=pk).number for pk in drawn} == {1, 2, 5}
    assert_audited(event)
