from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.rehearsal.pace import ENOUGH, MODEL, Pace, Pause, Timed, after_playing, learn_pace, pause_met

NOON = datetime(2026, 3, 6, 12, 0, tzinfo=UTC)
LUNCH = Pause("Lunch", NOON + timedelta(minutes=60), NOON + timedelta(minutes=105))
DINNER = Pause("Dinner", NOON + timedelta(hours=6), NOON + timedelta(hours=7))


def minutes(count: int) -> timedelta:
    return timedelta(minutes=count)


def test_a_few_matches_do_not_make_the_pace_of_a_hall():
    assert learn_pace([Timed(5, 5 * 600)] * (ENOUGH - 1)) == MODEL
    assert learn_pace([Timed(5, 5 * 600)] * ENOUGH) == Pace(600, ENOUGH)


def test_a_result_that_was_forgotten_for_a_day_and_one_entered_within_a_second_change_nothing():
    usual = [Timed(7, 7 * 420)] * ENOUGH
    assert learn_pace([*usual, Timed(5, 86_400), Timed(5, 1)]) == Pace(420, ENOUGH + 1)


@given(st.lists(st.builds(Timed, st.integers(1, 25), st.integers(0, 20_000))))
def test_the_pace_is_one_that_was_played_or_the_models(timed):
    assert learn_pace(timed).seconds_a_point in {480, *(match.seconds // match.length for match in timed)}


def test_a_match_is_late_after_eleven_eighths_of_its_expected_length():
    assert MODEL.lasts(7) == minutes(56)
    assert (MODEL.is_late(7, minutes(77)), MODEL.is_late(7, minutes(78))) == (False, True)


@pytest.mark.parametrize(
    ("start", "lasting", "ends"),
    [(0, 60, 60), (0, 61, 106), (60, 10, 115), (100, 10, 115), (105, 10, 115), (0, 400, 505), (0, 0, 0)],
)
def test_play_rests_during_the_pauses(start, lasting, ends):
    assert after_playing(NOON + minutes(start), minutes(lasting), [DINNER, LUNCH]) == NOON + minutes(ends)


@given(st.integers(0, 500), st.integers(0, 500))
def test_play_lasts_as_long_as_expected_plus_the_pauses_it_meets(start, lasting):
    began = NOON + minutes(start)
    ended = after_playing(began, minutes(lasting), [LUNCH, DINNER])
    rested = sum(
        (max(timedelta(0), min(ended, pause.ends_at) - max(began, pause.starts_at)) for pause in (LUNCH, DINNER)),
        timedelta(0),
    )
    if lasting:
        assert ended - began == minutes(lasting) + rested


def test_a_pause_is_met_from_before_and_from_within_but_not_by_only_touching_it():
    assert pause_met(NOON, minutes(60), [LUNCH]) is None
    assert pause_met(NOON, minutes(61), [DINNER, LUNCH]) == LUNCH
    assert pause_met(NOON + minutes(90), minutes(1), [LUNCH]) == LUNCH
    assert pause_met(NOON + minutes(105), minutes(30), [LUNCH]) is None
