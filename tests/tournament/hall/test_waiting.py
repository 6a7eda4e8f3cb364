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
from tournament.entries.links import link_of
from tournament.hall.calling import call_match, recall_match, start_match
from tournament.hall.desk import take_desk
from tournament.hall.tables import add_tables
from tournament.hall.waiting import has_to_wait, waiting_in, waits_of
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


def said(event: Event) -> dict[str, str]:
    snapshot = take_snapshot(event.pk)
    waits = waiting_in(event.tournament, snapshot)
    return {fixture.key: waits_of(fixture, waits) for fixture in snapshot.stage.fixtures if waits_of(fixture, waits)}


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
        assert sentence.endswith(" of Side at table 3.")
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
    singles = build_event(director, players=0, drawn=False, tournament=teams.tournament, name="Singles")
    add_tables(teams.tournament, first=1, last=6, by=None, at=AT)
    assert singles.tournament == teams.tournament
    boards = open_matches(teams)
    call_match(boards[0], by=None, at=AT)
    snapshot = take_snapshot(teams.pk)
    (fixture,) = snapshot.stage.fixtures
    assert waiting_in(teams.tournament, snapshot) == {}
    every = {board.match_id: f"{board.a.label} is busy." for board in fixture.boards}
    some = dict(list(every.items())[:2])
    assert [has_to_wait(fixture, waits) for waits in (every, some, {})] == [True, False, False]
    assert waits_of(fixture, some) == " ".join(some.values())


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
    snapshot = take_snapshot(event.pk)
    with CaptureQueriesContext(connection) as queries:
        waiting_in(event.tournament, snapshot)
    assert len(queries) == 5
