import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import NotationError
from rules.notation import GALAXY, STUDIO, Hop, format_play, parse_play


@pytest.mark.parametrize(
    ("text", "play"),
    [
        ("", ()),
        ("8/5 6/5", (Hop(8, 5), Hop(6, 5))),
        ("25/22 4/0", (Hop(25, 22), Hop(4, 0))),
        ("bar/22 4/off", (Hop(25, 22), Hop(4, 0))),
        ("Bar/22* 4/Off", (Hop(25, 22, hit=True), Hop(4, 0))),
        ("24/20*/16*", (Hop(24, 20, hit=True), Hop(20, 16, hit=True))),
        ("22/13", (Hop(22, 13),)),
        ("8/4*(2) 6/2(2)", (Hop(8, 4, hit=True), Hop(8, 4), Hop(6, 2), Hop(6, 2))),
        ("24/22/20(2)", (Hop(24, 22), Hop(22, 20), Hop(24, 22), Hop(22, 20))),
    ],
)
def test_parse_play_reads_both_dialects(text, play):
    assert parse_play(text) == play


@pytest.mark.parametrize(
    "text",
    [
        *("8", "8/", "/5", "8/8", "5/8", "26/20", "8/5(5)", "8/5(1)", "8//5", "off/3", "8/bar", "8/5 x", "8/5**"),
        *("8/5(2) 6/3(3)", "\u0661/0", "999/1"),
    ],
)
def test_parse_play_refuses_what_is_not_a_play(text):
    with pytest.raises(NotationError):
        parse_play(text)


@pytest.mark.parametrize(
    ("play", "studio", "galaxy"),
    [
        ((), "", ""),
        ((Hop(25, 21, hit=True), Hop(6, 0)), "bar/21* 6/off", "25/21 6/0"),
        ((Hop(8, 4, hit=True), Hop(8, 4), Hop(6, 2)), "8/4*(2) 6/2", "8/4 8/4 6/2"),
        ((Hop(24, 18), Hop(13, 7), Hop(24, 18), Hop(13, 7)), "24/18(2) 13/7(2)", "24/18 13/7 24/18 13/7"),
    ],
)
def test_format_play_writes_the_dialect(play, studio, galaxy):
    assert format_play(play, STUDIO) == studio
    assert format_play(play, GALAXY) == galaxy


hops = st.integers(1, 25).flatmap(
    lambda start: st.builds(Hop, st.just(start), st.integers(0, start - 1), st.just(False))
)


@given(st.lists(hops, max_size=4))
def test_format_play_reads_back(play):
    assert parse_play(format_play(play, GALAXY)) == tuple(play)
    read = parse_play(format_play(play, STUDIO))
    assert sorted((hop.start, hop.end) for hop in read) == sorted((hop.start, hop.end) for hop in play)


@given(st.text(alphabet="0123456789/*() barof", max_size=30))
def test_parse_play_raises_nothing_but_a_notation_error(text):
    try:
        play = parse_play(text)
    except NotationError:
        return
    assert all(hop.end < hop.start for hop in play)
