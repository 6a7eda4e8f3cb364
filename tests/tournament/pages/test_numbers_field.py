"""Lists of numbers as people type them."""

import pytest

from tournament.pages.parameters import split_numbers


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("", []),
        ("10", ["10"]),
        ("10 6 4", ["10", "6", "4"]),
        ("10,6,4", ["10", "6", "4"]),
        ("10, 6, 4", ["10", "6", "4"]),
        ("10 , 6 ,4,", ["10", "6", "4"]),
        ("10;6", ["10", "6"]),
        ("10; 6;", ["10", "6"]),
        ("2.5 1.5", ["2.5", "1.5"]),
        ("2.5,1.5", ["2.5", "1.5"]),
        ("10.5,6,4", ["10.5", "6", "4"]),
        ("2,5 1,5", ["2.5", "1.5"]),
        ("2,5;1", ["2.5", "1"]),
    ],
)
def test_numbers_are_separated_as_people_do(text, numbers):
    assert split_numbers(text) == numbers


@pytest.mark.parametrize("text", ["10,6", "2.5 1,5", "10, 6,4", "2,5, 1,5", "1,000,000", "1.000,5", "1,000 500,5,1"])
def test_a_comma_that_can_be_read_in_two_ways_is_asked_about(text):
    assert split_numbers(text) is None
