from datetime import date

import pytest
from django.utils import translation

from tournament.setup.names import name_on, name_with_day, next_name

BEFORE, AFTER = date(2026, 11, 22), date(2026, 12, 6)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Club night 22 Nov", "Club night 6 Dec"),
        ("Club night 22 November 2026", "Club night 6 December 2026"),
        ("Klubaften 22. nov", "Klubaften 6. dec"),
        ("Klubaften 22/11", "Klubaften 06/12"),
        ("November Cup", "December Cup"),
        ("Open 2026-11-22", "Open 2026-12-06"),
        ("Friday Club", "Friday Club"),
        ("Room 122 Nov", "Room 122 Nov"),
        ("Nordic Open 2026", "Nordic Open 2026"),
    ],
)
def test_the_day_in_a_name_moves_and_everything_else_stays(name, expected):
    assert name_on(name, BEFORE, AFTER) == expected


def test_a_year_in_a_name_moves_too():
    assert name_on("Nordic Open 2026", BEFORE, date(2027, 11, 21)) == "Nordic Open 2027"


def test_the_default_name_holds_the_day_and_is_found_again():
    for language in ("en", "da", "sv", "nb", "de"):
        with translation.override(language):
            name = name_with_day("Club", BEFORE)
            assert name_on(name, BEFORE, AFTER) == name_with_day("Club", AFTER) != name


@pytest.mark.parametrize(
    ("name", "taken", "expected"),
    [
        ("Jackpot", {"Jackpot"}, "Jackpot 2"),
        ("Jackpot", {"Jackpot", "Jackpot 2"}, "Jackpot 3"),
        ("Jackpot 2", {"Jackpot 2"}, "Jackpot 3"),
        ("x" * 80, set(), "x" * 75 + " 2"),
    ],
)
def test_another_event_has_the_next_number(name, taken, expected):
    assert next_name(name, taken) == expected
