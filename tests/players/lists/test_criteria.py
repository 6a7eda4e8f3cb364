"""Who stands on a list: experience, activity, membership, nation, club, and the class of the highest rating."""

from dataclasses import replace
from datetime import date
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from players.lists.criteria import (
    class_of,
    day_played,
    highest,
    lines_of,
    months_after,
    next_peaks,
    peaks_within,
    provisional_in,
)
from players.lists.values import Before, Criteria, Facts, Held, Line, Provisional, Standing
from players.ratings import RATINGS, Rating

AS_OF = date(2026, 11, 30)
ZONE = ZoneInfo("Europe/Copenhagen")
ANNA, BO, CARL, DORA = range(1, 5)
STANDINGS = {
    ANNA: Standing(Rating(1620.004, 500, 60, 40), "2026-11-01T18:00:00+00:00"),
    BO: Standing(Rating(1620.0, 199, 30, 20), "2026-10-01T18:00:00+00:00"),
    CARL: Standing(Rating(1550.0, 900, 90, 45), "2025-11-29T18:00:00+00:00"),
    DORA: Standing(Rating(1480.0, 300, 40, 10), "2026-11-20T18:00:00+00:00"),
}
FACTS = {
    ANNA: Facts(True, "DK", 1, order="anna"),
    BO: Facts(False, "DK", 2, order="bo"),
    CARL: Facts(True, "SE", 1, order="carl"),
    DORA: Facts(True, "DK", 1, order="dora"),
}


def lined(facts: dict[int, Facts], criteria: Criteria, before: Before | None = None) -> list[Line]:
    provisional = provisional_in(STANDINGS, criteria, RATINGS["fibs"], AS_OF)
    terms = {"criteria": criteria, "before": before or Before(), "as_of": AS_OF, "places": 2, "zone": ZONE}
    return lines_of(STANDINGS, facts, {}, provisional, **terms)


def listed(**criteria: object) -> list[tuple[int, int, int]]:
    """Player, rank and rank_to of each line."""
    lines = lined(FACTS, Criteria(**criteria))
    return [(line.player, line.rank, line.rank_to) for line in lines]


@pytest.mark.parametrize(
    ("criteria", "found"),
    [
        ({}, [(ANNA, 1, 2), (BO, 1, 2), (CARL, 3, 3), (DORA, 4, 4)]),
        ({"members": True}, [(ANNA, 1, 1), (CARL, 2, 2), (DORA, 3, 3)]),
        ({"nation": "DK"}, [(ANNA, 1, 2), (BO, 1, 2), (DORA, 3, 3)]),
        ({"club": 1}, [(ANNA, 1, 1), (CARL, 2, 2), (DORA, 3, 3)]),
        ({"active_months": 12}, [(ANNA, 1, 2), (BO, 1, 2), (DORA, 3, 3)]),
        ({"active_months": 1, "active_since": "2025-01-01"}, [(ANNA, 1, 2), (BO, 1, 2), (CARL, 3, 3), (DORA, 4, 4)]),
        ({"experience": 200}, [(ANNA, 1, 1), (CARL, 2, 2), (DORA, 3, 3), (BO, 0, 0)]),
        ({"experience": 200, "provisional": Provisional.LEFT_OUT}, [(ANNA, 1, 1), (CARL, 2, 2), (DORA, 3, 3)]),
        ({"experience": 999}, [(ANNA, 0, 0), (BO, 0, 0), (CARL, 0, 0), (DORA, 0, 0)]),
    ],
)
def test_criteria_say_who_stands_on_a_list(criteria: dict[str, object], found: list[tuple[int, int, int]]) -> None:
    assert listed(**criteria) == found


def test_provisional_players_can_stand_by_name() -> None:
    renamed = {**FACTS, ANNA: replace(FACTS[ANNA], order="zoe")}
    criteria = Criteria(experience=999, provisional=Provisional.BY_NAME)
    lines = lined(renamed, criteria)
    assert [line.player for line in lines] == [BO, CARL, DORA, ANNA]


def test_a_line_says_what_has_changed_since_the_list_before() -> None:
    before = Before(1, "", {ANNA: "1632.00"})
    lines = lined(FACTS, Criteria(), before)
    assert [line.delta for line in lines] == ["-12.00", None, None, None]


@given(st.lists(st.floats(1000, 2000), min_size=1, max_size=40), st.integers(1, 12))
def test_the_highest_of_the_last_matches_is_found_from_the_peaks(values: list[float], window: int) -> None:
    one = Standing(Rating(1500.0))
    for number, value in enumerate(values, start=1):
        one = Standing(Rating(value, 0, number), peaks=next_peaks(one, value, number, window))
    assert highest(one) == max(values[-window:])


@given(st.lists(st.floats(1000, 2000), min_size=1, max_size=40), st.integers(1, 12), st.integers(0, 12))
def test_peaks_of_more_matches_tell_those_of_fewer(values: list[float], window: int, fewer: int) -> None:
    one = Standing(Rating(1500.0))
    for number, value in enumerate(values, start=1):
        one = Standing(Rating(value, 0, number), peaks=next_peaks(one, value, number, window + fewer))
    assert highest(replace(one, peaks=peaks_within(one, window))) == max(values[-window:])
    assert highest(replace(one, peaks=peaks_within(one, 0))) == values[-1]


@pytest.mark.parametrize(
    ("at", "zone", "day"),
    [
        ("2026-11-20T23:30:00+00:00", ZONE, "2026-11-21"),
        ("2026-11-20T22:30:00+00:00", ZONE, "2026-11-20"),
        ("2026-06-20T22:30:00+00:00", ZONE, "2026-06-21"),
        ("2026-11-20T23:30:00+00:00", None, "2026-11-20"),
        ("", ZONE, ""),
    ],
)
def test_a_match_is_of_the_day_on_which_it_ended_where_the_list_is_kept(at: str, zone: ZoneInfo, day: str) -> None:
    assert day_played(Standing(Rating(1500.0), at), zone) == day


def test_who_played_late_in_the_evening_is_active_on_the_day_of_the_list() -> None:
    standings = {ANNA: Standing(Rating(1500.0), "2026-10-29T23:30:00+00:00")}
    terms = {"before": Before(), "as_of": AS_OF, "places": 2, "criteria": Criteria(active_months=1)}
    listed = [
        [line.last_played for line in lines_of(standings, FACTS, {}, frozenset(), zone=zone, **terms)]
        for zone in (ZONE, None)
    ]
    assert listed == [["2026-10-30"], []]


CLASSES = Criteria(classes=(("Masters", 1650), ("Intermediate", 1400), ("Beginners", 0)), class_months=14)


@pytest.mark.parametrize(
    ("value", "held", "found"),
    [
        (1700, None, Held("Masters")),
        (1399, None, Held("Beginners")),
        (1700, Held("Intermediate"), Held("Masters", "2028-01-30")),
        (1600, Held("Masters", "2027-01-31"), Held("Masters", "2027-01-31")),
        (1600, Held("Masters", "2026-11-30"), Held("Intermediate")),
        (1600, Held("Masters"), Held("Intermediate")),
        (1300, Held("Intermediate", "2027-01-31"), Held("Intermediate", "2027-01-31")),
    ],
)
def test_a_player_who_has_risen_stays_in_the_class_for_a_time(value: int, held: Held | None, found: Held) -> None:
    assert class_of(Standing(Rating(float(value))), CLASSES, held, AS_OF) == found


@pytest.mark.parametrize(
    ("day", "months", "found"),
    [
        (date(2026, 11, 30), 3, date(2027, 2, 28)),
        (date(2026, 3, 31), -1, date(2026, 2, 28)),
        (date(2026, 1, 15), -12, date(2025, 1, 15)),
    ],
)
def test_months_are_counted_by_the_calendar(day: date, months: int, found: date) -> None:
    assert months_after(day, months) == found
