import re
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.board import HEIGHT, TALLEST, WIDTH, Holder, draw_board, draw_die
from rules.plays import legal_plays
from rules.position import BAR, OFF, START, count
from rules.profiles import DBF
from tests.rules.boards import board, positions

SVG = "{http://www.w3.org/2000/svg}"


def drawn(position, **options) -> ET.Element:
    return ET.fromstring(draw_board(position, title="Title", description="Words", **options))  # noqa: S314


def classed(root: ET.Element, *kinds: str) -> list[ET.Element]:
    return [node for node in root.iter() if set(kinds) <= set(node.get("class", "").split())]


@given(positions(), st.booleans())
@settings(max_examples=50)
def test_every_checker_is_drawn_once_or_counted(position, mirrored):
    root = drawn(position, mirrored=mirrored)
    for side, own in (("mine", position.mine), ("theirs", position.theirs)):
        standing = [count(own, point) for point in range(1, BAR + 1)]
        assert len(classed(root, "checker", side, "slab")) == count(own, OFF)
        circles = [node for node in classed(root, "checker", side) if node.tag == f"{SVG}circle"]
        assert len(circles) == sum(min(number, TALLEST) for number in standing)
        labels = sorted(int(node.text) for node in classed(root, "count", side))
        assert labels == sorted(number for number in standing if number > TALLEST)


def test_points_go_round_the_board_and_the_mover_bears_off_below():
    spots = {node.get("data-spot"): node for node in classed(drawn(START, spots=True), "spot")}
    place = {name: (float(node.get("data-x")), float(node.get("data-y"))) for name, node in spots.items()}
    assert len(spots) == 28
    assert place["1"][0] == place["24"][0] > place["6"][0] > place["7"][0] > place["12"][0] == place["13"][0]
    assert place["1"][1] == place["12"][1] > HEIGHT / 2 > place["24"][1]
    assert place["mine-0"][0] > place["1"][0]
    assert place["mine-0"][1] > HEIGHT / 2 > place["theirs-0"][1]


def test_mirrored_board_turns_left_and_right_only():
    plain, mirrored = (
        {node.get("data-spot"): node for node in classed(drawn(START, spots=True, mirrored=turned), "spot")}
        for turned in (False, True)
    )
    for name, spot in plain.items():
        assert float(spot.get("data-x")) + float(mirrored[name].get("data-x")) == WIDTH
        assert spot.get("data-y") == mirrored[name].get("data-y")


def test_checkers_of_the_opponent_are_on_the_points_of_the_mover():
    root = drawn(board({}, {3: 1}), spots=True)
    spot = next(node for node in classed(root, "spot") if node.get("data-spot") == "3")
    checker = next(node for node in classed(root, "checker", "theirs") if node.tag == f"{SVG}circle")
    assert (checker.get("cx"), checker.get("cy")) == (spot.get("data-x"), spot.get("data-y"))


def test_a_play_marks_what_arrived_and_what_was_left():
    before = board({24: 1, 6: 14}, {18: 1})
    after = before.moved(24, 18)
    root = drawn(after, before=before)
    assert len(classed(root, "checker", "mine", "new")) == 1
    assert len(classed(root, "checker", "theirs", "new")) == 1
    assert len(classed(root, "ghost")) == 1
    assert classed(drawn(after), "new") == []


def test_the_other_sides_play_has_its_own_numbers_dice_and_marks_on_the_same_board():
    before = board({6: 2}, {1: 1, 8: 1})
    after = before.swapped().moved(24, 19).swapped()
    mine, theirs = (drawn(after, before=before, dice=(4, 1), mover=mover) for mover in ("mine", "theirs"))
    numbers = [[int(node.text) for node in classed(root, "numbers")[0]] for root in (mine, theirs)]
    assert numbers == [list(range(1, 25)), list(range(24, 0, -1))]
    dice = [[float(node.get("x")) for node in classed(root, "die")] for root in (mine, theirs)]
    assert max(dice[1]) < WIDTH / 2 < min(dice[0])
    assert [len(classed(root, "ghost")) for root in (mine, theirs)] == [0, 1]
    assert len(classed(theirs, "checker", "theirs", "new")) == 1
    checkers = [[node.get("cx") for node in classed(root, "checker")] for root in (mine, theirs)]
    assert checkers[0] == checkers[1]


@given(positions(), st.tuples(st.integers(1, 6), st.integers(1, 6)))
@settings(max_examples=30)
def test_every_play_marks_at_least_one_arrival(position, roll):
    for after in list(legal_plays(position, roll, DBF))[:5]:
        if after != position:
            assert classed(drawn(after, before=position), "new")


def test_cube_shows_64_in_the_middle_and_lies_with_its_owner():
    def cube(value, holder):
        text = next(node for node in classed(drawn(START, cube=(value, holder)), "cube")[0].iter(f"{SVG}text"))
        return text.text, float(text.get("y"))

    assert cube(1, Holder.MIDDLE)[0] == "64"
    assert cube(2, Holder.MINE)[0] == "2"
    assert cube(2, Holder.MINE)[1] > cube(2, Holder.MIDDLE)[1] > cube(2, Holder.THEIRS)[1]
    assert classed(drawn(START), "cube") == []


@pytest.mark.parametrize("value", range(1, 7))
def test_a_die_has_its_pips(value):
    assert len(classed(ET.fromstring(draw_die(value)), "pip")) == value  # noqa: S314


def test_words_are_escaped_and_named_by_the_drawing():
    text = draw_board(START, title="<b>", description='"&"', name="first")
    root = ET.fromstring(text)  # noqa: S314
    assert root.get("role") == "img"
    ids = [node.get("id") for node in root.iter() if node.get("id")]
    assert root.get("aria-labelledby").split() == ids == ["first-title", "first-words"]
    assert [root.find(f"{SVG}title").text, root.find(f"{SVG}desc").text] == ["<b>", '"&"']


def test_nothing_in_the_drawing_is_inline_style_or_script():
    text = draw_board(START, title="t", description="d", dice=(6, 6), cube=(2, Holder.MINE), spots=True)
    assert re.findall(r"style=|<script|<style|\son\w+=", text) == []
