"""Teams of several boards: entered, drawn, played board by board, corrected, audited and drawn again."""

import random
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from matches.models import Conclusion, Match
from matches.ratings import rateable_sheets
from players.errors import Conflict, Refusal
from players.models import Player
from players.services import create_player
from rules.score import Level, Side
from rules.sheet import GameResult
from tests.builders import AT, build_director, build_event, build_tournament, claim, open_matches, play_out, win
from tests.tournament.test_random_events import current_number, random_claim
from tournament.audit import audit_event, audit_everything
from tournament.chain import load_chain
from tournament.entry_list import EntryLine, parse_csv, parse_pasted, parse_team
from tournament.formats import FORMATS
from tournament.formats.drawing import draw_hash
from tournament.formats.plan import Entrant
from tournament.models import Board, Entry, Event, Member, Stage
from tournament.models.team import matches_in, present_matches
from tournament.services.boards import seat_reserve
from tournament.services.deletion import delete_event
from tournament.services.draw import cancel_draw, make_draw
from tournament.services.entries import add_entries
from tournament.services.events import finish_event, update_event
from tournament.services.hall import call_match, start_match
from tournament.services.results import enter_result, void_result
from tournament.services.standings import store_standings
from tournament.services.tables import add_tables
from tournament.snapshot import FixtureState, take_snapshot


@pytest.fixture
def event(director):
    """Four teams of three, each with a reserve, drawn in a knockout."""
    return build_event(director, players=4, boards=3)


@pytest.fixture
def open_event(director):
    return build_event(director, players=0, boards=3, drawn=False)


def enter(event: Event, text: str) -> list[Entry]:
    return add_entries(event, lines=parse_pasted(text), by=None, at=AT)


def boards_of(event: Event, key: str) -> list[Match]:
    boards = Board.objects.filter(fixture__stage__event=event, fixture__key=key)
    return [board.match for board in boards.select_related("match__side_a", "match__side_b").order_by("number")]


def seats_of(event: Event, key: str) -> tuple[str, str]:
    fixture = event.stages.get(number=1).fixtures.select_related("entry_a__player", "entry_b__player").get(key=key)
    return str(fixture.entry_a or ""), str(fixture.entry_b or "")


def shown(event: Event, key: str):
    return next(fixture for fixture in take_snapshot(event.pk).stage.fixtures if fixture.key == key)


# Terms


@pytest.mark.parametrize("boards", [0, 2, 4, 6, 8, 10, 11])
def test_teams_have_an_odd_number_of_boards(director, boards):
    with pytest.raises(Refusal) as refused:
        build_event(director, players=0, boards=boards, drawn=False)
    assert refused.value.code == "boards_not_odd"
    assert f"not {boards}" in str(refused.value)
    assert Event.objects.count() == 0


def test_an_event_is_of_teams_or_of_pairs(director):
    with pytest.raises(Refusal) as refused:
        build_event(director, players=0, boards=3, doubles=True, drawn=False)
    assert refused.value.code == "teams_of_pairs"


def test_number_of_boards_stays_while_teams_are_entered(event, director):
    cancel_draw(event, by=None, at=AT)
    terms = {"name": "Main", "format": "single-elimination", "options": {"lengths": [5]}, "profile": "wbgf"}
    with pytest.raises(Conflict) as refused:
        update_event(event, **terms, crawford=True, boards=5, tiebreaks=[], by=director, at=AT)
    assert refused.value.code == "event_has_entries"


# Entries


def test_a_team_is_entered_with_its_members_in_the_order_of_the_boards(open_event):
    enter(open_event, "Odense Bulldogs: Anna Berg, Bo Holm (Malmö), Carl Xu, Dora Vang; Odense; DK")
    entry = open_event.entries.get()
    people = [(person.name, person.club.name, person.country) for person in entry.people]
    assert (entry.name, people) == (
        "Odense Bulldogs",
        [
            ("Anna Berg", "Odense", "DK"),
            ("Bo Holm", "Malmö", "DK"),
            ("Carl Xu", "Odense", "DK"),
            ("Dora Vang", "Odense", "DK"),
        ],
    )
    (view,) = take_snapshot(open_event.pk).entries
    assert [(member.board, member.name) for member in view.members] == [
        (1, "Anna Berg"),
        (2, "Bo Holm"),
        (3, "Carl Xu"),
        (4, "Dora Vang"),
    ]
    # All are of one country, and not of one club.
    assert (view.club, view.country) == ("", "DK")


@pytest.mark.parametrize(
    "text",
    [
        'name,seed\n"Bulldogs: Anna, Bo, Carl",2\n',
        "team;members;seed\nBulldogs;Anna, Bo, Carl;2\n",
        "Hold\tMedlemmer\tSeedning\nBulldogs\tAnna, Bo, Carl\t2\n",
    ],
)
def test_a_file_names_teams_with_their_members(open_event, text):
    add_entries(open_event, lines=parse_csv(text.encode()), by=None, at=AT)
    entry = open_event.entries.get()
    assert (entry.name, [person.name for person in entry.people], entry.seed) == ("Bulldogs", ["Anna", "Bo", "Carl"], 2)


def test_a_file_of_one_column_needs_no_quotes(open_event):
    add_entries(open_event, lines=parse_csv(b"name\nBulldogs: Anna, Bo, Carl\n"), by=None, at=AT)
    assert [person.name for person in open_event.entries.get().people] == ["Anna", "Bo", "Carl"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Bulldogs: Anna, Bo", "team_size"),
        ("Bulldogs", "team_size"),
        ("Bulldogs: " + ", ".join(f"Anna {number}" for number in range(21)), "team_size"),
        (": Anna, Bo, Carl", "name_empty"),
        ("Bulldogs: Anna, Bo, anna", "entry_twice"),
        ("Bulldogs: Anna, Bo, Carl\nKings: Dora, Eva, Carl", "entry_twice"),
        ("Bulldogs: Anna, Bo, Carl\nKings: Dora, Eva, Finn, Anna", "entry_twice"),
        ("Bulldogs: Anna, Bo, Carl\nBULLDOGS: Dora, Eva, Finn", "team_name_taken"),
    ],
)
def test_a_team_that_cannot_be_enters_nobody(open_event, text, code):
    with pytest.raises(Refusal) as refused:
        enter(open_event, text)
    assert (refused.value.code, open_event.entries.count(), Member.objects.count()) == (code, 0, 0)


def test_nobody_is_in_two_teams_that_are_entered_one_after_the_other(open_event):
    enter(open_event, "Bulldogs: Anna, Bo, Carl, Dora")
    with pytest.raises(Refusal, match="Line 1: Dora is entered already"):
        enter(open_event, "Kings: Eva, Finn, Gry, Dora")


def test_members_belong_to_events_of_teams(director):
    event = build_event(director, players=0, drawn=False)
    line = EntryLine(name="Bulldogs", members=(EntryLine(name="Anna"),))
    with pytest.raises(Refusal) as refused:
        add_entries(event, lines=[line], by=None, at=AT)
    assert refused.value.code == "event_without_teams"


def test_a_team_that_is_out_of_a_jackpot_enters_again_whole(director):
    event = build_event(director, players=8, boards=3, format="jackpot", lengths=(1,))
    play_out(event)
    first = event.entries.order_by("number").first()
    members = ", ".join(person.name for person in first.people)
    with pytest.raises(Refusal, match="is entered already"):
        enter(event, "Another: " + members)
    enter(event, f"{first.team}: {members}")
    assert [entry.name for entry in event.entries.filter(team=first.team)] == ["Team 1", "Team 1 (2)"]
    store_standings(event.pk)
    assert audit_event(event) == []


def test_the_hash_before_the_draw_covers_the_members(open_event):
    enter(open_event, "Bulldogs: Anna, Bo, Carl\nKings: Dora, Eva, Finn, Gry")
    stage = open_event.stages.get()
    field = [
        Entrant(1, "Bulldogs", members=("Anna", "Bo", "Carl")),
        Entrant(2, "Kings", members=("Dora", "Eva", "Finn", "Gry")),
    ]
    before = take_snapshot(open_event.pk).stage.draw_hash
    assert before == draw_hash(stage.seed, field)
    Member.objects.filter(board=4).delete()
    assert take_snapshot(open_event.pk).stage.draw_hash != before


def test_teams_of_one_club_are_kept_apart(director):
    event = build_event(director, players=0, boards=3, drawn=False, options={"protect": "club"})
    clubs = ("Odense", "Odense", "", "Lund")
    for number, club in enumerate(clubs):
        names = ", ".join(f"{name} {number}" for name in ("Anna", "Bo", "Carl"))
        enter(event, f"Team {number}: {names}; {club}")
    for seed in range(20):
        Stage.objects.filter(event=event).update(seed=str(seed))
        make_draw(event, by=None, at=AT)
        assert {"Team 0", "Team 1"} not in [set(seats_of(event, key)) for key in ("M1-1", "M1-2")]
        cancel_draw(event, by=None, at=AT)


# Play


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_is_played_by_teams_to_its_end(director, format):
    teams = 8 if format == "jackpot" else 4
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


# Reserves


def reserve_of(name: str) -> Player:
    return Entry.objects.get(team=name).people[-1]


def test_a_reserve_takes_a_board_and_leaves_it_again(event):
    a, _b = seats_of(event, "M1-1")
    match = boards_of(event, "M1-1")[1]
    own = match.side_a
    seat_reserve(match, side=Side.A, player_id=reserve_of(a).pk, by=None, at=AT)
    assert boards_of(event, "M1-1")[1].side_a == reserve_of(a)
    assert event.log.first().verb == "seat_reserve"
    seat_reserve(match, side=Side.A, player_id=own.pk, by=None, at=AT)
    assert boards_of(event, "M1-1")[1].side_a == own
    store_standings(event.pk)
    assert audit_event(event) == []


def test_a_reserve_stays_when_another_board_is_decided(event):
    a, _b = seats_of(event, "M1-1")
    first, second, _third = boards_of(event, "M1-1")
    seat_reserve(second, side=Side.A, player_id=reserve_of(a).pk, by=None, at=AT)
    win(first, Side.B)
    assert boards_of(event, "M1-1")[1].side_a == reserve_of(a)
    store_standings(event.pk)
    assert audit_event(event) == []


@pytest.mark.parametrize(
    ("seat", "code"), [("stranger", "not_a_reserve"), ("other team", "not_a_reserve"), ("other board", "not_a_reserve")]
)
def test_only_a_reserve_of_the_team_takes_a_board(event, seat, code):
    _a, b = seats_of(event, "M1-1")
    first, second, _third = boards_of(event, "M1-1")
    who = {
        "stranger": create_player(name="Xu", at=AT),
        "other team": reserve_of(b),
        "other board": second.side_a,
    }[seat]
    with pytest.raises(Refusal) as refused:
        seat_reserve(first, side=Side.A, player_id=who.pk, by=None, at=AT)
    assert (refused.value.code, boards_of(event, "M1-1")[0].side_a) == (code, first.side_a)


def test_a_reserve_sits_at_one_board_of_a_fixture(event):
    a, _b = seats_of(event, "M1-1")
    first, second, _third = boards_of(event, "M1-1")
    seat_reserve(first, side=Side.A, player_id=reserve_of(a).pk, by=None, at=AT)
    with pytest.raises(Conflict) as refused:
        seat_reserve(second, side=Side.A, player_id=reserve_of(a).pk, by=None, at=AT)
    assert refused.value.code == "reserve_taken"


def test_nobody_takes_the_board_of_a_match_that_has_begun(event):
    a, _b = seats_of(event, "M1-1")
    match = boards_of(event, "M1-1")[0]
    enter_result(match, claim=claim(games=(GameResult(Side.A, 1, Level.SINGLE),)), by=None, at=AT)
    with pytest.raises(Conflict) as refused:
        seat_reserve(match, side=Side.A, player_id=reserve_of(a).pk, by=None, at=AT)
    assert refused.value.code == "match_begun"


def test_a_result_taken_back_stays_with_those_who_played_it(event):
    a, _b = seats_of(event, "M1-1")
    played = boards_of(event, "M1-1")[0]
    win(played, Side.A)
    void_result(played, base=1, reason="wrong board", by=None, at=AT)
    own = played.side_a
    now = seat_reserve(played, side=Side.A, player_id=reserve_of(a).pk, by=None, at=AT)
    played.refresh_from_db()
    assert (played.side_a, now.side_a, boards_of(event, "M1-1")[0]) == (own, reserve_of(a), now)
    store_standings(event.pk)
    assert audit_event(event) == []


def test_a_reserve_goes_to_the_table_to_which_the_board_is_called(event):
    a, _b = seats_of(event, "M1-1")
    match = boards_of(event, "M1-1")[0]
    own, reserve = match.side_a, reserve_of(a)
    add_tables(event.tournament, first=1, last=2, by=None, at=AT)
    call = call_match(match, by=None, at=AT)
    seat_reserve(match, side=Side.A, player_id=reserve.pk, by=None, at=AT)
    assert set(call.seats.values_list("person", flat=True)) == {reserve.pk, match.side_b_id}
    start_match(match, by=None, at=AT)
    with pytest.raises(Conflict) as refused:
        seat_reserve(match, side=Side.A, player_id=own.pk, by=None, at=AT)
    assert refused.value.code == "match_begun"


def test_a_match_of_players_has_no_reserves(director):
    event = build_event(director, players=4)
    match = open_matches(event)[0]
    with pytest.raises(Refusal) as refused:
        seat_reserve(match, side=Side.A, player_id=match.side_b_id, by=None, at=AT)
    assert refused.value.code == "match_without_teams"


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


def test_audit_names_who_sits_at_the_wrong_board(event):
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
def test_audit_names_a_team_that_is_none(event, change, what):
    change(event)
    assert ("entries", what) in found(event)


def test_audit_names_who_is_in_two_teams(event):
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


class RandomTeams(TestCase):
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


def test_a_line_of_a_team_is_read():
    line = parse_team(EntryLine(name="Kings: Anna , Bo (Malmö),, Carl", club="Lund", country="SE", line=4))
    assert (line.name, [(member.name, member.club, member.country, member.line) for member in line.members]) == (
        "Kings",
        [("Anna", "Lund", "SE", 4), ("Bo", "Malmö", "SE", 4), ("Carl", "Lund", "SE", 4)],
    )
