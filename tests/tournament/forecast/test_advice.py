"""The adviser: what it plays, what its page shows, and that the answer never changes."""

import re
from dataclasses import replace

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from config.celery import app
from tests.builders import build_event, build_tournament
from tournament.forecast.advice import (
    AT_ONCE,
    FEWEST_EVENTS,
    RUNNING,
    AdviceLine,
    Question,
    Share,
    advise,
    is_complete,
    play_on,
    play_slice,
    wanted,
)
from tournament.forecast.advice import MOST_EVENTS as EVENTS_FOR_A_CHANCE
from tournament.formats import FORMATS, parse_options
from tournament.rehearsal.simulation import simulate_event
from tournament.rehearsal.summary import summarise
from tournament.tasks import play_for_advice

SMALL = Question(players=4, tables=None, lengths=(1,))
PAGE = "/advice/"


@pytest.fixture(autouse=True)
def _few_events(monkeypatch):
    monkeypatch.setattr("tournament.forecast.advice.MOST_EVENTS", 20)


@pytest.fixture
def queued(monkeypatch) -> list[tuple]:
    """The tasks given to the worker, which does nothing here."""
    asked: list[tuple] = []
    monkeypatch.setattr(play_for_advice, "delay", lambda *arguments: asked.append(arguments))
    return asked


def summary_of(slug, question):
    format, options = FORMATS[slug], parse_options(slug, {"lengths": list(question.lengths)})
    first = simulate_event(format, options, question.players, "1", question.tables)
    return summarise(
        [
            simulate_event(format, options, question.players, str(number), question.tables)
            for number in range(1, wanted([first]) + 1)
        ]
    )


def test_every_format_that_draws_the_field_has_its_summary():
    lines = play_on(SMALL, seconds=600)
    assert is_complete(lines)
    drawing = [line.format for line in lines]
    assert {"single-elimination", "round-robin"} <= set(drawing)
    assert drawing == [slug for slug in FORMATS if slug in drawing]
    for slug in ("single-elimination", "round-robin"):
        assert next(line for line in lines if line.format == slug).summary == summary_of(slug, SMALL)


def test_a_format_that_does_not_draw_the_field_is_left_out():
    lines = play_on(Question(players=65, tables=None, lengths=(1,)), seconds=0)
    assert "round-robin" not in {line.format for line in lines}
    assert "single-elimination" in {line.format for line in lines}


def test_the_complete_answer_does_not_depend_on_how_it_was_played():
    at_once = play_on(SMALL, seconds=600)
    cache.clear()
    while not is_complete(in_bits := play_on(SMALL, seconds=0.001)):
        pass
    assert in_bits == at_once
    assert play_on(SMALL, seconds=600) == at_once


@pytest.mark.parametrize(("matches", "events"), [(1, 20), (512, 20), (513, FEWEST_EVENTS), (2016, FEWEST_EVENTS)])
def test_formats_with_very_many_matches_are_played_less_often(matches, events):
    event = simulate_event(FORMATS["single-elimination"], parse_options("single-elimination", {"lengths": [1]}), 2, "1")
    assert wanted([replace(event, matches=matches)]) == events
    assert wanted([]) == 20


def test_missing_figures_are_given_to_the_worker_once(queued):
    large = Question(players=40, tables=5, lengths=(9, 7))
    cache.set(AT_ONCE, True)
    assert [line.summary for line in advise(large)] == [None] * len(advise(large))
    assert queued == [(40, 5, [9, 7], 1)]
    advise(Question(players=41, tables=5, lengths=(9, 7)))
    assert queued == [(40, 5, [9, 7], 1)]


def test_a_worker_that_was_lost_is_asked_again(queued):
    cache.set(AT_ONCE, True)
    large = Question(players=40, tables=None, lengths=(7,))
    advise(large)
    cache.delete(RUNNING)
    advise(large)
    assert queued == [(40, None, [7], 1)] * 2


def test_a_complete_answer_asks_no_worker(queued):
    lines = play_on(SMALL, seconds=600)
    assert advise(SMALL) == lines
    assert queued == []


def test_the_task_plays_until_all_is_played(eager_tasks):
    assert app.conf.task_always_eager
    play_for_advice.delay(4, None, [1])
    assert is_complete(advise(SMALL))
    assert cache.get(RUNNING) is None
    assert play_slice(SMALL) is False


def test_the_bounds_of_a_share_are_those_of_wilson():
    """Half of ten: 23.7 % to 76.3 %; none of ten: 0 % to 27.8 %. Newcombe, Statistics in Medicine 17 (1998)."""
    assert Share.of(0.5, 10) == Share(0.5, 0.158, 0.237, 0.763)
    assert Share.of(0.0, 10) == Share(0.0, 0.0, 0.0, 0.278)


def test_the_standard_error_of_a_share():
    """A tenth of 400: the root of 0.1 times 0.9 by 400."""
    assert Share.of(0.1, 400).error == 0.015


def test_how_often_the_best_player_wins_is_told_only_once_there_are_400_events(monkeypatch):
    monkeypatch.setattr("tournament.forecast.advice.MOST_EVENTS", 400)
    assert EVENTS_FOR_A_CHANCE == 400
    summary = play_on(Question(2, None, (1,)), seconds=600)[0].summary
    line = AdviceLine("single-elimination", 400, summary)
    assert (line.played, line.best_wins) == (400, Share.of(summary.p_best_wins, 400))
    assert AdviceLine("single-elimination", 400, replace(summary, count=399)).best_wins is None
    assert AdviceLine("single-elimination", 400, None).best_wins is None


def test_by_chance_everyone_wins_equally_often():
    assert [Question(players, None, (7,)).by_chance for players in (2, 16, 3)] == [0.5, 0.0625, 0.3333]


def test_after_its_turn_a_question_waits_until_it_is_asked_again(monkeypatch):
    large = Question(players=40, tables=None, lengths=(9, 7))
    monkeypatch.setattr("tournament.forecast.advice.SLICE_SECONDS", 0)
    assert (play_slice(large), play_slice(large)) == (True, True)
    cache.set(RUNNING, 1.0)
    assert play_slice(large) is False
    assert cache.get(RUNNING) is None


# The page.


def rows_of(response) -> list[str]:
    text = re.sub(r"<[^>]+>", " ", response.content.decode().partition("<tbody>")[2].partition("</tbody>")[0])
    return [" ".join(row.split()) for row in re.split(r"\n\s*\n", text) if row.strip()]


def ask(client, **asked):
    return client.get(PAGE, {"players": 4, "lengths": "1", **asked})


def test_the_page_begins_with_an_empty_form(client, db):
    response = client.get(PAGE)
    assert response.status_code == 200
    assert b"<table" not in response.content
    assert b'name="players"' in response.content


def test_the_page_shows_every_format_with_its_figures(client, db):
    lines = play_on(SMALL, seconds=600)
    response = ask(client)
    content = response.content.decode()
    assert content.count('<th scope="row">') == len(lines)
    assert f"{sum(line.played for line in lines)} events simulated." in content
    assert "hx-get" not in content
    figures = " ".join(rows_of(response))
    knockout = lines[0].summary
    assert (knockout.matches, knockout.rounds, knockout.byes) == (3.0, 2.0, 0.0)
    assert f"Single elimination 0:{round(60 * knockout.hours_median)} h" in figures


def test_the_page_shows_how_often_the_best_wins_beside_chance_once_that_can_be_told(client, db, monkeypatch):
    question = Question(4, None, (1,))
    lines = play_on(question, seconds=600)
    page = ask(client).content.decode()
    assert ("by chance 25 %" in page, "±" in page) == (True, True)
    few = tuple(replace(line, summary=replace(line.summary, count=19)) for line in lines)
    cache.set(question.key, few)
    page = ask(client).content.decode()
    assert ("by chance 25 %" in page, "±" in page) == (True, False)


def test_the_page_marks_what_fits_into_the_hours(client, db):
    knockout = play_on(Question(4, None, (5,)), seconds=600)[0].summary
    half, most = knockout.hours_median, knockout.hours_p90
    assert half < most
    for hours, mark in ((most, "fits"), (most - 0.01, "tight"), (half, "tight"), (half - 0.01, "too long")):
        assert rows_of(ask(client, lengths="5", hours=hours))[0] == f"Single elimination {mark}"
    assert "fits" not in ask(client).content.decode()


def test_the_page_asks_again_while_events_are_played(client, db, queued):
    cache.set(AT_ONCE, True)
    response = ask(client, players=32, hours="6,5")
    content = response.content.decode()
    assert 'hx-get="/advice/?players=32&amp;lengths=1&amp;hours=6%2C5" hx-trigger="every 1s"' in content
    assert "not simulated yet" in content
    part = client.get(PAGE, {"players": 32, "lengths": "1"}, headers={"HX-Request": "true"})
    assert part.content.decode().lstrip().startswith('<section id="advice"')
    assert "HX-Request" in part["Vary"]
    assert queued == [(32, None, [1], 1)]


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"players": "1"}, "greater than or equal to 2"),
        ({"players": "129"}, "less than or equal to 128"),
        ({"players": "many"}, "Enter a whole number."),
        ({"players": ""}, "This field is required."),
        ({"lengths": "0"}, "A match length must be from 1 to 99 points."),
        ({"lengths": "long"}, "Enter one length, or several from the final backwards, such as 9, 7, 5."),
        ({"tables": "0"}, "greater than or equal to 1"),
        ({"hours": "0"}, "greater than or equal to 0.5"),
        ({"hours": "nan"}, "Enter a number."),
        ({"tournament": "x\x00"}, "A text cannot contain the character U+0000."),
    ],
)
def test_bad_questions_get_a_sentence(client, db, queued, asked, sentence):
    response = ask(client, **asked)
    assert response.status_code == 400
    assert sentence in response.content.decode()
    assert queued == []


def test_a_director_creates_an_event_from_a_line(director):
    play_on(Question(players=4, tables=None, lengths=(3, 1)), seconds=600)
    tournament = build_tournament(director)
    client = Client()
    client.force_login(director)
    page = ask(client, lengths="3 1", tournament=tournament.slug).content.decode()
    create = reverse("new-event", args=[tournament.slug]) + "?format=round-robin&amp;lengths=3%2C+1"
    assert f'href="{create}"' in page
    form = client.get(create.replace("&amp;", "&")).content.decode()
    assert re.search(r'value="round-robin"\s+checked', form)
    assert re.search(r'name="lengths" value="3, 1"', form)


def test_only_a_director_of_the_tournament_is_offered_an_event(client, director):
    play_on(SMALL, seconds=600)
    tournament = build_tournament(director)
    for slug in (tournament.slug, "nowhere"):
        page = ask(client, tournament=slug)
        assert page.status_code == 200
        assert "new/?format" not in page.content.decode()


def test_the_adviser_is_linked_from_where_a_director_looks(director):
    client = Client()
    client.force_login(director)
    event = build_event(director, players=6, lengths=(9, 7), drawn=False)
    link = f'href="/advice/?tournament={event.tournament.slug}"'
    assert link in client.get(event.tournament.get_absolute_url()).content.decode()
    assert link in client.get(reverse("new-event", args=[event.tournament.slug])).content.decode()
    settings = client.get(reverse("settings", args=[event.tournament.slug, event.slug])).content.decode()
    assert 'href="/advice/?players=6&amp;lengths=9+7"' in settings
    assert client.get("/advice/?players=6&lengths=9+7").status_code == 200


def test_the_page_asks_the_database_nothing(client, db):
    play_on(SMALL, seconds=600)
    with CaptureQueriesContext(connection) as queries:
        ask(client)
    assert len(queries) == 0


def test_teams_are_asked_for_and_made_into_an_event(client, director):
    tournament = build_tournament(director)
    client.force_login(director)
    asked = {"players": 4, "lengths": "1", "boards": 3, "tournament": tournament.slug}
    play_on(Question(players=4, tables=None, lengths=(1,), boards=3), seconds=600)
    page = client.get(PAGE, asked)
    text = page.content.decode()
    assert "A team is as strong as its players are on average." in text
    assert "A team is as good" not in client.get(PAGE, {**asked, "boards": 1}).content.decode()
    create = page.context["rows"][0].create
    assert "boards=3" in create
    assert client.get(create).context["form"]["boards"].value() == "3"
    assert client.get(PAGE, {**asked, "boards": 10}).status_code == 400


def test_only_formats_that_rank_by_wins_are_advised_for_an_even_number_of_boards():
    lines = play_on(Question(players=4, tables=None, lengths=(1,), boards=2), seconds=600)
    assert {line.format for line in lines} == {"round-robin", "swiss", "monrad", "pools", "league"}


def test_the_worker_is_told_of_the_teams(queued):
    cache.set(AT_ONCE, True)
    advise(Question(players=4, tables=None, lengths=(1,), boards=3))
    assert queued == [(4, None, [1], 3)]


def test_the_worker_plays_the_teams_that_were_asked_for(queued):
    teams = Question(players=4, tables=None, lengths=(1,), boards=3)
    play_for_advice(4, None, [1], 3)
    assert cache.get(teams.key) is not None
    assert cache.get(SMALL.key) is None
    assert queued in ([], [(4, None, [1], 3)])
