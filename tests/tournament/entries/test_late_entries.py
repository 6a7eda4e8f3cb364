"""A late entry takes a bye that is left; undone, it leaves, and the player who had the bye has it again."""

import re

import pytest
from django.db import transaction
from django.urls import reverse

from players.errors import Conflict, Unconfirmed
from rules.score import Level, Side
from rules.sheet import GameResult
from tests.builders import AT, build_event, claim, fixture_of, open_matches, play_out, win
from tests.tournament.api.client import CheckedClient
from tests.tournament.entries.test_attendance import assert_audited, late, leave, sides
from tournament.corrections.undo import undo_step
from tournament.draw.make import cancel_draw, make_draw
from tournament.entries.attendance import move_up, put_to_wait, undo_leaving
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries
from tournament.events.services import finish_event
from tournament.hall.calling import call_match, recall_match, start_match
from tournament.hall.tables import add_tables
from tournament.models import CallEnding, Event
from tournament.results.enter import enter_result, void_result
from tournament.results.rulings import Lateness, rule_late
from tournament.snapshot import take_snapshot


@pytest.mark.parametrize("format", ["single-elimination", "consolation", "double-elimination"])
@pytest.mark.parametrize("boards", [1, 3])
def test_undone_late_entry_leaves_the_bye_as_it_was(director, format, boards):
    event = build_event(director, players=6, format=format, boards=boards)
    add_tables(event.tournament, first=1, last=3, by=None, at=AT)
    before = sides(event)
    late(event, "Late" if boards == 1 else "Late: Ann, Bea, Cat")
    row, with_late = event.log.first(), by_number(event)
    (call,) = [call_match(match, by=None, at=AT) for match in matches_of_late(event)][:1]
    undone = undo_step(row, by=None, at=AT)
    assert (sides(event), undone.verb, undone.detail["undoes"]) == (before, "remove_entry", row.pk)
    call.refresh_from_db()
    assert call.ending == CallEnding.REDRAWN
    assert_audited(event)
    undo_step(undone, by=None, at=AT)
    entry = event.entries.get(bye_taken__gt=0)
    assert (entry.name, entry.number, entry.waiting) == ("Late", 7, False)
    assert by_number(event) == with_late
    play_out(event)
    assert_audited(event)


def by_number(event: Event) -> list[tuple]:
    return list(event.stages.get().fixtures.order_by("key").values_list("key", "entry_a__number", "entry_b__number"))


def matches_of_late(event: Event):
    taken = event.entries.get(bye_taken__gt=0).bye_taken
    return event.stages.get().fixtures.get(key=f"M1-{taken}").matches.values()


LEFT = ("walked over", "opponent left")


@pytest.mark.parametrize("begun", ["started", "entered", "taken back", "ruled", "opponent back", *LEFT])
def test_late_entry_that_has_begun_is_not_undone(director, begun):
    event = build_event(director, players=6)
    (entry,) = late(event, "Late")
    row = event.log.first()
    (match,) = matches_of_late(event)
    if begun == "started":
        add_tables(event.tournament, first=1, last=1, by=None, at=AT)
        call_match(match, by=None, at=AT)
        start_match(match, by=None, at=AT)
    elif begun == "ruled":
        rule_late(match, late=Lateness("late", minutes_a=5), by=None, at=AT)
    elif begun == "walked over":
        leave(entry)
    elif begun in ("opponent left", "opponent back"):
        fixture = match.fixture
        opponent = fixture.entry_b if fixture.entry_a == entry else fixture.entry_a
        leave(opponent)
        if begun == "opponent back":
            undo_leaving(opponent, by=None, at=AT)
    else:
        win(match, Side.A)
        if begun == "taken back":
            void_result(match, base=1, reason="Wrong table.", by=None, at=AT)
    before = sides(event)
    with pytest.raises(Conflict) as refused:
        undo_step(row, by=None, at=AT)
    code = "walkover_of_absence" if begun in LEFT else "late_entry_has_begun"
    assert (refused.value.code, sides(event)) == (code, before)
    if code == "late_entry_has_begun":
        assert str(refused.value).startswith("The match of Late has begun, or something has been entered for it")
    assert event.entries.filter(bye_taken__gt=0).exists()


def test_an_entry_that_moved_up_into_a_bye_waits_again_when_that_is_undone(director):
    event = build_event(director, players=6, drawn=False)
    put_to_wait(event.entries.get(number=1), by=None, at=AT)
    make_draw(event, by=None, at=AT)
    before = sides(event)
    waiting = move_up(event.entries.get(number=1), by=None, at=AT)
    undo_step(event.log.first(), by=None, at=AT)
    waiting.refresh_from_db()
    assert (sides(event), waiting.waiting, waiting.bye_taken) == (before, True, 0)
    assert_audited(event)


def test_bye_that_is_gone_meanwhile_is_not_given_to_an_entry_that_was_taken_out(director):
    event = build_event(director, players=7)
    late(event, "Late")
    removed = undo_step(event.log.first(), by=None, at=AT)
    late(event, "Later")
    with pytest.raises(Conflict) as refused:
        undo_step(removed, by=None, at=AT)
    assert refused.value.code == "bye_gone"


@pytest.mark.parametrize("format", ["single-elimination", "consolation", "double-elimination"])
def test_late_entry_takes_a_bye_and_moves_nobody(director, format):
    event = build_event(director, players=6, format=format)
    before = {key: pair for key, pair in sides(event).items() if key.startswith("M1-")}
    stage = event.stages.get()
    (entry,) = late(event, "Late")
    entry.refresh_from_db()
    after = {key: pair for key, pair in sides(event).items() if key.startswith("M1-")}
    taken = f"M1-{entry.bye_taken}"
    assert before[taken] == (after[taken][0], None)
    assert after == {**before, taken: (before[taken][0], entry.pk)}
    assert event.stages.get().draw_hash == stage.draw_hash
    play_out(event)
    finish_event(event, by=director, at=AT)
    assert_audited(event)


@pytest.mark.parametrize("format", ["single-elimination", "consolation", "double-elimination"])
def test_late_entry_leaves_a_called_match_as_it_is(director, format):
    """Of five players three have a bye, and two of these meet in round 2: called, they keep their byes."""
    event = build_event(director, players=5, format=format)
    [called] = [one for one in event.stages.get().fixtures.filter(key__startswith="M2-") if one.matches]
    call_match(called.match, by=None, at=AT)
    before = sides(event)[called.key]
    late(event, "Late")
    with pytest.raises(Conflict) as refused:
        late(event, "Later")
    assert (refused.value.code, sides(event)[called.key]) == ("no_bye_left", before)
    assert take_snapshot(event.pk).byes_left == 0
    recall_match(called.match, by=None, at=AT)
    assert take_snapshot(event.pk).byes_left == 2
    late(event, "Later")


def test_late_entry_takes_a_bye_that_moves_nobody_before_one_that_does(director):
    """With five players three have a bye: two of them meet in round 2, the third waits for an opponent."""
    event = build_event(director, players=5)
    (entry,) = late(event, "Late")
    entry.refresh_from_db()
    paired = event.stages.get().fixtures.filter(key__startswith="M2-", match__isnull=False)
    assert [one.key for one in paired] == [key for key in ("M2-1", "M2-2") if key != f"M2-{(entry.bye_taken + 1) // 2}"]


def test_late_entry_makes_a_ready_match_wait_again_only_after_a_yes(director):
    event = build_event(director, players=5)
    late(event, "Late")
    [ready] = event.stages.get().fixtures.filter(key__startswith="M2-", match__isnull=False)
    names = f"{ready.entry_a.name} – {ready.entry_b.name}"
    line = [EntryLine(name="Later")]
    with pytest.raises(Unconfirmed) as asked:
        add_entries(event, lines=line, by=director, at=AT, agreed="")
    assert asked.value.code == "confirm_bye"
    assert names in str(asked.value)
    assert event.entries.count() == 6
    with pytest.raises(Unconfirmed):
        add_entries(event, lines=line, by=director, at=AT, agreed="something else")
    (entry,) = add_entries(event, lines=line, by=director, at=AT, agreed=asked.value.question)
    assert entry.bye_taken
    ready.refresh_from_db()
    assert ready.match_id is None


def test_one_yes_is_for_all_late_entries_of_a_list(director):
    event = build_event(director, players=5)
    lines = [EntryLine(name=f"Late {number}", line=number) for number in (1, 2, 3)]
    with pytest.raises(Unconfirmed) as asked:
        add_entries(event, lines=lines, by=director, at=AT, agreed="")
    assert len(add_entries(event, lines=lines, by=director, at=AT, agreed=asked.value.question)) == 3


def test_the_pages_ask_before_a_ready_match_waits_again(director, as_director):
    event = build_event(director, players=5)
    late(event, "Late")
    page = reverse("entries", args=[event.tournament.slug, event.slug])
    typed = {"way": "one", "name": "Later", "club": "Blue", "country": "DK", "player_id": ""}
    answer = as_director.post(page, typed)
    assert answer.status_code == 409
    text = answer.content.decode()
    assert 'value="Later"' in text
    assert 'value="Blue"' in text
    (question,) = re.findall(r'name="confirmed" value="(\w+)"', text)
    assert as_director.post(page, {**typed, "confirmed": question}).status_code == 302
    (entry,) = event.entries.filter(bye_taken__gt=0).exclude(player__name="Late")
    put_to_wait(entry, by=director, at=AT)
    up = reverse("door-move-up", args=[event.tournament.slug, event.slug, entry.pk])
    answer = as_director.post(up)
    assert answer.status_code == 409
    (question,) = re.findall(r'name="confirmed" value="(\w+)"', answer.content.decode())
    assert as_director.post(up, {"confirmed": question}).status_code == 302
    entry.refresh_from_db()
    assert entry.bye_taken


def test_the_api_asks_before_a_ready_match_waits_again(director):
    event = build_event(director, players=5)
    late(event, "Late")
    api = CheckedClient()
    api.force_authenticate(director)
    path = f"events/{event.pk}/entries/"
    assert api.post(path, {"name": "Later"}).json()["code"] == "confirm_bye"
    preview = api.post(f"{path}import/", "name\nLater\n", content_type="text/csv").json()
    assert len(preview["rows"][0]["moving"]) == 1
    made = api.post(path, {"name": "Later", "confirmed": True})
    assert made.status_code == 201
    waiting = reverse("api:waiting", args=[made.json()["id"]])
    assert api.post(waiting).status_code == 200
    assert api.delete(waiting).json()["code"] == "confirm_bye"
    assert api.delete(f"{waiting}?confirmed=true").json()["bye_taken"]


def test_late_entry_is_refused_when_no_bye_is_left(director):
    event = build_event(director, players=7)
    late(event, "Late")
    with pytest.raises(Conflict) as refused:
        late(event, "Later")
    assert refused.value.code == "no_bye_left"
    assert event.entries.count() == 8


def test_late_entry_is_refused_once_the_player_with_the_bye_plays_the_next_match(director):
    event = build_event(director, players=3)
    bye = event.stages.get().fixtures.get(feed_b="bye")
    (match,) = open_matches(event)
    win(match, Side.A)
    final = fixture_of(event, "M2-1")
    assert bye.entry_a in (final.entry_a, final.entry_b)
    enter_result(final.match, claim=claim(games=(GameResult(Side.A, 1, Level.SINGLE),)), by=None, at=AT)
    with pytest.raises(Conflict) as refused:
        late(event, "Late")
    assert refused.value.code == "no_bye_left"


def test_late_entry_is_drawn_like_any_other_if_the_draw_is_made_again(director):
    event = build_event(director, players=6)
    (entry,) = late(event, "Late")
    cancel_draw(event, by=None, at=AT)
    make_draw(event, by=None, at=AT)
    entry.refresh_from_db()
    assert entry.bye_taken == 0
    assert any(entry.pk in pair for pair in sides(event).values())
    assert_audited(event)


def test_a_player_who_left_after_a_draw_is_not_in_the_next_one(director):
    event = build_event(director, players=6)
    gone = event.entries.get(number=2)
    leave_before = [entry.pk for entry in event.entries.all() if entry != gone]
    cancel_draw(event, by=None, at=AT)
    leave(gone)
    make_draw(event, by=None, at=AT)
    drawn = {entry for pair in sides(event).values() for entry in pair if entry}
    assert drawn == set(leave_before)
    with pytest.raises(Conflict) as refused:
        undo_leaving(gone, by=None, at=AT)
    assert refused.value.code == "drawn_without"


@pytest.mark.parametrize("format", ["single-elimination", "consolation", "double-elimination"])
def test_byes_are_counted_as_long_as_they_can_be_taken(director, format):
    event = build_event(director, players=11, format=format)
    counted = []
    # Losers come into the consolation, and play there, before all of those who are free have played.
    while matches := sorted(open_matches(event), key=lambda match: (match.fixture.bracket, -match.pk)):
        counted.append(take_snapshot(event.pk).byes_left)
        assert (counted[-1] > 0) == can_enter(event)
        win(matches[0], Side.A)
    assert (counted[0], counted[-1]) == (5, 0)
    assert not can_enter(event)


def can_enter(event: Event) -> bool:
    with transaction.atomic():
        try:
            late(event, "Late")
        except Conflict as refused:
            return refused.code != "no_bye_left"
        finally:
            transaction.set_rollback(True)
    return True
