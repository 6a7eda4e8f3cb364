"""Ready matches whose players are busy elsewhere: the pages of the event say it in the words of the desk."""

import re
from html import unescape

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from rules.score import Side
from rules.sheet import GameResult
from tests.builders import AT, build_event, claim, fixture_of, open_matches, win
from tests.tournament.api.client import CheckedClient
from tournament.draw.make import make_draw
from tournament.entries.links import link_of
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries
from tournament.hall.calling import call_match, recall_match, start_match
from tournament.hall.desk import take_desk
from tournament.hall.tables import add_tables
from tournament.hall.waiting import with_waits
from tournament.models import Event
from tournament.results.enter import enter_result
from tournament.snapshot import take_snapshot

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(director) -> Event:
    event = build_event(director, players=4, name="Main")
    add_tables(event.tournament, first=1, last=6, by=None, at=AT)
    return event


@pytest.fixture
def other(director, event) -> Event:
    """The same four players meet in another event."""
    return build_event(director, players=4, format="round-robin", name="Side", tournament=event.tournament)


def shown(event: Event, **asked: str):
    return Client().get(reverse("pairings", args=[event.tournament.slug, event.slug]), asked)


def groups(event: Event) -> dict[str, list[str]]:
    """The keys of the pairings in each group of the page."""
    html = shown(event).content.decode()
    sections = re.findall(
        r'<section class="group" data-group aria-labelledby="group-(\w+)">(.*?)</section>', html, re.DOTALL
    )
    return {name: re.findall(r'id="f-([\w-]+)"', section) for name, section in sections}


def matches_in_bracket(page: str, event: Event) -> dict[str, tuple[str, str]]:
    """The state and the drawing of each match on a page with a bracket, by its key."""
    html = Client().get(reverse(page, args=[event.tournament.slug, event.slug])).content.decode()
    found = re.findall(r'<a [^>]*class="match is-(\w+)" data-key="([\w-]+)"(.*?)</a>', html, re.DOTALL)
    return {key: (state, unescape(drawn)) for state, key, drawn in found}


def said(event: Event) -> dict[str, str]:
    stage = with_waits(event.tournament, take_snapshot(event.pk)).stage
    return {fixture.key: fixture.waits_for.sentence for fixture in stage.fixtures if fixture.waits_for}


def by_the_desk(event: Event) -> dict[str, str]:
    return {match.key: match.busy for match in take_desk(event.tournament, at=AT).busy if match.event_id == event.pk}


def test_only_pairings_whose_players_are_free_are_ready_to_play(event, other):
    match = open_matches(other)[0]
    call_match(match, table=3, by=None, at=AT)
    busy = {match.side_a.name, match.side_b.name}
    waiting = [
        key
        for key in ("M1-1", "M1-2")
        if busy & {fixture_of(event, key).entry_a.name, fixture_of(event, key).entry_b.name}
    ]
    ready = [key for key in ("M1-1", "M1-2") if key not in waiting]
    found = groups(event)
    assert (found.get("ready", []), found["busy"]) == (ready, waiting)
    page = unescape(shown(event).content.decode())
    assert by_the_desk(event).keys() == set(waiting)
    for sentence in by_the_desk(event).values():
        assert sentence.endswith(" has been called to table 3 for R1-1 of Side.")
        assert sentence in page
    recall_match(match, by=None, at=AT)
    assert groups(event)["ready"] == ["M1-1", "M1-2"]


def test_the_pages_say_what_the_desk_says(event, other):
    first, second, *_others = open_matches(other)
    call_match(first, by=None, at=AT)
    enter_result(second, claim=claim(games=(GameResult(Side.A),)), by=None, at=AT)
    for one in (event, other):
        assert said(one) == by_the_desk(one)
        assert said(one)
    win(second, Side.A, base=1)
    for one in (event, other):
        assert said(one) == by_the_desk(one)


def test_the_page_of_a_match_and_of_its_player_say_for_whom_it_waits(event, other):
    match = open_matches(other)[0]
    call_match(match, table=3, by=None, at=AT)
    key, sentence = next(iter(by_the_desk(event).items()))
    fixture = fixture_of(event, key)
    pages = [fixture.match.get_absolute_url(), link_of(fixture.entry_a), link_of(fixture.entry_b)]
    for page in pages:
        assert sentence in unescape(Client().get(page).content.decode())
    recall_match(match, by=None, at=AT)
    for page in pages:
        assert sentence not in unescape(Client().get(page).content.decode())


def test_a_pairing_of_teams_waits_once_every_board_of_it_does(director):
    teams = build_event(director, players=2, boards=3)
    seats = [match.side_a for match in open_matches(teams)]
    add_tables(teams.tournament, first=1, last=6, by=None, at=AT)
    for number, seat in enumerate(seats, start=1):
        final = build_event(director, players=0, drawn=False, tournament=teams.tournament, name=f"Final {number}")
        lines = [EntryLine(name=name, line=1) for name in (seat.name, f"Opponent {number}")]
        add_entries(final, lines=lines, by=None, at=AT)
        make_draw(final, by=director, at=AT)
        call_match(open_matches(final)[0], by=None, at=AT)
        (fixture,) = with_waits(teams.tournament, take_snapshot(teams.pk)).stage.fixtures
        assert [wait.name for wait in fixture.waits] == [one.name for one in seats[:number]]
        assert (fixture.waits_for is not None) == (number == len(seats))


def test_a_page_that_shows_who_is_busy_changes_when_that_changes_in_another_event(event, other):
    fragment = shown(event, fragment="")
    match = open_matches(other)[0]
    call_match(match, by=None, at=AT)
    called = shown(event, fragment="")
    start_match(match, by=None, at=AT)
    win(match, Side.A)
    over = shown(event, fragment="")
    assert len({answer["ETag"] for answer in (fragment, called, over)}) == 3
    assert [b"group-busy" in answer.content for answer in (fragment, called, over)] == [False, True, False]
    page = shown(event).content.decode()
    assert f'data-live-events="{event.pk},{other.pk}"' in page


def test_the_past_says_nothing_about_the_hall_of_today(event, other):
    call_match(open_matches(other)[0], by=None, at=AT)
    at = event.log.first().pk
    assert "group-busy" not in shown(event, at=str(at)).content.decode()


@pytest.mark.parametrize("players", [8, 32])
def test_who_is_busy_takes_the_same_queries_in_every_field(director, players):
    event = build_event(director, players=players)
    add_tables(event.tournament, first=1, last=9, by=None, at=AT)
    first, second, *_others = open_matches(event)
    call_match(first, by=None, at=AT)
    enter_result(second, claim=claim(games=(GameResult(Side.A),)), by=None, at=AT)
    snapshot, taken = take_snapshot(event.pk), []
    for _each in ("read", "known"):
        with CaptureQueriesContext(connection) as queries:
            with_waits(event.tournament, snapshot)
        taken.append(len(queries))
    assert taken == [7, 2]


def test_a_bracket_shows_for_whom_a_match_waits_and_not_that_it_is_ready(event, other):
    """The same on the event's own page and on the screen; on paper, which stays as it is, neither."""
    match = open_matches(other)[0]
    call_match(match, table=3, by=None, at=AT)
    (wait, *_others) = with_waits(event.tournament, take_snapshot(event.pk)).stage.fixtures[0].waits
    for page in ("bracket", "screen"):
        matches = matches_in_bracket(page, event)
        assert matches["M1-1"][0] == "busy"
        assert f", {wait.sentence}" in matches["M1-1"][1]
        assert f">waits for {wait.name} (table 3)<" in matches["M1-1"][1]
    assert (
        "is-busy"
        not in Client().get(reverse("sheet", args=[event.tournament.slug, event.slug, "bracket"])).content.decode()
    )
    recall_match(match, by=None, at=AT)
    assert {matches_in_bracket(page, event)["M1-1"][0] for page in ("bracket", "screen")} == {"ready"}


@pytest.mark.parametrize("page", ["bracket", "screen"])
def test_a_bracket_changes_when_a_player_becomes_busy_in_another_event(event, other, page):
    path = reverse(page, args=[event.tournament.slug, event.slug])
    before = Client().get(path, {"fragment": ""})["ETag"]
    call_match(open_matches(other)[0], by=None, at=AT)
    assert Client().get(path, {"fragment": ""})["ETag"] != before
    assert f'data-live-events="{event.pk},{other.pk}"' in Client().get(path).content.decode()


# The API


def waits_in_api(event: Event) -> dict[str, dict | None]:
    fixtures = CheckedClient().get(f"/api/v1/events/{event.pk}/").json()["stage"]["fixtures"]
    return {fixture["key"]: fixture["waits_for"] for fixture in fixtures}


def test_the_api_says_for_whom_a_pairing_waits(event, other, director):
    assert set(waits_in_api(event).values()) == {None}
    match = open_matches(other)[0]
    call_match(match, table=3, by=None, at=AT)
    busy = {player.pk: player.name for player in (match.side_a, match.side_b)}
    told = {key: wait for key, wait in waits_in_api(event).items() if wait}
    assert told.keys() == by_the_desk(event).keys()
    for wait in told.values():
        assert wait == {"player": wait["player"], "name": busy[wait["player"]], "event": other.pk, "table": 3}
    api = CheckedClient()
    api.force_authenticate(director)
    desk = api.get(f"/api/v1/tournaments/{event.tournament_id}/hall/").json()["matches"]
    assert {one["key"]: one["waits_for"] for one in desk if one["event"] == event.pk and one["waits_for"]} == told
    recall_match(match, by=None, at=AT)
    assert set(waits_in_api(event).values()) == {None}


def test_the_api_tells_anew_when_a_player_begins_a_match_that_nobody_called(event, other):
    path = f"/api/v1/events/{event.pk}/"
    seen = CheckedClient().get(path)["ETag"]
    assert CheckedClient().get(path, headers={"If-None-Match": seen}).status_code == 304
    enter_result(open_matches(other)[0], claim=claim(games=(GameResult(Side.A),)), by=None, at=AT)
    answer = CheckedClient().get(path, headers={"If-None-Match": seen})
    assert answer.status_code == 200
    assert any(fixture["waits_for"] for fixture in answer.json()["stage"]["fixtures"])


@pytest.mark.parametrize("players", [8, 32])
def test_the_api_takes_the_same_queries_in_every_field(director, players):
    event = build_event(director, players=players)
    add_tables(event.tournament, first=1, last=9, by=None, at=AT)
    first, second, *_others = open_matches(event)
    call_match(first, by=None, at=AT)
    enter_result(second, claim=claim(games=(GameResult(Side.A),)), by=None, at=AT)
    taken = []
    for _each in ("read", "known"):
        with CaptureQueriesContext(connection) as queries:
            CheckedClient().get(f"/api/v1/events/{event.pk}/")
        taken.append(len(queries))
    assert taken == [16, 6]
