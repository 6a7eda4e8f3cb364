"""Exported, imported into an empty installation and exported again, an event has the same bytes."""

import json
from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from players.services import create_player
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
from tests.tournament.replay.scenes import SCENES, WHO
from tests.tournament.transfer.mutations import signed
from tests.tournament.transfer.round_trip import exported, moved
from tests.tournament.transfer.simulated import as_file
from tournament.audit import audit_event
from tournament.draw.make import make_draw
from tournament.entries.attendance import leave_event
from tournament.entries.identity import merge_players
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries, remove_entry
from tournament.events.stages import add_stage
from tournament.formats import FORMATS, SIMULATED
from tournament.formats.errors import PlanError
from tournament.models import Carry, Event, Fixture, Tournament
from tournament.money.services import set_money
from tournament.registry.people import show_as
from tournament.rehearsal.chance import draw_field
from tournament.rehearsal.simulation import SimulatedEvent
from tournament.results.by_rule import reason_of
from tournament.results.deadlines import extend_deadline, move_deadline, offer_to_play
from tournament.results.enter import enter_result
from tournament.results.unplayed import decide_unplayed
from tournament.transfer.export import export_bytes
from tournament.transfer.judge import judge
from tournament.transfer.load import import_event_file

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
    enter_result(first, claim=claim(games=(GameResult(Side.A, 2),), conclusion="forfeit", awarded_to=Side.B), **WHO)
    enter_result(second, claim=claim(conclusion="walkover", awarded_to=Side.A), **WHO)
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
    document["people"][2]["x"] = {"shirt": "L"}
    document["events"][0]["rated_for"] = ["den"]
    document["events"][0]["entrants"][1]["x"] = {"meal": ["fish"]}
    document["events"][0]["stages"][0]["pairings"][0]["matches"][0]["stream"] = "https://example.org/1"
    data = signed(document)
    assert judge(data).holds
    assert moved(data) == data


def league_in_play(director) -> Event:
    """A league of three in which deadlines are moved and extended, offers are open, and a match was decided by rule."""
    options = {"starts_on": "2026-03-06", "unplayed": "offered", "extension": 2, "grace": 3}
    event = build_event(director, players=4, format="league", seed="", options=options)
    first, second, third, fourth = (one.match for one in event.stages.get().fixtures.order_by("round", "number")[:4])
    offer_to_play(first, side=Side.B, days=[date(2026, 3, 7), date(2026, 3, 9)], at=AT)
    decide_unplayed(first.pk, at=AT + timedelta(days=10))
    later = AT + timedelta(days=10)
    move_deadline(second, to=date(2026, 4, 1), reason="Away.", by=director, at=later)
    extend_deadline(third, side=Side.A, at=later)
    extend_deadline(third, side=Side.B, at=later)
    offer_to_play(third, side=Side.A, days=[], at=later)
    offer_to_play(third, side=Side.B, days=[date(2026, 3, 20)], at=later)
    win(fourth, Side.A, by=director)
    return event


def test_a_league_in_play_moves_with_its_deadlines_and_offers(director):
    event = league_in_play(director)
    holds_and_moves(event)
    document = json.loads(exported(event))
    pairings = document["events"][0]["stages"][0]["pairings"]
    first, second, third, fourth = pairings[:4]
    assert document["version"] == "1.1"
    assert first["matches"][0]["sheet"]["unplayed_by"] == "2026-03-12"
    assert (second["play_by"], "extended_by" in second, "offers" in second) == ("2026-04-01", False, False)
    assert (third["play_by"], third["extended_by"]) == ("2026-03-23", [third["a"], third["b"]])
    assert [(one["entrant"], one["days"]) for one in third["offers"]] == [
        (third["a"], []),
        (third["b"], ["2026-03-20"]),
    ]
    assert not {"play_by", "extended_by", "offers"} & set(fourth)

    def seen(event: Event) -> tuple[object, ...]:
        rows = Fixture.objects.filter(stage__event=event).order_by("round", "number")
        decided = rows[0].match.sheets.get()
        return (
            [(row.play_by, len(row.extended_by), [one.days for one in row.offers.all()]) for row in rows],
            (decided.reason, reason_of(decided)),
        )

    assert moved(exported(event), seen) == seen(event)
    public = json.loads(export_bytes(event.tournament, [event], with_reasons=False))
    assert "offers" not in public["events"][0]["stages"][0]["pairings"][2]


@pytest.mark.parametrize("version", ["1.0", "1.1"])
def test_a_file_that_has_nothing_later_keeps_the_version_that_it_names(director, version):
    event = build_event(director, players=4, seed="")
    document = json.loads(exported(event))
    assert document["version"] == "1.0"
    data = signed({**document, "version": version})
    assert moved(data) == data


def test_a_file_of_the_first_version_gets_the_later_one_with_a_moved_deadline(director):
    options = {"starts_on": "2026-03-09"}
    event = build_event(director, players=4, format="league", seed="", options=options)

    def moved_there(event: Event) -> str:
        match = Fixture.objects.filter(stage__event=event).first().match
        move_deadline(match, to=date(2026, 4, 1), reason="Away.", by=None, at=AT + timedelta(days=9))
        return json.loads(exported(event))["version"]

    assert moved(exported(event), moved_there) == "1.1"


@pytest.mark.parametrize(
    ("place", "value", "pointer", "code"),
    [
        ("extended_by", [99], "/extended_by/0", "reference_unknown"),
        ("extended_by", "third", "", "deadline_of_others"),
        ("extended_by", "twice", "", "deadline_of_others"),
        ("offers", "third", "", "deadline_of_others"),
        ("offers", [], "/offers", "list_length"),
        ("play_by", None, "/play_by", "value_wrong"),
    ],
)
def test_deadlines_of_others_are_refused(director, place, value, pointer, code):
    document = json.loads(exported(league_in_play(director)))
    pairings = document["events"][0]["stages"][0]["pairings"]
    third, others = pairings[2], {one["number"] for one in document["events"][0]["entrants"]}
    other = min(others - {third["a"], third["b"]})
    offers = [{"entrant": other, "days": [], "made_at": "2026-03-16T19:00:00Z"}]
    made = {"third": offers if place == "offers" else [other], "twice": [third["a"], third["a"]]}
    third[place] = made.get(value, value) if isinstance(value, str) else value
    (fault,) = judge(signed(document)).faults
    assert (fault.pointer, fault.code) == (f"/events/0/stages/0/pairings/2{pointer}", code)


def test_only_what_nobody_began_was_decided_by_a_deadline(director):
    document = json.loads(exported(league_in_play(director)))
    sheet = document["events"][0]["stages"][0]["pairings"][3]["matches"][0]["sheet"]
    sheet["unplayed_by"] = "2026-03-19"
    (fault,) = judge(signed(document)).faults
    pointer = "/events/0/stages/0/pairings/3/matches/0/sheet/unplayed_by"
    assert (fault.pointer, fault.code) == (pointer, "unplayed_otherwise")


NUMBERED = {"ids": [{"issuer": "den", "value": "408"}], "x": {"born": 1961}}
"""What another program tells of a person."""


def with_people(document: dict, **of_each: dict) -> bytes:
    """The file in which these people, by their names there, have other members too."""
    for person in document["people"]:
        person.update(of_each.get(person["id"], {}))
    return signed(document)


def people_of(data: bytes) -> dict[str, dict]:
    return {person["id"]: person for person in json.loads(data)["people"]}


def test_a_person_who_is_not_public_has_neither_name_nor_ids_in_the_file_and_stays_so_when_it_is_imported(director):
    event = build_event(director, players=4, seed="")
    play_out(event)
    shown = [entry.player for entry in event.entries.select_related("player").order_by("pk")]
    for player, visibility in zip(shown, ("hidden", "initials", "minor"), strict=False):
        show_as(player, visibility, by=None, at=AT)
    data = exported(event)
    told = [(person["name"], person["visibility"]) for person in people_of(data).values()]
    assert told == [
        (f"Player #{shown[0].pk}", "hidden"),
        ("P. 2.", "initials"),
        ("P. 3.", "initials"),
        ("Player 4", "public"),
    ]
    assert judge(data).holds
    again, visibility = moved(data, lambda event: (exported(event), shown_as(event)))
    assert (again, visibility) == (data, ["hidden", "initials", "initials", "public"])


def shown_as(event: Event) -> list[str]:
    return [entry.player.visibility for entry in event.entries.select_related("player").order_by("pk")]


def test_what_a_file_tells_of_people_who_are_not_public_is_neither_shown_nor_kept(director):
    event = build_event(director, players=4, seed="")
    document = json.loads(exported(event))
    document["people"][0]["name"] = "Asta Holm"
    document["people"][1]["name"] = "Bo Lund"
    said = {"p1": {"visibility": "hidden", **NUMBERED}, "p2": {"visibility": "minor", **NUMBERED}, "p3": NUMBERED}
    data = with_people(document, **said)
    assert judge(data).holds

    def look(event: Event) -> tuple:
        first = event.entries.get(number=1).player
        assert (first.given, first.family, first.name) == ("Asta", "Holm", f"Player #{first.pk}")
        return exported(event), [str(row.detail) for row in event.log.all()]

    again, log = moved(data, look)
    people = people_of(again)
    assert [person["name"] for person in people.values()][1:] == ["B. L.", "Player 3", "Player 4"]
    assert [bool(person["ids"]) for person in people.values()] == [False, False, True, False]
    assert [person.get("x") for person in people.values()] == [None, None, NUMBERED["x"], None]
    assert not any("Asta" in text or "Bo Lund" in text for text in (again.decode(), *log))
    assert sum(text.count("408") for text in log) == 1


def test_what_was_kept_of_people_is_theirs_wherever_they_stand_and_whoever_they_are_merged_with(director):
    event = build_event(director, players=4, seed="", drawn=False)
    data = with_people(json.loads(exported(event)), p2=NUMBERED)

    def look(event: Event) -> list[list[bool]]:
        seen: list[list[bool]] = []

        def note() -> None:
            seen.append([bool(person["ids"]) for person in people_of(exported(event)).values()])

        second = event.entries.get(number=2)
        remove_entry(event.entries.get(number=1), by=None, at=AT)
        note()
        known = create_player(name="Ann Known", at=AT)
        merge_players(known, second.player, by=None, at=AT)
        note()
        show_as(known, "hidden", by=None, at=AT)
        note()
        show_as(known, "public", by=None, at=AT)
        note()
        return seen

    assert moved(data, look) == [[True, False, False]] * 2 + [[False] * 3] + [[True, False, False]]


def test_those_who_are_here_already_stay_as_they_are_shown_here(director):
    event = build_event(director, players=4, seed="")
    data = exported(event)
    player = event.entries.get(number=1).player
    show_as(player, "hidden", by=None, at=AT)
    Tournament.everything.update(slug="away")
    imported = import_event_file(data, by=None, at=AT)
    player.refresh_from_db()
    assert (player.visibility, player.name) == ("hidden", f"Player #{player.pk}")
    assert not imported.events.get().entries.filter(player=player).exists()


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
