"""The S/W notation of the Danish leaflet, read and printed for both colours."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import NotationError
from rules.notation import Hop
from rules.notation_sw import Colour, format_point_sw, format_sw, parse_point_sw, parse_sw
from rules.position import BAR, OFF, START

WHITE, BLACK = Colour.WHITE, Colour.BLACK


@pytest.mark.parametrize("colour", Colour)
def test_every_point_reads_back(colour):
    names = [format_point_sw(point, colour) for point in range(1, BAR)]
    assert sorted(names) == sorted(f"{row}{number}" for row in "SW" for number in range(1, 13))
    assert [parse_point_sw(name, colour) for name in names] == list(range(1, BAR))
    assert [parse_point_sw(f" {name[0].lower()} {name[1:]}", colour) for name in names] == list(range(1, BAR))


@pytest.mark.parametrize("point", range(1, BAR))
def test_a_point_has_the_same_name_for_both_colours(point):
    assert format_point_sw(point, WHITE) == format_point_sw(BAR - point, BLACK)


@pytest.mark.parametrize(
    ("colour", "setup"),
    [
        (WHITE, {"S1": 2, "S12": 5, "W8": 3, "W6": 5}),
        (BLACK, {"W1": 2, "W12": 5, "S8": 3, "S6": 5}),
    ],
)
def test_the_leaflets_setup_is_the_start(colour, setup):
    assert {name: START.checkers(parse_point_sw(name, colour)) for name in setup} == setup


@pytest.mark.parametrize(
    ("text", "colour", "play"),
    [
        ("", WHITE, ()),
        ("S1-S5-S10", WHITE, (Hop(24, 20), Hop(20, 15))),
        ("S 1-S 5-S 10", WHITE, (Hop(24, 20), Hop(20, 15))),
        ("S12-W9 S12-W8", WHITE, (Hop(13, 9), Hop(13, 8))),
        ("W1-W5*", BLACK, (Hop(24, 20, hit=True),)),
        ("slået-W3 S6-ud", BLACK, (Hop(25, 22), Hop(6, 0))),
        ("bar-S3* w6-off", WHITE, (Hop(25, 22, hit=True), Hop(6, 0))),
        ("W4-ud(4)", WHITE, (Hop(4, 0),) * 4),
        ("W8-W4*(2)", WHITE, (Hop(8, 4, hit=True), Hop(8, 4))),
    ],
)
def test_parse_sw_reads_the_leaflets_plays(text, colour, play):
    assert parse_sw(text, colour) == play


@pytest.mark.parametrize(
    "text",
    [
        *("S1", "S1-", "-S1", "S1-S1", "S5-S1", "S0-S1", "S1-S13", "24/20", "ud-S1", "S1-slået", "S1*-S2", "S1-S2**"),
        *("S1-S2(5)", "S1-S2(4) S1-S2", "X1-X2", "S١-S2", "S999-S1", "S1--S3", "slået-W3-S3", "(2)", "S 1 - S 5"),
    ],
)
def test_parse_sw_refuses_what_is_not_a_play(text):
    with pytest.raises(NotationError):
        parse_sw(text, WHITE)


@pytest.mark.parametrize("point", [OFF, BAR, -1, 26])
def test_format_point_sw_knows_only_points_of_the_board(point):
    with pytest.raises(ValueError, match="not a point"):
        format_point_sw(point, WHITE)


hops = st.integers(1, BAR).flatmap(
    lambda start: st.builds(Hop, st.just(start), st.integers(OFF, start - 1), st.booleans())
)


@pytest.mark.parametrize("colour", Colour)
@pytest.mark.parametrize("start", range(1, BAR + 1))
def test_every_hop_reads_back(start, colour):
    every = [(Hop(start, end, hit),) for end in range(OFF, start) for hit in (False, True)]
    assert [parse_sw(format_sw(play, colour), colour) for play in every] == every


@given(st.lists(hops, max_size=4).map(tuple), st.sampled_from(Colour))
def test_format_sw_reads_back(play, colour):
    assert parse_sw(format_sw(play, colour), colour) == play


@given(st.text(alphabet="0123456789SW-*() udofbarslået", max_size=30), st.sampled_from(Colour))
def test_parse_sw_raises_nothing_but_a_notation_error(text, colour):
    try:
        play = parse_sw(text, colour)
    except NotationError:
        return
    assert all(hop.end < hop.start for hop in play)
