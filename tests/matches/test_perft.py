import io

import pytest
from django.core.management import CommandError, call_command

from rules.ids import position_id
from tests.rules.boards import board

START_ID = "4HPwATDgc/ABMA"


def run(*arguments):
    out = io.StringIO()
    call_command("perft", *arguments, stdout=out)
    return out.getvalue()


@pytest.mark.parametrize(("depth", "ways"), [("0", "1\n"), ("1", "447\n"), ("2", "202782\n")])
def test_perft_of_the_start(depth, ways):
    assert run(START_ID, depth) == ways


def test_perft_asks_the_profile():
    bearoff = position_id(board({6: 1, 4: 1}, {24: 1}))
    assert int(run(bearoff, "1")) < int(run(bearoff, "1", "--profile", "de-leaflet"))


@pytest.mark.parametrize("arguments", [("nonsense", "1"), (START_ID, "9"), (START_ID, "-1"), (START_ID, "one")])
def test_perft_refuses_what_is_not_a_position_or_a_depth(arguments):
    with pytest.raises(CommandError):
        run(*arguments)
