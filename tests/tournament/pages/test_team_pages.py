"""Teams on the pages: entered, read, followed, printed, exported."""

import csv
import io
import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from rules.score import Level, Side
from rules.sheet import GameResult
from tests.builders import AT, build_event, build_tournament, claim, open_matches, win
from tournament.draw.standings import store_standings
from tournament.entries.lists import parse_pasted
from tournament.entries.services import add_entries
from tournament.exports.formats import write_csv
from tournament.exports.tables import Subject, make_table
from tournament.formats import FORMATS
from tournament.models import Event
from tournament.models.team import matches_in
from tournament.pictures.paper import SHEETS
from tournament.results.enter import enter_result

PAGES = ("pairings", "bracket", "screen", "standings", "entries", "history", "settings")


@pytest.fixture
def desk(director) -> Client:
    client = Client()
    client.force_login(director)
    return client


@pytest.fixture
def event(director) -> Event:
    """Four teams of three: one board decided, one being played."""
    event = build_event(director, players=4, boards=3)
    first, second = open_matches(event)[:2]
    win(first, Side.B, loser_points=4)
    enter_result(second, claim=claim(games=(GameResult(Side.A, 2, Level.SINGLE),)), by=director, at=AT)
    store_standings(event.pk)
    return event


def address(event: Event, name: str, *more: object) -> str:
    return reverse(name, args=[event.tournament.slug, event.slug, *more])


def text_of(response) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


@pytest.mark.parametrize("format", FORMATS)
def test_every_page_of_every_format_shows_teams(desk, director, format):
    teams = 8 if format == "jackpot" else max(4, FORMATS[format].min_entrants)
    event = build_event(director, players=teams, boards=3, format=format, lengths=(3,))
    for match in open_matches(event)[:4]:
        win(match, Side.A)
    store_standings(event.pk)
    for page in PAGES:
        assert "Team 1" in text_of(desk.get(address(event, page))) or page == "settings"
    for match in matches_in(event):
        assert desk.get(match.get_absolute_url()).status_code == 200


def test_a_team_is_entered_on_the_page_and_an_impossible_one_comes_back(desk, director):
    event = build_event(director, players=0, boards=3, drawn=False)
    page = address(event, "entries")
    refused = desk.post(page, {"way": "team", "name": "Kings", "members": "Kim\nKai (Lund)"})
    assert refused.status_code == 400
    assert "A team needs a name and 3 to 20 members" in text_of(refused)
    assert "Kim\nKai (Lund)" in refused.content.decode()
    assert event.entries.count() == 0
    assert desk.post(page, {"way": "team", "name": "Kings", "members": "Kim\nKai (Lund)\nKaj, Kit"}).status_code == 302
    shown = text_of(desk.get(page))
    assert "Kings Kim , Kai , Kaj , Reserves: Kit" in shown
    assert "1 team entered" in shown


def test_pairings_show_the_boards_with_links_to_their_matches(desk, event):
    page = desk.get(address(event, "pairings"))
    shown, source = text_of(page), page.content.decode()
    first = open_matches(event)[0]
    a, b = event.stages.get().fixtures.get(key="M1-1").matches[1].side_a.name, first.side_b.name
    assert "4–5" in shown
    assert "2–0" in shown
    assert 'data-names="' in source
    assert a in source
    assert b in source
    assert source.count(f'href="{first.get_absolute_url()}"') == 1


def test_the_page_of_a_board_names_its_teams_and_seats_a_reserve(desk, event):
    match = open_matches(event)[1]
    page = desk.get(match.get_absolute_url())
    shown = text_of(page)
    fixture = match.board.fixture
    a = fixture.entry_a
    assert f"{fixture.key} Board {match.board.number}" in shown
    assert f"{a.team} 0–1 {fixture.entry_b.team}" in shown
    assert "Reserves" in shown
    reserve = a.people[3]
    answer = desk.post(reverse("reserve", args=[match.pk]), {"side": "A", "player": reserve.pk})
    assert (answer.status_code, answer["Location"]) == (302, match.get_absolute_url())
    match.refresh_from_db()
    assert match.side_a == reserve
    told = text_of(desk.get(address(event, "history")))
    assert f"{fixture.key} board {match.board.number}: {reserve} plays instead of" in told


def test_a_reserve_who_may_not_sit_there_is_refused_on_the_page(desk, event):
    match = open_matches(event)[1]
    for data, status, sentence in (
        ({"side": "A", "player": match.side_b_id}, 400, "Only a reserve of"),
        ({"side": "C", "player": match.side_b_id}, 400, "Choose who plays at this board."),
        ({}, 400, "Choose who plays at this board."),
    ):
        answer = desk.post(reverse("reserve", args=[match.pk]), data)
        assert (answer.status_code, sentence in text_of(answer)) == (status, True)


def test_a_visitor_sees_no_reserves_to_choose(client, event):
    shown = client.get(open_matches(event)[1].get_absolute_url()).content.decode()
    assert "bench" not in shown


def test_the_form_of_an_event_makes_it_one_of_teams(desk, director):
    tournament = build_tournament(director)
    page = reverse("new-event", args=[tournament.slug])
    terms = {"name": "Cup", "format": "single-elimination", "lengths": "5", "seeding": "random", "profile": "wbgf"}
    assert desk.post(page, {**terms, "boards": "5"}).status_code == 302
    assert desk.post(page, {**terms, "name": "Open"}).status_code == 302
    assert list(tournament.events.order_by("id").values_list("name", "boards")) == [("Cup", 5), ("Open", 1)]
    refused = desk.post(page, {**terms, "boards": "3", "doubles": "on"})
    assert (refused.status_code, "for teams or for pairs" in text_of(refused)) == (400, True)
    assert desk.post(page, {**terms, "boards": "4"}).status_code == 400


def test_the_page_of_a_member_names_the_team_and_the_match(client, event):
    match = open_matches(event)[1]
    shown = text_of(client.get(reverse("player", args=[match.side_a_id])))
    assert match.board.fixture.entry_a.team in shown
    assert "Friday Club, Main" in shown


@pytest.mark.parametrize("sheet", SHEETS)
def test_printed_sheets_have_a_line_or_a_card_for_every_board(desk, event, sheet):
    shown = text_of(desk.get(address(event, "sheet", sheet)))
    open_names = [match.side_a.name for match in open_matches(event)]
    if sheet in ("bracket", "player-cards", "standings"):
        assert "Team 1" in shown
    elif sheet in ("poster", "table-codes"):
        assert event.name in shown
    else:
        assert len(open_names) == 5
        assert [name for name in open_names if name not in shown] == []


def rows_of(name: str, event: Event) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(write_csv(make_table(name, Subject(event=event))), newline="")))


def test_results_are_those_of_the_boards_and_pairings_those_of_the_teams(event):
    a, b = (getattr(event.stages.get().fixtures.get(key="M1-1"), side) for side in ("entry_a", "entry_b"))
    for number, match in enumerate(open_matches(event)[:2]):
        base = match.sheets.count()
        win(match, (Side.A, Side.B)[number], base=base)
    boards = rows_of("results", event)
    assert [(row["match_no"], row["player1_name"], row["score1"], row["score2"]) for row in boards] == [
        ("M1-1.1", a.people[0].name, "4", "5"),
        ("M1-1.2", a.people[1].name, "5", "0"),
        ("M1-1.3", a.people[2].name, "0", "5"),
    ]
    assert {row["winner"] for row in boards} == {str(person.pk) for person in (b.people[0], a.people[1], b.people[2])}
    (teams,) = rows_of("pairings", event)
    assert (teams["entry1_name"], teams["entry2_name"], teams["points1"], teams["points2"], teams["winner"]) == (
        a.team,
        b.team,
        "1",
        "2",
        str(b.pk),
    )
    store_standings(event.pk)
    event.refresh_from_db()
    best = rows_of("standings", event)[0]
    assert (best["player_id"], best["player_name"]) == ("", b.team)


@pytest.mark.parametrize("page", PAGES)
def test_pages_take_as_many_queries_for_16_teams_as_for_8(desk, director, page):
    tournament = build_tournament(director)
    counts = set()
    for teams in (8, 16):
        event = build_event(director, players=teams, boards=3, tournament=tournament)
        win(open_matches(event)[0], Side.A)
        store_standings(event.pk)
        desk.get(address(event, page))
        with CaptureQueriesContext(connection) as queries:
            desk.get(address(event, page))
        counts.add(len(queries))
    assert len(counts) == 1


def test_entering_a_list_takes_the_same_queries_for_known_teams(director):
    counts = set()
    tournament = build_tournament(director)
    for teams in (2, 8):
        event = build_event(director, players=0, boards=3, drawn=False, tournament=tournament)
        lines = parse_pasted("\n".join(f"Team {n}: A {n}, B {n}, C {n}" for n in range(teams)))
        other = build_event(director, players=0, boards=3, drawn=False, tournament=tournament)
        add_entries(other, lines=lines, by=None, at=AT)
        with CaptureQueriesContext(connection) as queries:
            add_entries(event, lines=lines, by=None, at=AT)
        counts.add(len(queries))
    assert len(counts) == 1
