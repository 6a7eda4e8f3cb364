"""Performance ratings over announced matches, and the titles and norms for them."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction

import pytest

from players.performance.matches import AnalysedMatch, Performance, counting, latest, months_after, selection
from players.performance.norms import BotNorm, RatedBefore, rating_norm, tmp_norms, tmp_points
from players.performance.titles import TITLES
from players.performance.tracker import Held, Tables, progress_of

START = datetime(2026, 1, 31, 10, tzinfo=UTC)
BMAB, CBID = TITLES["bmab"], TITLES["bg-cbid"]


def match(number, pr, *, length=7, days=None, **fields):
    begun = START + timedelta(days=number if days is None else days)
    rating = None if pr is None else Decimal(str(pr))
    fields = {"announced_at": begun - timedelta(hours=1), **fields}
    return AnalysedMatch(match=number, length=length, begun_at=begun, pr=rating, **fields)


def award(table, played):
    """The highest title that is reached, and the day."""
    found = progress_of(Tables(((date.min, table),)), played, Held(), date.max).award
    return found and (found[0].code, found[1])


def test_each_match_counts_as_often_as_its_length():
    found = Performance((match(1, 2, length=5), match(2, 6, length=15)))
    assert (found.points, found.pr, found.shown) == (20, 5, Decimal("5.00"))
    assert Performance((match(1, "3.125"),)).shown == Decimal("3.13")
    assert (Performance(()).pr, Performance(()).shown) == (None, None)


def test_only_matches_announced_before_they_begin_count():
    played = [
        match(1, 4),
        match(2, 4, announced_at=None),
        match(3, 4, announced_at=START + timedelta(days=3)),
        match(4, 4, clocked=False),
        match(5, 4, approved=False),
        match(6, None),
        match(7, 4, length=5),
    ]
    assert [one.match for one in counting(reversed(played), shortest=7)] == [1]


def test_the_latest_matches_up_to_the_window_count():
    played = [match(number, number, length=100) for number in range(1, 5)]
    assert [one.match for one in latest(played, 300).matches] == [2, 3, 4]
    assert [one.match for one in latest(played, 299).matches] == [3, 4]
    longer = [played[0], replace(played[1], length=150), *played[2:]]
    assert [one.match for one in latest(longer, 300).matches] == [3, 4]


# Source: usbgf.org and bgverband.de; "or lower", "oder besser".
@pytest.mark.parametrize(
    ("table", "pr", "code"),
    [
        *((BMAB, pr, code) for pr, code in [("2.5", "SGM"), ("2.51", "GM"), (4, "GM"), ("4.01", "M"), ("6.5", "M")]),
        *((BMAB, pr, code) for pr, code in [("6.51", "A"), (10, "A"), ("10.01", "I"), (16, "I"), ("16.01", None)]),
        *((CBID, pr, code) for pr, code in [("5.00", "GM"), ("5.01", "M"), ("6.50", "M"), ("8.00", "CM"), (9, None)]),
    ],
)
def test_titles_have_the_published_limits(table, pr, code):
    title = table.title_for(Performance((match(1, pr, length=table.least),)))
    assert (title.code if title else None) == code
    assert table.title_for(Performance((match(1, 0, length=table.least - 1),))) is None


def test_a_title_is_never_lost():
    good = [match(number, 3, length=100) for number in range(1, 3)]
    bad = [match(number, 20, length=100) for number in range(3, 9)]
    assert award(BMAB, good + bad) == ("GM", good[1].day)
    assert BMAB.title_for(BMAB.performance(good + bad)) is None
    assert award(BMAB, good[:1]) is None
    better = [match(number, 1, length=100) for number in range(9, 12)]
    assert award(BMAB, good + bad + better) == ("SGM", better[-1].day)


def test_matches_after_nine_months_are_too_late_for_the_german_club():
    played = [match(1, 6, length=90, days=0), match(2, 6, length=10, days=273), match(3, 1, length=100, days=274)]
    assert months_after(START.date(), 9) == (START + timedelta(days=273)).date()
    assert [one.match for one in CBID.performance(played).matches] == [1, 2]
    assert award(CBID, played) == ("M", played[1].day)


def test_an_announced_match_that_is_not_handed_in_costs_the_best():
    played = [match(1, 2, length=100), match(2, 4, length=100), match(3, 6, length=200)]
    assert selection(played).pr == Fraction(18, 4)
    missing = [*played, match(4, None), match(5, 1, length=200, announced_at=None)]
    assert [one.match for one in selection(missing).matches] == [2, 3]
    assert selection([*missing, match(6, None)]) is None


def bot(number, pr="3.49", *, length=13, days=None, **fields):
    return match(number, pr, length=length, days=days, **fields)


# Source: dbgf.dk, Regler for normer og titler.
def test_five_good_matches_within_twelve_months_are_a_bot_norm():
    rule, five = BotNorm(), [bot(number) for number in range(1, 6)]
    (norm,) = rule.reached(five)
    assert (norm.matches, norm.on) == ((1, 2, 3, 4, 5), five[-1].day)
    for spoiled in ({"pr": Decimal("3.5")}, {"length": 12}, {"clocked": False}, {"approved": False}, {"pr": None}):
        assert rule.reached([replace(five[0], **spoiled), *five[1:]]) == ()
    assert len(rule.reached([*five[:4], bot(5, days=366)])) == 1
    assert rule.reached([*five[:4], bot(5, days=367)]) == ()


def test_there_are_two_bot_norms_at_most_and_no_match_counts_twice():
    assert [norm.matches for norm in BotNorm().reached([bot(number) for number in range(1, 17)])] == [
        (1, 2, 3, 4, 5),
        (6, 7, 8, 9, 10),
    ]
    late = [bot(1, days=0), *(bot(number, days=400 + number) for number in range(2, 7))]
    assert [norm.matches for norm in BotNorm().reached(late)] == [(2, 3, 4, 5, 6)]


def test_the_tracker_says_how_many_matches_are_missing():
    rule, played = BotNorm(), [bot(1, days=0), bot(2, days=300), bot(3, days=310), bot(4, "5.0", days=320)]
    assert [rule.missing(played, START.date() + timedelta(days=days)) for days in (0, 310, 365, 366, 676)] == [
        4,
        2,
        2,
        3,
        5,
    ]
    assert rule.missing([bot(number) for number in range(1, 8)], START.date() + timedelta(days=8)) == 3
    assert rule.missing([bot(number) for number in range(1, 11)], START.date() + timedelta(days=20)) == 0


def rated(number, before, *, length=400, day=date(2026, 1, 1), after=0):
    return RatedBefore(number, day, length, Decimal(str(before)), Decimal(str(after)))


def test_the_rating_norm_comes_with_the_first_1300():
    assert rating_norm([rated(1, 1290, after="1299.99"), rated(2, 1299, after="1300.00")]).matches == (2,)
    assert rating_norm([rated(1, 1299, after=1299)]) is None


def test_points_count_for_a_tmp_norm_by_the_rating_before_the_match_and_the_limit_of_the_day():
    before_2012, in_2012 = date(2011, 12, 31), date(2012, 1, 1)
    played = [
        rated(1, 1200, day=before_2012),
        rated(2, "1199.99", day=before_2012),
        rated(3, 1209, day=in_2012),
        rated(4, 1210, day=in_2012),
    ]
    assert tmp_points(played) == 800
    assert tmp_norms(played) == ()


def test_there_are_three_tmp_norms_at_most():
    assert [norm.matches for norm in tmp_norms([rated(number, 1250) for number in range(1, 20)])] == [(3,), (6,), (9,)]


@pytest.mark.parametrize(
    ("day", "months", "later"), [((2025, 11, 30), 3, (2026, 2, 28)), ((2026, 12, 1), 12, (2027, 12, 1))]
)
def test_a_month_without_such_a_day_ends_earlier(day, months, later):
    assert months_after(date(*day), months) == date(*later)


@pytest.mark.parametrize("wrong", [{"length": 0}, {"pr": Decimal(-1)}, {"pr": Decimal("NaN")}])
def test_a_match_that_cannot_be_is_refused(wrong):
    with pytest.raises(ValueError, match="performance rating"):
        replace(match(1, 3), **wrong)
