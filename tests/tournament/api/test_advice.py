"""Advice through the API: the same figures as on the page, and a problem for a bad question."""

from dataclasses import replace

import pytest
from django.core.cache import cache

from tournament.forecast.advice import Question, play_on


@pytest.fixture(autouse=True)
def _few_events(monkeypatch):
    monkeypatch.setattr("tournament.forecast.advice.MOST_EVENTS", 20)


def test_the_answer_has_the_figures_of_every_format(anonymous):
    lines = play_on(Question(players=4, tables=1, lengths=(3, 1)), seconds=600)
    answer = anonymous.get("advice/?players=4&tables=1&lengths=3,1").json()
    assert (answer["players"], answer["tables"], answer["lengths"], answer["complete"]) == (4, 1, [3, 1], True)
    assert [line["format"] for line in answer["formats"]] == [line.format for line in lines]
    knockout, summary = answer["formats"][0], lines[0].summary
    assert (knockout["matches"], knockout["rounds"], knockout["count"], knockout["wanted"]) == (3.0, 2.0, 20, 20)
    assert (knockout["hours_median"], knockout["hours_p90"]) == (summary.hours_median, summary.hours_p90)
    assert knockout["p_best_wins_low"] < knockout["p_best_wins"] == summary.p_best_wins < knockout["p_best_wins_high"]
    assert (knockout["p_best_wins_error"], knockout["p_by_chance"]) == (lines[0].best_wins.error, 0.25)


def test_how_often_the_best_player_wins_is_null_while_it_cannot_be_told(anonymous, monkeypatch):
    question = Question(players=4, tables=1, lengths=(3, 1))
    lines = play_on(question, seconds=600)
    few = tuple(replace(line, summary=replace(line.summary, count=19)) for line in lines)
    cache.set(question.key, few)
    knockout = anonymous.get("advice/?players=4&tables=1&lengths=3,1").json()["formats"][0]
    keys = ("p_best_wins", "p_best_wins_error", "p_best_wins_low", "p_best_wins_high")
    assert ([knockout[key] for key in keys], knockout["p_by_chance"]) == ([None] * 4, 0.25)


def test_lengths_and_tables_may_be_left_out(anonymous):
    play_on(Question(players=3, tables=None, lengths=(7,)), seconds=600)
    answer = anonymous.get("advice/?players=3").json()
    assert (answer["tables"], answer["lengths"], answer["complete"]) == (None, [7], True)


@pytest.mark.parametrize(
    ("query", "field", "code"),
    [
        ("", "players", "required"),
        ("players=1", "players", "min_value"),
        ("players=129", "players", "max_value"),
        ("players=x", "players", "invalid"),
        ("players=4&boards=10", "boards", "invalid_choice"),
        ("players=4&lengths=", "lengths", "lengths"),
        ("players=4&lengths=7,", "lengths", "lengths"),
        ("players=4&lengths=0", "lengths", "lengths"),
        ("players=4&lengths=100", "lengths", "lengths"),
        ("players=4&lengths=1000007", "lengths", "lengths"),
        (f"players=4&lengths={','.join(['7'] * 17)}", "lengths", "lengths"),
        ("players=4&tables=0", "tables", "min_value"),
        ("players=4&hours=3", "hours", "unknown_parameter"),
    ],
)
def test_a_bad_question_is_a_problem(anonymous, query, field, code):
    response = anonymous.get(f"advice/?{query}")
    assert response.status_code == 400
    assert [(error["field"], error["code"]) for error in response.json()["errors"]] == [(field, code)]


def test_teams_take_longer_than_players(anonymous):
    hours = {}
    for boards in (1, 3):
        lines = play_on(Question(players=4, tables=None, lengths=(3,), boards=boards), seconds=600)
        answer = anonymous.get(f"advice/?players=4&lengths=3&boards={boards}").json()
        assert (answer["boards"], answer["complete"]) == (boards, True)
        assert answer["formats"][0]["hours_median"] == lines[0].summary.hours_median
        hours[boards] = answer["formats"][0]["hours_median"]
    assert hours[1] < hours[3]
