"""Every step that can be undone is undone by a new row, unless something later rests on it."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from matches.rulings import RulingRequest
from matches.services import current_sheet
from players.errors import Conflict
from players.models import User
from players.services import create_player
from rules.rulings import RulingKind
from rules.score import Side
from rules.sheet import GameResult
from tests.builders import AT, build_director, build_event, claim, fixture_of, win
from tests.tournament.ladders import at_rung
from tournament.audit import audit_event
from tournament.corrections.undo import UNDO, undo_step, undoable
from tournament.draw.challenges import challenge
from tournament.draw.hand import change_draw
from tournament.draw.make import make_draw
from tournament.draw.standings import store_standings
from tournament.entries.attendance import (
    check_in,
    leave_event,
    leave_out_absent,
    move_up,
    put_to_wait,
    undo_check_in,
    undo_leaving,
)
from tournament.entries.checking import check_in_all, undo_check_in_all
from tournament.entries.identity import merge_players, replace_player
from tournament.entries.lists import EntryLine
from tournament.entries.seeding import Seeding, SeedingRow, set_seeding
from tournament.entries.services import add_entries, keep_apart, remove_entry, return_entry, seed_entry, withdraw_entry
from tournament.events.services import finish_event, reopen_event
from tournament.events.stages import add_stage
from tournament.formats.moves import MoveKind
from tournament.hall.announcements import announce, current
from tournament.models import Event, LogEntry
from tournament.results.enter import enter_result, void_result
from tournament.results.reports import confirm_result, report_result
from tournament.results.rulings import rule_match
from tournament.snapshot import take_snapshot

pytestmark = pytest.mark.django_db


def picture(event: Event) -> object:
    """What everybody sees of the event, without mere counters: versions, times, the numbers of sheets."""
    snapshot = take_snapshot(event.pk)
    entries = [
        (e.name, e.number, e.seed, e.family, e.presence, e.members, e.waiting, e.checked_in, e.left_kind, e.left_reason)
        for e in snapshot.entries
    ]
    stages = [
        (
            stage.drawn_at is not None,
            [
                (f.key, f.a.label, f.b.label, f.length, f.score, f.state, f.sheet and f.sheet.games)
                for f in stage.fixtures
            ],
        )
        for stage in snapshot.stages
    ]
    said = [one.text for one in current(event.tournament, event, AT)]
    return entries, stages, said, snapshot.finished_at is not None


def newest(event: Event) -> LogEntry:
    return event.log.select_related("event").first()


def matches(event: Event):
    return fixture_of(event, "M1-1").match


def entering(event):
    win(matches(event), Side.A)


def correcting(event):
    win(matches(event), Side.B, base=1)


def confirming(event):
    confirm_result(matches(event), number=1, by=None, at=AT)


def voiding(event):
    void_result(matches(event), base=1, reason="Wrong table.", by=None, at=AT)


def ruling(event):
    request = RulingRequest(RulingKind.PENALTY_POINTS, key="r", reason="Late.", penalty_points=(1, 0))
    rule_match(matches(event), request=request, by=None, at=AT)


def reporting(event):
    report_result(matches(event), claim=claim(final=(5, 3)), side=Side.A, by=None, at=AT)


def adding(event):
    add_entries(event, lines=[EntryLine(name="Somebody Else", line=1)], by=None, at=AT)


def a_stage(event):
    add_stage(event, format="single-elimination", options={"lengths": [5]}, qualifiers=2, by=None, at=AT)


def ending(event):
    finish_event(event, by=None, at=AT)


def played(event):
    for key in ("M1-1", "M1-2", "M2-1"):
        win(fixture_of(event, key).match, Side.A)


def first_of(event):
    return event.entries.get(number=1)


def leaving(event):
    leave_event(first_of(event), kind="disqualified", reason="A second phone.", by=None, at=AT)


def checking_everybody_in(event):
    check_in_all(event, by=None, at=AT)


def undoing_that(event):
    undo_check_in_all(event, only=list(event.entries.values_list("pk", flat=True)), by=None, at=AT)


def seeding(event):
    set_seeding(event, rows=[SeedingRow(first_of(event).pk, Seeding(1, "Hansen"), Seeding())], by=None, at=AT)


def swapped(event):
    a, b = (fixture_of(event, key).entry_a for key in ("M1-1", "M1-2"))
    change_draw(event.stages.get(), kind=MoveKind.SWAP, a=a, b=b, reason="One car.", by=None, at=AT)


def challenging(event):
    challenge(event, challenger=at_rung(event, 2), challenged=at_rung(event, 1), by=None, at=AT)


def announcing(event):
    announce(event.tournament, text="Clocks on the table.", event=event, by=None, at=AT)


STEPS = {
    "announce": ("single-elimination", True, None, announcing),
    "enter_result": ("single-elimination", True, None, entering),
    "correct_result": ("single-elimination", True, entering, correcting),
    "void_result": ("single-elimination", True, entering, voiding),
    "ruling": ("single-elimination", True, None, ruling),
    "add_entries": ("single-elimination", False, None, adding),
    "remove_entry": (
        "single-elimination",
        False,
        None,
        lambda event: remove_entry(event.entries.first(), by=None, at=AT),
    ),
    "seed_entry": (
        "single-elimination",
        False,
        None,
        lambda event: seed_entry(event.entries.first(), seed=1, by=None, at=AT),
    ),
    "keep_apart": (
        "single-elimination",
        False,
        None,
        lambda event: keep_apart(event.entries.first(), family="Hansen", by=None, at=AT),
    ),
    "withdraw_entry": ("swiss", True, None, lambda event: withdraw_entry(event.entries.first(), by=None, at=AT)),
    "return_entry": (
        "swiss",
        True,
        lambda event: withdraw_entry(event.entries.first(), by=None, at=AT),
        lambda event: return_entry(event.entries.first(), by=None, at=AT),
    ),
    "check_in": ("single-elimination", False, None, lambda event: check_in(first_of(event), by=None, at=AT)),
    "undo_check_in": (
        "single-elimination",
        True,
        lambda event: check_in(first_of(event), by=None, at=AT),
        lambda event: undo_check_in(first_of(event), by=None, at=AT),
    ),
    "check_in_all": ("single-elimination", False, None, checking_everybody_in),
    "undo_check_in_all": ("single-elimination", False, checking_everybody_in, undoing_that),
    "set_seeding": ("single-elimination", False, None, seeding),
    "put_to_wait": ("single-elimination", False, None, lambda event: put_to_wait(first_of(event), by=None, at=AT)),
    "move_up": (
        "single-elimination",
        False,
        lambda event: put_to_wait(first_of(event), by=None, at=AT),
        lambda event: move_up(first_of(event), by=None, at=AT),
    ),
    "leave_event": ("single-elimination", True, None, leaving),
    "undo_leaving": (
        "single-elimination",
        True,
        leaving,
        lambda event: undo_leaving(first_of(event), by=None, at=AT),
    ),
    "leave_out_absent": ("swiss", False, None, lambda event: leave_out_absent(event, by=None, at=AT)),
    "replace_player": (
        "single-elimination",
        True,
        None,
        lambda event: replace_player(first_of(event), line=EntryLine(name="Kim Berg"), by=None, at=AT),
    ),
    "merge_players": (
        "single-elimination",
        True,
        None,
        lambda event: merge_players(create_player(name="Kim Berg", at=AT), first_of(event).player, by=None, at=AT),
    ),
    "make_draw": ("single-elimination", False, None, lambda event: make_draw(event, by=None, at=AT)),
    "challenge": ("ladder", True, None, challenging),
    "change_draw": ("single-elimination", True, None, swapped),
    "add_stage": ("round-robin", False, None, a_stage),
    "finish_event": ("single-elimination", True, played, ending),
    "reopen_event": (
        "single-elimination",
        True,
        lambda event: (played(event), ending(event)),
        lambda event: reopen_event(event, by=None, at=AT),
    ),
}


def test_every_verb_of_the_table_is_tried():
    # A confirmation is undone below, a walkover of teams in test_walkovers.py, a deadline in test_deadlines.py.
    elsewhere = {"confirm_result", "confirm_by_time", "walk_over", "move_deadline", "extend_deadline"}
    assert set(STEPS) | elsewhere == set(UNDO)


@pytest.mark.parametrize("verb", STEPS)
def test_a_step_that_is_undone_leaves_all_as_it_was_and_the_new_row_names_it(verb):
    format, drawn, first, step = STEPS[verb]
    event = build_event(build_director(), players=4, format=format, drawn=drawn)
    if first:
        first(event)
    before = picture(event)
    step(event)
    row = newest(event)
    assert row.verb == verb
    assert picture(event) != before
    undone = undo_step(row, by=None, at=AT)
    assert picture(event) == before
    assert (undone.pk > row.pk, undone.detail["undoes"]) == (True, row.pk)
    with pytest.raises(Conflict) as refused:
        undo_step(row, by=None, at=AT)
    assert refused.value.code == "undone_already"
    store_standings(event.pk)
    assert audit_event(event) == []


@pytest.mark.parametrize("first", [entering, lambda event: (entering(event), win_again(event, base=1))])
def test_a_result_that_stands_again_has_the_state_it_had_before(first):
    event = build_event(build_director(), players=4)
    first(event)
    named = state(event)
    void_result(matches(event), base=current_sheet(matches(event)).number, reason="No.", by=None, at=later(event))
    undo_step(newest(event), by=None, at=later(event))
    assert state(event) == named
    win_again(event, base=current_sheet(matches(event)).number)
    assert state(event) == "corrected"
    for expected in (named, "corrected", named):
        undo_step(newest(event), by=None, at=later(event))
        assert state(event) == expected


def state(event):
    return take_snapshot(event.pk).stage.fixtures[0].status


def later(event):
    return newest(event).at + timedelta(minutes=1)


def win_again(event, *, base):
    enter_result(matches(event), claim=claim(final=(4, 5), base=base, reason="Seen."), by=None, at=later(event))


def test_a_confirmation_that_is_undone_leaves_the_match_without_a_result():
    event = build_event(build_director(), players=4)
    reporting(event)
    confirming(event)
    undo_step(newest(event), by=None, at=AT)
    assert take_snapshot(event.pk).stage.fixtures[0].score.a == 0
    store_standings(event.pk)
    assert audit_event(event) == []


def test_a_step_that_something_later_rests_on_is_not_undone():
    event = build_event(build_director(), players=4)
    entering(event)
    row = newest(event)
    correcting(event)
    with pytest.raises(Conflict) as refused:
        undo_step(row, by=None, at=AT)
    assert refused.value.code == "undo_depends"
    for key in ("M1-2", "M2-1"):
        win(fixture_of(event, key).match, Side.A)
    with pytest.raises(Conflict) as refused:
        undo_step(event.log.get(verb="correct_result"), by=None, at=AT)
    assert refused.value.code == "later_match_begun"


def test_a_ruling_over_games_is_undone_and_they_stand_again():
    event = build_event(build_director(), players=4)
    match = matches(event)
    enter_result(match, claim=claim(games=(GameResult(Side.A, 2),)), by=None, at=AT)
    request = RulingRequest(RulingKind.AWARDED, key="r", reason="Gone.", base=1, awarded_to=Side.B)
    rule_match(match, request=request, by=None, at=AT)
    undo_step(newest(event), by=None, at=AT)
    shown = take_snapshot(event.pk).stage.fixtures[0]
    assert ((shown.score.a, shown.score.b), shown.sheet.number) == ((2, 0), 3)
    store_standings(event.pk)
    assert audit_event(event) == []


def test_a_director_undoes_from_the_history():
    director = build_director()
    event = build_event(director, players=4)
    entering(event)
    client = Client()
    client.force_login(director)
    place = [event.tournament.slug, event.slug]
    address = reverse("undo", args=[*place, newest(event).pk])
    assert address in client.get(reverse("history", args=place)).content.decode()
    assert client.post(address).status_code == 302
    page = client.get(reverse("history", args=place)).content.decode()
    assert address not in page
    assert "takes back: Result entered" in page
    assert User.objects.count() == 1


def test_undoing_the_first_departure_does_not_bring_back_a_player_who_left_again():
    event = build_event(build_director(), players=4)
    leaving(event)
    row = newest(event)
    undo_leaving(first_of(event), by=None, at=AT)
    later = AT + timedelta(minutes=1)
    leave_event(first_of(event), kind="withdrawn", by=None, at=later)
    with pytest.raises(Conflict) as refused:
        undo_step(row, by=None, at=later)
    assert refused.value.code == "undo_depends"


@pytest.mark.parametrize("begun", [False, True])
def test_a_walkover_or_forfeit_by_departure_is_undone_only_with_the_departure(begun):
    event = build_event(build_director(), players=4)
    if begun:
        enter_result(matches(event), claim=claim(games=(GameResult(Side.A, 2),)), by=None, at=AT)
    fixture = fixture_of(event, "M1-1")
    leave_event(fixture.entry_a, kind="withdrawn", by=None, at=AT)
    rows = list(event.log.all())
    offered = {row.verb: row.pk in undoable(rows) for row in rows[:2]}
    assert offered == {"leave_event": True, "enter_result": False}
