from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournament.formats.events import field, options_of, play_out
from tournament.formats import FORMATS
from tournament.formats.errors import PlanError
from tournament.formats.plan import Draw

FORMAT = FORMATS["lives-bracket"]


def with_lives(*lives, seeded=0):
    return tuple(replace(entrant, lives=left) for entrant, left in zip(field(len(lives), seeded), lives, strict=True))


def first_round(entrants, seed="", **options):
    plan = FORMAT.plan(Draw(entrants, options_of(FORMAT, **options), {}, seed))
    return [pairing for pairing in plan.pairings if pairing.round == 1]


def free(pairings):
    return {pairing.a.id for pairing in pairings if pairing.is_bye}


@given(st.integers(2, 70), st.floats(0, 1), st.sampled_from(("random", "seeded")), st.text(max_size=3))
def test_two_lives_are_worth_a_first_round(size, share, seeding, seed):
    doubles = int(size * share)
    entrants = with_lives(*[2] * doubles, *[1] * (size - doubles), seeded=size)
    pairings = first_round(entrants, seed, seeding=seeding)
    two = {entrant.id for entrant in entrants if entrant.lives == 2}
    lines = 2 ** (size + doubles - 1).bit_length()
    if 2 * size > lines:
        assert len(pairings) == lines // 2
        assert two <= free(pairings)
    else:
        assert len(pairings) == lines // 4
    if size + doubles == lines and 2 * size > lines:
        assert two == free(pairings)
    pairings = FORMAT.plan(Draw(entrants, options_of(FORMAT), {}, seed)).pairings
    assert sum(not pairing.is_bye for pairing in pairings) == size - 1


@pytest.mark.parametrize(("doubles", "even", "odd"), [(1, 1, 0), (2, 2, 0), (4, 4, 0), (5, 4, 1), (7, 4, 3)])
def test_two_lives_take_even_pairs_first(doubles, even, odd):
    for seed in range(20):
        pairings = first_round(with_lives(*[2] * doubles, *[1] * (16 - 2 * doubles)), str(seed))
        assert Counter(pairing.number % 2 for pairing in pairings if pairing.is_bye) == Counter({0: even, 1: odd})


def test_four_with_two_lives_are_spread_over_the_quarters():
    pairings = first_round(with_lives(*[2] * 4, *[1] * 24), "x")
    byes = [pairing.is_bye for pairing in pairings]
    assert [sum(byes[start : start + 4]) for start in range(0, 16, 4)] == [1, 1, 1, 1]


def test_more_than_two_lives_are_worth_no_more_than_two():
    entrants = with_lives(4, 2, 1, 1, 1, 1)
    pairings = first_round(entrants)
    assert free(pairings) == {entrants[0].id, entrants[1].id}
    assert {pairing.why.text for pairing in pairings if pairing.is_bye} == {
        "Bye in round 1: 4 lives are left, and two are worth a win in the first match.",
        "Bye in round 1: 2 lives are left, and two are worth a win in the first match.",
    }


def test_seeds_decide_among_those_with_equal_lives():
    entrants = with_lives(1, 1, 2, 2, 1, 1, seeded=6)
    pairings = first_round(entrants, seeding="seeded")
    assert [(pairing.a.seed, pairing.b.seed if not pairing.is_bye else None) for pairing in pairings] == [
        (3, None),
        (2, 5),
        (4, None),
        (1, 6),
    ]


def test_an_entrant_without_a_life_left_is_refused():
    with pytest.raises(PlanError) as refusal:
        first_round(with_lives(1, 0))
    assert (refusal.value.code, str(refusal.value)) == ("no_life_left", "Player 2 has no lives left.")


def test_clubmates_with_equal_lives_change_places():
    entrants = tuple(replace(entrant, club=f"c{entrant.id % 2}") for entrant in with_lives(2, 2, *[1] * 12))
    for seed in range(20):
        pairings = first_round(entrants, str(seed), protect="club")
        assert free(pairings) == {entrants[0].id, entrants[1].id}
        assert all(pairing.is_bye or pairing.a.club != pairing.b.club for pairing in pairings)


def test_places_are_those_of_a_knockout():
    draw = play_out(FORMAT, Draw(with_lives(2, 2, 1, 1, 1, 1), options_of(FORMAT)))
    places = sorted((placing.place, placing.place_to) for placing in FORMAT.plan(draw).placings)
    assert places == [(1, 1), (2, 2), (3, 4), (3, 4), (5, 6), (5, 6)]
