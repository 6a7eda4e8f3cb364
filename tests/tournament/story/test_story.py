"""The story of an event says what is stored, and says where nothing is."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from matches.models import Conclusion
from matches.ratings import rate_matches
from rules.score import Ending, Level, Side
from rules.sheet import GameResult
from tests.builders import AT, build_event, claim, fixture_of, open_matches, play_out, win
from tests.fresh import forget_everything
from tournament.draw.make import make_draw
from tournament.draw.standings import store_standings
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries
from tournament.events.services import finish_event
from tournament.hall.calling import call_match, start_match
from tournament.models import Entry
from tournament.results.enter import enter_result
from tournament.results.reports import report_result
from tournament.snapshot import take_snapshot
from tournament.story.tell import story_of

pytestmark = pytest.mark.django_db

A, B = Side.A, Side.B


def told(event):
    return story_of(take_snapshot(event.pk))


def play(match, *games: GameResult, at=AT):
    return enter_result(match, claim=claim(games=games, confirmed=True), by=None, at=at)


TO_DOUBLE_MATCH_POINT = (
    *(GameResult(A, 2), GameResult(B, 2), GameResult(A, 2)),
    *(GameResult(B), GameResult(B), GameResult(A)),
)
"""Of a match to 5: 4-4 before the last game."""


def test_nothing_is_told_of_an_event_before_its_draw(director):
    story = told(build_event(director, drawn=False))
    assert story.lead == ("Main of Friday Club has not been drawn yet.",)
    assert (story.winners, story.chapters, story.figures, story.gaps) == ((), (), (), ())


def test_a_match_is_at_double_match_point_when_both_need_one_point_before_the_last_game(director):
    event = build_event(director, players=4)
    one, other = open_matches(event)
    play(one, *TO_DOUBLE_MATCH_POINT)
    play(other, GameResult(A, 2), GameResult(B, 2), GameResult(A), GameResult(B, 2), GameResult(A, level=Level.GAMMON))
    assert told(event).chapters[0].sentences == (
        f"{one.side_a} beat {one.side_b} 5–4 at double match point.",
        f"{other.side_a} beat {other.side_b} 5–4.",
    )


def test_rounds_with_few_matches_tell_each_and_the_winner_is_named_at_the_end(director):
    event = build_event(director, players=4)
    for match in open_matches(event):
        win(match, A, loser_points=2)
    final = fixture_of(event, "M2-1")
    win(final.match, B, loser_points=4)
    assert told(event).winners == ()
    store_standings(event.pk)
    finish_event(event, by=director, at=AT)
    story = told(event)
    winner, loser = final.match.side_b, final.match.side_a
    assert story.winners == (str(winner),)
    assert story.lead[0] == f"{winner} won Main of Friday Club."
    assert story.lead[1:] == ("4 players took part.", "3 matches have been played.")
    assert [chapter.title for chapter in story.chapters] == ["Semifinals", "Final"]
    assert story.chapters[1].sentences == (f"{winner} beat {loser} 5–4.",)
    assert [mark.label for mark in story.marks] == ["Closest match"]


def test_a_player_who_entered_again_took_part_once(director):
    event = build_event(director, players=4)
    Entry.objects.create(event=event, player=event.entries.first().player, reentry=1, number=9)
    forget_everything()
    assert told(event).lead[1] == "4 players took part."


@pytest.mark.parametrize("format", ["single-elimination", "round-robin"])
def test_a_walkover_is_told_as_won_without_a_match(director, format):
    event = build_event(director, players=4, format=format)
    match = open_matches(event)[0]
    enter_result(match, claim=claim(conclusion=Conclusion.WALKOVER, awarded_to=A), by=None, at=AT)
    (sentence,) = told(event).chapters[0].sentences
    assert sentence == f"{match.side_a} won against {match.side_b} without a match played to its end."


def test_a_round_with_many_matches_is_told_in_numbers(director):
    event = build_event(director, players=16)
    first, second, *others = open_matches(event)
    win(first, A, loser_points=0)
    play(second, *TO_DOUBLE_MATCH_POINT)
    play(
        others.pop(),
        GameResult(A, 2),
        GameResult(B, 2),
        GameResult(A, 2),
        GameResult(B),
        GameResult(A, level=Level.GAMMON),
    )
    win(others.pop(), A, loser_points=4)
    for match in others[:2]:
        win(match, A, loser_points=2)
    (chapter,) = told(event).chapters
    assert chapter.sentences == (
        "6 matches are over.",
        "1 went to double match point.",
        f"The clearest win: {first.side_a} beat {first.side_b} 5–0.",
    )


def test_games_gammons_and_cubes_are_counted_where_they_are_known(director):
    event = build_event(director, players=4)
    one, other = open_matches(event)
    play(
        one,
        GameResult(A, 1, Level.GAMMON),
        GameResult(B, 1, Level.SINGLE, Ending.DROP),
        GameResult(A, 2),
        GameResult(A, 1),
    )
    win(other, B, loser_points=1)
    story = told(event)
    figures = {figure.label: figure.value for figure in story.figures}
    assert figures == {
        "Matches": "2",
        "Points": "12",
        "Double match points": "0",
        "Games": "4",
        "Gammons": "1 (25\u00a0%)",
        "Backgammons": "0",
        "Doubles dropped": "1",
        "Games with a turned cube": "1",
        "Highest cube": "2",
    }
    assert story.gaps[0] == "1 of 2 matches was entered as a final score: its games and cubes are not known."
    assert story.gaps[1] == "For 2 of 2 matches it is not known how long they took."
    assert story.gaps[2] == "No ratings from that time are known, so no upsets can be named."
    (most, *_rest) = story.marks
    assert (most.label, most.match_id) == ("Most games", one.pk)
    assert most.sentence.endswith("It took 4 games.")


def test_the_longest_and_the_fastest_match_are_those_at_their_tables(director):
    event = build_event(director, players=4)
    lasting = {}
    for number, match in enumerate(open_matches(event), start=1):
        call_match(match, table=None, by=director, at=AT)
        start_match(match, by=director, at=AT)
        end = AT + timedelta(minutes=20 * number)
        enter_result(match, claim=claim(final=(5, 0)), may_repair=True, by=director, at=end)
        lasting[match.pk] = 20 * number
    marks = {mark.label: mark for mark in told(event).marks}
    for label, minutes in (("Fastest match", 20), ("Longest match", 40)):
        assert lasting[marks[label].match_id] == minutes
        assert marks[label].sentence.endswith(f"It lasted {minutes} minutes.")


def test_a_match_that_stands_out_twice_is_named_once(director):
    event = build_event(director, players=4, lengths=(3,))
    one, other = open_matches(event)
    play(one, GameResult(A, 1), GameResult(B, 1), GameResult(A, 1), GameResult(B, 1), GameResult(A, 1))
    assert [(mark.label, mark.match_id) for mark in told(event).marks] == [("Most games", one.pk)]
    win(other, A, loser_points=2)
    assert [mark.match_id for mark in told(event).marks] == [one.pk]


def test_a_match_in_dispute_is_not_told(director):
    event = build_event(director, players=2)
    (match,) = open_matches(event)
    for side, final in ((A, (5, 3)), (B, (2, 5))):
        report_result(match, claim=claim(final=final), side=side, by=None, at=AT)
    assert told(event).chapters == ()
    assert told(event).lead[-1] == "0 matches have been played."


def test_an_upset_is_one_by_the_ratings_before_the_match(director):
    earlier = build_event(director, players=2, format="round-robin", lengths=(25,))
    (first,) = open_matches(earlier)
    win(first, A)
    strong, weak = first.side_a, first.side_b
    event = build_event(director, players=0, drawn=False, tournament=earlier.tournament, name="Later")
    add_entries(
        event,
        lines=[EntryLine(name=player.name, line=1, player_id=player.pk) for player in (strong, weak)],
        by=director,
        at=AT,
    )
    make_draw(event, by=director, at=AT)
    (match,) = open_matches(event)
    side = A if match.side_a_id == weak.pk else B
    final = (5, 3) if side is A else (3, 5)
    enter_result(match, claim=claim(final=final), may_repair=True, by=director, at=AT + timedelta(hours=2))
    assert told(event).upsets == ()
    rate_matches("fibs", at=AT + timedelta(days=1))
    forget_everything()
    (upset,) = told(event).upsets
    assert upset.match_id == match.pk
    assert upset.sentence.startswith(f"{weak} (rated 1")
    assert told(earlier).upsets == ()
    assert told(earlier).gaps[-1] == "No ratings from that time are known, so no upsets can be named."


@pytest.mark.parametrize("players", [8, 64])
def test_a_story_takes_as_many_queries_for_many_players_as_for_few(client, director, players):
    event = build_event(director, players=players)
    play_out(event)
    rate_matches("fibs", at=AT)
    page = reverse("story", args=[event.tournament.slug, event.slug])
    client.get(page)
    forget_everything()
    with CaptureQueriesContext(connection) as queries:
        assert client.get(page).status_code == 200
    assert len(queries) <= 20
    with CaptureQueriesContext(connection) as kept:
        client.get(page)
    assert len(kept) <= 4
