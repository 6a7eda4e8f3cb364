from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournament.formats.events import options_of
from tournament.formats.chance import SeededChance
from tournament.formats.errors import PlanError
from tournament.formats.groups import deal_groups, group_letters, places_of_the_field
from tournament.formats.options import Seeding
from tournament.formats.plan import Draw, Entrant, Placing, Reason, Section
from tournament.formats.pools import Pools

FORMAT = Pools()


def draw_of(entrants, protect="none", seeding=Seeding.RANDOM):
    return Draw(tuple(entrants), options_of(FORMAT, seeding=seeding, protect=protect))


def deal(entrants, count, protect="none", seeding=Seeding.RANDOM, seed="seed"):
    return deal_groups(draw_of(entrants, protect, seeding), count, SeededChance(seed))


def most_together(groups, mark):
    """The most entrants with one mark in a group, by mark."""
    most = Counter()
    for group in groups:
        for value, count in Counter(mark(entrant) for entrant in group).items():
            most[value] = max(most[value], count)
    return most


@pytest.mark.parametrize(
    ("index", "letters"),
    [(0, "A"), (25, "Z"), (26, "AA"), (27, "AB"), (51, "AZ"), (52, "BA"), (701, "ZZ"), (702, "AAA")],
)
def test_groups_are_lettered_like_the_columns_of_a_sheet(index, letters):
    assert group_letters(index) == letters


def test_the_letters_of_all_groups_differ():
    assert len({group_letters(index) for index in range(1000)}) == 1000


@st.composite
def fields(draw):
    """Entrants of a few clubs, countries and families, some of them seeded."""
    size = draw(st.integers(2, 48))
    seeded = draw(st.integers(0, size))
    pick = st.sampled_from
    return [
        Entrant(
            id=3 * number,
            name=f"Player {number}",
            seed=number if number <= seeded else None,
            club=draw(pick(("", "Aarhus", "Bergen", "Celle", "Danderyd"))),
            country=draw(pick(("", "DEN", "NOR"))),
            family=draw(pick(("", "", "", "Berg"))),
            persons=frozenset({number}),
        )
        for number in range(1, size + 1)
    ]


@given(fields(), st.integers(1, 8), st.sampled_from(("none", "club", "country", "club-country")), st.data())
def test_everyone_is_dealt_once_into_groups_that_differ_by_one_at_most(entrants, count, protect, data):
    count = min(count, len(entrants))
    seeding = data.draw(st.sampled_from(Seeding))
    groups, _ = deal(entrants, count, protect, seeding)
    assert sorted(entrant.id for group in groups for entrant in group) == [entrant.id for entrant in entrants]
    assert max(map(len, groups)) - min(map(len, groups)) <= 1
    assert deal(reversed(entrants), count, protect, seeding) == (groups, _)


@given(fields(), st.integers(1, 8))
def test_a_club_is_spread_as_evenly_as_possible_in_a_random_draw(entrants, count):
    count = min(count, len(entrants))
    entrants = [Entrant(entrant.id, entrant.name, club=entrant.club) for entrant in entrants]
    groups, notes = deal(entrants, count, "club")
    most = most_together(groups, lambda entrant: entrant.club)
    members = Counter(entrant.club for entrant in entrants)
    assert {club: most[club] for club in most if club} == {
        club: -(-size // count) for club, size in members.items() if club
    }
    assert [dict(note.params)["who"] for note in notes] == sorted(
        club for club, size in members.items() if club and size > count
    )


@given(fields(), st.integers(1, 8))
def test_a_family_is_kept_apart_whatever_the_option_and_before_a_club(entrants, count):
    count = min(count, len(entrants))
    family = sum(entrant.family == "Berg" for entrant in entrants)
    for protect in ("none", "club"):
        groups, _ = deal(entrants, count, protect)
        assert most_together(groups, lambda entrant: entrant.family)["Berg"] == -(-family // count)


@given(fields(), st.integers(1, 8))
def test_seeded_entrants_stay_in_their_row_in_a_draw_by_seeds(entrants, count):
    count = min(count, len(entrants))
    groups, _ = deal(entrants, count, "club-country", Seeding.SEEDED)
    for group in groups:
        for row, entrant in enumerate(group):
            assert entrant.seed is None or (entrant.seed - 1) // count == row


def test_entries_of_one_person_are_dealt_apart():
    entrants = [Entrant(number, f"P{number}", persons=frozenset({number % 4})) for number in range(12)]
    for seed in range(20):
        groups, _ = deal(entrants, 3, seed=seed)
        assert [sorted(entrant.id % 4 for entrant in group) for group in groups] == [[0, 1, 2, 3]] * 3


def test_a_person_with_more_entries_than_groups_is_refused():
    entrants = [Entrant(number, f"P{number}", persons=frozenset({min(number, 3)})) for number in range(6)]
    with pytest.raises(PlanError) as refused:
        deal(entrants, 2)
    assert refused.value.code == "meets_himself"


def test_those_who_cannot_be_kept_apart_are_named():
    entrants = [Entrant(number, f"P{number}", club="Aarhus" if number < 3 else "") for number in range(8)]
    groups, notes = deal(entrants, 2, "club")
    crowded = [sum(entrant.club == "Aarhus" for entrant in group) for group in groups].index(2)
    assert [note.text for note in notes] == [
        f"Aarhus: several entrants could not be kept apart and share a group ({'AB'[crowded]})."
    ]


def test_a_draw_with_nobody_to_keep_apart_is_left_as_it_is():
    entrants = [Entrant(number, f"P{number}", club="Aarhus") for number in range(12)]
    assert deal(entrants, 3, "none")[0] == deal(entrants, 3, "country")[0]


def section(*places):
    placings = tuple(Placing(entrant, place, place_to) for entrant, place, place_to in places)
    return Section("GA", Reason("pool", "Pool"), tuple(placing.entrant for placing in placings), placings)


def test_places_of_the_field_are_shared_by_those_of_equal_places_in_their_groups():
    four = section((1, 1, 1), (2, 2, 2), (3, 3, 3), (4, 4, 4))
    three = section((5, 1, 1), (6, 2, 2), (7, 3, 3))
    open = section((8, 1, 3), (9, 1, 4), (10, 2, 4), (11, 3, 4))
    assert places_of_the_field([four, three, open]) == (
        Placing(1, 1, 3),
        Placing(5, 1, 3),
        Placing(8, 1, 9),
        Placing(9, 1, 11),
        Placing(2, 4, 6),
        Placing(6, 4, 6),
        Placing(10, 4, 11),
        Placing(3, 7, 9),
        Placing(7, 7, 9),
        Placing(11, 7, 11),
        Placing(4, 10, 11),
    )


@given(st.lists(st.integers(3, 4), min_size=1, max_size=6))
def test_places_of_groups_that_differ_by_one_add_up(sizes):
    sections = [
        section(*((10 * group + place, place, place) for place in range(1, size + 1)))
        for group, size in enumerate(sizes, start=1)
    ]
    ranges = sorted({(placing.place, placing.place_to) for placing in places_of_the_field(sections)})
    assert all(before[1] + 1 == after[0] for before, after in pairwise(ranges))
    assert (ranges[0][0], ranges[-1][1]) == (1, sum(sizes))
