"""The standings of a series: the best results count, and equals share their places."""

from collections import Counter
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from players.points.series import SeriesLine, qualifiers, series_standings

ANN, BO, CY, DEE = range(1, 5)
SEASON = [
    {ANN: Decimal(10), BO: Decimal(6), CY: Decimal(4)},
    {BO: Decimal(10), CY: Decimal(4), ANN: Decimal(0)},
    {CY: Decimal(4), DEE: Decimal(10)},
]

seasons = st.lists(st.dictionaries(st.integers(1, 8), st.integers(0, 5).map(Decimal), max_size=8), max_size=6)


def test_all_results_count_unless_a_number_is_given():
    assert series_standings(SEASON) == (
        SeriesLine(BO, 1, 1, Decimal(16), (0, 1), ()),
        SeriesLine(CY, 2, 2, Decimal(12), (0, 1, 2), ()),
        SeriesLine(ANN, 3, 4, Decimal(10), (0, 1), ()),
        SeriesLine(DEE, 3, 4, Decimal(10), (2,), ()),
    )


def test_the_best_results_count_and_of_equals_the_earlier():
    assert series_standings(SEASON, best=1) == (
        SeriesLine(ANN, 1, 3, Decimal(10), (0,), (1,)),
        SeriesLine(BO, 1, 3, Decimal(10), (1,), (0,)),
        SeriesLine(DEE, 1, 3, Decimal(10), (2,), ()),
        SeriesLine(CY, 4, 4, Decimal(4), (0,), (1, 2)),
    )


def test_only_those_who_take_part_have_a_place():
    assert [line.player for line in series_standings(SEASON, among={CY, ANN})] == [CY, ANN]


def test_seats_go_to_those_ahead_and_the_last_ones_may_be_shared():
    standings = series_standings(SEASON)
    assert qualifiers(standings, 2) == ((BO, CY), ())
    assert qualifiers(standings, 3) == ((BO, CY), (ANN, DEE))
    assert qualifiers(standings, 16) == ((BO, CY, ANN, DEE), ())


def test_no_result_at_all_is_refused():
    with pytest.raises(ValueError, match="At least one"):
        series_standings(SEASON, best=0)


@given(seasons, st.none() | st.integers(1, 7))
def test_every_result_counts_or_is_dropped_and_places_are_taken_once(season, best):
    standings = series_standings(season, best=best)
    for line in standings:
        own = {number: awards[line.player] for number, awards in enumerate(season) if line.player in awards}
        assert sorted(line.counted + line.dropped) == sorted(own)
        assert len(line.counted) == (len(own) if best is None else min(best, len(own)))
        assert line.points == sum(own[number] for number in line.counted)
        assert line.points == sum(sorted(own.values(), reverse=True)[: best or len(own)])
    sharing = Counter((line.place, line.place_to) for line in standings)
    taken = [place for first, last in sorted(sharing) for place in range(first, last + 1)]
    assert taken == list(range(1, len(standings) + 1))
    assert all(last - first + 1 == count for (first, last), count in sharing.items())
