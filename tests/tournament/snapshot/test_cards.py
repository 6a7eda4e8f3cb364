import pytest
from django.template.loader import render_to_string

from rules.score import Side
from rules.sheet import GameResult
from tests.builders import AT, build_event, claim, fixture_of, win
from tournament.entries.report import report_by_link
from tournament.results.enter import enter_result
from tournament.snapshot import take_snapshot
from tournament.snapshot.cards import Card, CardSide, card_of


@pytest.fixture
def event(director):
    return build_event(director, players=4)


@pytest.fixture
def match(event):
    return fixture_of(event, "M1-1").match


def shown(event):
    (fixture,) = (one for one in take_snapshot(event.pk).stage.fixtures if one.key == "M1-1")
    return card_of(fixture, round="Semifinals")


def play(match, director, *winners, cube=1):
    games = tuple(GameResult(winner, cube) for winner in winners)
    enter_result(match, claim=claim(games=games, confirmed=True), by=director, at=AT)


def test_a_match_that_has_not_begun_has_no_bars(event, match):
    card = shown(event)
    assert (card.kind, card.has_score, card.length, card.round) == ("open", False, 5, "Semifinals")
    assert {card.a.label, card.b.label} == {match.name_a, match.name_b}


def test_a_match_in_play_shows_both_scores_and_what_is_left(event, match, director):
    play(match, director, Side.A, Side.B, Side.A)
    card = shown(event)
    assert (card.kind, card.a.points, card.b.points, card.a.away, card.b.away) == ("live", 2, 1, 3, 4)
    assert not card.crawford


def test_the_crawford_game_is_said(event, match, director):
    play(match, director, Side.A, cube=4)
    card = shown(event)
    assert (card.a.points, card.crawford, card.post_crawford) == (4, True, False)
    page = render_to_string("tournament/_match_card.html", {"card": card})
    assert "cube is-dead" in page
    assert "Crawford game" in page


def test_a_decided_match_has_a_winner(event, match):
    win(match, Side.B, loser_points=3)
    card = shown(event)
    assert (card.kind, card.a.is_winner, card.b.is_winner, card.b.points) == ("done", False, True, 5)


def test_nobody_is_shown_a_claim_of_a_match_in_dispute(event, match):
    entries = {entry.player_id: entry for entry in event.entries.all()}
    for player, final in ((match.side_a_id, (5, 2)), (match.side_b_id, (2, 5))):
        report_by_link(entries[player], match, claim=claim(final=final), at=AT)
    card = shown(event)
    assert (card.kind, card.a.points, card.b.points) == ("disputed", None, None)
    page = render_to_string("tournament/_match_card.html", {"card": card})
    assert "disputed" in page
    assert "card-points" not in page
    assert "pips" not in page


def test_a_club_has_one_colour_however_it_is_written():
    assert CardSide("Bo", club="Århus BK").colour == CardSide("Carl", club="århus  bk").colour
    assert CardSide("Bo").colour == ""


def test_the_cube_says_who_has_it():
    sides = {"a": CardSide("Anne", 2, away=3), "b": CardSide("Bo", 1, away=4)}
    card = Card(**sides, length=5, state="playing", table=4, cube=2, cube_owner="b")
    page = render_to_string("tournament/_match_card.html", {"card": card, "size": "card-wall"})
    assert 'aria-label="cube at 2 with Bo"' in page
    assert "Table 4" in page
    assert "card-wall" in page
