"""Exported, imported into an empty installation and exported again, an event has the same bytes."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from matches.models import Conclusion
from rules.score import Side
from rules.sheet import GameResult
from tests.builders import (
    AT,
    build_director,
    build_event,
    build_money_terms,
    build_tournament,
    claim,
    open_matches,
    play_out,
    win,
)
from tests.fresh import ExampleTestCase
from tests.tournament.formats.variants import variants
from tests.tournament.money.test_ledger import BRACKETS
from tests.tournament.replay.test_replay_verbs import SCENES, WHO
from tests.tournament.transfer.mutations import signed
from tests.tournament.transfer.round_trip import exported, moved
from tests.tournament.transfer.simulated import as_file
from tournament.audit import audit_event
from tournament.draw.make import make_draw
from tournament.entries.attendance import leave_event
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries
from tournament.events.stages import add_stage
from tournament.formats import FORMATS, SIMULATED
from tournament.formats.errors import PlanError
from tournament.models import Carry, Event
from tournament.money.services import set_money
from tournament.rehearsal.chance import draw_field
from tournament.rehearsal.simulation import SimulatedEvent
from tournament.results.enter import enter_result
from tournament.transfer.judge import judge

pytestmark = pytest.mark.django_db


def holds_and_moves(event: Event) -> None:
    """The file holds, is the same after a move, and the audit of what was imported finds nothing."""
    data = exported(event)
    again, differences = moved(data, lambda event: (exported(event), audit_event(event)))
    assert again == data
    assert [str(one) for one in differences] == []


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_before_play_in_play_and_at_its_end(director, format):
    event = build_event(director, players=max(5, FORMATS[format].min_entrants), format=format, seed="")
    holds_and_moves(event)
    for match in open_matches(event)[:2]:
        win(match, Side.A, by=director)
    holds_and_moves(event)
    play_out(event)
    holds_and_moves(event)


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
def test_events_in_which_everything_happened(director, scene):
    holds_and_moves(scene(director))


@pytest.mark.parametrize("terms", [{"boards": 3}, {"boards": 2, "format": "swiss"}, {"doubles": True}])
def test_teams_and_pairs(director, terms):
    event = build_event(director, players=0 if "doubles" in terms else 5, seed="", drawn=False, **terms)
    if "doubles" in terms:
        enter_pairs(event, director)
    make_draw(event, by=director, at=AT)
    play_out(event)
    holds_and_moves(event)


def enter_pairs(event, director):
    lines = [EntryLine(name=f"Ann {number} & Bea {number}", line=number) for number in range(1, 6)]
    add_entries(event, lines=lines, by=director, at=AT)


def test_fees_and_prizes_move_and_no_bye_walkover_forfeit_or_void_match_is_another(director):
    event = build_event(director, players=7, format="consolation", options={"last_chance": "full"}, seed="")
    set_money(event, build_money_terms(payouts=BRACKETS), by=director, at=AT)
    first, second, third = (match for match in open_matches(event) if match.fixture.round == 1)
    enter_result(first, claim=claim(games=(GameResult(Side.A, 2),), conclusion=Conclusion.FORFEIT, awarded_to=Side.B), **WHO)
    enter_result(second, claim=claim(conclusion=Conclusion.WALKOVER, awarded_to=Side.A), **WHO)
    for entry in (third.fixture.entry_a, third.fixture.entry_b):
        leave_event(entry, kind="no-show", **WHO)
    document = json.loads(exported(event))
    outcomes = [pairing["outcome"] for pairing in document["events"][0]["stages"][0]["pairings"]]
    assert {"bye", "forfeit", "walkover", "void"} <= set(outcomes)
    holds_and_moves(event)
    play_out(event)
    holds_and_moves(event)
    document = json.loads(exported(event))
    money = document["events"][0]["money"]
    paid = sum(prize["amount"] for prize in money["prizes"])
    assert paid == money["fee"] * 7 - money["fee"] * 7 * money["rake_value"] // 10_000 + money["added"]
    money["prizes"][0]["amount"] += 1
    (fault,) = judge(signed(document)).faults
    assert (fault.pointer, fault.code) == ("/events/0/money/prizes", "derived_differs")


@pytest.mark.parametrize("carry", [Carry.MET, Carry.ALL])
def test_a_stage_after_another(director, carry):
    event = build_event(director, players=8, format="pools", seed="", drawn=False)
    options = {"lengths": [3]}
    add_stage(event, format="swiss", options=options, qualifiers=2, carry=carry, by=director, at=AT)
    make_draw(event, by=director, at=AT)
    play_out(event)
    make_draw(event, by=director, at=AT)
    play_out(event)
    holds_and_moves(event)


def test_what_nobody_has_drawn_moves_too(director):
    holds_and_moves(build_event(director, players=4, drawn=False, seed=""))
    holds_and_moves(build_event(director, players=0, drawn=False, seed="", tournament=build_tournament(director)))


def test_what_other_programs_wrote_comes_back(director):
    event = build_event(director, players=4, seed="")
    play_out(event)
    document = json.loads(exported(event))
    document["version"] = "1.3"
    document["weather"] = "fair"
    document["federations"] = [{"code": "DEN", "name": "Denmark", "nation": "DK"}]
    document["people"][2]["ids"] = [{"issuer": "den", "value": "408"}]
    document["people"][2]["visibility"] = "initials"
    document["events"][0]["rated_for"] = ["den"]
    document["events"][0]["entrants"][1]["x"] = {"meal": ["fish"]}
    document["events"][0]["stages"][0]["pairings"][0]["matches"][0]["stream"] = "https://example.org/1"
    data = signed(document)
    assert judge(data).holds
    assert moved(data) == data


class Simulated(ExampleTestCase):
    @settings(max_examples=8)
    @given(
        slug=st.sampled_from(list(SIMULATED)),
        size=st.integers(2, 9),
        choice=st.integers(0, 10_000),
        seed=st.integers(0, 2**32),
    )
    def test_any_event_that_the_simulator_makes_survives(self, slug, size, choice, seed):
        build_director()
        options = variants(slug)[choice % len(variants(slug))]
        played = SimulatedEvent(SIMULATED[slug], options, draw_field(size, str(seed)), str(seed), None)
        try:
            played.play()
        except PlanError:
            return
        data = as_file(played, options)
        again = moved(data)
        said = [results(json.loads(one)) for one in (data, again)]
        assert said[0] == said[1]


def results(document):
    (stage,) = document["events"][0]["stages"]
    return {pairing["id"]: pairing for pairing in stage["pairings"]}
