"""The rating systems of federations and clubs against published values."""

import pytest

from players.parameters import ParameterError
from players.ratings import DatedResult, RatedResult, build_system

EXPERIENCED = 400


def after(system, winner, loser, length):
    """The new ratings of two players with these ratings, both experienced."""
    pair = (system.starting(value, experience=EXPERIENCED) for value in (winner, loser))
    return tuple(rating.value for rating in system.rate_match(*pair, length))


# Source: backgammon.dk, Rangliste, Beregning af rating, printed to two decimals.
@pytest.mark.parametrize(
    ("winner", "loser", "printed"), [(1100, 1000, (1103.73, 996.27)), (1000, 1100, (1005.27, 1094.73))]
)
def test_dbf_moves_as_published(winner, loser, printed):
    system = build_system("dbf", {})
    assert tuple(round(value, 2) for value in after(system, winner, loser, 9)) == printed


def test_dbf_puts_the_length_between_winning_and_losing():
    system = build_system("dbf", {})
    assert system.newcomer.value == 1000
    won, lost = (abs(after(system, *pair, 9)[0] - pair[0]) for pair in ((1100.0, 1000.0), (1000.0, 1100.0)))
    assert won + lost == pytest.approx(9)


@pytest.mark.parametrize(
    ("winner", "loser", "length", "moved"),
    [(1000, 1000, 11, 5.5), (1213.5, 987.25, 5, 1.7918), (987.25, 1213.5, 5, 3.2082)],
)
def test_dbf_worked_by_hand(winner, loser, length, moved):
    won, lost = after(build_system("dbf", {}), winner, loser, length)
    assert (won - winner, loser - lost) == (pytest.approx(moved, abs=5e-5), pytest.approx(moved, abs=5e-5))


# Source: the table of FIBS for experienced players, which holds in Belgium from the first match.
@pytest.mark.parametrize(("length", "printed"), [(1, 2.0), (3, 3.5), (5, 4.5), (7, 5.3), (9, 6.0)])
def test_belgian_newcomers_move_as_the_experienced_on_fibs(length, printed):
    system = build_system("belgian", {})
    won, lost = system.rate_match(system.newcomer, system.newcomer, length)
    assert (round(won.value - 1500, 1), round(lost.value - 1500, 1)) == (printed, -printed)


def test_belgian_ratings_are_provisional_below_experience_100():
    system = build_system("belgian", {})
    assert [system.is_provisional(system.starting(1600, experience=points)) for points in (0, 99, 100)] == [
        True,
        True,
        False,
    ]


@pytest.mark.parametrize(("experience", "moved"), [(0, 2 * 6.0), (200, 1.5 * 6.0), (400, 6.0), (4000, 6.0)], ids=str)
def test_brass_city_falls_from_twice_to_once(experience, moved):
    system = build_system("brass-city", {})
    pair = (system.starting(1500, experience=experience), system.starting(1500, experience=EXPERIENCED))
    won, lost = system.rate_match(*pair, 9)
    assert (won.value - 1500, lost.value - 1500) == (pytest.approx(moved), pytest.approx(-6))


@pytest.mark.parametrize(
    ("kind", "parameters", "same"),
    [
        ("fibs", {}, {"newcomer_factor": 5}),
        ("fibs", {"this_match_counts": True}, {"newcomer_factor": 5, "this_match_counts": True}),
        ("belgian", {}, {}),
        ("brass-city", {}, {"newcomer_factor": 2}),
        ("dbf", {}, {"start": 1000, "k": 1, "stake_scale": "linear"}),
    ],
)
def test_own_numbers_give_the_published_systems(kind, parameters, same):
    results = [RatedResult(1 + turn % 3, 4 + turn % 2, 1 + turn % 25) for turn in range(80)]
    results += [RatedResult(4 + turn % 2, 1 + turn % 3, 1 + turn % 7) for turn in range(80)]
    system, elo = build_system(kind, parameters), build_system("elo", same)
    there, here = elo.rate(results), system.rate(results)
    assert {player: there[player].value for player in there} == pytest.approx(
        {player: here[player].value for player in here}, rel=1e-12
    )


def test_elo_as_in_chess():
    """A difference of 400 makes ten to one, and K is 32 whatever the length."""
    system = build_system("elo", {"k": 32, "divisor": 400, "chance_scale": "none", "stake_scale": "none"})
    assert after(system, 1400, 1800, 7) == (pytest.approx(1400 + 32 * 10 / 11), pytest.approx(1800 - 32 * 10 / 11))


def test_nobody_falls_below_the_floor():
    system = build_system("elo", {"floor": 1499, "k": 10})
    assert after(system, 1500, 1500, 1) == (1505, 1499)
    assert after(system, 1500, 1400, 1)[1] == 1400
    with pytest.raises(ParameterError) as refused:
        build_system("elo", {"floor": 1501})
    assert (refused.value.code, refused.value.field) == ("parameters_conflict", "floor")


def test_a_day_is_the_ordinal_of_a_date():
    for day in (0, -1, True, 1.0, None):
        with pytest.raises(ValueError, match="ordinal"):
            DatedResult(1, 2, 7, day)
    with pytest.raises(ValueError, match="length"):
        DatedResult(1, 2, 0, 1)
