from collections import Counter
from random import Random

import pytest

from tests.tournament.formats.events import assert_even
from tournament.formats.main_bracket import round_count, round_title, seeding_order, spread_byes


@pytest.mark.parametrize(
    ("lines", "order"),
    [
        (2, [1, 2]),
        (4, [1, 4, 2, 3]),
        (8, [1, 8, 4, 5, 2, 7, 3, 6]),
        (16, [1, 16, 8, 9, 4, 13, 5, 12, 2, 15, 7, 10, 3, 14, 6, 11]),
    ],
)
def test_seeding_order_is_the_standard_one(lines, order):
    assert seeding_order(lines) == order


@pytest.mark.parametrize(("entrants", "rounds"), [(2, 1), (3, 2), (4, 2), (5, 3), (8, 3), (9, 4), (512, 9)])
def test_round_count_is_the_least_that_fits(entrants, rounds):
    assert round_count(entrants) == rounds


@pytest.mark.parametrize(
    ("round", "rounds", "title"),
    [(4, 4, "Final"), (3, 4, "Semifinals"), (2, 4, "Quarterfinals"), (1, 4, "Round 1"), (1, 1, "Final")],
)
def test_round_title_counts_from_the_final(round, rounds, title):
    assert round_title(round, rounds).text == title


@pytest.mark.parametrize("pairings", [1, 2, 4, 8, 16, 32, 64, 128, 256])
def test_spread_byes_is_even_in_every_part(pairings):
    for byes in range(pairings):
        spread = spread_byes(pairings, byes, Random(byes))
        assert sum(spread) == byes
        assert_even(spread)


def test_spread_byes_reaches_every_pairing():
    seen = Counter(spread_byes(4, 1, Random(seed)).index(1) for seed in range(400))
    assert sorted(seen) == [0, 1, 2, 3]
    assert min(seen.values()) > 60
