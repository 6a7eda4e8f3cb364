"""Events in which every verb of the log is done that a replay does again."""

from datetime import date, timedelta

from django.db.models import Q

from matches.rulings import RulingRequest
from players.models import User
from rules.rulings import RulingKind
from rules.score import Side
from rules.sheet import GameResult
from tests.builders import AT, build_director, build_event, build_terms, claim, fixture_of, open_matches, play_out, win
from tests.tournament.closed import DICE, LONG_AGO, RANDOMNESS, ROUND, SIGNATURE
from tests.tournament.ladders import at_rung
from tournament.corrections.undo import undo_step
from tournament.draw.beacon import enter_round
from tournament.draw.challenges import challenge, withdraw_challenge
from tournament.draw.close_entries import close_entries, reopen_entries
from tournament.draw.dice import type_dice
from tournament.draw.hand import change_draw, end_changes
from tournament.draw.make import cancel_draw, make_draw
from tournament.draw.play_offs import enter_play_off, void_play_off
from tournament.draw.reconcile import Repair
from tournament.entries.attendance import (
    check_in,
    leave_event,
    leave_out_absent,
    move_up,
    put_to_wait,
    set_door,
    undo_check_in,
    undo_leaving,
)
from tournament.entries.challenges import challenge_by_link
from tournament.entries.checking import check_in_all
from tournament.entries.identity import replace_player
from tournament.entries.lists import EntryLine
from tournament.entries.page_requests import answer_page_request, ask_for_page
from tournament.entries.public_value import give_word_by_link, repeat_dice_by_link
from tournament.entries.renew import renew_links
from tournament.entries.seeding import Seeding, SeedingRow, set_seeding
from tournament.entries.self_entry import set_self_entry
from tournament.entries.services import (
    add_entries,
    keep_apart,
    remove_entries,
    remove_entry,
    return_entry,
    seed_entry,
    set_home_evening,
    withdraw_entry,
)
from tournament.events.deletion import delete_event, restore_event
from tournament.events.services import finish_event, reopen_event, update_event
from tournament.events.stages import add_stage, remove_stage
from tournament.formats.moves import MoveKind
from tournament.hall.announcements import announce, end_announcements, withdraw_announcement
from tournament.hall.calling import call_match, move_match, recall_match, start_match
from tournament.hall.director_calls import call_director, come_to_match, end_director_call
from tournament.hall.tables import add_break, add_tables, remove_break, update_table
from tournament.models import Appointment, Entry, Event, Role, Stage
from tournament.models.team import matches_in
from tournament.proof.drand import time_of
from tournament.results.boards import seat_reserve
from tournament.results.deadlines import extend_deadline, move_deadline, offer_to_play
from tournament.results.enter import end_advance, enter_result, void_result
from tournament.results.error_rates import set_error_rates
from tournament.results.reports import confirm_by_time, confirm_result, dispute_result, report_result, withdraw_result
from tournament.results.rulings import Lateness, rule_late, rule_match
from tournament.results.unplayed import decide_unplayed
from tournament.results.walkovers import walk_over

WHO = {"by": None, "at": AT}


def enter(event: Event, *names: str) -> None:
    add_entries(event, lines=[EntryLine(name=name, line=line) for line, name in enumerate(names, start=1)], **WHO)


def nth(event: Event, number: int):
    return event.entries.get(number=number)


def at_the_door(director: User) -> Event:
    """Before the draw: check-in, waiting list, removals, seeds, protection; the terms change, and the draw too."""
    event = build_event(director, players=5, drawn=False)
    set_door(event, max_entries=5, check_in=True, late_minutes=None, **WHO)
    set_self_entry(event, open=True, until=AT + timedelta(days=1), **WHO)
    enter(event, "Six", "Seven")
    put_to_wait(nth(event, 2), **WHO)
    move_up(nth(event, 6), **WHO)
    for number in (1, 3, 4):
        check_in(nth(event, number), **WHO)
    undo_check_in(nth(event, 3), **WHO)
    check_in(nth(event, 3), **WHO)
    remove_entry(nth(event, 1), **WHO)
    undo_step(event.log.first(), **WHO)
    check_in_all(event, **WHO)
    undo_step(event.log.first(), **WHO)
    enter(event, "Eight", "Nine")
    remove_entries(event, ids=[entry.pk for entry in event.entries.order_by("-number")[:2]], **WHO)
    rows = [SeedingRow(nth(event, number).pk, Seeding(9 - number, "Berg"), Seeding()) for number in (5, 6)]
    set_seeding(event, rows=rows, **WHO)
    seed_entry(nth(event, 3), seed=2, **WHO)
    keep_apart(nth(event, 4), family="Hansen", **WHO)
    set_home_evening(nth(event, 4), weekday=3, **WHO)
    replace_player(nth(event, 4), line=EntryLine(name="Stand-in"), **WHO)
    renew_links(event, **WHO)
    renew_links(event, entries=[nth(event, 2).pk], **WHO)
    leave_out_absent(event, **WHO)
    set_door(event, max_entries=None, check_in=False, late_minutes=5, **WHO)
    chosen = {"tiebreaks": ("head-to-head",), "clock_minutes": 2, "clock_delay": 8}
    chosen |= {"phones": False, "confirm_minutes": 20, "shows_chances": True}
    terms = build_terms(name="Open", format="double-elimination", options={"lengths": [3]}, **chosen)
    update_event(event, terms, **WHO)
    make_draw(event, **WHO)
    cancel_draw(event, **WHO)
    make_draw(event, **WHO)
    return event


def late_and_gone(director: User) -> Event:
    """After the draw: a late entry in a bye, a match with both absent, a departure after a match, one disqualified."""
    options = {"last_chance": "full"}
    event = build_event(director, players=7, format="consolation", options=options)
    enter(event, "Late")
    first, second = fixture_of(event, "M1-1"), fixture_of(event, "M1-2")
    for entry in (first.entry_a, first.entry_b):
        leave_event(entry, kind="no-show", **WHO)
    enter_result(second.match, claim=claim(games=(GameResult(Side.A, 1),)), **WHO)
    leave_event(second.entry_a, kind="withdrawn", plays_on=True, **WHO)
    leave_event(second.entry_b, kind="disqualified", reason="A second phone.", **WHO)
    undo_leaving(second.entry_b, **WHO)
    leave_event(fixture_of(event, "M1-3").entry_a, kind="withdrawn", only_main=True, **WHO)
    rule_late(fixture_of(event, "M1-4").match, late=Lateness("late", minutes_a=10), **WHO)
    return event


def in_the_hall(director: User) -> Event:
    """Calls by name, tables, a break, calls and their ends; an event that is deleted has left its tables."""
    event = build_event(director, players=8, format="swiss")
    hall = event.tournament
    by_name = open_matches(event)[3]
    call_match(by_name, **WHO)
    start_match(by_name, **WHO)
    recall_match(by_name, **WHO)
    add_tables(hall, first=1, last=4, **WHO)
    update_table(hall, number=2, event=event, streamed=True, out_of_order=False, **WHO)
    noon = AT + timedelta(hours=2)
    add_break(hall, name="Supper", starts_at=noon, ends_at=noon + timedelta(hours=1), **WHO)
    add_break(hall, name="Coffee", starts_at=AT, ends_at=AT + timedelta(minutes=9), **WHO)
    remove_break(hall, break_id=hall.breaks.get(name="Coffee").pk, **WHO)
    withdraw_announcement(announce(hall, text="Supper is late.", **WHO), **WHO)
    announce(hall, text="Clocks on the table.", event=event, **WHO)
    undo_step(event.log.first(), **WHO)
    announce(hall, text="Coffee.", event=event, ends_at=AT + timedelta(minutes=9), **WHO)
    end_announcements(at=AT + timedelta(minutes=9))
    first, second, third, _fourth = open_matches(event)
    for match in (first, second, third):
        call_match(match, **WHO)
    start_match(first, **WHO)
    move_match(first, table=2, **WHO)
    recall_match(second, **WHO)
    call_director(third, entry=third.fixture.entry_a, **WHO)
    come_to_match(third, **WHO)
    end_director_call(third, **WHO)
    asked = ask_for_page(third.fixture.entry_a, key="k", at=AT)
    answer_page_request(asked, yes=True, **WHO)
    win(first, Side.A)
    withdraw_entry(third.fixture.entry_a, **WHO)
    return_entry(third.fixture.entry_a, **WHO)
    delete_event(event, typed=event.name, **WHO)
    restore_event(Event.everything.get(pk=event.pk), **WHO)
    return event


def reports_of_phones(director: User) -> Event:
    """A report that counts because nobody objects in time."""
    event = build_event(director, players=2, confirm_minutes=1)
    match = fixture_of(event, "M1-1").match
    report_result(match, claim=claim(final=(0, 5)), side=Side.B, **WHO)
    confirm_by_time(match, number=1, at=AT + timedelta(minutes=2))
    return event


def law_of_results(director: User) -> Event:
    """Reports, a dispute, a correction, rulings, a result taken back, an advance by ruling; the end, and after it."""
    event = build_event(director, players=4)
    first, second = fixture_of(event, "M1-1").match, fixture_of(event, "M1-2").match
    report_result(first, claim=claim(final=(5, 3)), side=Side.A, **WHO)
    dispute_result(first, number=1, side=Side.B, reason="No.", **WHO)
    confirm_result(first, number=1, **WHO)
    report_result(second, claim=claim(games=(GameResult(Side.B),)), side=Side.B, agrees=False, **WHO)
    withdraw_result(second, base=1, side=Side.B, at=AT)
    win(second, Side.A)
    void_result(second, base=2, reason="Wrong table.", **WHO)
    win(second, Side.B)
    request = RulingRequest(RulingKind.PENALTY_POINTS, key="r", reason="Phone.", penalty_points=(1, 0))
    rule_match(fixture_of(event, "M2-1").match, request=request, **WHO)
    undo_step(event.log.first(), **WHO)
    win(fixture_of(event, "M2-1").match, Side.A)
    enter_result(
        first, claim=claim(final=(3, 5), base=1, reason="Wrong way."), repair=Repair.STAND, may_repair=True, **WHO
    )
    end_advance(first, reason="After all.", repair=Repair.REPLAY, may_repair=True, **WHO)
    win(fixture_of(event, "M2-1").match, Side.B)
    finish_event(event, **WHO)
    reopen_event(event, **WHO)
    return event


def stages_and_play_offs(director: User) -> Event:
    """A cycle of three, separated by play-offs, and a final of the best two; another stage comes and goes."""
    terms = {"format": "round-robin", "tiebreaks": ["play-off"]}
    event = build_event(director, players=3, **terms)
    for number, lengths in ((2, [5]), (3, [7])):
        add_stage(event, format="single-elimination", options={"lengths": lengths}, qualifiers=4 - number, **WHO)
    remove_stage(event, number=3, **WHO)
    for match in open_matches(event):
        a, b = (int(str(player).split()[-1]) for player in (match.side_a, match.side_b))
        win(match, Side.A if (b - a) % 3 == 1 else Side.B)
    stage = event.stages.get(number=1)
    for winner, loser in ((1, 2), (3, 1), (3, 2)):
        played = enter_play_off(stage, winner=nth(event, winner), loser=nth(event, loser), **WHO)
    void_play_off(played, **WHO)
    enter_play_off(stage, winner=nth(event, 2), loser=nth(event, 3), **WHO)
    make_draw(event, **WHO)
    play_out(event)
    return event


def teams(director: User) -> Event:
    """A reserve sits at a called board; a team was taken out before, and is back. Two teams have not come."""
    event = build_event(director, players=4, boards=3, drawn=False)
    add_tables(event.tournament, first=1, last=2, **WHO)
    remove_entry(nth(event, 3), **WHO)
    undo_step(event.log.first(), **WHO)
    make_draw(event, **WHO)
    match = matches_in(event).get(board__fixture__key="M1-1", board__number=2)
    call_match(match, **WHO)
    reserve = match.board.fixture.entry_a.people[-1]
    seat_reserve(match, side=Side.A, player_id=reserve.pk, **WHO)
    win(match, Side.A)
    other = matches_in(event).get(board__fixture__key="M1-2", board__number=1)
    walk_over(other, to=Side.B, key="late", **WHO)
    undo_step(event.log.first(), **WHO)
    walk_over(other, to=None, key="neither", **WHO)
    leave_event(match.board.fixture.entry_a, kind="withdrawn", **WHO)
    return event


def pairs(director: User) -> Event:
    """One player of a pair is replaced after the draw."""
    event = build_event(director, players=0, drawn=False, doubles=True)
    enter(event, "Ann & Bo", "Cyd & Dee", "Eli & Fay")
    make_draw(event, **WHO)
    replace_player(nth(event, 1), line=EntryLine(name="Ann & Gus"), **WHO)
    return event


def rated(director: User) -> Event:
    """The lower error rate counts: rates are entered, corrected, and taken back."""
    event = build_event(director, players=4, format="swiss", options={"rate_point": True, "rounds": 2})
    for match in open_matches(event):
        win(match, Side.A)
        set_error_rates(match, rates=(9000, 4000), **WHO)
    set_error_rates(match, rates=(3000, 4000), **WHO)
    set_error_rates(match, rates=None, **WHO)
    return event


def public_values(director: User) -> Event:
    """Three draws: with dice after a reopening, with words and with a round of drand, each but the last taken back."""
    other = build_director("other")
    event = build_event(director, players=4, drawn=False, seed="", public_source="dice")
    for user in (director, other):
        Appointment.objects.get_or_create(
            tournament=event.tournament, event=None, user=user, defaults={"role": Role.DIRECTOR, "since": AT}
        )
    close_entries(event, **WHO)
    type_dice(event, dice=DICE, by=director, at=AT)
    type_dice(event, dice=DICE, by=other, at=AT)
    reopen_entries(event, reason="One more.", **WHO)
    enter(event, "Late")
    close_entries(event, **WHO)
    type_dice(event, dice="1" * 12, by=director, at=AT)
    repeat_dice_by_link(nth(event, 1), dice="1" * 12, at=AT)
    make_draw(event, **WHO)
    cancel_draw(event, **WHO)
    update_event(event, build_terms(public_source="words"), **WHO)
    close_entries(event, **WHO)
    for number in (2, 1):
        give_word_by_link(nth(event, number), word=f"Word {number}", at=AT)
    make_draw(event, **WHO)
    cancel_draw(event, **WHO)
    update_event(event, build_terms(public_source="drand"), **WHO)
    close_entries(event, round=ROUND, by=None, at=LONG_AGO)
    enter_round(event, round=ROUND, randomness=RANDOMNESS, signature=SIGNATURE, by=None, at=time_of(ROUND))
    make_draw(event, by=None, at=time_of(ROUND))
    return event


def buy_ins(director: User) -> Event:
    """Three of those who lose in round 1 buy in; one is removed and restored, and the second bracket is played."""
    event = build_event(director, players=8, format="buy-in")
    for match in open_matches(event):
        win(match, Side.A)
    beaten = [fixture.entry_b.player.name for fixture in event.stages.get().fixtures.filter(bracket="M", round=1)]
    enter(event, *beaten[:2])
    enter(event, beaten[2])
    remove_entry(nth(event, 11), **WHO)
    undo_step(event.log.first(), **WHO)
    play_out(event)
    return event


def by_hand(director: User) -> Event:
    """A director swaps two lines, takes it back and swaps again; a Swiss round of the second stage is changed too."""
    event = build_event(director, players=8, format="pools", seed="")
    add_stage(event, format="swiss", options={"lengths": [3], "rounds": 2}, qualifiers=2, **WHO)
    stage = event.stages.get(number=1)
    change_draw(stage, kind=MoveKind.SWAP, a=nth(event, 1), b=across(stage, nth(event, 1)), reason="One car.", **WHO)
    end_changes(stage, numbers=[1], **WHO)
    change_draw(stage, kind=MoveKind.SWAP, a=nth(event, 2), b=across(stage, nth(event, 2)), reason="Asked.", **WHO)
    undo_step(event.log.first(), **WHO)
    change_draw(stage, kind=MoveKind.SWAP, a=nth(event, 3), b=across(stage, nth(event, 3)), reason="Again.", **WHO)
    play_out(event)
    make_draw(event, **WHO)
    later = event.stages.get(number=2)
    first, second = later.fixtures.order_by("number")
    change_draw(later, kind=MoveKind.PAIR, a=first.entry_a, b=second.entry_b, reason="Stream.", **WHO)
    play_out(event)
    return event


def across(stage: Stage, entry: Entry) -> Entry:
    """The first entry of another group."""
    own = stage.fixtures.filter(Q(entry_a=entry) | Q(entry_b=entry)).first().bracket
    return stage.fixtures.exclude(bracket=own).order_by("bracket", "round", "number").first().entry_a


def challenges(director: User) -> Event:
    """A ladder: a challenge is won, one withdrawn, one undone and one made by a private link; a player comes late."""
    event = build_event(director, players=5, format="ladder", seed="", options={"taking": "insert"})
    challenge(event, challenger=at_rung(event, 4), challenged=at_rung(event, 1), **WHO)
    win(open_matches(event)[0], Side.A)
    withdraw_challenge(challenge(event, challenger=at_rung(event, 3), challenged=at_rung(event, 2), **WHO), **WHO)
    challenge(event, challenger=at_rung(event, 3), challenged=at_rung(event, 1), **WHO)
    undo_step(event.log.first(), **WHO)
    enter(event, "Late")
    challenge_by_link(at_rung(event, 6), challenged=at_rung(event, 5).pk, at=AT)
    return event


def deadlines(director: User) -> Event:
    """Deadlines are moved, extended and restored, and a side that has offered to play wins by the rule."""
    options = {"starts_on": "2026-03-06", "unplayed": "offered", "extension": 2}
    event = build_event(director, players=2, format="league", options={**options, "home_and_away": True})
    first, second = (fixture.match for fixture in event.stages.get().fixtures.order_by("round"))
    move_deadline(second, to=date(2026, 4, 1), reason="Away.", **WHO)
    extend_deadline(second, side=Side.A, at=AT)
    extend_deadline(second, side=Side.B, at=AT)
    undo_step(event.log.first(), **WHO)
    offer_to_play(first, side=Side.B, days=[date(2026, 3, 7)], at=AT)
    decide_unplayed(first.pk, at=AT + timedelta(days=8))
    return event


SCENES = (
    deadlines,
    challenges,
    public_values,
    at_the_door,
    late_and_gone,
    in_the_hall,
    reports_of_phones,
    law_of_results,
    stages_and_play_offs,
    teams,
    pairs,
    buy_ins,
    by_hand,
    rated,
)
