"""An event without phones in play: a side reports only once the match is over, on every way to report."""

import pytest
from django.test import Client
from django.urls import reverse

from matches.models import Match
from players.errors import Refusal
from rules.score import Level, Side
from rules.sheet import GameResult
from tests.builders import AT, build_event, build_terms, claim, fixture_of
from tournament.entries.links import link_of, token_of
from tournament.events.services import update_event
from tournament.models import Event
from tournament.results.enter import enter_result
from tournament.results.reports import report_result

A, B = Side.A, Side.B
WHOLE = (GameResult(A, 2), GameResult(B), GameResult(A, 2, Level.GAMMON))
pytestmark = pytest.mark.django_db


@pytest.fixture
def event(director) -> Event:
    return build_event(director, players=4, phones=False)


@pytest.fixture
def match(event) -> Match:
    return fixture_of(event, "M1-1").match


def report(match: Match, side: Side | None, *games: GameResult, final=None, base: int = 0):
    return report_result(match, claim=claim(games=games, final=final, base=base), side=side, by=None, at=AT)


@pytest.mark.parametrize("games", [WHOLE[:1], WHOLE[:2]])
def test_a_side_cannot_report_games_before_the_match_is_over(match, games):
    with pytest.raises(Refusal) as refusal:
        report(match, A, *games)
    assert refusal.value.code == "phones_off"
    assert not match.sheets.exists()


@pytest.mark.parametrize("said", [{"final": (5, 1)}, {"games": WHOLE}])
def test_it_reports_the_final_score_or_all_games_at_once(match, said):
    report(match, A, *said.get("games", ()), final=said.get("final"))
    assert match.sheets.get().side == A


def test_the_desk_and_a_scorer_still_follow_the_match(match):
    report(match, None, *WHOLE[:1])
    enter_result(match, claim=claim(games=WHOLE[:2]), by=None, at=AT)
    assert match.sheets.count() == 2


def test_the_page_of_a_player_offers_no_single_game_and_takes_none(event, match):
    entry = fixture_of(event, "M1-1").entry_a
    page = Client().get(link_of(entry)).content.decode()
    assert "Report game 1" not in page
    assert "Report the final score" in page
    fields = {"key": "k", "base": 0, "winner": "A", "cube": 1, "level": 1, "ending": "bearoff"}
    sent = Client().post(reverse("my-report", args=[token_of(entry), match.pk, "game"]), fields)
    assert sent.status_code == 400
    assert "players report once the match is over" in sent.content.decode()
    assert not match.sheets.exists()


def test_a_match_in_play_follows_the_option_as_the_director_changes_it(event, match):
    update_event(event, build_terms(phones=True), by=None, at=AT)
    report(match, A, *WHOLE[:1])
    update_event(event, build_terms(phones=False), by=None, at=AT)
    with pytest.raises(Refusal, match="once the match is over"):
        report(match, A, *WHOLE[:2], base=1)
    report(match, A, *WHOLE, base=1)
    assert [sheet.side for sheet in match.sheets.all()] == [A, A]
