"""What a result asks of the database: its fixture and its score sheets are read once, and the draw once."""

import uuid

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from rest_framework.test import APIClient

from matches.models import Match
from rules.score import Side
from rules.sheet import GameResult
from tests.builders import AT, build_event, claim, fixture_of, open_matches, win
from tournament.entries.attendance import leave_event, undo_leaving
from tournament.results.enter import enter_result, void_result

ONE, TWO = (GameResult(Side.A),), (GameResult(Side.A), GameResult(Side.B))
STEPS = {
    "the first game": {"games": ONE},
    "the next game": {"games": TWO, "base": 1},
    "a final score": {"final": (5, 2), "base": 2},
    "a correction": {"final": (5, 3), "base": 3},
    "a correction of the winner": {"final": (3, 5), "base": 4},
}


def first_match(director, boards: int) -> Match:
    event = build_event(director, players=8, boards=boards)
    return next(iter(fixture_of(event, "M1-1").matches.values()))


@pytest.mark.parametrize(
    ("boards", "expected"), [(1, [23, 23, 24, 23, 28]), (3, [29, 32, 32, 33, 33])], ids=["players", "teams"]
)
def test_a_result_is_entered_and_corrected_in_a_fixed_number_of_queries(director, boards, expected):
    match = first_match(director, boards)
    counts = []
    for step in STEPS.values():
        with CaptureQueriesContext(connection) as queries:
            enter_result(match, claim=claim(**step), by=director, at=AT)
        counts.append(len(queries))
    assert counts == expected


@pytest.mark.parametrize(("boards", "expected"), [(1, 23), (3, 27)], ids=["players", "teams"])
def test_a_result_is_taken_back_in_a_fixed_number_of_queries(director, boards, expected):
    match = first_match(director, boards)
    enter_result(match, claim=claim(final=(5, 2)), by=director, at=AT)
    with CaptureQueriesContext(connection) as queries:
        void_result(match, base=1, reason="Wrong match.", by=director, at=AT)
    assert len(queries) == expected


@pytest.mark.parametrize("players", [8, 64])
def test_a_process_that_has_entered_a_result_reads_nothing_of_the_draw_for_the_next_one(
    director, players, django_capture_on_commit_callbacks
):
    event = build_event(director, players=players, format="consolation")
    first, second = open_matches(event)[:2]
    with django_capture_on_commit_callbacks(execute=True):
        win(first, Side.A, by=director)
    with CaptureQueriesContext(connection) as queries:
        win(second, Side.B, by=director)
    read = [query["sql"] for query in queries if query["sql"].startswith("SELECT")]
    tables = ("stage", "fixture", "entry", "openurn")
    assert [table for table in tables for sql in read if f'FROM "tournament_{table}"' in sql] == []
    assert len(queries) == 17


def on_the_page(director, match: Match):
    client = Client()
    client.force_login(director)
    fields = {"key": uuid.uuid4().hex, "base": 0, "final_a": 5, "final_b": 2}
    address = reverse("enter", args=[match.pk, "final"])
    return lambda: client.post(address, fields)


def at_the_desk(director, match: Match):
    client = Client()
    client.force_login(director)
    fields = {"key": uuid.uuid4().hex, "base": 0, "final_a": 5, "final_b": 2}
    address = reverse("desk-act", args=["friday-club", match.pk, "enter"])
    return lambda: client.post(address, fields, headers={"HX-Request": "true"})


def by_the_api(director, match: Match):
    client = APIClient()
    client.force_authenticate(director)
    body = {"key": uuid.uuid4().hex, "base": 0, "final": [5, 2]}
    address = reverse("api:result", args=[match.pk])
    return lambda: client.post(address, body, format="json")


@pytest.mark.parametrize(
    ("face", "boards", "expected"),
    [
        (on_the_page, 1, 30),
        (on_the_page, 3, 36),
        (at_the_desk, 1, 30),
        (at_the_desk, 3, 36),
        (by_the_api, 1, 27),
        (by_the_api, 3, 33),
    ],
)
def test_a_face_enters_a_result_in_a_fixed_number_of_queries(director, face, boards, expected):
    send = face(director, first_match(director, boards))
    with CaptureQueriesContext(connection) as queries:
        answer = send()
    assert answer.status_code in {200, 201, 302}
    assert len(queries) == expected


@pytest.mark.parametrize(("boards", "expected"), [(1, [50, 37]), (3, [100, 55])], ids=["players", "teams"])
def test_a_match_that_had_begun_is_forfeited_and_given_back_in_a_fixed_number_of_queries(director, boards, expected):
    match = first_match(director, boards)
    enter_result(match, claim=claim(games=ONE), by=director, at=AT)
    entry = (match.fixture if boards == 1 else match.board.fixture).entry_a
    counts = []
    for step in (
        lambda: leave_event(entry, kind="withdrawn", by=None, at=AT),
        lambda: undo_leaving(entry, by=None, at=AT),
    ):
        with CaptureQueriesContext(connection) as queries:
            step()
        counts.append(len(queries))
    assert counts == expected
