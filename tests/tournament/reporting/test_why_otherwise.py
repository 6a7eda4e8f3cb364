"""Every reason of a correction has a sentence, and a check of a list knows each of them."""

from players.lists.corrected import REASONS
from tournament.reporting.correcting import WHY_OTHERWISE


def test_the_reasons_that_a_check_knows_are_those_that_have_a_sentence() -> None:
    assert set(WHY_OTHERWISE) == REASONS
