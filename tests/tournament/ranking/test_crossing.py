"""Those who come from groups: the winners apart, and the same group again as late as can be."""

from itertools import combinations

import pytest

from tests.tournament.formats.events import options_of
from tournament.formats import FORMATS
from tournament.formats.main_bracket import round_count, seeding_order
from tournament.ranking.crossing import crossing, seed_across

KNOCKOUT = FORMATS["single-elimination"]


def every(groups, count):
    return (tuple(range(groups)),) * count


def meeting_rounds(groups, count):
    """The first round in which two of one group can meet, for each pair of each group."""
    seeded = seed_across(every(groups, count))
    lines = seeding_order(2 ** round_count(len(seeded)))
    line_of = {one: lines.index(seed) for seed, one in enumerate(seeded, start=1)}
    return [
        (line_of[group, a] ^ line_of[group, b]).bit_length()
        for group in range(groups)
        for a, b in combinations(range(count), 2)
    ]


@pytest.mark.parametrize(
    ("groups", "pairs"),
    [
        (2, "A1-B2 B1-A2"),
        (3, "A1- C2-B2 B1- C1-A2"),
        (4, "A1-B2 D1-C2 B1-A2 C1-D2"),
        (8, "A1-B2 H1-G2 D1-C2 E1-F2 B1-A2 G1-H2 C1-D2 F1-E2"),
    ],
)
def test_two_of_each_group_cross(groups, pairs):
    found = crossing(KNOCKOUT, options_of(KNOCKOUT, seeding="seeded"), groups, 2)
    assert " ".join(f"{a}-{b}" for a, b in found) == pairs


@pytest.mark.parametrize("groups", [*range(2, 33), 64, 128])
def test_two_of_one_group_meet_in_the_final_only(groups):
    assert set(meeting_rounds(groups, 2)) == {round_count(2 * groups)}


@pytest.mark.parametrize("groups", range(2, 33))
@pytest.mark.parametrize("count", [3, 4])
def test_of_three_or_four_no_two_share_a_quarter_of_the_bracket(groups, count):
    assert min(meeting_rounds(groups, count)) >= round_count(groups * count) - 1


@pytest.mark.parametrize("groups", range(2, 20))
def test_the_winners_have_the_first_seeds(groups):
    seeded = seed_across(every(groups, 3))
    assert seeded[:groups] == tuple((group, 0) for group in range(groups))
    assert sorted(seeded) == sorted((group, place) for group in range(groups) for place in range(3))


def test_a_group_with_fewer_who_are_left_keeps_the_others_apart():
    seeded = seed_across(((0, 1, 2, 3), (0, 1, 3)))
    assert seeded[:4] == ((0, 0), (1, 0), (2, 0), (3, 0))
    assert sorted(seeded[4:]) == [(0, 1), (1, 1), (3, 1)]


@pytest.mark.parametrize(
    ("slug", "chosen"),
    [("single-elimination", {}), ("single-elimination", {"seeding": "seeded", "byes": "random"}), ("swiss", {})],
)
def test_nothing_is_shown_where_the_lots_decide(slug, chosen):
    format = FORMATS[slug]
    assert crossing(format, options_of(format, **chosen), 4, 2) == ()
