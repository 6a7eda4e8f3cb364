"""Void matches, to which neither side came: nobody advances, the next opponent has a bye, and the places close up."""

from random import Random

import pytest

from tests.tournament.formats.events import Event, field, options_of, undecided
from tests.tournament.formats.variants import variants
from tournament.formats import FORMATS
from tournament.formats.errors import PlanError
from tournament.formats.plan import Bye, Draw, Outcome, Plan
from tournament.rehearsal.invariants import check_places, check_plan

KNOCKOUTS = (
    "single-elimination",
    "consolation",
    "double-elimination",
    "fighters-bracket",
    "lives-bracket",
    "gsl",
    "jackpot",
)


def void(event: Event, key: str) -> None:
    pairing = next(pairing for pairing in event.plan.pairings if pairing.key == key)
    event.outcomes[key] = Outcome(pairing.a.id, pairing.b.id, is_void=True)


def win(event: Event, *keys: str) -> None:
    """Let side A win these pairings."""
    for key in keys:
        pairing = next(pairing for pairing in event.plan.pairings if pairing.key == key)
        event.outcomes[key] = Outcome(pairing.a.id, pairing.b.id)


def seats(plan: Plan, key: str) -> list[str]:
    pairing = next(pairing for pairing in plan.pairings if pairing.key == key)
    return ["bye" if isinstance(seat, Bye) else seat.name for seat in (pairing.a, pairing.b)]


def spans(plan: Plan) -> list[tuple[int, int]]:
    return [(line.place, line.place_to) for line in plan.placings]


def test_nobody_advances_and_the_next_opponent_has_a_bye():
    event = Event(FORMATS["single-elimination"], 4)
    void(event, "M1-1")
    win(event, "M1-2")
    assert seats(event.plan, "M2-1")[1] == "bye"
    assert event.plan.finished
    assert spans(event.plan) == [(1, 1), (2, 4), (2, 4), (2, 4)]
    reasons = [line.why.text for line in event.plan.placings]
    assert reasons[0] == "Nobody else was left in M2-1."
    assert "Neither side came to M1-1; all who go out in that round share these places." in reasons
    (bye,) = (pairing for pairing in event.plan.pairings if pairing.is_bye)
    assert bye.why.text == "Bye: nobody comes here from M1-1."


def test_of_two_absent_finalists_nobody_is_first_alone():
    event = Event(FORMATS["single-elimination"], 4)
    win(event, "M1-1", "M1-2")
    void(event, "M2-1")
    assert spans(event.plan) == [(1, 2), (1, 2), (3, 4), (3, 4)]
    assert event.plan.finished


def test_a_void_match_sends_nobody_into_the_consolation():
    event = Event(FORMATS["double-elimination"], 4)
    void(event, "M1-1")
    win(event, "M1-2")
    assert [seats(event.plan, key)[1] for key in ("M2-1", "C1-1", "C2-1")] == ["bye", "bye", "bye"]
    win(event, "F1-1")
    if not event.plan.finished:
        win(event, "F2-1")
    assert spans(event.plan) == [(1, 1), (2, 2), (3, 4), (3, 4)]


def test_a_place_is_open_until_the_bracket_is_decided():
    event = Event(FORMATS["single-elimination"], 4)
    void(event, "M1-1")
    assert spans(event.plan) == [(1, 4), (1, 4), (2, 4), (2, 4)]
    assert not event.plan.finished


def test_after_a_void_semifinal_there_is_no_match_for_third_place():
    event = Event(FORMATS["consolation"], 4, third_place=True, consolation="none")
    void(event, "M1-1")
    win(event, "M1-2")
    assert spans(event.plan) == [(1, 1), (2, 4), (2, 4), (2, 4)]


def test_in_a_swiss_a_void_match_counts_for_nobody_and_the_two_may_still_meet():
    format = FORMATS["swiss"]
    entrants = field(2)
    draw = Draw(entrants, options_of(format, rounds=2))
    (first,) = format.plan(draw).pairings
    outcomes = {first.key: Outcome(first.a.id, first.b.id, is_void=True)}
    again = format.plan(Draw(entrants, draw.options, outcomes)).pairings[-1]
    assert (again.round, again.why.text.count("again")) == (2, 0)


def test_a_void_match_of_a_round_robin_is_decided():
    format = FORMATS["round-robin"]
    draw = Draw(field(2), options_of(format))
    (only,) = format.plan(draw).pairings
    plan = format.plan(Draw(draw.entrants, draw.options, {only.key: Outcome(only.a.id, only.b.id, is_void=True)}))
    assert plan.finished


@pytest.mark.parametrize("slug", KNOCKOUTS)
def test_every_knockout_comes_to_its_end_and_places_everyone_whatever_is_void(slug):
    format = FORMATS[slug]
    for number, options in enumerate(variants(slug)):
        for size in (4, 5, 8, 11, 16):
            rng = Random(f"{slug}{number}{size}")
            draw = Draw(field(size, size), options, seed="seed")
            try:
                plan = format.plan(draw)
            except PlanError:
                continue
            outcomes: dict[str, Outcome] = {}
            while not plan.finished:
                pairing = rng.choice(undecided(plan, outcomes))
                a, b = pairing.a.id, pairing.b.id
                outcomes[pairing.key] = Outcome(*rng.choice(((a, b), (b, a))), is_void=rng.random() < 0.3)
                plan = format.plan(Draw(draw.entrants, options, dict(outcomes), draw.seed))
                where = f"{slug} {options} {size} {outcomes}"
                assert check_plan(Draw(draw.entrants, options, outcomes, draw.seed), plan) == [], where
                assert all(line.place <= line.place_to <= size for line in plan.placings), where
            if slug != "jackpot":
                assert check_places(plan.placings, draw.entrants) == [], where
            for section in plan.sections:
                members = [entrant for entrant in draw.entrants if entrant.id in section.entrants]
                if slug != "jackpot" or {pairing.bracket for pairing in plan.pairings} & {section.bracket}:
                    assert check_places(section.placings, members) == [], where
