"""What the page behind a private link says first, in each situation of a player's day."""

from datetime import timedelta

import pytest

from rules.score import Level, Side
from rules.sheet import GameResult
from tests.builders import AT, build_event, build_tournament, claim, fixture_of, win
from tournament.draw.make import make_draw
from tournament.draw.standings import store_standings
from tournament.entries.attendance import check_in, put_to_wait, set_door
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries
from tournament.hall.calling import call_match, start_match
from tournament.hall.tables import add_tables
from tournament.hall.waiting import with_waits
from tournament.mine.now import Kind, Now, now_of
from tournament.models import Event
from tournament.rehearsal.pace import Pause
from tournament.results.enter import enter_result
from tournament.results.reports import dispute_result, report_result
from tournament.snapshot import take_snapshot

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(director) -> Event:
    return build_event(director, players=4, lengths=(7,))


def now(event: Event, entry, **around) -> Now:
    store_standings(event.pk)
    snapshot = with_waits(event.tournament, take_snapshot(event.pk))
    return now_of(snapshot, entry.pk, **{"at": AT, **around})


def test_before_the_draw_it_says_so(director):
    event = build_event(director, players=4, drawn=False)
    entry = event.entries.first()
    assert (now(event, entry).kind, now(event, entry).sentence) == (Kind.WAITING, "The draw is not made yet")


def test_where_players_check_in_it_asks_for_that_first(director):
    event = build_event(director, players=4, drawn=False)
    set_door(event, max_entries=None, check_in=True, late_minutes=None, by=director, at=AT)
    entry = event.entries.first()
    assert now(event, entry).kind is Kind.CHECK_IN
    check_in(entry, by=director, at=AT)
    assert now(event, entry).sentence == "The draw is not made yet"


def test_players_check_in_on_the_day_of_the_event_and_once_somebody_is_there(director):
    event = build_event(director, players=4, drawn=False)
    first, second = event.entries.all()[:2]
    event.starts_at = AT + timedelta(days=2)
    event.save()
    assert now(event, first).kind is Kind.WAITING
    assert now(event, first, at=event.starts_at).kind is Kind.CHECK_IN
    check_in(second, by=director, at=AT)
    assert now(event, first).kind is Kind.CHECK_IN
    assert now(event, second).detail.startswith("You are checked in. The event starts on ")


def test_the_score_is_kept_from_the_call_on_or_where_nobody_calls(event):
    fixture = fixture_of(event, "M1-1")
    assert now(event, fixture.entry_a).may_keep_score
    assert not now(event, fixture.entry_a, has_tables=True).may_keep_score
    call_match(fixture.match, by=None, at=AT)
    assert now(event, fixture.entry_a, has_tables=True).may_keep_score


def test_an_entry_on_the_waiting_list_reads_that(director):
    event = build_event(director, players=4, drawn=False)
    entry = event.entries.last()
    put_to_wait(entry, by=director, at=AT)
    assert now(event, entry).sentence == "You are on the waiting list"


def test_a_match_that_can_be_played_names_the_opponent_and_the_length(event):
    fixture = fixture_of(event, "M1-1")
    name = fixture.entry_b.name
    assert now(event, fixture.entry_a).sentence == f"Next: {name}, 7 points"
    assert now(event, fixture.entry_a, has_tables=True).detail == "You will be called to a table."
    assert now(event, fixture.entry_a).detail == "You can begin."


def test_a_call_names_the_table_and_once_they_play_since_when(event):
    add_tables(event.tournament, first=4, last=4, by=None, at=AT)
    fixture = fixture_of(event, "M1-1")
    call_match(fixture.match, by=None, at=AT)
    said = now(event, fixture.entry_a)
    assert (said.kind, said.tables) == (Kind.CALLED, (4,))
    assert said.sentence == f"Play {fixture.entry_b.name} at table 4, 7 points"
    start_match(fixture.match, by=None, at=AT + timedelta(minutes=5))
    said = now(event, fixture.entry_b)
    assert said.kind is Kind.PLAYING
    assert said.detail.startswith("Since ")


def test_a_claim_asks_one_side_and_waits_for_it_on_the_other(event):
    fixture = fixture_of(event, "M1-1")
    report_result(fixture.match, claim=claim(final=(4, 7)), side=Side.B, by=None, at=AT)
    a, b = fixture.entry_a.name, fixture.entry_b.name
    asked = now(event, fixture.entry_a)
    assert (asked.kind, asked.sentence) == (Kind.CONFIRM, f"{b} reports winning 7–4: is that right?")
    assert now(event, fixture.entry_b).sentence == f"Your result awaits {a}'s yes"


def test_a_claim_of_a_lost_match_says_who_won(event):
    fixture = fixture_of(event, "M1-1")
    report_result(fixture.match, claim=claim(final=(4, 7)), side=Side.A, by=None, at=AT)
    assert now(event, fixture.entry_b).sentence == f"{fixture.entry_a.name} reports that you won 7–4: is that right?"


def test_two_claims_that_differ_are_for_the_director(event):
    fixture = fixture_of(event, "M1-1")
    report_result(fixture.match, claim=claim(final=(4, 7)), side=Side.A, by=None, at=AT)
    report_result(fixture.match, claim=claim(final=(7, 4)), side=Side.B, by=None, at=AT)
    assert {now(event, entry).kind for entry in (fixture.entry_a, fixture.entry_b)} == {Kind.DISPUTED}


def games(*winners: Side) -> tuple[GameResult, ...]:
    return tuple(GameResult(winner, 1, Level.SINGLE) for winner in winners)


def headlines(event: Event) -> list[str]:
    fixture = fixture_of(event, "M1-1")
    return [now(event, entry).sentence for entry in (fixture.entry_a, fixture.entry_b)]


def names(event: Event) -> tuple[str, str]:
    fixture = fixture_of(event, "M1-1")
    return fixture.entry_a.name, fixture.entry_b.name


def test_a_dispute_of_both_players_names_both(event):
    match = fixture_of(event, "M1-1").match
    report_result(match, claim=claim(final=(4, 7)), side=Side.A, by=None, at=AT)
    report_result(match, claim=claim(final=(7, 4)), side=Side.B, by=None, at=AT)
    a, b = names(event)
    assert headlines(event) == [f"You and {name} report different results" for name in (b, a)]


def test_a_dispute_with_the_desk_names_the_desk_and_nobody_who_has_reported_nothing(event):
    match = fixture_of(event, "M1-1").match
    enter_result(match, claim=claim(games=games(Side.B, Side.B)), by=None, at=AT)
    report_result(match, claim=claim(games=games(*[Side.A] * 7)), side=Side.A, by=None, at=AT)
    assert headlines(event) == [
        "Your report differs from the desk’s score sheet",
        f"{names(event)[0]}’s report differs from the desk’s score sheet",
    ]


def test_a_final_score_that_the_desk_is_past_is_a_dispute_with_the_desk(event):
    match = fixture_of(event, "M1-1").match
    enter_result(match, claim=claim(games=games(Side.A)), by=None, at=AT)
    report_result(match, claim=claim(final=(0, 7)), side=Side.B, by=None, at=AT)
    assert headlines(event) == [
        f"{names(event)[1]}’s report differs from the desk’s score sheet",
        "Your report differs from the desk’s score sheet",
    ]


def test_a_dispute_with_a_scorer_names_the_scorer(event):
    match = fixture_of(event, "M1-1").match
    report_result(match, claim=claim(games=games(Side.B)), side=None, by=None, at=AT)
    report_result(match, claim=claim(games=games(*[Side.A] * 7)), side=Side.A, by=None, at=AT)
    assert headlines(event) == [
        "Your report differs from the scorer’s",
        f"{names(event)[0]}’s report differs from the scorer’s",
    ]


def test_a_dispute_of_the_scorer_and_the_desk_is_none_of_the_players(event):
    match = fixture_of(event, "M1-1").match
    enter_result(match, claim=claim(games=games(Side.A)), by=None, at=AT)
    report_result(match, claim=claim(games=games(*[Side.B] * 7)), side=None, by=None, at=AT)
    assert headlines(event) == ["The scorer’s report differs from the desk’s score sheet"] * 2


def test_an_objection_alone_is_said_without_another_report(event):
    match = fixture_of(event, "M1-1").match
    report_result(match, claim=claim(final=(4, 7)), side=Side.A, by=None, at=AT)
    dispute_result(match, number=1, side=Side.B, reason="", by=None, at=AT)
    a, b = names(event)
    assert headlines(event) == [f"Your match with {name} is in dispute" for name in (b, a)]


def test_the_winner_waits_for_the_other_match_by_its_names(event):
    fixture, other = fixture_of(event, "M1-1"), fixture_of(event, "M1-2")
    win(fixture.match, Side.A)
    said = now(event, fixture.entry_a)
    assert said.kind is Kind.WAITING
    assert said.sentence == f"You wait for the winner of {other.entry_a.name} – {other.entry_b.name}"


def test_a_match_whose_players_are_not_known_is_named_by_its_round(director):
    event = build_event(director, players=8)
    for key in ("M1-1", "M1-2"):
        win(fixture_of(event, key).match, Side.A)
    semifinal = fixture_of(event, "M2-1")
    win(semifinal.match, Side.A)
    assert now(event, semifinal.entry_a).sentence == "You wait for the winner of Semifinals, match 2"


def test_a_loser_reads_the_place_and_the_winner_of_the_final_that_they_won(event):
    first, second = fixture_of(event, "M1-1"), fixture_of(event, "M1-2")
    win(first.match, Side.A)
    win(second.match, Side.A)
    assert now(event, first.entry_b).sentence == "You are out: places 3–4"
    win(fixture_of(event, "M2-1").match, Side.A)
    assert now(event, first.entry_a).sentence == "You have won"
    assert now(event, second.entry_a).sentence == "You are out: place 2"


def test_in_a_break_it_says_until_when_and_what_comes_then(event):
    pause = Pause("Lunch", AT - timedelta(minutes=5), AT + timedelta(minutes=30))
    fixture = fixture_of(event, "M1-1")
    said = now(event, fixture.entry_a, pauses=(pause,))
    assert said.kind is Kind.BREAK
    assert said.sentence.startswith("Break until ")
    assert f"Next: {fixture.entry_b.name}" in said.detail
    over = now(event, fixture.entry_a, pauses=(pause,), at=pause.ends_at)
    assert over.kind is Kind.READY


def test_a_match_that_is_being_played_is_said_in_a_break_too(event):
    pause = Pause("Lunch", AT - timedelta(minutes=5), AT + timedelta(minutes=30))
    fixture = fixture_of(event, "M1-1")
    call_match(fixture.match, by=None, at=AT)
    start_match(fixture.match, by=None, at=AT)
    assert now(event, fixture.entry_a, pauses=(pause,)).kind is Kind.PLAYING


def test_a_player_who_is_busy_elsewhere_is_waited_for_and_reads_where_they_play(director):
    tournament = build_tournament(director)
    add_tables(tournament, first=1, last=4, by=None, at=AT)
    other = build_event(director, players=2, name="Side", tournament=tournament)
    busy = fixture_of(other, "M1-1")
    call_match(busy.match, by=None, at=AT)
    event = build_event(director, players=0, name="Main", drawn=False, tournament=tournament)
    lines = [EntryLine(name=name, line=line) for line, name in enumerate((busy.entry_b.name, "Else"), start=1)]
    add_entries(event, lines=lines, by=director, at=AT)
    make_draw(event, by=director, at=AT)
    theirs, free = event.entries.order_by("pk")
    assert now(event, free).sentence == f"You wait for {busy.entry_b.name}"
    assert "Side" in now(event, free).detail
    said = now(event, theirs)
    assert (said.kind, said.sentence) == (Kind.BUSY, "You have been called to table 1 in Side")
    assert said.detail == "Next: Else, 5 points."
    start_match(busy.match, by=None, at=AT)
    assert now(event, theirs).sentence == "You play in Side at table 1 now"


def test_two_players_who_are_both_busy_elsewhere_each_read_where_they_play(director):
    tournament = build_tournament(director)
    event = build_event(director, players=2, name="Main", tournament=tournament)
    other = build_event(director, players=2, name="Side", tournament=tournament)
    call_match(fixture_of(other, "M1-1").match, by=None, at=AT)
    fixture = fixture_of(event, "M1-1")
    for entry in (fixture.entry_a, fixture.entry_b):
        assert now(event, entry).sentence == "You have been called in Side"


def test_a_pair_reads_which_of_them_is_busy(director):
    tournament = build_tournament(director)
    pairs = build_event(director, players=0, doubles=True, drawn=False, name="Pairs", tournament=tournament)
    lines = [EntryLine(name=name, line=line) for line, name in enumerate(("Ann & Bo", "Cy & Di"), start=1)]
    add_entries(pairs, lines=lines, by=director, at=AT)
    make_draw(pairs, by=director, at=AT)
    event = build_event(director, players=0, drawn=False, tournament=tournament)
    lines = [EntryLine(name=name, line=line) for line, name in enumerate(("Ann", "Else"), start=1)]
    add_entries(event, lines=lines, by=director, at=AT)
    make_draw(event, by=director, at=AT)
    call_match(fixture_of(event, "M1-1").match, by=None, at=AT)
    theirs, others = pairs.entries.order_by("pk")
    assert now(pairs, theirs).sentence == "Ann has been called for M1-1 of Main"
    assert now(pairs, others).sentence == "You wait for Ann"


def test_each_winner_of_a_jackpot_has_won(director):
    event = build_event(director, players=8, format="jackpot", options={"size": "4"})
    for key in ("JA1-1", "JA1-2", "JA2-1", "JB1-1", "JB1-2", "JB2-1"):
        win(fixture_of(event, key).match, Side.A)
    for jackpot in "AB":
        final = fixture_of(event, f"J{jackpot}2-1")
        assert now(event, final.entry_a).sentence == f"You have won: Jackpot {jackpot}"
        assert now(event, final.entry_b).sentence == f"You are out: place 2 (Jackpot {jackpot})"


def test_places_of_a_draw_with_a_consolation_name_their_ranking(director):
    event = build_event(director, players=4, format="consolation")
    for key in ("M1-1", "M1-2", "M2-1", "C1-1"):
        win(fixture_of(event, key).match, Side.A)
    final, consolation = fixture_of(event, "M2-1"), fixture_of(event, "C1-1")
    assert now(event, final.entry_a).sentence == "You have won"
    assert now(event, final.entry_b).sentence == "You are out: place 2 (Main)"
    assert now(event, consolation.entry_a).sentence == "You have won: Consolation"
    assert now(event, consolation.entry_b).sentence == "You are out: place 2 (Consolation)"


def test_a_swiss_round_that_is_over_leaves_a_wait_for_the_next(director):
    event = build_event(director, players=8, format="swiss", options={"rounds": 3})
    fixture = event.stages.get().fixtures.order_by("number").first()
    win(fixture.match, Side.A)
    assert now(event, fixture.entry_a).sentence == "You wait for the next round"


def test_a_team_reads_all_its_tables(director):
    event = build_event(director, players=2, boards=3)
    add_tables(event.tournament, first=1, last=3, by=None, at=AT)
    fixture = event.stages.get().fixtures.get()
    for board in fixture.boards.order_by("number"):
        call_match(board.match, by=None, at=AT)
    assert now(event, fixture.entry_a).sentence == "Play Team 2 at tables 1, 2, 3"


def test_a_player_of_a_round_robin_who_is_done_waits_for_the_others(director):
    event = build_event(director, players=4, format="round-robin")
    entry = event.entries.first()
    for fixture in event.stages.get().fixtures.select_related("match"):
        if entry.pk in (fixture.entry_a_id, fixture.entry_b_id):
            win(fixture.match, Side.A if fixture.entry_a_id == entry.pk else Side.B)
    said = now(event, entry)
    assert (said.kind, said.sentence) == (Kind.OVER, "You have played all your matches")
    assert said.detail == "Place 1. Others are still playing."
