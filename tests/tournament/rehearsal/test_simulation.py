"""Events played out on paper: known figures, the clock, the tables, and skill against luck."""

from fractions import Fraction
from random import Random
from statistics import mean

import pytest

from players.ratings.fibs import upset_probability
from tournament.formats import FORMATS, parse_options
from tournament.formats.errors import PlanError
from tournament.formats.options import Options
from tournament.formats.plan import Entrant
from tournament.ranking.standings import Result, ResultKind
from tournament.rehearsal.chance import (
    DESK_MINUTES,
    MEAN_RATING,
    MINUTES_A_POINT,
    best_of,
    draw_field,
    last_end,
    loser_points,
    match_minutes,
    mean_points,
)
from tournament.rehearsal.simulation import play_event, simulate_event
from tournament.rehearsal.summary import PlayedEvent, summarise

SEVEN = parse_options("round-robin", {"lengths": [7]})
KNOCKOUT, ROUND_ROBIN = FORMATS["single-elimination"], FORMATS["round-robin"]


def events(format, players, count, options=SEVEN, **terms):
    return [simulate_event(format, options, players, str(number), **terms) for number in range(count)]


@pytest.mark.parametrize(
    ("players", "rounds", "byes"), [(2, 1, 0), (3, 2, 1), (8, 3, 0), (9, 4, 7), (33, 6, 31), (64, 6, 0)]
)
def test_a_knockout_has_one_match_less_than_players(players, rounds, byes):
    event = simulate_event(KNOCKOUT, SEVEN, players, "seed")
    assert (event.matches, event.rounds, event.byes, event.fewest, event.rematches) == (
        players - 1,
        rounds,
        byes,
        1,
        0,
    )
    assert event.violations == ()


@pytest.mark.parametrize(("players", "rounds", "byes"), [(2, 1, 0), (5, 5, 5), (8, 7, 0), (11, 11, 11)])
def test_in_a_round_robin_all_meet_all(players, rounds, byes):
    event = simulate_event(ROUND_ROBIN, SEVEN, players, "seed")
    assert (event.matches, event.fewest) == (players * (players - 1) // 2, players - 1)
    assert (event.rounds, event.byes, event.rematches, event.violations) == (rounds, byes, 0, ())


def test_the_same_seed_gives_the_same_event_and_another_seed_another():
    assert simulate_event(KNOCKOUT, SEVEN, 16, "a") == simulate_event(KNOCKOUT, SEVEN, 16, "a")
    assert len({simulate_event(KNOCKOUT, SEVEN, 16, str(number)) for number in range(20)}) == 20


def test_a_field_has_ratings_around_the_mean_and_seeds_in_their_order():
    field = draw_field(2000, "seed", spread=100)
    ratings = [entrant.rating for entrant in field]
    assert mean(ratings) == pytest.approx(100 * MEAN_RATING, abs=100 * 10)
    assert sum(abs(rating - 100 * MEAN_RATING) < 100 * 100 for rating in ratings) == pytest.approx(0.683 * 2000, abs=60)
    by_seed = sorted(field, key=lambda entrant: entrant.seed)
    assert [entrant.seed for entrant in by_seed] == list(range(1, 2001))
    assert [entrant.rating for entrant in by_seed] == sorted(ratings, reverse=True)
    assert {entrant.rating for entrant in draw_field(9, "seed", spread=0)} == {100 * MEAN_RATING}


def minutes_of_equals(length, rng):
    return match_minutes(length, loser_points(length, 0.5, rng), rng)


@pytest.mark.parametrize("length", [1, 5, 7, 13, 25])
def test_a_match_of_equals_lasts_eight_minutes_a_point_until_the_desk_looks(length):
    rng = Random(length)
    durations = [minutes_of_equals(length, rng) for _ in range(20_000)]
    assert mean(durations) == pytest.approx(MINUTES_A_POINT * length + DESK_MINUTES / 2, rel=0.02)
    assert all(minutes >= DESK_MINUTES and minutes % DESK_MINUTES == 0 for minutes in durations)


def test_the_last_of_sixteen_matches_takes_eleven_minutes_a_point():
    rng = Random(5)
    rounds = [max(minutes_of_equals(7, rng) for _ in range(16)) for _ in range(3000)]
    assert mean(rounds) == pytest.approx(11 * 7, rel=0.03)


def test_a_close_match_lasts_longer_than_a_one_sided_one():
    rng = Random(6)
    one_sided, close = (mean(match_minutes(7, points, rng) for _ in range(2000)) for points in (0, 6))
    assert close / one_sided == pytest.approx(13 / 7, rel=0.1)


@pytest.mark.parametrize(("length", "chance"), [(1, 0.5), (3, 0.5), (3, 0.8), (7, 0.35)])
def test_losers_have_each_number_of_points_as_often_as_in_races(length, chance):
    """Play races point by point, and keep those that this side wins."""
    rng, races = Random(7), []
    while len(races) < 20_000:
        won = lost = 0
        while max(won, lost) < length:
            won, lost = (won + 1, lost) if rng.random() < chance else (won, lost + 1)
        races += [lost] * (won == length)
    drawn = [loser_points(length, chance, rng) for _ in range(20_000)]
    for points in range(length):
        assert drawn.count(points) / 20_000 == pytest.approx(races.count(points) / len(races), abs=0.015)


@pytest.mark.parametrize(("length", "points"), [(1, 1), (2, 2.5), (3, 4.125)])
def test_equals_win_the_expected_number_of_points_together(length, points):
    """To 2: half of the matches end 2-0, half 2-1. To 3: a quarter 3-0, three eighths 3-1, three eighths 3-2."""
    assert mean_points(length) == points


def test_the_better_player_wins_as_often_as_the_rating_system_says():
    played, expected = Fraction(0), 0.0
    for number in range(3000):
        a, b = (entrant.rating for entrant in draw_field(2, str(number), spread=300))
        expected += 1 - upset_probability((a - b) / 100, 7)
        played += simulate_event(KNOCKOUT, SEVEN, 2, str(number), spread=300).best_won
    assert expected / 3000 > 0.65
    assert played / 3000 == pytest.approx(expected / 3000, abs=0.025)


def test_skill_decides_more_in_longer_matches():
    short, long = (
        sum(event.best_won for event in events(KNOCKOUT, 8, 300, Options((length,)), spread=150)) for length in (1, 25)
    )
    assert long > short + 30


def test_a_match_of_two_is_the_whole_event():
    for event in events(KNOCKOUT, 2, 20):
        assert event.waiting == 0
        assert event.minutes > 0


def test_one_table_has_one_match_at_a_time():
    """Three players, three matches: at any minute two are playing, and the third is waiting or has gone home."""
    for event in events(ROUND_ROBIN, 3, 20, tables=1):
        assert event.waiting < event.minutes
        assert event.minutes == pytest.approx(3 * 7 * MINUTES_A_POINT, rel=0.6)


def test_more_tables_than_matches_change_nothing():
    assert simulate_event(ROUND_ROBIN, SEVEN, 9, "s", tables=4) == simulate_event(ROUND_ROBIN, SEVEN, 9, "s")
    assert simulate_event(ROUND_ROBIN, SEVEN, 9, "s", tables=3) != simulate_event(ROUND_ROBIN, SEVEN, 9, "s")


def test_lengths_are_those_of_the_rounds():
    longer_final = parse_options("single-elimination", {"lengths": [25, 5]})
    short, long = events(KNOCKOUT, 4, 50, Options((5,))), events(KNOCKOUT, 4, 50, longer_final)
    difference = mean(event.minutes for event in long) - mean(event.minutes for event in short)
    assert difference == pytest.approx(20 * MINUTES_A_POINT, abs=25)


def test_a_field_that_the_format_does_not_draw_is_refused():
    with pytest.raises(PlanError) as refused:
        simulate_event(ROUND_ROBIN, SEVEN, 65, "seed")
    assert refused.value.code == "field_size"


def test_a_summary_has_the_means_the_median_and_the_ninth_tenth():
    played = [
        PlayedEvent(
            players=4,
            matches=3,
            fewest=1,
            rounds=2,
            minutes=30 * number,
            waiting=number,
            rematches=number % 2,
            byes=1,
            best_won=Fraction(number % 5 == 0, 2),
            violations=("stuck",) if number == 3 else (),
        )
        for number in range(1, 11)
    ]
    summary = summarise(played)
    assert (summary.count, summary.matches, summary.rounds, summary.byes) == (10, 3.0, 2.0, 1.0)
    assert (summary.hours_median, summary.hours_p90) == (2.5, 4.5)
    assert (summary.waiting_minutes, summary.rematches, summary.p_best_wins) == (1.375, 0.5, 0.1)
    assert (summary.matches_of_a_player, summary.fewest_matches, summary.violations) == (1.5, 1.0, 1)


def test_hours_of_one_event_are_its_own():
    summary = summarise(events(KNOCKOUT, 8, 1))
    assert summary.hours_median == summary.hours_p90 == round(events(KNOCKOUT, 8, 1)[0].minutes / 60, 3)


# Teams


@pytest.mark.parametrize(
    ("minutes", "tables", "end"), [([10, 30, 20], 3, 30), ([30, 20, 10], 2, 30), ([10, 30, 20], 1, 60), ([10], 4, 10)]
)
def test_boards_begin_in_their_order_at_the_first_free_table(minutes, tables, end):
    assert last_end(minutes, tables) == end


@pytest.mark.parametrize(("winners", "score", "winner"), [("A", (7, 2), 1), ("ABA", (2, 1), 1), ("BBA", (1, 2), 2)])
def test_the_side_with_more_boards_wins_and_boards_are_the_points(winners, score, winner):
    boards = [
        Result("M1-1", 1, 2, *((7, 2) if side == "A" else (2, 7)), 1 + "AB".index(side), ResultKind.PLAYED, 7, 1)
        for side in winners
    ]
    whole = best_of(boards)
    assert ((whole.score_a, whole.score_b), whole.winner, whole.key) == (score, winner, "M1-1")


def test_a_match_takes_as_many_tables_as_it_has_boards():
    """A match of three boards takes half of six tables: all goes on as with two tables for single matches."""
    for seed in range(20):
        rounds = [
            play_event(ROUND_ROBIN, SEVEN, draw_field(4, str(seed)), str(seed), tables, boards)
            for tables, boards in ((3, 3), (5, 3), (6, 3), (60, 3))
        ]
        assert rounds[0].minutes == rounds[1].minutes
        assert rounds[2].minutes == rounds[3].minutes < rounds[0].minutes


def test_a_match_of_boards_lasts_as_long_as_its_last_and_longer_if_they_follow_one_another():
    def lasts(boards, tables):
        return mean(event.minutes for event in events(KNOCKOUT, 2, 40, tables=tables, boards=boards))

    assert lasts(1, None) < lasts(3, None) < lasts(9, None) < 2 * lasts(1, None)
    assert 2.8 * lasts(1, None) < lasts(3, 1) < 3.2 * lasts(1, None)


def test_the_better_team_wins_more_often_the_more_boards_there_are():
    field = tuple(
        Entrant(id=id, name=str(id), persons=frozenset({id}), rating=100 * rating)
        for id, rating in ((1, 1700), (2, 1500))
    )
    options = parse_options("single-elimination", {"lengths": [1]})
    won = [
        sum(play_event(KNOCKOUT, options, field, str(number), None, boards).best_won for number in range(300))
        for boards in (1, 3, 9)
    ]
    assert won == sorted(won)
    assert won[0] + 10 < won[-1]


def test_teams_are_closer_in_strength_than_their_players():
    assert draw_field(8, "a", boards=1) == draw_field(8, "a")
    spreads = [
        mean(abs(entrant.rating - 100 * MEAN_RATING) for entrant in draw_field(400, "a", boards=boards))
        for boards in (1, 3, 9)
    ]
    assert 1.5 < spreads[0] / spreads[1] < 2
    assert 2.5 < spreads[0] / spreads[2] < 3.5
