"""Whose score is proposed where two disagree: the one that was written, else that of the player who trails."""

import pytest

from rules.score import MatchScore, Side
from rules.written_scores import OPEN, TRAILING, WRITTEN, propose_score

A, B = Side.A, Side.B


@pytest.mark.parametrize(
    ("written", "agreed", "side", "template"),
    [
        ([A], (0, 4), A, WRITTEN),
        ([B], (4, 4), B, WRITTEN),
        ([A, B], (3, 1), B, TRAILING),
        ([], (1, 3), A, TRAILING),
        ([A, B], (2, 2), None, OPEN),
        ([], (0, 0), None, OPEN),
    ],
)
def test_one_written_score_prevails_else_the_trailing_player_s_else_nobody_s(written, agreed, side, template):
    proposal = propose_score(written, MatchScore(7, *agreed))
    assert (proposal.side, proposal.template) == (side, template)
