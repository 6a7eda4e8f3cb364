from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournament.formats.events import field, options_of, play_out
from tournament.formats.errors import PlanError
from tournament.formats.options import Seeding
from tournament.formats.plan import Draw
from tournament.formats.pools import Pools

FORMAT = Pools()


def pools(entrants, seeding=Seeding.RANDOM, **own):
    return FORMAT.plan(Draw(field(entrants, entrants), options_of(FORMAT, seeding=seeding, **own), {}, "seed"))


def sizes(plan):
    return sorted((len(section.entrants) for section in plan.sections), reverse=True)


@pytest.mark.parametrize(
    ("entrants", "own", "expected"),
    [
        (16, {}, [4, 4, 4, 4]),
        (18, {}, [4, 4, 4, 3, 3]),
        (5, {}, [3, 2]),
        (2, {}, [2]),
        (16, {"pool_size": 5}, [4, 4, 4, 4]),
        (7, {"pool_size": 2}, [3, 2, 2]),
        (16, {"pools": 3}, [6, 5, 5]),
        (64, {"pools": 2}, [32, 32]),
        (16, {"pools": 8, "pool_size": 3}, [2] * 8),
    ],
)
def test_there_are_as_many_pools_as_asked_for_and_they_differ_by_one_at_most(entrants, own, expected):
    assert sizes(pools(entrants, **own)) == expected


@pytest.mark.parametrize(
    ("entrants", "own", "message"),
    [
        (7, {"pools": 4}, "7 entrants cannot fill 4 groups: each needs at least two."),
        (65, {"pools": 2}, "65 entrants are too many for 2 groups: each takes at most 32."),
    ],
)
def test_impossible_pools_are_refused(entrants, own, message):
    with pytest.raises(PlanError) as refused:
        pools(entrants, **own)
    assert str(refused.value) == message


def test_seeds_are_dealt_there_and_back():
    plan = pools(10, Seeding.SEEDED, pools=3)
    names = {entrant.id: int(entrant.name.split()[1]) for entrant in field(10)}
    assert [[names[entrant] for entrant in section.entrants] for section in plan.sections] == [
        [1, 6, 7],
        [2, 5, 8],
        [3, 4, 9, 10],
    ]


@given(st.integers(2, 100), st.integers(2, 16), st.sampled_from(Seeding), st.text(max_size=4))
def test_everyone_meets_everyone_in_their_pool_and_nobody_else(entrants, size, seeding, seed):
    options = options_of(FORMAT, seeding=seeding, pool_size=size)
    plan = FORMAT.plan(Draw(field(entrants, entrants // 2), options, {}, seed))
    assert sorted(entrant for section in plan.sections for entrant in section.entrants) == sorted(
        entrant.id for entrant in field(entrants)
    )
    for section in plan.sections:
        met = Counter(
            pairing.entrant_ids
            for pairing in plan.pairings
            if pairing.bracket == section.bracket and not pairing.is_bye
        )
        assert met == dict.fromkeys(map(frozenset, combinations(section.entrants, 2)), 1)


def test_a_pool_is_a_section_ranked_by_record():
    plan = pools(7)
    assert [(section.bracket, section.title.text, section.placings) for section in plan.sections] == [
        ("GA", "Group A", None),
        ("GB", "Group B", None),
    ]
    assert (plan.placings, plan.groups) == (None, True)


def test_the_27th_pool_is_aa():
    plan = pools(54, pools=27)
    assert [section.bracket for section in plan.sections[-2:]] == ["GZ", "GAA"]
    assert plan.pairings[-1].key == "GAA1-1"


def test_pairings_say_why():
    drawn, seeded = pools(7), pools(7, Seeding.SEEDED)
    assert drawn.pairings[0].why.text == (
        "Both were drawn into group A; everyone in it meets everyone, these two in round 1 of 3."
    )
    assert seeded.pairings[0].why.text == (
        "The field was dealt by seed in snake order, these two into group A; everyone in it meets "
        "everyone, these two in round 1 of 3."
    )
    (bye, *_) = [pairing for pairing in drawn.pairings if pairing.is_bye]
    assert bye.why.text == "Free in round 1: group A has 3 entrants, an odd number; each is free once."


def test_pools_end_with_the_last_match_of_all():
    draw = play_out(FORMAT, Draw(field(7), options_of(FORMAT)))
    assert (len(draw.outcomes), FORMAT.plan(draw).finished) == (9, True)
    for key in draw.outcomes:
        missing = {other: outcome for other, outcome in draw.outcomes.items() if other != key}
        assert not FORMAT.plan(Draw(draw.entrants, draw.options, missing)).finished
