from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.position import START, Position
from rules.records.snowie import Placed, format_placed, parse_placed

LINE = "3;0;0;0;1;Ann;Bob;0;1;0;2;-1;0;-1;0;0;1;1;5;0;2;0;0;-1;-4;5;0;0;0;-3;0;-4;0;0;-1;0;1;-1;5;2;"
PLACED = Placed(
    length=3,
    flag=1,
    names=("Ann", "Bob"),
    score=(1, 0),
    position=Position.of({24: 1, 13: 5, 8: 2, 6: 5, 5: 1, 4: 1}, {25: 1, 24: 1, 14: 1, 13: 4, 8: 3, 6: 4, 3: 1}),
    cube=2,
    owner=-1,
    dice=(5, 2),
)


def test_parse_placed_reads_the_board_of_the_player_named_first():
    assert parse_placed(LINE) == PLACED
    assert parse_placed(f" {LINE.removesuffix(';')} ") == PLACED
    assert format_placed(PLACED) == LINE


sides = st.lists(st.integers(0, 25), max_size=15)


@given(sides, sides, st.booleans(), st.integers(0, 1), st.sampled_from([-1, 0, 1]))
def test_a_position_line_reads_back_as_it_was_written(mine, theirs, crawford, flag, owner):
    free = [point for point in theirs if point in (0, 25) or 25 - point not in mine]
    position = Position.of(
        {point: mine.count(point) for point in set(mine) - {0}}, {point: free.count(point) for point in set(free) - {0}}
    )
    placed = replace(PLACED, position=position, crawford=crawford, flag=flag, owner=owner)
    assert parse_placed(format_placed(placed)) == placed


@pytest.mark.parametrize(
    "text",
    [
        "",
        ";" * 40,
        LINE + "0;",
        LINE.replace("-4;5", "-4"),
        LINE.replace("-4;5", "-4;x"),
        LINE.replace("-4;5", "-4;5.0"),
        LINE.replace("-4;5", "-4;\u0665"),
        LINE.replace("-4;5", "-4;--5"),
        LINE.replace("-4;5", "-4;9999999999"),
        LINE.replace("-4;5", "-4;16"),
        LINE.replace("-4;5", "-4;6"),
        LINE.replace("-1;0;-1;0;0;1", "-1;-1;-1;0;0;1"),
    ],
)
def test_parse_placed_refuses_impossible_boards(text):
    with pytest.raises(ValueError, match=r"fields|side|checkers"):
        parse_placed(text)


def test_the_start_is_written_as_forty_fields():
    line = format_placed(Placed(7, 0, ("A", "B"), (0, 0), START))
    assert line == "7;0;0;0;0;A;B;0;0;0;1;0;0;-2;0;0;0;0;5;0;3;0;0;0;-5;5;0;0;0;-3;0;-5;0;0;0;0;2;0;0;0;"
