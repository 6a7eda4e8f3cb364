"""The account of a money session and its settlement."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.money import BoxResult, Transfer, account, settle
from rules.score import Level
from rules.sheet import GameResult
from tests.rules.texts import A, B


def test_the_box_wins_from_and_loses_to_each_of_the_others():
    results = [
        BoxResult(0, 1, GameResult(A, 2, Level.GAMMON)),
        BoxResult(0, 2, GameResult(B, 4)),
        BoxResult(2, 0, GameResult(A, 1)),
    ]
    assert account(results, 3) == (-1, -4, 5)


@given(st.lists(st.integers(-200, 200), min_size=1, max_size=9))
def test_settling_leaves_nobody_a_debt_with_fewer_payments_than_players(won):
    totals = [*won, -sum(won)]
    transfers = settle(totals)
    for transfer in transfers:
        assert transfer.points > 0
        totals[transfer.payer] += transfer.points
        totals[transfer.payee] -= transfer.points
    assert not any(totals)
    assert len(transfers) < len(totals)


def test_settling_two_is_one_payment_and_points_from_nowhere_are_refused():
    assert settle((6, -6)) == (Transfer(1, 0, 6),)
    with pytest.raises(ValueError, match="others lose"):
        settle((1, 0))
