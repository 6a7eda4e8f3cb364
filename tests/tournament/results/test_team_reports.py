"""The private page of a team: each board is reported there, and confirmed or disputed by the other team or the desk."""

import pytest
from django.db import connection
from django.db.models import Q
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from matches.models import SheetState
from players.errors import Conflict
from rules.score import Side
from tests.builders import AT, build_director, build_event, fixture_of, open_matches, win
from tests.pages import text_of
from tests.tournament.entries.test_teams import boards_of, seats_of, shown
from tests.tournament.pages.test_my_page import send
from tournament.audit import audit_event
from tournament.draw.standings import store_standings
from tournament.entries.links import link_of, token_of
from tournament.models import Entry, Event, Fixture
from tournament.results.boards import seat_reserve
from tournament.snapshot import FixtureState
from tournament.snapshot.states import MatchState

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    return build_event(build_director(), players=4, boards=3)


def answer(entry: Entry, match, action: str, number: int = 1):
    address = reverse("my-answer", args=[token_of(entry), match.pk, action])
    return Client().post(address, {"number": number})


def statuses(event: Event) -> tuple[MatchState, list[MatchState]]:
    fixture = shown(event, "M1-1")
    return fixture.status, [board.status for board in fixture.boards]


def test_the_page_shows_the_boards_of_the_current_match(event):
    fixture = fixture_of(event, "M1-1")
    page = Client().get(link_of(fixture.entry_a))
    text = text_of(page)
    assert f"Against {fixture.entry_b.name} 0–0" in text
    for match in boards_of(event, "M1-1"):
        assert f"{match.name_a} – {match.name_b}" in text
        assert reverse("my-report", args=[token_of(fixture.entry_a), match.pk, "final"]) in page.content.decode()
    assert str(boards_of(event, "M1-2")[0].side_a) not in text


def test_boards_are_reported_and_confirmed_and_the_draw_goes_on_once_all_are(event):
    fixture, boards = fixture_of(event, "M1-1"), boards_of(event, "M1-1")
    for match in boards:
        assert seats_of(event, "M2-1") == ("", "")
        assert send(fixture.entry_a, match, "final", final_a=5, final_b=2).status_code == 302
    assert statuses(event) == (MatchState.REPORTED, [MatchState.REPORTED] * 3)
    board = shown(event, "M1-1").boards[0]
    assert (board.state, board.score.a, board.a.points, board.a.is_winner) == (FixtureState.LIVE, 5, 5, False)
    page = text_of(Client().get(link_of(fixture.entry_b)))
    assert f"{boards[0].name_a} reports winning 5–2: is that right?" in page
    assert f"{boards[1].name_a}: {boards[1].name_a} 5–2 {boards[1].name_b}" in page
    for match in boards:
        assert fixture.entry_a.name not in seats_of(event, "M2-1")
        assert answer(fixture.entry_b, match, "confirm").status_code == 302
    assert fixture.entry_a.name in seats_of(event, "M2-1")
    assert shown(event, "M1-1").a.points == 3
    store_standings(event.pk)
    assert audit_event(event) == []


def test_a_match_is_being_played_as_long_as_one_of_its_boards_is(event):
    fixture, boards = fixture_of(event, "M1-1"), boards_of(event, "M1-1")
    send(fixture.entry_a, boards[0], "final", final_a=5, final_b=2)
    assert statuses(event) == (MatchState.PLAYING, [MatchState.REPORTED, MatchState.READY, MatchState.READY])
    send(fixture.entry_b, boards[1], "game", winner="B", cube=2, level=1, ending="bearoff")
    assert statuses(event)[1] == [MatchState.REPORTED, MatchState.PLAYING, MatchState.READY]
    win(boards[1], Side.A)
    win(boards[2], Side.A)
    assert statuses(event)[0] == MatchState.REPORTED


def test_teams_whose_reports_differ_see_where_and_the_desk_settles_it(event):
    fixture, match = fixture_of(event, "M1-1"), boards_of(event, "M1-1")[1]
    send(fixture.entry_a, match, "final", final_a=5, final_b=2)
    send(fixture.entry_b, match, "final", final_a=1, final_b=5)
    assert statuses(event) == (MatchState.DISPUTED, [MatchState.READY, MatchState.DISPUTED, MatchState.READY])
    for entry in (fixture.entry_a, fixture.entry_b):
        a, b = match.name_a, match.name_b
        said = f"The match ended {a} 5–2 {b} according to {a}, but {a} 1–5 {b} according to {b}."
        assert said in text_of(Client().get(link_of(entry)))
    director = Client()
    director.force_login(event.tournament.appointments.get().user)
    page = director.get(match.get_absolute_url()).content.decode()
    assert page.count(reverse("settle-report", args=[match.pk, "confirm"])) == 2
    settled = director.post(reverse("settle-report", args=[match.pk, "confirm"]), {"number": 2})
    assert settled.status_code == 302
    assert [sheet.state for sheet in match.sheets.all()] == [SheetState.SUPERSEDED, SheetState.CONFIRMED]


def test_the_other_team_says_that_a_report_is_wrong(event):
    fixture, match = fixture_of(event, "M1-1"), boards_of(event, "M1-1")[0]
    send(fixture.entry_a, match, "final", final_a=5, final_b=2)
    assert answer(fixture.entry_a, match, "confirm").status_code == 400
    assert answer(fixture.entry_b, match, "dispute").status_code == 302
    assert [sheet.state for sheet in match.sheets.all()] == [SheetState.DISPUTED]


def test_no_team_reports_for_others(event):
    entry, other = fixture_of(event, "M1-1").entry_a, boards_of(event, "M1-2")[0]
    assert send(entry, other, "final", final_a=5, final_b=2).status_code == 404
    assert answer(entry, other, "confirm").status_code == 404
    elsewhere = build_event(build_director("another"), players=2, boards=3)
    assert send(entry, open_matches(elsewhere)[0], "final", final_a=5, final_b=2).status_code == 404
    assert other.sheets.count() == 0


def test_a_report_that_breaks_a_rule_is_refused_at_its_board(event):
    fixture, match = fixture_of(event, "M1-1"), boards_of(event, "M1-1")[2]
    page = send(fixture.entry_a, match, "final", final_a=4, final_b=2)
    assert (page.status_code, "Nothing has been saved." in text_of(page)) == (400, True)
    asked = send(fixture.entry_a, match, "game", winner="A", cube=16, level=1, ending="bearoff")
    assert asked.status_code == 409
    assert asked.content.decode().count("Legal, but unlikely") == 1  # about the game of the one board
    assert match.sheets.count() == 0


def test_no_reserve_takes_a_board_with_a_report(event):
    fixture, match = fixture_of(event, "M1-1"), boards_of(event, "M1-1")[0]
    reserve = fixture.entry_a.people[3]
    send(fixture.entry_a, match, "final", final_a=5, final_b=2)
    with pytest.raises(Conflict) as refused:
        seat_reserve(match, side=Side.A, player_id=reserve.pk, by=None, at=AT)
    assert refused.value.code == "match_begun"


@pytest.mark.parametrize("teams", [8, 64])
def test_the_page_takes_the_same_queries_in_every_field(teams):
    event = build_event(build_director(), players=teams, boards=3, format="swiss")
    entry = event.entries.first()
    fixture = Fixture.objects.get(Q(entry_a=entry) | Q(entry_b=entry), stage__event=event)
    send(entry, fixture.matches[1], "game", winner="A", cube=2, level=1, ending="bearoff")
    with CaptureQueriesContext(connection) as queries:
        Client().get(link_of(entry))
    assert len(queries) == 38
