import pytest
from hypothesis import given, settings

from rules.listing import faulty_hop, written_plays
from rules.notation import format_play, parse_play
from rules.plays import judge_play, legal_plays
from rules.position import START
from rules.profiles import DBF, DE_LEAFLET
from tests.rules.boards import board, positions, rolls


def texts(position, roll, profile=DBF):
    return [format_play(written.play) for written in written_plays(position, roll, profile)]


def test_written_plays_of_the_opening_31():
    assert texts(START, (3, 1)) == [
        "24/20",
        "24/21 24/23",
        "24/21 8/7",
        "24/21 6/5",
        "24/23 13/10",
        "24/23 8/5",
        "24/23 6/3",
        "13/9",
        "13/10 8/7",
        "13/10 6/5",
        "8/4",
        "8/5 8/7",
        "8/5 6/5",
        "8/7 6/3",
        "6/2",
        "6/3 6/5",
    ]


@pytest.mark.parametrize(
    ("position", "roll", "expected"),
    [
        (board({24: 1}, {18: 1}), (6, 2), ["24/16", "24/18* 18/16"]),
        (board({25: 2}, {20: 2}), (5, 3), ["bar/22"]),
        (board({25: 1}, {24: 2, 22: 2}), (3, 1), []),
        (board({2: 2}), (6, 5), ["2/off(2)"]),
        (board({24: 4}), (4, 4), ["24/20(4)", "24/16 24/20(2)", "24/16(2)", "24/12 24/20", "24/8"]),
    ],
)
def test_written_plays_are_short_and_mark_hits(position, roll, expected):
    assert sorted(texts(position, roll)) == sorted(expected)


@given(positions(), rolls)
@settings(max_examples=40)
def test_written_plays_are_the_legal_plays_and_read_back(position, roll):
    for profile in (DBF, DE_LEAFLET):
        plays = written_plays(position, roll, profile)
        assert len(plays) == len({written.after for written in plays})
        assert {written.after for written in plays} == legal_plays(position, roll, profile)
        for written in plays:
            assert judge_play(position, roll, parse_play(format_play(written.play)), profile) == written.after
            assert faulty_hop(position, roll, written.play, profile) is None


@pytest.mark.parametrize(
    ("text", "hop"),
    [
        ("24/21 8/7", None),
        ("24/21", None),
        ("24/21 24/22", 1),
        ("8/7 22/19", 1),
        ("13/12 6/3", 0),
        ("24/20*", 0),
        ("13/7 8/7", 0),
        ("8/5 6/5 6/5", 2),
    ],
)
def test_faulty_hop_is_the_first_that_cannot_be_made(text, hop):
    assert faulty_hop(START, (3, 1), parse_play(text), DBF) == hop


def test_written_plays_follow_the_profile():
    position = board({6: 1, 4: 1}, {24: 2})
    assert texts(position, (5, 1), DBF) == ["6/off", "6/1 4/3"]
    assert texts(position, (5, 1), DE_LEAFLET) == ["6/off", "6/1 4/3", "6/5 4/off", "4/off"]
