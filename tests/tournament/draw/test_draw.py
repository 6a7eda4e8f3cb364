from dataclasses import replace
from datetime import timedelta
from hashlib import sha256

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from matches.models import Match
from matches.ratings import rated_matches
from players.errors import Conflict, Refusal
from rules.score import Side
from rules.sheet import GameResult
from tests.builders import AT, build_event, build_terms, claim, fixture_of, open_matches, play_out, win
from tournament.draw.chain import load_chain
from tournament.draw.make import cancel_draw, make_draw
from tournament.draw.reconcile import reconcile
from tournament.events.services import finish_event, reopen_event, update_event
from tournament.models import Fixture, LogEntry, Stage
from tournament.results.enter import enter_result
from tournament.snapshot import take_snapshot

QUERIES_OF_A_RESULT = 24


def published(event) -> list[tuple]:
    fields = ("key", "entry_a", "entry_b", "feed_a", "feed_b", "length", "match")
    return list(Fixture.objects.filter(stage__event=event).order_by("key").values_list(*fields))


def test_draw_publishes_the_whole_bracket_and_makes_the_matches_that_can_be_played(director):
    build_event(director, players=6, lengths=(9, 7))
    assert list(Fixture.objects.values_list("key", "length")) == [
        ("M1-1", 7),
        ("M1-2", 7),
        ("M1-3", 7),
        ("M1-4", 7),
        ("M2-1", 7),
        ("M2-2", 7),
        ("M3-1", 9),
    ]
    assert Match.objects.count() == 2


def test_drawing_twice_changes_nothing(director):
    event = build_event(director, players=5)
    before = published(event)
    make_draw(event, by=director, at=AT)
    event_again = type(event).objects.get()
    assert (published(event), event_again.version) == (before, event.version)


def test_seed_is_committed_before_the_draw_and_shown_after_it(director):
    event = build_event(director, players=4, drawn=False)
    before = take_snapshot(event.pk).stage
    make_draw(event, by=director, at=AT)
    after = take_snapshot(event.pk).stage
    assert before.seed == ""
    assert sha256(after.seed.encode()).hexdigest() == before.seed_hash
    field = "\n".join([after.seed, *(f"Player {number}\t\t\t\t" for number in range(1, 5))])
    assert sha256(field.encode()).hexdigest() == before.draw_hash == after.draw_hash


def test_draw_of_one_player_is_refused(director):
    event = build_event(director, players=1, drawn=False)
    with pytest.raises(Refusal):
        make_draw(event, by=director, at=AT)
    assert not Fixture.objects.exists()


def test_draw_can_be_taken_back_until_a_result_is_entered(director):
    event = build_event(director, players=4)
    seed = Stage.objects.get().seed
    cancel_draw(event, by=director, at=AT)
    assert (Fixture.objects.count(), Match.objects.count(), Stage.objects.get().drawn_at) == (0, 0, None)
    assert Stage.objects.get().seed != seed
    make_draw(event, by=director, at=AT)
    win(open_matches(event)[0], Side.A)
    with pytest.raises(Conflict) as refused:
        cancel_draw(event, by=director, at=AT)
    assert refused.value.code == "draw_in_play"


def test_winner_advances_with_the_result(director):
    event = build_event(director, players=4)
    first = fixture_of(event, "M1-1")
    win(first.match, Side.B)
    assert fixture_of(event, "M2-1").entry_a == first.entry_b
    win(fixture_of(event, "M1-2").match, Side.A)
    assert fixture_of(event, "M2-1").match is not None


def test_correction_moves_the_seat_of_a_match_not_begun(director):
    event = build_event(director, players=4)
    first, second = fixture_of(event, "M1-1"), fixture_of(event, "M1-2")
    win(first.match, Side.A)
    win(second.match, Side.A)
    win(first.match, Side.B, base=1)
    final = fixture_of(event, "M2-1")
    assert (final.entry_a, final.match.side_a) == (first.entry_b, first.entry_b.player)
    assert Match.objects.count() == 3


def test_correction_that_keeps_the_winner_is_always_possible(director):
    event = build_event(director, players=4)
    play_out(event)
    first = fixture_of(event, "M1-1")
    winner = Side.A if fixture_of(event, "M2-1").entry_a == first.entry_a else Side.B
    win(first.match, winner, loser_points=3, base=1)
    assert first.match.sheets.get(state="confirmed").number == 2


def test_correction_that_would_empty_a_begun_match_is_refused_and_names_it(director):
    event = build_event(director, players=4)
    first, second = fixture_of(event, "M1-1"), fixture_of(event, "M1-2")
    win(first.match, Side.A)
    win(second.match, Side.A)
    final = fixture_of(event, "M2-1")
    win(final.match, Side.A)
    before = published(event)
    with pytest.raises(Conflict) as refused:
        win(first.match, Side.B, base=1)
    assert refused.value.code == "later_match_begun"
    assert f"M2-1: {final.match}" in str(refused.value)
    assert published(event) == before
    assert first.match.sheets.count() == 1


def test_finished_draw_reconciles_to_itself(director):
    for format in ("single-elimination", "round-robin"):
        event = build_event(director, players=7, format=format, tournament=None)
        play_out(event, seed=3)
        stage = event.stages.get()
        before = published(event)
        plan = load_chain(event).at(stage).plan
        reconcile(event, stage, at=AT)
        assert (plan.finished, published(event)) == (True, before)


def test_event_ends_when_every_match_has_a_result(director):
    event = build_event(director, players=3)
    with pytest.raises(Conflict) as refused:
        finish_event(event, by=director, at=AT)
    assert (refused.value.code, str(refused.value)) == (
        "event_has_open_matches",
        "2 matches have no result yet. The event can end once every match has one.",
    )
    play_out(event)
    finish_event(event, by=director, at=AT)
    match = fixture_of(event, "M2-1").match
    with pytest.raises(Conflict) as refused:
        win(match, Side.A, base=1)
    assert refused.value.code == "event_finished"
    reopen_event(event, by=director, at=AT)
    assert win(match, Side.A, base=1).number == 2


def test_terms_are_fixed_by_the_draw_but_the_name_is_not(director):
    event = build_event(director, players=4)
    terms = build_terms(name="Open", tiebreaks=("buchholz",))
    update_event(event, terms, by=director, at=AT)
    with pytest.raises(Conflict) as refused:
        update_event(event, replace(terms, options={"lengths": [7]}), by=director, at=AT)
    event.refresh_from_db()
    assert (refused.value.code, event.name, event.tiebreaks) == ("event_drawn", "Open", ["buchholz"])


def test_every_change_raises_the_version_and_is_logged(director):
    event = build_event(director, players=2)
    win(open_matches(event)[0], Side.A, by=director)
    event.refresh_from_db()
    verbs = list(LogEntry.objects.filter(event=event).order_by("id").values_list("verb", "actor"))
    assert verbs == [
        ("create_event", director.pk),
        ("add_entries", director.pk),
        ("make_draw", director.pk),
        ("enter_result", director.pk),
    ]
    assert event.version == 5


def test_match_of_no_draw_takes_no_result(director):
    event = build_event(director, players=2)
    match = open_matches(event)[0]
    Fixture.objects.update(match=None)
    with pytest.raises(Conflict) as refused:
        win(match, Side.A)
    assert refused.value.code == "match_not_in_draw"


@pytest.mark.parametrize("players", [8, 64])
def test_result_costs_the_same_queries_in_every_field(director, players):
    event = build_event(director, players=players)
    with CaptureQueriesContext(connection) as queries:
        win(open_matches(event)[0], Side.A)
    assert len(queries) == QUERIES_OF_A_RESULT


def test_log_distinguishes_the_next_game_from_a_correction(director):
    event = build_event(director, players=2)
    (match,) = open_matches(event)
    one, other = GameResult(Side.A), GameResult(Side.B)
    for base, games in enumerate([(one,), (one, other), (one, one)]):
        enter_result(match, claim=claim(games=games, base=base), by=director, at=AT)
    entries = LogEntry.objects.filter(verb__endswith="_result").order_by("id")
    assert [entry.verb for entry in entries] == ["enter_result", "enter_result", "correct_result"]
    assert entries[0].detail["players"] == [match.side_a.name, match.side_b.name]


def test_submission_repeated_after_the_end_of_the_event_returns_its_sheet(director):
    event = build_event(director, players=2)
    (match,) = open_matches(event)
    final = claim(final=(5, 2))
    sheet = enter_result(match, claim=final, by=director, at=AT)
    finish_event(event, by=director, at=AT)
    assert enter_result(match, claim=final, by=director, at=AT) == sheet


def test_nothing_in_an_ended_event_changes(director):
    event = build_event(director, players=2)
    play_out(event)
    finish_event(event, by=director, at=AT)
    with pytest.raises(Conflict) as refused:
        update_event(event, build_terms(tiebreaks=("buchholz",)), by=director, at=AT)
    assert refused.value.code == "event_finished"


def test_correction_keeps_the_time_of_the_match_and_counts_for_the_ratings(director, eager_tasks):
    event = build_event(director, players=2)
    (match,) = open_matches(event)
    win(match, Side.A)
    later = AT + timedelta(days=90)
    sheet = enter_result(match, claim=claim(final=(2, 5), base=1), by=director, at=later)
    assert (sheet.at, sheet.played_at) == (later, AT)
    assert [rated.at for rated in rated_matches()] == [AT]


def test_a_draw_says_what_it_could_not_avoid(director):
    """Two players play four rounds: from the second on they meet again, which is noted until they sit down."""
    event = build_event(director, players=2, format="swiss", options={"rounds": 4})
    assert take_snapshot(event.pk).stage.notes == ()
    win(open_matches(event)[0], Side.A)
    (note,) = take_snapshot(event.pk).stage.notes
    assert "meet again in round 2, as in round 1" in note
    win(open_matches(event)[0], Side.A)
    assert ["round 3" in note for note in take_snapshot(event.pk).stage.notes] == [True]


def test_notes_go_with_the_draw_that_is_taken_back(director):
    event = build_event(director, players=3, format="consolation", options={"cut_off": "quarterfinalists"})
    assert take_snapshot(event.pk).stage.notes == ("With 3 entrants nobody enters the consolation, so there is none.",)
    cancel_draw(event, by=director, at=AT)
    assert take_snapshot(event.pk).stage.notes == ()
