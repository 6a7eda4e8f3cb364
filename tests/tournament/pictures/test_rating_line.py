import re

import pytest

from tournament.pictures.rating_line import MOST_POINTS, draw_rating_line

WORDS = {"first": "1 May", "last": "<2 May>", "title": "Rating"}


@pytest.mark.parametrize("values", [[], [1500.0]])
def test_nothing_is_drawn_of_fewer_than_two(values):
    assert draw_rating_line(values, **WORDS) == ""


@pytest.mark.parametrize("values", [[1500, 1500], [1500, 1512.3, 1490], [900 + 3 * n for n in range(1000)]])
def test_the_line_stays_within_the_picture_and_ends_with_the_last_value(values):
    drawn = draw_rating_line(values, **WORDS)
    points = [tuple(map(float, pair.split(","))) for pair in re.search(r'line" points="([^"]+)"', drawn)[1].split()]
    assert 2 <= len(points) == min(len(values), MOST_POINTS)
    assert all(0 <= x <= 640 and 0 <= y <= 220 for x, y in points)
    assert f">{values[-1]:.0f}</text>" in drawn


def test_texts_are_escaped():
    drawn = draw_rating_line([1500, 1510], **WORDS | {"title": "Up & down"})
    assert "<2 May>" not in drawn
    assert "Up &amp; down" in drawn


def test_the_line_is_told_in_words():
    drawn = draw_rating_line([1500, 1490.4, 1512, 1510], **WORDS)
    words = "From 1500 on 1 May to 1510 on &lt;2 May&gt;; highest 1512, lowest 1490."
    assert f'<desc id="rating-words">{words}</desc>' in drawn


def test_two_ends_on_one_day_name_it_once():
    drawn = draw_rating_line([1500, 1510], **{**WORDS, "first": "1 May", "last": "1 May"})
    assert drawn.partition("</desc>")[2].count("1 May") == 1
