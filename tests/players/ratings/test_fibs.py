"""The FIBS rating against published values, and its replay."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from players.ratings import RATINGS, RatedResult, Rating
from players.ratings.fibs import Fibs, upset_probability

FIBS = RATINGS["fibs"]
LATER = Fibs(this_match_counts=True)
EXPERIENCED = 400

results = st.lists(
    st.builds(
        lambda pair, length: RatedResult(pair[0], pair[1], length),
        st.permutations(range(1, 7)),
        st.integers(1, 25),
    ),
    max_size=60,
)


def gains(system, winner, loser, length):
    won, lost = system.rate_match(Rating(*winner), Rating(*loser), length)
    return won.value - winner[0], lost.value - loser[0]


# Source: goldtoken wiki, "Ratings in Practice" (experience 400 and more), printed to one decimal.
@pytest.mark.parametrize(("length", "printed"), [(1, 2.0), (3, 3.5), (5, 4.5), (7, 5.3), (9, 6.0)])
def test_fibs_moves_equals_as_published(length, printed):
    gain, loss = gains(FIBS, (1500.0, EXPERIENCED), (1500.0, EXPERIENCED), length)
    assert (round(gain, 1), round(loss, 1)) == (printed, -printed)


@pytest.mark.parametrize(
    ("stronger_by", "length", "win", "lose", "exact_win", "exact_lose"),
    [(1000, 1, 3.0, 1.0, 3.039, 0.961), (250, 5, 5.9, 3.1, 5.8636, 3.0807)],
)
def test_fibs_moves_the_weaker_as_published(stronger_by, length, win, lose, exact_win, exact_lose):
    weak, strong = (1500.0, EXPERIENCED), (1500.0 + stronger_by, EXPERIENCED)
    gain, _ = gains(FIBS, weak, strong, length)
    _, loss = gains(FIBS, strong, weak, length)
    assert (round(gain, 1), round(-loss, 1)) == (win, lose)
    assert (gain, -loss) == (pytest.approx(exact_win, abs=5e-4), pytest.approx(exact_lose, abs=5e-5))


@pytest.mark.parametrize(
    ("winner", "loser", "length", "won", "lost"),
    [
        ((1500.0, 0), (1500.0, 0), 7, 26.4575, -26.4575),
        ((1650.0, 250), (1820.0, 3000), 9, 19.2814, -7.7126),
        ((1820.0, 3000), (1650.0, 250), 9, 4.2874, -10.7186),
        ((1700.0, 1000), (1500.0, 1000), 11, 4.2167, -4.2167),
        ((1500.0, 1000), (1700.0, 1000), 11, 9.0498, -9.0498),
        ((1600.0, 390), (1600.0, 500), 25, 11.0, -10.0),
    ],
)
def test_fibs_ramps_each_player_by_their_own_experience(winner, loser, length, won, lost):
    assert gains(FIBS, winner, loser, length) == (pytest.approx(won, abs=5e-5), pytest.approx(lost, abs=5e-5))


@pytest.mark.parametrize(
    ("winner", "loser", "length", "won", "lost"),
    [((1500.0, 0), (1500.0, 0), 7, 26.0871, -26.0871), ((1600.0, 390), (1600.0, 500), 25, 10.0, -10.0)],
)
def test_fibs_can_count_the_match_itself_as_experience(winner, loser, length, won, lost):
    assert gains(LATER, winner, loser, length) == (pytest.approx(won, abs=5e-5), pytest.approx(lost, abs=5e-5))


@pytest.mark.parametrize(
    ("difference", "length", "probability"),
    [(100, 9, 0.4145), (170, 9, 0.357287), (200, 11, 0.317848), (0, 7, 0.5), (226.25, 5, 0.3584)],
)
def test_upset_probability_as_published(difference, length, probability):
    assert upset_probability(difference, length) == pytest.approx(probability, abs=5e-5)
    assert upset_probability(-difference, length) == upset_probability(difference, length)


def test_upset_probability_of_an_absurd_distance_is_a_number():
    assert upset_probability(10.0**9, 10**6) == 0.0


@pytest.mark.parametrize(
    ("experience", "length", "before", "counting"),
    [(0, 7, 5.0, 4.93), (100, 5, 4.0, 3.95), (399, 1, 1.01, 1.0), (400, 1, 1.0, 1.0), (5000, 25, 1.0, 1.0)],
)
def test_ramp_falls_from_five_to_one(experience, length, before, counting):
    assert FIBS.ramp(experience, length) == pytest.approx(before)
    assert LATER.ramp(experience, length) == pytest.approx(counting)


def test_rate_starts_at_1500_and_counts_experience_matches_and_wins():
    ratings = FIBS.rate([RatedResult(1, 2, 7), RatedResult(2, 1, 5), RatedResult(1, 3, 9)])
    assert {player: (r.experience, r.matches, r.wins) for player, r in ratings.items()} == {
        1: (21, 3, 2),
        2: (12, 2, 1),
        3: (9, 1, 0),
    }
    assert FIBS.newcomer == Rating(1500.0, experience=0, matches=0, wins=0)
    assert FIBS.rate([]) == {}


def test_rate_depends_on_the_order_of_the_results():
    first, second = RatedResult(1, 2, 7), RatedResult(2, 1, 5)
    assert FIBS.rate([first, second]) != FIBS.rate([second, first])


@given(results)
def test_winners_gain_and_losers_lose_within_the_bounds_of_the_formula(results):
    for system in (FIBS, LATER):
        for change in system.changes(results):
            limit = 20 * math.sqrt(change.result.length)
            assert 0 < change.winner_after.value - change.winner_before.value < limit
            assert 0 < change.loser_before.value - change.loser_after.value < limit
            assert change.winner_after.experience == change.winner_before.experience + change.result.length
            assert change.loser_after.matches == change.loser_before.matches + 1


@given(results)
def test_fibs_keeps_the_sum_among_the_experienced_only(results):
    known = {player: Rating(1500.0 + 40 * player, EXPERIENCED) for player in range(1, 7)}
    total = sum(rating.value for rating in FIBS.rate(results, known).values())
    assert total == pytest.approx(sum(rating.value for rating in known.values()))
    winner, loser = gains(FIBS, (1650.0, 250), (1820.0, 3000), 9)
    assert winner + loser == pytest.approx(19.2814 - 7.7126, abs=1e-4)


@pytest.mark.parametrize("length", [0, -1, True, 7.0, "7", None])
def test_rated_result_refuses_an_impossible_length(length):
    with pytest.raises(ValueError, match="length of 1 point or more"):
        RatedResult(1, 2, length)


def test_rated_result_refuses_a_player_against_themselves():
    with pytest.raises(ValueError, match="against themselves"):
        RatedResult(1, 1, 7)


@pytest.mark.parametrize("slug", RATINGS)
def test_registry_names_each_system_by_its_slug(slug):
    system = RATINGS[slug]
    assert system.slug == slug
    assert system.name
    won, lost = system.rate_match(system.newcomer, system.newcomer, 7)
    assert won.value > system.newcomer.value > lost.value
