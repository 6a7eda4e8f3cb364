from collections import Counter
from itertools import combinations

import pytest

from tests.tournament.formats.events import field, options_of, play_out
from tournament.formats.errors import PlanError
from tournament.formats.options import Seeding
from tournament.formats.plan import Bye, Draw, Entrant, Outcome
from tournament.formats.round_robin import RoundRobin, berger_table

FORMAT = RoundRobin()
LENGTHS = options_of(FORMAT)
SEEDED = options_of(FORMAT, seeding=Seeding.SEEDED)
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
def test_sides_are_as_even_as_possible(size):
    plan = FORMAT.plan(Draw(field(size), LENGTHS, {}, "seed"))
    first = Counter(pairing.a.id for pairing in plan.pairings if not pairing.is_bye)
    second = Counter(pairing.b.id for pairing in plan.pairings if not pairing.is_bye)
    assert max(abs(first[entrant.id] - second[entrant.id]) for entrant in field(size)) == 1 - size % 2


def test_free_round_is_the_last_of_its_round_and_says_why():
    plan = FORMAT.plan(Draw(field(5), LENGTHS, {}, "seed"))
    free = [pairing for pairing in plan.pairings if pairing.is_bye]
    assert [pairing.key for pairing in free] == ["R1-3", "R2-3", "R3-3", "R4-3", "R5-3"]
    assert free[1].why.text == "Free in round 2: the number of entrants (5) is odd, so everyone is free once."


def test_pairing_says_why():
    plan = FORMAT.plan(Draw(field(5), LENGTHS, {}, "seed"))
    assert plan.pairings[0].why.text == "Everyone meets everyone once; these two meet in round 1 of 5."


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


def cut(entrants, rounds, outcomes=None):
    return Draw(field(entrants), options_of(FORMAT, rounds=rounds), outcomes or {}, "seed")


@pytest.mark.parametrize(("entrants", "rounds"), [(8, 1), (8, 6), (9, 4), (12, 5), (64, 6)])
def test_a_cut_round_robin_is_the_first_rounds_of_the_whole(entrants, rounds):
    whole = FORMAT.plan(Draw(field(entrants), LENGTHS, {}, "seed")).pairings
    plan = FORMAT.plan(cut(entrants, rounds))
    seats = [(pairing.key, pairing.a, pairing.b) for pairing in plan.pairings]
    assert seats == [(pairing.key, pairing.a, pairing.b) for pairing in whole if pairing.round <= rounds]
    assert not plan.finished
    assert FORMAT.plan(play_out(FORMAT, cut(entrants, rounds))).finished


@pytest.mark.parametrize("rounds", [0, 7, 8, 63])
def test_no_more_rounds_are_played_than_there_are(rounds):
    assert FORMAT.plan(cut(8, rounds)).pairings == FORMAT.plan(cut(8, 0)).pairings


def test_a_cut_round_robin_says_so():
    plan = FORMAT.plan(cut(9, 4))
    played, *_, free = [pairing.why.text for pairing in plan.pairings if pairing.round == 3]
    assert played == "Round 3 of the Berger table for 9 entrants; 4 of its 9 rounds are played."
    assert free == (
        "Free in round 3: the number of entrants (9) is odd. As only 4 of 9 rounds are played, not everyone is free "
        "once, so a free round counts as a win."
    )


def test_a_free_round_counts_as_a_win_once_it_is_over_and_only_in_a_cut_round_robin():
    plan = FORMAT.plan(cut(5, 2))
    free = [pairing.a.id for pairing in plan.pairings if pairing.is_bye]
    outcomes = {}
    found = [plan.free_wins]
    for pairing in plan.pairings:
        if pairing.is_ready:
            outcomes[pairing.key] = Outcome(pairing.a.id, pairing.b.id)
            found.append(FORMAT.plan(cut(5, 2, outcomes)).free_wins)
    assert found == [{}, {}, {free[0]: 1}, {free[0]: 1}, {free[0]: 1, free[1]: 1}]
    whole = play_out(FORMAT, Draw(field(5), LENGTHS))
    assert FORMAT.plan(whole).free_wins == {}


def test_two_entries_of_one_person_are_refused_where_they_would_meet():
    twice = (Entrant(1, "Anna", persons=frozenset({7})), Entrant(2, "Anna again", persons=frozenset({7})))
    with pytest.raises(PlanError) as refused:
        FORMAT.plan(Draw((*twice, Entrant(3, "Bo", persons=frozenset({8}))), LENGTHS))
    assert (refused.value.code, str(refused.value)) == (
        "meets_himself",
        "Anna and Anna again share a player, who would have to play against themselves.",
    )
