"""The overlay of a stream shows the match at its table, the last one for a while, and then the next."""

from datetime import timedelta

import pytest
from django.urls import reverse

from rules.score import Side
from tests.builders import AT, build_event, build_tournament, claim, open_matches, win
from tournament.hall.calling import call_match, start_match
from tournament.hall.tables import add_tables
from tournament.pictures.overlay import SHOWN_AFTER, overlay_of_match, overlay_of_table
from tournament.results.reports import report_result

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(director):
    event = build_event(director, players=4, clock_minutes=2, clock_delay=12)
    add_tables(event.tournament, first=1, last=2, by=director, at=AT)
    return event


def test_a_table_shows_its_match_and_then_the_next_one(director, event):
    assert overlay_of_table(event.tournament, 1, at=AT) is None
    first, second = open_matches(event)
    call_match(first, table=1, by=director, at=AT)
    start_match(first, by=director, at=AT)
    shown = overlay_of_table(event.tournament, 1, at=AT)
    assert (shown.card.match_id, shown.card.table, shown.card.round) == (first.pk, 1, "Semifinals")
    win(first, Side.A, by=director)
    decided = overlay_of_table(event.tournament, 1, at=AT + SHOWN_AFTER / 2)
    assert (decided.card.match_id, decided.card.a.points, decided.card.a.is_winner) == (first.pk, 5, True)
    assert overlay_of_table(event.tournament, 1, at=AT + SHOWN_AFTER) is None
    call_match(second, table=1, by=director, at=AT)
    assert overlay_of_table(event.tournament, 1, at=AT).card.match_id == second.pk


def test_a_match_in_dispute_has_no_score(director, event):
    (match, _other) = open_matches(event)
    for side, final in ((Side.A, (5, 3)), (Side.B, (2, 5))):
        report_result(match, claim=claim(final=final), side=side, by=None, at=AT)
    card = overlay_of_match(match.pk).card
    assert (card.state, card.a.points, card.b.points, card.crawford) == ("disputed", None, None, False)


def test_the_page_has_the_names_the_length_and_the_time(client, director, event):
    (match, _other) = open_matches(event)
    call_match(match, table=2, by=director, at=AT)
    pages = [
        reverse("table-overlay", args=[event.tournament.slug, 2]),
        reverse("match-overlay", args=[event.tournament.slug, match.pk]),
    ]
    for page in pages:
        text = client.get(page).content.decode()
        assert str(match.side_a) in text
        assert str(match.side_b) in text
        assert "to 5" in text
    assert client.get(reverse("table-overlay", args=[event.tournament.slug, 3])).status_code == 404
    assert client.get(reverse("table-overlay", args=[event.tournament.slug, 10**9])).status_code == 404
    other = build_tournament(director, "Other")
    assert client.get(reverse("match-overlay", args=[other.slug, match.pk])).status_code == 404
    assert client.get(reverse("match-overlay", args=[other.slug, 10**30])).status_code == 404


def test_other_tools_read_the_same_as_json(client, director, event):
    (match, _other) = open_matches(event)
    path = f"/api/v1/tournaments/{event.tournament_id}/overlay/1/"
    assert client.get(path).json() == {"table": 1, "shown": None}
    call_match(match, table=1, by=director, at=AT + timedelta(minutes=1))
    answer = client.get(path)
    assert answer["Access-Control-Allow-Origin"] == "*"
    shown = answer.json()["shown"]
    assert shown == client.get(f"/api/v1/matches/{match.pk}/overlay/").json()
    assert (shown["match"], shown["length"], shown["state"], shown["round"]) == (match.pk, 5, "called", "Semifinals")
    assert shown["a"] == {
        "name": str(match.side_a),
        "country": "",
        "club": "",
        "points": None,
        "away": 5,
        "is_winner": False,
    }
    assert "cube" not in shown
    assert client.get("/api/v1/matches/999999999999999999999/overlay/").status_code == 404


def test_a_table_takes_as_many_queries_in_a_large_event(client, director, django_assert_max_num_queries):
    event = build_event(director, players=64)
    add_tables(event.tournament, first=1, last=2, by=director, at=AT)
    call_match(open_matches(event)[0], table=1, by=director, at=AT)
    with django_assert_max_num_queries(24):
        client.get(reverse("table-overlay", args=[event.tournament.slug, 1]))
