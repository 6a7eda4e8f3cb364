import pytest

from rules.perft import perft
from rules.position import START
from rules.profiles import WBGF
from tests.rules.boards import board


@pytest.mark.parametrize(("depth", "ways"), [(0, 1), (1, 447), (2, 202_782)])
def test_perft_of_the_start_is_that_of_other_programs(depth, ways):
    assert perft(START, depth, WBGF) == ways


def test_perft_counts_a_pass_as_one_way():
    closed = board({25: 1}, {19: 2, 20: 2, 21: 2, 22: 2, 23: 2, 24: 2})
    assert perft(closed, 1, WBGF) == 21


def test_perft_ends_with_the_game():
    assert perft(board({}, {24: 1}), 1, WBGF) == 0
    assert perft(board({1: 1}, {24: 1}), 1, WBGF) == 21
    assert perft(board({1: 1}, {24: 1}), 2, WBGF) == 0
