"""An event of teams as it stood at any moment: the players at each board, and what they claimed."""

import random
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from matches.services import current_sheet
from rules.score import Side
from tests.builders import AT, build_director, build_event, claim, fixture_of, open_matches, win
from tests.tournament.api.client import CheckedClient
from tests.tournament.entries.test_teams import boards_of
from tests.tournament.past.test_past import Scene
from tests.tournament.past.test_past import picture as picture_of_pairings
from tournament.audit import audit_event
from tournament.corrections.undo import undo_step
from tournament.draw.make import make_draw
from tournament.draw.reconcile import Repair
from tournament.draw.standings import store_standings
from tournament.entries.services import remove_entry
from tournament.models import Event, FormerMatch, Stage
from tournament.past.event import Moment, snapshot_at
from tournament.results.boards import seat_reserve
from tournament.results.enter import enter_result, void_result
from tournament.results.reports import report_result
from tournament.results.walkovers import walk_over
from tournament.snapshot import take_snapshot

pytestmark = pytest.mark.django_db


def picture(snapshot) -> object:
    """What is shown of teams, pairings and places, and of each board: its players, its score and what it is worth."""
    boards = [
        (f.key, board.number, board.a.label, board.b.label, board.score, board.a.points, board.a.is_winner)
        for stage in snapshot.stages
        for f in stage.fixtures
        for board in f.boards
    ]
    members = [(entry.name, entry.members) for entry in snapshot.entries]
    return picture_of_pairings(snapshot), boards, members


class TeamScene(Scene):
    def do(self, step, *args, **kwargs) -> None:
        super().do(step, *args, **kwargs)
        moment, _seen = self.seen[-1]
        self.seen[-1] = (moment, picture(take_snapshot(self.event.pk)))

    def win_board(self, key: str, number: int, winner: Side, **rest) -> None:
        match = boards_of(self.event, key)[number - 1]
        sheet = current_sheet(match)
        final = (match.length, 1) if winner is Side.A else (1, match.length)
        said = claim(final=final, base=sheet.number if sheet else 0, reason="Seen.")
        self.do(enter_result, match, claim=said, may_repair=True, **rest)

    def seat(self, key: str, number: int, index: int) -> None:
        """Seat a member of team A at the board: ``index`` is the place in the order of the team."""
        entry = fixture_of(self.event, key).entry_a
        match = boards_of(self.event, key)[number - 1]
        self.do(seat_reserve, match, side=Side.A, player_id=entry.people[index].pk)

    def check(self) -> None:
        for moment, seen in self.seen:
            assert picture(snapshot_at(self.event.pk, moment)) == seen


@pytest.fixture
def scene() -> TeamScene:
    return TeamScene(build_event(build_director(), players=4, boards=3))


def test_boards_reports_walkovers_and_their_undoing_are_shown_as_they_stood(scene):
    scene.do(report_result, boards_of(scene.event, "M1-1")[0], claim=claim(final=(5, 3)), side=Side.A)
    scene.win_board("M1-1", 1, Side.B)
    scene.do(walk_over, boards_of(scene.event, "M1-1")[0], to=Side.A, key="k")
    scene.do(undo_step, scene.event.log.select_related("event").first())
    scene.win_board("M1-1", 2, Side.B)
    scene.win_board("M1-1", 3, Side.A)
    scene.check()


def test_members_are_shown_at_the_boards_where_they_sat(scene):
    scene.seat("M1-1", 2, 3)
    scene.seat("M1-1", 2, 1)
    scene.win_board("M1-1", 2, Side.B)
    match = boards_of(scene.event, "M1-1")[1]
    scene.do(void_result, match, base=1, reason="Wrong board.")
    scene.seat("M1-1", 2, 3)  # the match before keeps its history, and the board has another
    assert boards_of(scene.event, "M1-1")[1] != match
    scene.win_board("M1-1", 2, Side.A)
    scene.check()


def test_a_match_that_left_the_draw_is_there_with_all_its_boards(scene):
    for key in ("M1-1", "M1-2"):
        for number in (1, 2, 3):
            scene.win_board(key, number, Side.A)
    scene.seat("M2-1", 3, 3)
    scene.win_board("M2-1", 1, Side.B)
    scene.win_board("M1-1", 1, Side.B)
    scene.win_board("M1-1", 2, Side.B, repair=Repair.REPLAY)
    assert sorted(FormerMatch.objects.values_list("key", "board")) == [("M2-1", 1), ("M2-1", 2), ("M2-1", 3)]
    scene.win_board("M2-1", 2, Side.A)
    scene.check()
    assert audit_event(scene.event) == []


def test_a_board_that_left_the_draw_before_it_was_played_is_in_no_players_list(scene):
    for key in ("M1-1", "M1-2"):
        for number in (1, 2, 3):
            scene.win_board(key, number, Side.A)
    scene.win_board("M2-1", 1, Side.B)
    played, unplayed = (board.side_a for board in boards_of(scene.event, "M2-1")[:2])
    scene.win_board("M1-1", 1, Side.B)
    scene.win_board("M1-1", 2, Side.B, repair=Repair.REPLAY)
    for player, count in ((played, 2), (unplayed, 1)):
        listed = Client().get(reverse("player", args=[player.pk])).context["lines"]
        assert len(listed) == count


def test_a_team_that_was_taken_out_still_has_its_members(scene):
    event = build_event(build_director("another"), players=3, boards=3, drawn=False)
    scene = TeamScene(event)
    scene.do(make_draw, event)
    scene.do(undo_step, event.log.select_related("event").first())
    scene.do(remove_entry, event.entries.last())
    scene.do(make_draw, event)
    drawn, *others = scene.seen
    scene.seen = others
    scene.check()
    # Nobody had begun the matches of the draw that was taken back: they are gone, the pairings are told.
    then = picture(snapshot_at(event.pk, drawn[0]))
    assert (then[0], then[2]) == (drawn[1][0], drawn[1][2])


@pytest.mark.parametrize("format", ["swiss", "double-elimination", "round-robin"])
def test_rounds_are_shown_as_they_were_paired(format):
    event = build_event(build_director(), players=5, boards=3, format=format, lengths=(3,), drawn=False)
    Stage.objects.filter(event=event).update(seed="of a test")
    make_draw(event, by=None, at=AT)
    scene = TeamScene(event)
    rng = random.Random(5)
    for _step in range(12):
        matches = open_matches(event)
        if not matches:
            break
        board = matches[0].board
        scene.win_board(board.fixture.key, board.number, rng.choice(list(Side)))
    scene.check()


def test_pages_of_the_past_show_teams(scene):
    scene.win_board("M1-1", 1, Side.A)
    row = scene.event.log.first()
    scene.win_board("M1-1", 2, Side.A)
    for name in ("pairings", "bracket", "standings"):
        page = Client().get(reverse(name, args=[scene.event.tournament.slug, scene.event.slug]), {"at": row.pk})
        assert (page.status_code, "As it stood on" in page.content.decode()) == (200, True)


@pytest.mark.parametrize("teams", [8, 64])
def test_the_past_takes_the_same_queries_in_every_field(teams):
    event = build_event(build_director(), players=teams, boards=3)
    win(open_matches(event)[0], Side.A)
    store_standings(event.pk)
    with CaptureQueriesContext(connection) as queries:
        snapshot_at(event.pk, Moment(AT))
    assert len(queries) == 16


def test_the_api_shows_the_past_of_a_team_event(db):
    event: Event = build_event(build_director(), players=2, boards=3)
    row = event.log.first()
    enter_result(open_matches(event)[0], claim=claim(final=(5, 0)), by=None, at=AT + timedelta(minutes=1))
    told = CheckedClient().get(f"events/{event.pk}/at/{row.pk}/").json()
    assert [board["score"] for board in told["stages"][0]["fixtures"][0]["boards"]] == [[0, 0]] * 3
