"""A dispute side by side: from the first differing game on, with who kept it and when, and the proposed score."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from matches.history import load_history
from matches.models import Match, SheetState
from matches.side_by_side import lay_side_by_side
from rules.score import Side
from rules.sheet import GameResult
from tests.builders import AT, build_director, build_event, claim, fixture_of
from tests.pages import form_at
from tournament.entries.links import link_of
from tournament.models import Event
from tournament.results.reports import dispute_result, report_result

A, B = Side.A, Side.B
FIRST = GameResult(A, 1)
OF_A = (FIRST, GameResult(A, 2), GameResult(A, 2))
OF_B = (FIRST, GameResult(B, 2), GameResult(B, 4))
pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    return build_event(build_director(), players=4)


@pytest.fixture
def match(event) -> Match:
    return fixture_of(event, "M1-1").match


@pytest.fixture
def desk(event) -> Client:
    client = Client()
    client.force_login(event.tournament.appointments.first().user)
    return client


def keep(match: Match, side: Side, *games: GameResult, minute: int = 0) -> None:
    """Report the games one by one, a minute each."""
    for count in range(1, len(games) + 1):
        own = match.sheets.filter(side=side, state__in=[SheetState.REPORTED, SheetState.DISPUTED]).first()
        said = claim(games=games[:count], base=own.number if own else 0, confirmed=True)
        report_result(match, claim=said, side=side, by=None, at=AT + timedelta(minutes=minute + count))


def say(match: Match, side: Side, a: int, b: int) -> None:
    report_result(match, claim=claim(final=(a, b)), side=side, by=None, at=AT)


def text_of(page) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page.content.decode())).split())


def test_the_games_from_the_first_that_differs_stand_side_by_side_with_when_each_was_kept(match):
    keep(match, A, *OF_A)
    keep(match, B, *OF_B, minute=10)
    found = lay_side_by_side(load_history(match))
    assert [claim.by for claim in found.claims] == [match.name_a, match.name_b]
    assert [game.number for game in found.games] == [2, 3]
    minutes = [[round((told.at - AT).total_seconds() / 60) for told in game.told] for game in found.games]
    assert minutes == [[2, 12], [3, 13]]
    assert [(end.a, end.b) for end in found.ends] == [(5, 0), (1, 5)]


def test_the_trailing_player_s_score_is_proposed_where_both_are_written(match):
    keep(match, A, *OF_A)
    keep(match, B, *OF_B)
    found = lay_side_by_side(load_history(match))
    assert found.proposed == match.sheets.get(side="B", state=SheetState.DISPUTED).number
    assert found.sentence.startswith(match.name_b)


def test_the_one_written_score_is_proposed_and_nobodys_if_neither_is(match):
    keep(match, A, *OF_A)
    say(match, B, 4, 5)
    found = lay_side_by_side(load_history(match))
    assert (found.proposed, len(found.games)) == (match.sheets.get(side="A", state=SheetState.DISPUTED).number, 3)
    other = fixture_of(match.fixture.stage.event, "M1-2").match
    say(other, A, 5, 2)
    say(other, B, 2, 5)
    found = lay_side_by_side(load_history(other))
    assert (found.proposed, found.games, bool(found.sentence)) == (0, (), True)


def test_a_difference_in_play_and_an_objection_alone_are_not_laid_side_by_side(match):
    keep(match, A, *OF_A[:2])
    keep(match, B, *OF_B[:2])
    assert lay_side_by_side(load_history(match)) is None
    other = fixture_of(match.fixture.stage.event, "M1-2").match
    say(other, A, 5, 2)
    dispute_result(other, number=1, side=B, reason="No.", by=None, at=AT)
    assert lay_side_by_side(load_history(other)) is None


def test_the_director_settles_with_the_proposed_score_in_one_press(desk, match):
    keep(match, A, *OF_A)
    keep(match, B, *OF_B)
    page = desk.get(match.get_absolute_url())
    (address,) = re.findall(r'href="([^"]+\?from=\d+)#enter"', page.content.decode())
    address = unescape(address)
    assert "The scores side by side" in text_of(page)
    assert f"Start from the score of {match.name_b}" in text_of(page)
    enter = reverse("enter", args=[match.pk, "sheet"])
    form = form_at(desk.get(address), enter)
    assert form.is_open
    assert desk.post(enter, form.data()).status_code in {302, 409}
    if not match.sheets.filter(state=SheetState.CONFIRMED).exists():  # asked about games that are unlikely
        asked = form_at(desk.post(enter, form.data()), enter)
        yes = {"confirmed": next(one["value"] for one in asked.buttons if one.get("name") == "confirmed")}
        assert desk.post(enter, asked.data() | yes).status_code == 302
    confirmed = match.sheets.get(state=SheetState.CONFIRMED)
    assert [(line.winner, line.cube) for line in confirmed.lines.all()] == [("A", 1), ("B", 2), ("B", 4)]


@pytest.mark.parametrize("asked", ["", "0", "7", "x", "²", "9" * 40])
def test_a_number_that_is_no_report_fills_nothing_in(desk, match, asked):
    keep(match, A, *OF_A)
    keep(match, B, *OF_B)
    assert desk.get(match.get_absolute_url(), {"from": asked}).status_code == 200


def test_both_players_see_it_and_the_public_does_not(event, match):
    keep(match, A, *OF_A)
    keep(match, B, *OF_B)
    fixture = fixture_of(event, "M1-1")
    for entry in (fixture.entry_a, fixture.entry_b):
        page = text_of(Client().get(link_of(entry)))
        assert "The scores side by side" in page
        assert "Start from the score of" not in page
    assert "side by side" not in text_of(Client().get(match.get_absolute_url()))


def test_what_is_not_disputed_costs_no_query(event, match, desk):
    entry = fixture_of(event, "M1-1").entry_a
    keep(match, A, FIRST)
    keep(match, B, GameResult(B))
    with CaptureQueriesContext(connection) as queries:
        Client().get(link_of(entry))
    assert not any("matches_ruling" in query["sql"] for query in queries)


def test_the_director_opens_the_games_of_a_report(match, desk):
    report = report_result(match, claim=claim(games=OF_A, confirmed=True), side=A, by=None, at=AT)
    page = desk.get(match.get_absolute_url()).content.decode()
    kept = page.partition(f'id="games-{report.number}"')[2].partition("</details>")[0]
    assert "3 games" in kept
    assert kept.count('class="num score"') == 3
