"""Events in which a match is worth more than won or lost, played to their ends on the pages of their director."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from rules.score import Side
from tests.builders import build_event, open_matches
from tournament.audit import audit_event
from tournament.draw.standings import store_standings
from tournament.models import Event

pytestmark = pytest.mark.long


@pytest.fixture
def desk(director) -> Client:
    client = Client()
    client.force_login(director)
    return client


def address(event: Event, name: str) -> str:
    return reverse(name, args=[event.tournament.slug, event.slug])


def text_of(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def enter(desk: Client, match, winner: Side) -> None:
    points = (match.length, 0) if winner is Side.A else (0, match.length)
    form = {"key": f"final-{match.pk}", "base": 0, "final_a": points[0], "final_b": points[1]}
    assert desk.post(reverse("enter", args=[match.pk, "final"]), form).status_code == 302


def finish(desk: Client, event: Event) -> str:
    """End the event, and return the text of its standings."""
    act = reverse("act", args=[event.tournament.slug, event.slug, "finish"])
    assert desk.post(act).status_code == 302
    event.refresh_from_db()
    assert event.finished_at is not None
    store_standings(event.pk)
    assert audit_event(event) == []
    return text_of(desk.get(address(event, "standings")).content.decode())


def test_a_league_of_teams_with_two_boards_ends_with_wins_draws_and_losses(desk, director):
    event = build_event(director, players=3, boards=2, format="league", lengths=(3,), tiebreaks=())
    for number, match in enumerate(open_matches(event)):
        # The first match is shared, the others are won by the team named first.
        enter(desk, match, Side.B if number == 1 else Side.A)
    assert "drawn" in text_of(desk.get(address(event, "pairings")).content.decode())
    standings = finish(desk, event)
    assert "W–D–L" in standings
    assert sorted(re.findall(r"\b\d–\d–\d\b", standings)) == ["0–1–1", "1–0–1", "1–1–0"]


def test_a_round_robin_with_error_rates_ends_with_the_wins_of_both_kinds(desk, director):
    event = build_event(
        director, players=3, format="round-robin", lengths=(3,), tiebreaks=(), options={"rate_point": True}
    )
    for match in open_matches(event):
        enter(desk, match, Side.A)
        assert "rate open" in desk.get(match.get_absolute_url()).content.decode()
        rates = {"rate_a": "7,5", "rate_b": "3.25"}
        assert desk.post(reverse("error-rates", args=[match.pk]), rates).status_code == 302
        assert "Error rates 7.500 – 3.250" in text_of(desk.get(match.get_absolute_url()).content.decode())
    standings = finish(desk, event)
    # Everyone is once side A, who wins the match, and once side B, who has the lower rate.
    assert standings.count("Tied on wins (2)") == 3


def test_a_rate_that_is_no_number_is_refused_beside_the_name_of_its_player(desk, director):
    event = build_event(director, players=2, format="round-robin", lengths=(3,), options={"rate_point": True})
    (match,) = open_matches(event)
    enter(desk, match, Side.A)
    refused = desk.post(reverse("error-rates", args=[match.pk]), {"rate_a": "x", "rate_b": "3.25"})
    page = text_of(refused.content.decode())
    assert (refused.status_code, f"{match.name_a} : Enter a number." in page, "Rate a" in page) == (400, True, False)
