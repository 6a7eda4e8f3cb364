"""Many entries at once: checked in, removed, seeded; each in one step that can be undone."""

import pytest

from players.errors import Conflict, Refusal
from tests.builders import AT, build_event, build_money_terms
from tests.tournament.replay.pictures import picture
from tests.tournament.replay.replaying import Replay
from tournament.corrections.undo import undo_step
from tournament.draw.make import make_draw
from tournament.entries.attendance import check_in, leave_event, set_door
from tournament.entries.checking import check_in_all
from tournament.entries.lists import EntryLine
from tournament.entries.seeding import RowConflict, RowRefusal, Seeding, SeedingRow, set_seeding
from tournament.entries.services import add_entries, keep_apart, remove_entries, remove_entry, seed_entry
from tournament.log.words import tell
from tournament.models import Event
from tournament.money.services import set_money, settle_accounts
from tournament.past.event import find_moment, snapshot_at

WHO = {"by": None, "at": AT}


@pytest.fixture
def event(director) -> Event:
    return build_event(director, players=5, drawn=False)


def nth(event: Event, number: int):
    return event.entries.get(number=number)


def present(event: Event) -> list[int]:
    return list(event.entries.filter(checked_in_at__isnull=False).values_list("number", flat=True))


def seeds(event: Event) -> list[tuple[int | None, str]]:
    return list(event.entries.order_by("number").values_list("seed", "family"))


def row(event: Event, number: int, wanted: Seeding, base: Seeding | None = None) -> SeedingRow:
    return SeedingRow(nth(event, number).pk, wanted, base or Seeding())


def test_all_who_are_missing_are_checked_in_with_one_row_of_the_log(event):
    set_door(event, max_entries=5, check_in=True, late_minutes=None, **WHO)
    add_entries(event, lines=[EntryLine(name="Six")], **WHO)
    check_in(nth(event, 2), **WHO)
    leave_event(nth(event, 3), kind="withdrawn", **WHO)
    rows = event.log.count()
    checked = check_in_all(event, **WHO)
    assert [entry.number for entry in checked] == [1, 4, 5, 6]
    assert present(event) == [1, 2, 4, 5, 6]
    assert event.log.count() == rows + 1
    assert tell(event.log.first()) == "Checked in together: Player 1, Player 4, Player 5, Six"
    assert check_in_all(event, **WHO) == []
    assert event.log.count() == rows + 1


def test_waiting_list_is_not_checked_in_with_the_others(event):
    set_door(event, max_entries=5, check_in=True, late_minutes=None, **WHO)
    add_entries(event, lines=[EntryLine(name="Six")], **WHO)
    check_in_all(event, **WHO)
    assert present(event) == [1, 2, 3, 4, 5]


def test_check_in_of_all_is_undone_and_done_again_for_the_same_entries(event):
    check_in(nth(event, 2), **WHO)
    check_in_all(event, **WHO)
    undone = undo_step(event.log.first(), **WHO)
    assert (undone.verb, present(event)) == ("undo_check_in_all", [2])
    add_entries(event, lines=[EntryLine(name="Six")], **WHO)
    undo_step(undone, **WHO)
    assert present(event) == [1, 2, 3, 4, 5]


def test_after_the_draw_all_are_not_checked_in(event):
    make_draw(event, **WHO)
    with pytest.raises(Conflict) as refused:
        check_in_all(event, **WHO)
    assert refused.value.code == "event_drawn"


def test_several_entries_are_removed_in_one_step_and_come_back_in_one(event):
    set_door(event, max_entries=5, check_in=False, late_minutes=None, **WHO)
    add_entries(event, lines=[EntryLine(name="Six")], **WHO)
    before = snapshot_at(event.pk, find_moment(event, str(event.log.first().pk)))
    rows = event.log.count()
    removed = remove_entries(event, ids=[nth(event, number).pk for number in (4, 2)], **WHO)
    assert removed == ["Player 2", "Player 4"]
    step = event.log.first()
    assert (event.log.count(), tell(step)) == (rows + 1, "Removed: Player 2, Player 4; moved up: Six")
    earlier = event.log.all()[1]
    assert snapshot_at(event.pk, find_moment(event, str(earlier.pk))).entries == before.entries
    undo_step(step, **WHO)
    assert list(event.entries.order_by("number").values_list("number", flat=True)) == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("case", ["drawn", "gone", "paid", "nobody"])
def test_if_one_cannot_be_removed_nobody_is(event, director, case):
    ids = [nth(event, number).pk for number in (1, 2)]
    if case == "drawn":
        make_draw(event, **WHO)
    elif case == "gone":
        remove_entry(nth(event, 2), **WHO)
    elif case == "paid":
        set_money(event, build_money_terms(), **WHO)
        settle_accounts(event, accounts=[f"entry-{ids[1]}"], amount=5000, key="k", **WHO)
    else:
        ids = []
    version = Event.objects.get(pk=event.pk).version
    count = event.entries.count()
    codes = {"drawn": "event_drawn", "gone": "entry_gone", "paid": "entry_has_paid", "nobody": "nobody_chosen"}
    with pytest.raises(Refusal) as refused:
        remove_entries(event, ids=ids, **WHO)
    assert (refused.value.code, event.entries.count()) == (codes[case], count)
    assert Event.objects.get(pk=event.pk).version == version


def test_table_of_seeds_is_saved_in_one_step(event):
    rows = [row(event, n, Seeding(n, " The  Bergs " if n < 3 else "")) for n in range(1, 5)]
    before = event.log.count()
    assert len(set_seeding(event, rows=rows, **WHO)) == 4
    assert seeds(event) == [(1, "The Bergs"), (2, "The Bergs"), (3, ""), (4, ""), (None, "")]
    assert event.log.count() == before + 1
    assert tell(event.log.first()) == (
        "Player 1: seed 1, family “The Bergs”; Player 2: seed 2, family “The Bergs”; Player 3: seed 3; Player 4: seed 4"
    )


def test_two_seeds_change_places(event):
    for number in (1, 2):
        seed_entry(nth(event, number), seed=number, **WHO)
    set_seeding(event, rows=[row(event, n, Seeding(3 - n), Seeding(n)) for n in (1, 2)], **WHO)
    assert seeds(event)[:2] == [(2, ""), (1, "")]
    undo_step(event.log.first(), **WHO)
    assert seeds(event)[:2] == [(1, ""), (2, "")]


def test_undo_of_a_table_that_somebody_changed_since_is_refused(event):
    set_seeding(event, rows=[row(event, 1, Seeding(1))], **WHO)
    step = event.log.first()
    seed_entry(nth(event, 1), seed=7, **WHO)
    with pytest.raises(Conflict) as refused:
        undo_step(step, **WHO)
    assert (refused.value.code, seeds(event)[0]) == ("undo_depends", (7, ""))


def test_rows_that_somebody_else_changed_are_a_conflict_that_names_them(event):
    seed_entry(nth(event, 1), seed=5, **WHO)
    keep_apart(nth(event, 2), family="Berg", **WHO)
    rows = [row(event, 1, Seeding(1)), row(event, 2, Seeding(2)), row(event, 3, Seeding(3))]
    with pytest.raises(RowConflict) as refused:
        set_seeding(event, rows=rows, **WHO)
    assert refused.value.rows == {
        nth(event, 1).pk: "Somebody else has changed Player 1 meanwhile: seed 5.",
        nth(event, 2).pk: "Somebody else has changed Player 2 meanwhile: no seed, family “Berg”.",
    }
    assert seeds(event)[2] == (None, "")


def test_rows_that_were_not_edited_keep_what_somebody_else_has_set(event):
    seed_entry(nth(event, 1), seed=5, **WHO)
    remove_entry(nth(event, 4), **WHO)
    gone = SeedingRow(987_654, Seeding(), Seeding())
    set_seeding(event, rows=[row(event, 1, Seeding()), row(event, 2, Seeding(2)), gone], **WHO)
    assert seeds(event)[:2] == [(5, ""), (2, "")]


def test_same_change_by_two_people_is_no_conflict(event):
    seed_entry(nth(event, 1), seed=1, **WHO)
    assert set_seeding(event, rows=[row(event, 1, Seeding(1))], **WHO) == []


def test_removed_row_is_a_conflict(event):
    with pytest.raises(RowConflict) as refused:
        set_seeding(event, rows=[SeedingRow(987_654, Seeding(1), Seeding())], **WHO)
    assert refused.value.rows == {987_654: "An entry of this table has been removed meanwhile."}


def test_every_row_that_cannot_be_has_its_sentence(event):
    seed_entry(nth(event, 5), seed=9, **WHO)
    wanted = {1: Seeding(1), 2: Seeding(1), 3: Seeding(0), 4: Seeding(9, "x" * 41)}
    with pytest.raises(RowRefusal) as refused:
        set_seeding(event, rows=[row(event, number, one) for number, one in wanted.items()], **WHO)
    assert refused.value.rows == {
        nth(event, 1).pk: "Player 1: seed 1 is also that of Player 2.",
        nth(event, 2).pk: "Player 2: seed 1 is also that of Player 1.",
        nth(event, 3).pk: "Player 3: a seed must be a number from 1 to 1024.",
        nth(event, 4).pk: "Player 4: seed 9 is also that of Player 5.",
    }
    with pytest.raises(RowRefusal) as refused:
        set_seeding(event, rows=[row(event, 1, Seeding(None, "x" * 41))], **WHO)
    assert refused.value.code == "family_too_long"
    assert seeds(event) == [(None, "")] * 4 + [(9, "")]


def test_after_the_draw_no_table_is_saved(event):
    make_draw(event, **WHO)
    with pytest.raises(Conflict) as refused:
        set_seeding(event, rows=[row(event, 1, Seeding(1))], **WHO)
    assert refused.value.code == "event_drawn"


def test_all_of_this_is_replayed_from_the_log(event):
    check_in_all(event, **WHO)
    undo_step(event.log.first(), **WHO)
    undo_step(event.log.first(), **WHO)
    set_seeding(event, rows=[row(event, n, Seeding(n, "Berg")) for n in (1, 2)], **WHO)
    remove_entries(event, ids=[nth(event, number).pk for number in (2, 3)], **WHO)
    make_draw(event, **WHO)
    assert picture(Replay(event).event) == picture(event)
