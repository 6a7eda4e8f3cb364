from datetime import date, timedelta

import pytest

from tournament.formats.errors import PlanError
from tournament.formats.league import League
from tournament.formats.options import Options
from tournament.formats.weeks import Week, week_of

MONDAY = date(2026, 1, 5)


def options(**own):
    return Options.parse({"lengths": [7], **own}, League.fields)


def test_rounds_follow_each_other_and_end_the_day_before_the_next():
    chosen = options(starts_on="2026-01-05", days=14)
    assert week_of(chosen, 1) == Week(date(2026, 1, 5), date(2026, 1, 18))
    assert week_of(chosen, 3) == Week(date(2026, 2, 2), date(2026, 2, 15))


def test_without_a_first_day_or_in_another_format_rounds_have_no_dates():
    assert week_of(options(), 1) is None
    assert week_of(Options((7,)), 1) is None


@pytest.mark.parametrize("start", range(7))
@pytest.mark.parametrize("weekday", range(7))
def test_a_home_evening_is_the_first_such_weekday_of_the_round(start, weekday):
    first = MONDAY + timedelta(days=start)
    for days in (7, 10, 14):
        evening = Week(first, first + timedelta(days=days - 1)).evening(weekday)
        assert (evening.weekday(), first <= evening < first + timedelta(days=7)) == (weekday, True)


def test_a_short_round_may_have_no_such_day_and_nobody_has_to_have_one():
    assert Week(MONDAY, MONDAY + timedelta(days=2)).evening(3) is None
    assert Week(MONDAY, MONDAY + timedelta(days=6)).evening(None) is None


@pytest.mark.parametrize("day", ["5.1.2026", "2026-02-30", "20260105", "1999-12-31", "2200-01-01", 20260105, None])
def test_a_day_that_does_not_exist_is_refused(day):
    with pytest.raises(PlanError) as refused:
        options(starts_on=day)
    assert refused.value.code == "option_invalid"
