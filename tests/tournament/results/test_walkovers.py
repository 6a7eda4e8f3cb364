"""A whole match of teams is awarded to one of them, or neither came: all boards at once, and undone at once."""

import pytest
from django.test import Client
from django.urls import reverse

from matches.models import Conclusion, SheetState
from matches.services import current_sheet
from players.errors import Conflict
from rules.score import Side
from rules.sheet import GameResult
from tests.builders import AT, build_director, build_event, claim, fixture_of, win
from tests.tournament.corrections.test_undo import picture
from tests.tournament.entries.test_teams import boards_of, seats_of, shown
from tournament.audit import audit_event
from tournament.corrections.undo import undo_step
from tournament.draw.standings import store_standings
from tournament.entries.attendance import leave_event
from tournament.hall.calling import call_match, start_match
from tournament.hall.tables import add_tables
from tournament.log.words import tell
from tournament.models import Event
from tournament.results.enter import enter_result
from tournament.results.reports import report_result
from tournament.results.walkovers import walk_over

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(director) -> Event:
    """Four teams of three in a knockout; of M1-1 board 1 is decided, board 2 being played, board 3 not begun."""
    event = build_event(director, players=4, boards=3)
    first, second, _third = boards_of(event, "M1-1")
    win(first, Side.B)
    enter_result(second, claim=claim(games=(GameResult(Side.A, 2),)), by=None, at=AT)
    return event


def over(event: Event, to: Side | None, *, key: str = "k", reason: str = "") -> None:
    walk_over(boards_of(event, "M1-1")[0], to=to, key=key, reason=reason, by=None, at=AT)


def awards(event: Event) -> list[tuple[str, str, str]]:
    sheets = [current_sheet(match) for match in boards_of(event, "M1-1")]
    return [(sheet.conclusion, sheet.awarded_to, sheet.reason) for sheet in sheets]


def test_every_board_without_a_result_goes_to_the_team_and_the_draw_goes_on(event):
    over(event, Side.A, reason="Stuck in the snow.")
    assert awards(event) == [
        ("played", "", ""),
        ("forfeit", "A", "Stuck in the snow."),
        ("walkover", "A", "Stuck in the snow."),
    ]
    assert len(current_sheet(boards_of(event, "M1-1")[1]).lines.all()) == 1
    fixture = shown(event, "M1-1")
    assert (fixture.a.points, fixture.b.points, fixture.a.is_winner) == (2, 1, True)
    assert fixture.a.label in seats_of(event, "M2-1")
    store_standings(event.pk)
    assert audit_event(event) == []


def test_a_walkover_is_one_step_of_the_log_that_names_the_winner(event):
    before = event.log.count()
    over(event, Side.B)
    fixture = shown(event, "M1-1")
    row = event.log.first()
    assert event.log.count() == before + 1
    assert tell(row) == f"M1-1 {fixture.a.label} – {fixture.b.label}: walkover for {fixture.b.label}"


def test_if_neither_team_came_the_match_is_void_and_the_next_team_has_a_bye(director):
    event = build_event(director, players=4, boards=3)
    over(event, None)
    assert awards(event) == [("void", "", "")] * 3
    fixture = shown(event, "M1-1")
    assert (fixture.status, fixture.a.points, fixture.a.is_winner, fixture.b.is_winner) == ("void", None, False, False)
    assert tell(event.log.first()) == f"M1-1 {fixture.a.label} – {fixture.b.label}: void, neither side came"
    for match in boards_of(event, "M1-2"):
        win(match, Side.A)
    assert shown(event, "M2-1").state == "bye"
    store_standings(event.pk)
    assert sorted((line.place, line.played) for line in event.stages.get().standings.all()) == [
        (1, 1),
        (2, 0),
        (2, 0),
        (2, 1),
    ]
    assert audit_event(event) == []


def test_a_row_of_the_log_from_before_says_who_advanced_by_lot(event):
    over(event, Side.A)
    row = event.log.first()
    row.detail |= {"neither": True}
    assert tell(row).endswith(f": neither team came; {row.detail['to']} advances by lot")


def test_a_team_that_has_begun_a_board_has_come(event):
    with pytest.raises(Conflict) as refused:
        over(event, None)
    assert refused.value.code == "match_begun"
    assert event.log.filter(verb="walk_over").count() == 0


def test_a_walkover_sent_twice_is_done_once_and_its_key_is_good_for_nothing_else(event):
    over(event, Side.A)
    rows = event.log.count()
    over(event, Side.A)
    assert event.log.count() == rows
    with pytest.raises(Conflict) as refused:
        over(event, Side.B)
    assert refused.value.code == "key_reused"
    with pytest.raises(Conflict) as refused:
        over(event, Side.A, key="another")
    assert refused.value.code == "boards_decided"
    assert event.log.count() == rows


def test_a_board_with_a_report_waits_for_confirmation(event):
    third = boards_of(event, "M1-1")[2]
    report_result(third, claim=claim(final=(0, 5)), side=Side.B, by=None, at=AT)
    over(event, Side.A)
    assert [sheet.state for sheet in third.sheets.all()] == [SheetState.REPORTED]
    assert shown(event, "M1-1").a.is_winner is False


def test_a_walkover_frees_the_tables_of_its_players(event):
    third = boards_of(event, "M1-1")[2]
    add_tables(event.tournament, first=1, last=2, by=None, at=AT)
    call = call_match(third, by=None, at=AT)
    start_match(third, by=None, at=AT)
    over(event, Side.B)
    call.refresh_from_db()
    assert call.left_at == AT


@pytest.mark.parametrize(("to", "decided"), [(Side.B, ("walkover", "B")), (None, ("void", ""))])
def test_a_match_of_players_is_decided_in_the_same_step_and_undone(director, to, decided):
    event = build_event(director, players=4)
    match = fixture_of(event, "M1-1").match
    before = picture(event)
    for _time in range(2):
        walk_over(match, to=to, key="k", by=None, at=AT)
    assert [(sheet.conclusion, sheet.awarded_to) for sheet in match.sheets.all()] == [decided]
    with pytest.raises(Conflict) as refused:
        walk_over(match, to=Side.A, key="other", by=None, at=AT)
    assert refused.value.code == "sheet_changed"
    store_standings(event.pk)
    assert audit_event(event) == []
    undo_step(event.log.select_related("event").first(), by=None, at=AT)
    assert picture(event) == before


@pytest.mark.parametrize("to", [Side.A, None])
def test_every_board_is_as_it_was_when_a_walkover_is_undone(director, event, to):
    if to is None:
        event = build_event(director, players=4, boards=3, tournament=event.tournament)
    before = picture(event)
    over(event, to)
    row = event.log.select_related("event").first()
    assert picture(event) != before
    undone = undo_step(row, by=None, at=AT)
    assert picture(event) == before
    assert undone.detail["undoes"] == row.pk
    assert seats_of(event, "M2-1") == ("", "")
    assert tell(undone).endswith(": walkover taken back")
    store_standings(event.pk)
    assert audit_event(event) == []
    over(event, to, key="again")
    assert shown(event, "M1-1").state == "done"


def test_a_walkover_is_not_undone_once_something_rests_on_it(event):
    over(event, Side.A)
    row = event.log.select_related("event").first()
    for match in boards_of(event, "M1-2"):
        win(match, Side.A)
    win(boards_of(event, "M2-1")[0], Side.A)
    with pytest.raises(Conflict) as refused:
        undo_step(row, by=None, at=AT)
    assert refused.value.code == "later_match_begun"
    assert awards(event)[2][0] == Conclusion.WALKOVER


def test_a_walkover_is_not_undone_once_a_board_was_corrected(event):
    over(event, Side.A)
    row = event.log.select_related("event").first()
    win(boards_of(event, "M1-1")[2], Side.B, base=1)
    with pytest.raises(Conflict) as refused:
        undo_step(row, by=None, at=AT)
    assert refused.value.code == "sheet_changed"


def test_a_walkover_is_not_undone_once_a_team_has_left(event):
    over(event, Side.A)
    row = event.log.select_related("event").first()
    loser = fixture_of(event, "M1-1").entry_b
    leave_event(loser, kind="withdrawn", by=None, at=AT)
    with pytest.raises(Conflict) as refused:
        undo_step(row, by=None, at=AT)
    assert refused.value.code == "walkover_of_absence"


def test_the_page_of_a_board_has_one_button_for_each_team(event, director):
    client = Client()
    client.force_login(director)
    match = boards_of(event, "M1-1")[0]
    address = reverse("walkover", args=[match.pk])
    assert f'action="{address}"' in client.get(match.get_absolute_url()).content.decode()
    pairings = client.get(reverse("pairings", args=[event.tournament.slug, event.slug])).content.decode()
    assert f'href="{match.get_absolute_url()}#walkover"' in pairings
    assert client.post(address, {"key": "k", "to": "C"}).status_code == 400
    assert client.post(address, {"key": "k", "to": "B"}).status_code == 302
    assert [side for _conclusion, side, _reason in awards(event)] == ["", "B", "B"]
    assert address not in client.get(match.get_absolute_url()).content.decode()
    assert client.post(address, {"key": "other", "to": "B"}).status_code == 409


def test_nobody_else_sees_the_button(event):
    match = boards_of(event, "M1-1")[0]
    stranger = Client()
    stranger.force_login(build_director("stranger"))
    for client in (Client(), stranger):
        assert reverse("walkover", args=[match.pk]) not in client.get(match.get_absolute_url()).content.decode()
