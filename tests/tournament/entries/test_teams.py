"""Teams with several boards: entered, drawn, played board by board, corrected, audited and drawn again."""

import random
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given, settings
from hypothesis import strategies as st

from matches.models import Conclusion, Match
from matches.ratings import rateable_sheets
from players.errors import Conflict, Refusal
from players.services import create_player
from rules.score import Level, Side
from rules.sheet import GameResult
from tests.builders import (
    AT,
    build_director,
    build_event,
    build_terms,
    build_tournament,
    claim,
    open_matches,
    play_out,
    win,
)
from tests.fresh import ExampleTestCase
from tests.tournament.replay.test_random_events import current_number, random_claim
from tournament.audit import audit_event, audit_everything
from tournament.draw.chain import load_chain
from tournament.draw.make import cancel_draw, make_draw
from tournament.draw.standings import store_standings
from tournament.events.deletion import delete_event
from tournament.events.services import finish_event, update_event
from tournament.formats import FORMATS
from tournament.models import Board, Entry, Event, Member
from tournament.models.team import matches_in, present_matches
from tournament.results.boards import seat_reserve
from tournament.results.enter import enter_result, void_result
from tournament.snapshot import FixtureState, take_snapshot

pytestmark = pytest.mark.long


@pytest.fixture
def event(director):
    """Four teams of three, each with a reserve, drawn in a knockout."""
    return build_event(director, players=4, boards=3)


def boards_of(event: Event, key: str) -> list[Match]:
    boards = Board.objects.filter(fixture__stage__event=event, fixture__key=key)
    return [board.match for board in boards.select_related("match__side_a", "match__side_b").order_by("number")]


def seats_of(event: Event, key: str) -> tuple[str, str]:
    fixture = event.stages.get(number=1).fixtures.select_related("entry_a__player", "entry_b__player").get(key=key)
    return str(fixture.entry_a or ""), str(fixture.entry_b or "")


def shown(event: Event, key: str):
    return next(fixture for fixture in take_snapshot(event.pk).stage.fixtures if fixture.key == key)


# Terms


@pytest.mark.parametrize("boards", [0, 10, 11])
def test_teams_have_two_to_nine_boards(director, boards):
    with pytest.raises(Refusal) as refused:
        build_event(director, players=0, boards=boards, drawn=False)
    assert refused.value.code == "boards_not_odd"
    assert f"not {boards}" in str(refused.value)
    assert Event.objects.count() == 0


def test_an_event_is_of_teams_or_of_pairs(director):
    with pytest.raises(Refusal) as refused:
        build_event(director, players=0, boards=3, doubles=True, drawn=False)
    assert refused.value.code == "teams_of_pairs"


def test_number_of_boards_is_fixed_while_teams_are_entered(event, director):
    cancel_draw(event, by=None, at=AT)
    with pytest.raises(Conflict) as refused:
        update_event(event, build_terms(boards=5, tiebreaks=()), by=director, at=AT)
    assert refused.value.code == "event_has_entries"


# Play


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_is_played_by_teams_to_its_end(director, format):
    teams = 8 if format == "jackpot" else max(4, FORMATS[format].min_entrants)
    event = build_event(director, players=teams, boards=3, format=format, lengths=(1,))
    play_out(event)
    finish_event(event, by=None, at=AT)
    store_standings(event.pk)
    stage = take_snapshot(event.pk).stage
    assert stage.done == stage.matches
    assert audit_event(event) == []


def test_two_teams_meet_on_every_board_in_the_order_of_their_members(event):
    a, b = (Entry.objects.get(team=name) for name in seats_of(event, "M1-1"))
    sides = [(match.side_a.name, match.side_b.name) for match in boards_of(event, "M1-1")]
    names = [[person.name for person in entry.people[:3]] for entry in (a, b)]
    assert sides == list(zip(*names, strict=True))
    assert boards_of(event, "M2-1") == []


def test_the_team_with_more_boards_goes_on_once_every_board_is_decided(event):
    first, second, third = boards_of(event, "M1-1")
    a, _b = seats_of(event, "M1-1")
    win(first, Side.A)
    win(second, Side.A)
    assert (shown(event, "M1-1").state, seats_of(event, "M2-1")[0]) == (FixtureState.LIVE, "")
    win(third, Side.B)
    decided = shown(event, "M1-1")
    assert (decided.state, decided.a.points, decided.b.points, decided.a.is_winner) == (FixtureState.DONE, 2, 1, True)
    assert seats_of(event, "M2-1")[0] == a


def test_points_of_a_team_are_the_boards_it_won(event):
    a, b = seats_of(event, "M1-1")
    for match, side in zip(boards_of(event, "M1-1"), (Side.B, Side.A, Side.B), strict=True):
        win(match, side, loser_points=4)
    store_standings(event.pk)
    lines = {line.entry.name: line for line in take_snapshot(event.pk).stage.standings}
    assert (lines[b].wins, lines[b].points_for, lines[b].points_against) == (1, 2, 1)
    assert (lines[a].losses, lines[a].points_for, lines[a].points_against) == (1, 1, 2)


def test_teams_that_never_met_have_no_points(event):
    _a, b = seats_of(event, "M1-1")
    for match in boards_of(event, "M1-1"):
        enter_result(match, claim=claim(conclusion=Conclusion.WALKOVER, awarded_to=Side.B), by=None, at=AT)
    store_standings(event.pk)
    line = next(line for line in take_snapshot(event.pk).stage.standings if line.entry.name == b)
    assert (line.wins, line.points_for, line.points_against) == (1, 0, 0)


def test_a_correction_moves_the_teams_of_a_later_fixture(event):
    a, b = seats_of(event, "M1-1")
    matches = boards_of(event, "M1-1")
    for match in matches:
        win(match, Side.A)
    for match in boards_of(event, "M1-2"):
        win(match, Side.A)
    later = {match.pk for match in boards_of(event, "M2-1")}
    assert seats_of(event, "M2-1")[0] == a
    win(matches[0], Side.B, base=1)
    assert seats_of(event, "M2-1")[0] == a
    win(matches[1], Side.B, base=1)
    assert seats_of(event, "M2-1")[0] == b
    assert not later & {match.pk for match in boards_of(event, "M2-1")}
    assert Match.objects.filter(pk__in=later).count() == 0


def test_a_correction_that_would_empty_a_begun_board_names_it(event):
    for key in ("M1-1", "M1-2"):
        for match in boards_of(event, key):
            win(match, Side.A)
    final = boards_of(event, "M2-1")[1]
    enter_result(final, claim=claim(games=(GameResult(Side.A, 1, Level.SINGLE),)), by=None, at=AT)
    first, second, _third = boards_of(event, "M1-1")
    win(first, Side.B, base=1)
    with pytest.raises(Conflict) as refused:
        win(second, Side.B, base=1)
    assert refused.value.code == "later_match_begun"
    assert f"M2-1 board 2: {final}" in str(refused.value)


def test_event_ends_only_when_every_board_is_decided(event):
    for key in ("M1-1", "M1-2"):
        for match in boards_of(event, key):
            win(match, Side.A)
    final = boards_of(event, "M2-1")
    for match in final[:2]:
        win(match, Side.B)
    with pytest.raises(Conflict, match="1 match has no result yet"):
        finish_event(event, by=None, at=AT)
    win(final[2], Side.A)
    finish_event(event, by=None, at=AT)
    store_standings(event.pk)
    assert audit_event(event) == []


def test_the_draw_is_taken_back_until_a_board_has_a_result(event):
    cancel_draw(event, by=None, at=AT)
    assert (Board.objects.count(), Match.objects.count()) == (0, 0)
    make_draw(event, by=None, at=AT)
    win(boards_of(event, "M1-1")[2], Side.A)
    with pytest.raises(Conflict) as refused:
        cancel_draw(event, by=None, at=AT)
    assert refused.value.code == "draw_in_play"


# What is held against it


def test_redraw_gives_the_draw_of_teams_again(event, tmp_path):
    listed = tmp_path / "teams.txt"
    listed.write_text(
        "".join(f"{entry.team}: {', '.join(p.name for p in entry.people)}\n" for entry in event.entries.all())
    )
    for match in boards_of(event, "M1-1"):
        win(match, Side.B)
    name = f"{event.tournament.slug}/{event.slug}"
    for arguments in ([name], [name, "--entries", str(listed)]):
        out = StringIO()
        call_command("redraw", *arguments, stdout=out)
        assert "This is the published draw." in out.getvalue()


def test_a_board_is_a_match_of_a_draw_until_its_event_is_deleted(event, director):
    play_out(event)
    store_standings(event.pk)
    assert list(audit_everything()) == []
    matches = matches_in(event)
    rated = rateable_sheets().filter(match__in=matches)
    assert (rated.count(), present_matches(matches).count()) == (9, 9)
    delete_event(event, typed=event.name, by=director, at=AT)
    assert (rated.all().count(), present_matches(matches.all()).count()) == (0, 0)


def found(event: Event) -> set[tuple[str, str]]:
    event.refresh_from_db()
    store_standings(event.pk)
    return {(difference.check, difference.what) for difference in audit_event(event)}


def test_audit_names_a_member_at_the_wrong_board(event):
    first, second, _third = boards_of(event, "M1-1")
    Match.objects.filter(pk=first.pk).update(side_a=second.side_a)
    assert found(event) == {("matches", "players")}


def test_audit_names_a_missing_board_and_one_too_many(event):
    board = Board.objects.get(match=boards_of(event, "M1-1")[2])
    Board.objects.filter(pk=board.pk).update(number=4)
    assert found(event) == {("matches", "match"), ("matches", "players")}


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda event: Member.objects.filter(entry=event.entries.first(), board=3).delete(), "boards"),
        (lambda event: Entry.objects.filter(pk=event.entries.first().pk).update(team=""), "team"),
    ],
)
def test_audit_names_an_impossible_team(event, change, what):
    change(event)
    assert ("entries", what) in found(event)


def test_audit_names_a_player_in_two_teams(event):
    first, second = event.entries.order_by("number")[:2]
    Member.objects.filter(entry=second, board=4).update(player=first.people[3])
    assert ("entries", f"team of {first.people[3]}") in found(event)


def test_audit_names_members_of_a_player(director):
    event = build_event(director, players=2)
    Member.objects.create(entry=event.entries.first(), player=create_player(name="Xu", at=AT), board=2)
    assert ("entries", "team") in found(event)


def test_audit_names_a_board_whose_result_nobody_entered(event):
    win(boards_of(event, "M1-1")[1], Side.A)
    event.log.filter(verb="enter_result").delete()
    assert found(event) == {("log", "score")}


def queries_of(action) -> int:
    with CaptureQueriesContext(connection) as queries:
        action()
    return len(queries)


def test_queries_do_not_grow_with_the_teams_or_their_boards(director):
    tournament = build_tournament(director)
    seen = {"snapshot": set(), "chain": set(), "result": set(), "audit": set()}
    for teams, boards in ((8, 3), (16, 3), (8, 9)):
        event = build_event(director, players=teams, boards=boards, tournament=tournament)
        seen["result"].add(queries_of(lambda event=event: win(open_matches(event)[0], Side.A)))
        seen["snapshot"].add(queries_of(lambda event=event: take_snapshot(event.pk)))
        seen["chain"].add(queries_of(lambda event=event: load_chain(event)))
        store_standings(event.pk)
        seen["audit"].add(queries_of(lambda event=event: audit_event(event)))
    assert {name: len(counts) for name, counts in seen.items()} == dict.fromkeys(seen, 1)
    assert seen["result"] == {29}


class RandomTeams(ExampleTestCase):
    @settings(max_examples=6)
    @given(
        teams=st.integers(2, 6),
        boards=st.sampled_from([3, 5]),
        format=st.sampled_from(list(FORMATS)),
        changes=st.integers(0, 15),
        seed=st.integers(0, 2**32),
    )
    def test_everything_adds_up_after_random_changes(self, teams, boards, format, changes, seed):
        rng = random.Random(seed)
        by_lot = {"format": format, "lengths": (3,), "seed": str(seed)}
        event = build_event(build_director(), players=teams, boards=boards, **by_lot)
        for _change in range(changes):
            matches = list(matches_in(event).order_by("pk"))
            if not matches:  # a jackpot that has not filled
                break
            match = rng.choice(matches)
            base = current_number(match)
            try:
                if rng.random() < 0.2:
                    side = rng.choice(list(Side))
                    board = match.board
                    entry = board.fixture.entry_a if side is Side.A else board.fixture.entry_b
                    player = rng.choice(entry.people)
                    seat_reserve(match, side=side, player_id=player.pk, by=None, at=AT)
                elif base and rng.random() < 0.2:
                    void_result(match, base=base, reason="as chance has it", by=None, at=AT)
                else:
                    enter_result(match, claim=random_claim(match, rng, base), by=None, at=AT)
            except Refusal as refused:
                if refused.code not in {"later_match_begun", "match_begun", "not_a_reserve", "reserve_taken"}:
                    raise
        store_standings(event.pk)
        assert audit_event(event) == []
