from collections import Counter
from itertools import combinations

import pytest

from tests.tournament.formats.events import LENGTHS, SEEDED, field, play_out
from tournament.formats.plan import Bye, Draw, Entrant
from tournament.formats.round_robin import RoundRobin, berger_table

FORMAT = RoundRobin()
SIZES = pytest.mark.parametrize("size", range(2, 65))


def test_berger_table_of_six_is_the_published_one():
    assert [sorted(meetings) for meetings in berger_table(6)] == [
        sorted([(1, 6), (2, 5), (3, 4)]),
        sorted([(6, 4), (5, 3), (1, 2)]),
        sorted([(2, 6), (3, 1), (4, 5)]),
        sorted([(6, 5), (1, 4), (2, 3)]),
        sorted([(3, 6), (4, 2), (5, 1)]),
    ]


@SIZES
def test_everyone_meets_everyone_once(size):
    plan = FORMAT.plan(Draw(field(size), LENGTHS, {}, "seed"))
    met = Counter(pairing.entrant_ids for pairing in plan.pairings if not pairing.is_bye)
    assert met == {frozenset(pair): 1 for pair in combinations([entrant.id for entrant in field(size)], 2)}


@SIZES
def test_everyone_sits_once_in_each_round_and_is_free_at_most_once(size):
    plan = FORMAT.plan(Draw(field(size), LENGTHS, {}, "seed"))
    rounds = {pairing.round for pairing in plan.pairings}
    assert rounds == set(range(1, size + size % 2))
    for round in rounds:
        seats = [seat for pairing in plan.pairings if pairing.round == round for seat in (pairing.a, pairing.b)]
        assert sorted(seat.id for seat in seats if isinstance(seat, Entrant)) == sorted(e.id for e in field(size))
        assert seats.count(Bye()) == size % 2
    free = Counter(pairing.a.id for pairing in plan.pairings if pairing.is_bye)
    assert free == ({entrant.id: 1 for entrant in field(size)} if size % 2 else {})


@SIZES
def test_sides_are_as_even_as_can_be(size):
    plan = FORMAT.plan(Draw(field(size), LENGTHS, {}, "seed"))
    first = Counter(pairing.a.id for pairing in plan.pairings if not pairing.is_bye)
    second = Counter(pairing.b.id for pairing in plan.pairings if not pairing.is_bye)
    assert max(abs(first[entrant.id] - second[entrant.id]) for entrant in field(size)) == 1 - size % 2


def test_free_round_is_the_last_of_its_round_and_says_why():
    plan = FORMAT.plan(Draw(field(5), LENGTHS, {}, "seed"))
    free = [pairing for pairing in plan.pairings if pairing.is_bye]
    assert [pairing.key for pairing in free] == ["R1-3", "R2-3", "R3-3", "R4-3", "R5-3"]
    assert free[1].why.text == "Free in round 2: 5 entrants are an odd number, so everyone is free once."


def test_pairing_says_why():
    plan = FORMAT.plan(Draw(field(5), LENGTHS, {}, "seed"))
    assert plan.pairings[0].why.text == "Everyone meets everyone once; this meeting falls in round 1 of 5."


def test_every_match_has_the_first_length():
    assert {pairing.length for pairing in FORMAT.plan(Draw(field(8), LENGTHS)).pairings} == {9}


def test_seeded_entrants_take_the_numbers_of_the_table_in_order():
    plan = FORMAT.plan(Draw(field(4, 4), SEEDED))
    assert [(pairing.a.name[-1], pairing.b.name[-1]) for pairing in plan.pairings] == [
        ("1", "4"),
        ("2", "3"),
        ("4", "3"),
        ("1", "2"),
        ("2", "4"),
        ("3", "1"),
    ]


def test_event_is_ranked_by_record_and_ends_with_the_last_match():
    draw = play_out(FORMAT, Draw(field(5), LENGTHS))
    assert len(draw.outcomes) == 10
    assert (FORMAT.plan(draw).placings, FORMAT.plan(draw).finished) == (None, True)
    missing = {key: outcome for key, outcome in draw.outcomes.items() if key != "R5-2"}
    assert not FORMAT.plan(Draw(draw.entrants, LENGTHS, missing)).finished
