"""The desk of one event among several, the jackpots that wait, the reasons of disputes, and teams."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from rules.score import Side
from tests.builders import AT, build_event, claim, fixture_of, win
from tests.fresh import forget_everything
from tests.tournament.api.client import CheckedClient
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries
from tournament.hall.desk import take_desk
from tournament.hall.queues import queues_in
from tournament.models import Board, Event
from tournament.results.reports import dispute_result, report_result
from tournament.snapshot import take_snapshot

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(director) -> Event:
    return build_event(director, players=8)


@pytest.fixture
def side(director, event) -> Event:
    return build_event(director, tournament=event.tournament, players=4, name="Side")


@pytest.fixture
def api(director) -> CheckedClient:
    client = CheckedClient()
    client.force_authenticate(director)
    return client


def keys_on(page) -> list[tuple[str, str]]:
    return [(match.event, match.key) for match in page.context["desk"].matches]


def desk_path(event: Event, query: str = "") -> str:
    return reverse("desk", args=[event.tournament.slug]) + query


def test_the_desk_is_filtered_by_event_whole_and_as_a_fragment(as_director, event, side):
    for query in (f"?event={side.slug}", f"?fragment&event={side.slug}"):
        forget_everything()
        page = as_director.get(desk_path(event, query))
        assert keys_on(page) == [("Side", "M1-1"), ("Side", "M1-2")]
        assert re.findall(r"(Main|Side|All events) <small>(\d+)</small>", page.content.decode()) == [
            ("All events", "6"),
            ("Main", "4"),
            ("Side", "2"),
        ]
    assert len(keys_on(as_director.get(desk_path(event)))) == 6
    assert len(keys_on(as_director.get(desk_path(event, "?event=nothing")))) == 6


def test_acts_on_a_filtered_desk_lead_back_to_it_and_call_only_its_matches(as_director, event, side):
    answer = as_director.post(desk_path(event, "call/"), {"event": side.slug})
    assert answer["Location"] == desk_path(event, f"?event={side.slug}")
    assert {match.event for match in take_desk(event.tournament, at=AT).called} == {"Side"}
    page = as_director.get(desk_path(event, f"?event={side.slug}")).content.decode()
    forms = re.findall(r"<form method=\"post\"[^>]*desk.*?</form>", page, re.DOTALL)
    assert {f'name="event" value="{side.slug}"' in form for form in forms} == {True}


def test_there_is_no_filter_over_a_single_event(as_director, event):
    assert "desk-filter" not in as_director.get(desk_path(event)).content.decode()


def test_the_api_calls_the_ready_matches_of_one_event(api, event, side):
    path = f"/api/v1/tournaments/{event.tournament_id}/hall/call/"
    matches = api.post(path, {"event": side.pk}).json()["matches"]
    assert {match["event"] for match in matches if match["doing"] == "called"} == {side.pk}


# Jackpots


def test_a_jackpot_shows_who_waits(director, as_director, api):
    jackpot = build_event(director, players=9, format="jackpot", name="Jackpots", options={"size": "4"})
    (queue,) = take_desk(jackpot.tournament, at=AT).queues
    assert (queue.letters, queue.size, queue.names) == ("C", 4, ("Player 9",))
    for name in ("desk", "hall-screen"):
        page = as_director.get(reverse(name, args=[jackpot.tournament.slug])).content.decode()
        assert "Jackpot C: 1 of 4" in page
        assert "Player 9" in page
    told = api.get(f"/api/v1/tournaments/{jackpot.tournament_id}/hall/").json()["queues"]
    assert told == [{"event": jackpot.pk, "letters": "C", "size": 4, "names": ["Player 9"]}]
    add_entries(jackpot, lines=[EntryLine(name=name, line=1) for name in ("Ann", "Bo", "Cy")], by=None, at=AT)
    assert take_desk(jackpot.tournament, at=AT).queues == ()


def test_the_pages_of_a_jackpot_show_who_waits(director):
    """The pages of the event and the tournament's list of events; they say what the desk says, also of the past."""
    jackpot = build_event(director, players=9, format="jackpot", name="Jackpots", options={"size": "4"})
    assert queues_in(take_snapshot(jackpot.pk)) == take_desk(jackpot.tournament, at=AT).queues
    place = [jackpot.tournament.slug, jackpot.slug]
    pages = [reverse("tournament", args=place[:1]), *(reverse(name, args=place) for name in ("pairings", "bracket"))]

    def shown(page: str) -> list[bool]:
        text = " ".join(Client().get(page).content.decode().split())
        return ["Jackpot C: 1 of 4" in text, "<span>Player 9</span>" in text]

    assert [shown(page) for page in pages] == [[True, True]] * 3
    moment = jackpot.log.first().pk
    add_entries(jackpot, lines=[EntryLine(name=name, line=1) for name in ("Ann", "Bo", "Cy")], by=None, at=AT)
    assert [shown(page) for page in pages] == [[False, False]] * 3
    assert shown(f"{pages[1]}?at={moment}") == [True, True]


# Disputes


def test_the_row_says_who_disputes_a_report_and_why(as_director, event):
    match = fixture_of(event, "M1-1").match
    report_result(match, claim=claim(final=(5, 3)), side=Side.A, by=None, at=AT)
    dispute_result(match, number=1, side=Side.B, reason="It was 5-4", by=None, at=AT)
    (disputed,) = take_desk(event.tournament, at=AT).disputed
    assert disputed.dispute == f"{match.name_b} disputes this report: “It was 5-4”"
    assert "“It was 5-4”" in as_director.get(desk_path(event)).content.decode()


def test_the_row_says_so_if_no_reason_was_given(director, event):
    match = fixture_of(event, "M1-1").match
    report_result(match, claim=claim(final=(5, 3)), side=Side.A, by=None, at=AT)
    dispute_result(match, number=1, reason="", by=director, at=AT)
    (disputed,) = take_desk(event.tournament, at=AT).disputed
    assert disputed.dispute == "the director disputes this report and gave no reason."


# Teams


def test_a_match_of_teams_has_a_way_to_enter_the_next_board(director, as_director):
    teams = build_event(director, players=2, boards=3)
    boards = [board.match for board in Board.objects.order_by("number")]

    def ways() -> list[str]:
        page = as_director.get(teams.get_absolute_url()).content.decode()
        return re.findall(r'href="([^"]*)#enter">Enter result', page)

    assert ways() == [boards[0].get_absolute_url()]
    win(boards[0], Side.A)
    assert ways() == [boards[1].get_absolute_url()]
