"""Glicko-2 against the example of its paper and the numbers of a server that rates match by match."""

import pytest

from players.ratings import DatedResult, build_system
from players.ratings.glicko2 import Glicko2, Opening, impact

PAPER = Glicko2(tau=0.5)
LICHESS = Glicko2(deviation=500, volatility=0.09, tau=0.75, update="match", period_days=10)
DAY = 739_020
OPPONENTS = ((1400, 30, 1), (1550, 100, 0), (1700, 300, 0))


# Source: Glickman, Example of the Glicko-2 system. The paper goes on with rounded steps, as this does.
def test_the_example_of_the_paper_to_its_last_digit():
    start = Opening(1500, 200, 0.06)
    alone = [start.met(Opening(value, deviation, 0.06), 0) for value, deviation, _score in OPPONENTS]
    impacts = [impact(deviation) for _value, deviation, _score in OPPONENTS]
    expected = [-one.surprise / each for one, each in zip(alone, impacts, strict=True)]
    assert [round(each, 4) for each in impacts] == [0.9955, 0.9531, 0.7242]
    assert [round(one, 3) for one in expected] == [0.639, 0.432, 0.303]
    period = start
    for value, deviation, score in OPPONENTS:
        period = period.met(Opening(value, deviation, 0.06), score)
    value, deviation, volatility = period.closed(0.5)
    assert round(period.surprise / period.information, 4) == -0.4839
    assert (round((value - 1500) / 173.7178, 4), round(deviation / 173.7178, 4)) == (-0.2069, 0.8722)
    assert (round(1500 + 173.7178 * -0.2069, 2), round(173.7178 * 0.8722, 2)) == (1464.06, 151.52)
    assert f"{volatility:.10f}".startswith("0.05999")
    assert (value, deviation, volatility) == (
        pytest.approx(1464.0507, abs=5e-5),
        pytest.approx(151.5165, abs=5e-5),
        pytest.approx(0.0599960, abs=5e-8),
    )


def test_the_example_of_the_paper_as_three_results_of_one_period():
    known = {
        player: Glicko2(deviation=deviation).starting(value)
        for player, (value, deviation) in enumerate([(1500, 200), *((one[0], one[1]) for one in OPPONENTS)])
    }
    results = [DatedResult(0, 1, 7, DAY), DatedResult(2, 0, 7, DAY + 1), DatedResult(3, 0, 9, DAY + 8)]
    mine = PAPER.rate(results, known)[0]
    assert (mine.value, mine.deviation) == (pytest.approx(1464.0507, abs=5e-5), pytest.approx(151.5165, abs=5e-5))
    assert (mine.experience, mine.matches, mine.wins) == (23, 3, 1)
    turned = PAPER.rate(results[::-1], known)[0]
    assert (turned.value, turned.deviation) == (pytest.approx(mine.value), pytest.approx(mine.deviation))


# Source: computed with the published rating calculator of lichess.org.
@pytest.mark.parametrize(
    ("waited", "value", "deviation"), [(1.0, 1741.62, 396.81), (0.0, 1741.48, 396.69)], ids=["a period", "no time"]
)
def test_newcomers_meet_with_the_parameters_of_lichess(waited, value, deviation):
    new = Opening(1500, 500, 0.09, waited=waited)
    found = new.met(new, 1).closed(0.75)
    assert (round(found[0], 2), round(found[1], 2), round(found[2], 7)) == (value, deviation, 0.0899983)


def test_match_by_match_the_days_since_the_last_match_count():
    first = DatedResult(1, 2, 7, DAY)
    start = LICHESS.rate([first])
    assert (round(start[1].value, 2), round(start[1].deviation, 2)) == (1741.48, 396.69)
    soon, late = (LICHESS.rate_on(DAY + days, start[1], start[2], 7)[0] for days in (0, 300))
    assert late.deviation > soon.deviation
    assert LICHESS.rate_match(start[1], start[2], 7) == LICHESS.rate_on(DAY, start[1], start[2], 7)


def test_a_deviation_grows_while_a_player_waits_but_never_beyond_that_of_a_newcomer():
    played = PAPER.rate([DatedResult(1, 2, 7, DAY + turn % 20) for turn in range(20)])[1]
    assert PAPER.as_of(played, DAY) == played
    assert PAPER.as_of(played, DAY + 30) == played
    waits = [PAPER.as_of(played, DAY + 30 * periods).deviation for periods in (1, 2, 3, 60, 100_000)]
    assert waits == sorted(waits)
    assert waits[1] ** 2 - waits[0] ** 2 == pytest.approx((173.7178 * played.volatility) ** 2)
    assert waits[-1] == 350
    assert PAPER.as_of(played, DAY + 90).value == played.value


def test_a_new_period_begins_with_what_the_last_one_gave():
    first = PAPER.rate([DatedResult(1, 2, 7, DAY)])
    second = PAPER.rate([DatedResult(1, 2, 7, DAY + 30)], first)[1]
    assert (second.opening_value, second.opening_deviation) == (first[1].value, first[1].deviation)
    idle = PAPER.rate([DatedResult(1, 2, 7, DAY + 60)], first)[1]
    assert (idle.opening_value, idle.opening_deviation) == (
        first[1].value,
        PAPER.as_of(first[1], DAY + 60).deviation,
    )


def test_uncertain_ratings_are_provisional():
    assert PAPER.is_provisional(PAPER.newcomer)
    certain = build_system("glicko-2", {"deviation": 109}).newcomer
    assert not PAPER.is_provisional(certain)
    assert not build_system("glicko-2", {"provisional_deviation": 0}).is_provisional(PAPER.newcomer)


def test_an_absurd_distance_still_gives_numbers():
    low, high = PAPER.starting(-10_000), PAPER.starting(10_000)
    won, lost = PAPER.rate_match(low, high, 7)
    assert low.value < won.value < 10**6
    assert -(10**6) < lost.value < high.value
