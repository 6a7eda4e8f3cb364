"""Plays read in any notation and written in that of the profile."""

import pytest

from rules.errors import NotationError
from rules.notation import parse_play
from rules.notations import read_play, write_play
from tests.rules.texts import S0, S2, A, B


def test_a_play_is_written_as_the_text_names_points_and_read_back():
    play = parse_play("24/20/15")
    assert write_play(play, S0, A) == "S1-S5 S5-S10"
    assert write_play(play, S0, B) == "W1-W5 W5-W10"
    assert write_play(play, S2, B) == "24/20 20/15"
    for profile in (S0, S2):
        for side in (A, B):
            assert read_play(write_play(play, profile, side), side) == play


@pytest.mark.parametrize("text", ["S1-S5-S10", "24/20/15", "S 1-S 5-S 10"])
def test_a_play_is_read_in_either_notation(text):
    assert read_play(text, A) == parse_play("24/20/15")


def test_a_row_that_a_colour_walks_the_other_way_is_no_play_of_it():
    with pytest.raises(NotationError, match="forward"):
        read_play("S1-S5", B)
