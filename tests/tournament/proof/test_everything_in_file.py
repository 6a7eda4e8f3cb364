"""Files of events in which anything happened that an event can have: every scene of the replay, and every format."""

import json
import random
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command

from rules.score import Side
from tests.builders import AT, SEED, build_event, claim, open_matches, play_out, win
from tests.tournament.draw.test_hand import swap
from tests.tournament.replay.scenes import SCENES, by_hand
from tournament.draw.hand import change_draw
from tournament.draw.make import cancel_draw, make_draw
from tournament.entries.services import withdraw_entry
from tournament.events.stages import add_stage
from tournament.formats.moves import MoveKind
from tournament.models import Carry, Event
from tournament.past.draw_file import draw_file_of
from tournament.proof.check import Report, check_file
from tournament.proof.faults import FileFault
from tournament.proof.read import read_draw_file
from tournament.proof.write import file_as_json, write_draw_file
from tournament.results.enter import enter_result
from tournament.results.error_rates import set_error_rates

pytestmark = [pytest.mark.django_db, pytest.mark.long]


def checked(event: Event) -> Report:
    """Check the file of the event, which says the same once it is written, read and written again."""
    data = write_draw_file(draw_file_of(event))
    file = read_draw_file(data)
    assert write_draw_file(file) == data
    return check_file(file)


def codes(file: dict) -> set[str]:
    """The codes of what is wrong with the file, given as JSON."""
    try:
        return {finding.code for finding in check_file(read_draw_file(json.dumps(file).encode())).wrong}
    except FileFault as fault:
        return {fault.code}


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
def test_every_scene_of_the_replay_agrees(director, scene):
    report = checked(scene(director))
    assert report.wrong == ()
    assert "pairings_agree" in {finding.code for finding in report.findings}


def test_a_change_by_hand_agrees_and_is_named_with_its_reason(director):
    event = by_hand(director)
    named = [finding.message for finding in checked(event).findings if finding.code == "moved_by_hand"]
    swapped = event.log.filter(verb="change_draw", detail__reason="Again.").get().detail["names"]
    assert len(named) == 2
    assert named[0].startswith("The director swapped ")
    assert all(name in named[0] for name in swapped)
    assert named[0].endswith(" in this draw by hand: Again.")
    assert named[1].startswith("The director paired ")
    assert named[1].endswith(" in round 1 by hand: Stream.")


@pytest.mark.parametrize("stage", [0, 1])
def test_a_change_by_hand_that_is_removed_or_altered_is_found(director, stage):
    file = file_as_json(draw_file_of(by_hand(director)))
    (move,) = file["draws"][stage]["moves"]
    others = {one["number"] for one in file["draws"][stage]["steps"][0]["entrants"]} - {move["a"], move["b"]}
    assert codes(file) == set()
    for moves in (
        [],
        [{**move, "a": min(others)}],
        [{**move, "b": min(others)}],
        [move, {**move, "number": 2, "b": min(others)}],
    ):
        file["draws"][stage]["moves"] = moves
        assert codes(file) & {"pairings_differ", "plan_refused"}, moves


@pytest.mark.parametrize("format", ["single-elimination", "swiss", "pools", "consolation"])
def test_a_change_by_hand_of_a_draw_that_was_taken_back_agrees(director, format):
    event = build_event(director, players=8, format=format, seed="")
    first, *_others, last = (
        event.stages.get().fixtures.filter(round=1).exclude(entry_a=None).order_by("bracket", "number")
    )
    swap(event, first.entry_a, last.entry_a)
    cancel_draw(event, by=director, at=AT)
    make_draw(event, by=director, at=AT)
    file = draw_file_of(event)
    assert [len(draw.moves) for draw in file.draws] == [2 if format == "swiss" else 1, 0]
    assert checked(event).wrong == ()


@pytest.mark.parametrize("format", ["swiss", "monrad", "swiss-lives"])
def test_changes_of_several_rounds_agree(director, format):
    event = build_event(director, players=9, format=format, seed="")
    stage = event.stages.get()
    for round in (1, 2, 3):
        one, *_others, bye = stage.fixtures.filter(round=round).order_by("number")
        at = AT + timedelta(hours=round)
        meets = {"a": one.entry_a, "b": None} if round == 2 else {"a": one.entry_a, "b": bye.entry_a}
        change_draw(stage, kind=MoveKind.PAIR, **meets, reason=f"Round {round}.", by=director, at=at)
        for match in open_matches(event):
            enter_result(match, claim=claim(final=(match.length, 0)), by=director, at=at + timedelta(minutes=30))
    report = checked(event)
    assert report.wrong == ()
    assert sum(finding.code == "moved_by_hand" for finding in report.findings) == 3


def test_a_change_by_hand_that_lapsed_is_named(director):
    event = build_event(director, players=8, format="swiss", seed="")
    first, *_others, last = event.stages.get().fixtures.order_by("number")
    meets = {"a": first.entry_a, "b": last.entry_a}
    change_draw(event.stages.get(), kind=MoveKind.PAIR, **meets, reason="A lift home.", by=director, at=AT)
    withdraw_entry(first.entry_a, by=director, at=AT)
    report = checked(event)
    assert report.wrong == ()
    assert {"moved_by_hand", "move_lapsed"} <= {finding.code for finding in report.findings}


def test_teams_that_draw_matches_agree_round_after_round(director):
    event = build_event(director, players=7, format="swiss", boards=4, options={"rounds": 4}, seed="")
    for round in (1, 2, 3, 4):
        at = AT + timedelta(hours=round)
        for match in open_matches(event):
            a_wins = match.board.number <= 2 if match.board.fixture.number % 2 else match.board.number == 1
            final = (match.length, 0) if a_wins else (0, match.length)
            enter_result(match, claim=claim(final=final), by=director, at=at)
        assert checked(event).wrong == ()
    file = file_as_json(draw_file_of(event))
    (draw,) = file["draws"]
    drawn = [row for step in draw["steps"][:3] for row in step["results"] if row[4:5] == [True]]
    assert len(drawn) > 3
    assert unnoticed(file, drawn, 4) == 0


def test_second_wins_for_the_lower_error_rate_agree_round_after_round(director):
    """Also where rates were corrected after the next round had begun: the rates of that time count."""
    options = {"rounds": 4, "rate_point": True}
    event = build_event(director, players=8, format="swiss", options=options, seed="")
    for round in (1, 2, 3, 4):
        at = AT + timedelta(hours=round)
        matches = open_matches(event)
        for number, match in enumerate(matches):
            enter_result(match, claim=claim(final=(match.length, 0)), by=director, at=at)
            rates = [(4000, 5000), (6000, 3000), (4500, 4500), None][(number + round) % 4]
            set_error_rates(match, rates=rates, by=director, at=at + timedelta(minutes=5))
        assert checked(event).wrong == ()
        if round > 1:
            first = event.stages.get().fixtures.get(key="S1-1").match
            set_error_rates(first, rates=(9000, 1000 * round), by=director, at=at + timedelta(minutes=40))
            assert checked(event).wrong == ()
    file = file_as_json(draw_file_of(event))
    (draw,) = file["draws"]
    rated = [row for step in draw["steps"][:3] for row in step["results"] if True in row[5:]]
    assert len(rated) > 3
    assert unnoticed(file, rated, 5) < len(rated)


@pytest.mark.parametrize("seed", ["", SEED])
def test_rates_typed_in_after_the_next_round_was_paired_agree(director, seed):
    """They pair it again, perhaps with the same matches in another order; and later ones, once it has begun, do not."""
    options = {"rounds": 4, "rate_point": True}
    event = build_event(director, players=8, format="swiss", options=options, seed=seed)
    for round in (1, 2, 3):
        at = AT + timedelta(hours=round)
        for number, match in enumerate(open_matches(event)):
            enter_result(match, claim=claim(final=(match.length, 0)), by=director, at=at)
            rates = [(4000, 5000), (6000, 3000), (4500, 4500), None][(number + round) % 4]
            set_error_rates(match, rates=rates, by=director, at=at + timedelta(minutes=5))
    for fixture in event.stages.get().fixtures.filter(round=1):
        set_error_rates(fixture.match, rates=(9000, 1000), by=director, at=at + timedelta(minutes=40))
    assert checked(event).wrong == ()
    out = StringIO()
    call_command("redraw", f"{event.tournament.slug}/{event.slug}", stdout=out)
    assert out.getvalue().splitlines()[-1] == "This is the published draw."


def unnoticed(file: dict, rows: list, index: int) -> int:
    """How many of these flags may be another without anything being wrong; they are put back."""
    found = 0
    for row in rows:
        row[index] = not row[index]
        found += not codes(file)
        row[index] = not row[index]
    return found


@pytest.mark.parametrize("carry", list(Carry))
@pytest.mark.parametrize(("boards", "options"), [(2, {}), (1, {"rate_point": True})])
def test_a_stage_after_drawn_or_rated_matches_agrees(director, carry, boards, options):
    event = build_event(director, players=8, format="pools", boards=boards, options=options, seed="", drawn=False)
    swiss = {"lengths": [3], **options}
    add_stage(event, format="swiss", options=swiss, qualifiers=2, carry=carry, by=director, at=AT)
    for _stage in (1, 2):
        make_draw(event, by=director, at=AT)
        play_unevenly(event, director, rated=bool(options))
    report = checked(event)
    assert report.wrong == ()
    assert "qualifiers_agree" in {finding.code for finding in report.findings}


def play_unevenly(event: Event, director, *, rated: bool) -> None:
    """Teams share their boards in every other match; where rates count, the loser's are lower in every other one."""
    rng = random.Random(1)
    while matches := open_matches(event):
        for match in matches:
            win(match, rng.choice(list(Side)), by=director)
            if rated:
                set_error_rates(match, rates=rng.choice([(1, 2), (2, 1), (2, 2)]), by=director, at=AT)


def test_a_file_from_before_there_were_drawn_matches_is_read(director):
    event = build_event(director, players=4, format="swiss", seed="")
    play_out(event)
    file = file_as_json(draw_file_of(event))
    assert {len(row) for step in file["draws"][0]["steps"] for row in step["results"]} == {4}
    assert codes(file) == set()


@pytest.mark.parametrize(
    "wrong", [{"kind": "shuffle"}, {"kind": None}, {"a": 0}, {"round": -1}, {"reason": 1}, {"by": 1}]
)
def test_a_move_that_is_none_is_refused(director, wrong):
    file = file_as_json(draw_file_of(by_hand(director)))
    file["draws"][0]["moves"][0] |= wrong
    assert codes(file) <= {"value_wrong", "number_out_of_range", "key_unknown"} != set()
