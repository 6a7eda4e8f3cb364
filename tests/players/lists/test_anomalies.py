"""What stands out among the matches of a list, and what does not."""

from datetime import date, timedelta

from players.lists.anomalies import ENOUGH, ENOUGH_LOW, LATE, OFTEN, Anomalies, Pair, Seen, Share, find_anomalies

DAY = date(2026, 3, 6)
NOTHING = Anomalies((), (), (), (), ())


def seen(match: int, winner: int, loser: int, **said: object) -> Seen:
    usual = {"winner_club": 0, "loser_club": 0, "event_class": "A", "late_by": timedelta()}
    return Seen(
        **{"match": match, "winner": winner, "loser": loser, "day": DAY + timedelta(days=match), **usual, **said}
    )


def test_a_season_in_which_everybody_meets_everybody_has_nothing_to_look_at():
    pairs = [(first, second) for first in range(1, 9) for second in range(1, 9) if first != second]
    assert find_anomalies(seen(number, *pair) for number, pair in enumerate(pairs)) == NOTHING


def test_a_pair_that_meets_often_stands_out_unless_both_play_much_more():
    often = [seen(number, 2, 1) for number in range(OFTEN)]
    assert find_anomalies(often).pairs == (Pair(1, 2, OFTEN),)
    assert find_anomalies(often[1:]).pairs == ()
    others = [seen(100 + n, who, 50 + n) for n, who in enumerate([1, 2] * (OFTEN + 1))]
    assert find_anomalies([*often, *others]).pairs == ()


def test_more_matches_of_a_pair_in_a_day_than_the_policy_takes_stand_out():
    day = [seen(number, 1, 2, day=DAY) for number in range(4)]
    assert find_anomalies(day).days == (Pair(1, 2, 4, DAY),)
    assert find_anomalies(day, most_per_day=4).days == find_anomalies(day[1:]).days == ()


def test_a_club_that_nearly_always_wins_against_others_stands_out():
    won = [seen(n, n, 100 + n, winner_club=1, loser_club=2 + n % 9) for n in range(ENOUGH - 4)]
    lost = [seen(50 + n, 100 + n, n, winner_club=2 + n, loser_club=1) for n in range(4)]
    assert find_anomalies([*won, *lost]).clubs == (Share(1, ENOUGH - 4, ENOUGH),)
    assert find_anomalies([*won[1:], *lost]).clubs == ()


def test_a_player_who_wins_nearly_everything_in_a_low_class_stands_out():
    won = [seen(n, 1, 10 + n, event_class="D") for n in range(ENOUGH_LOW)]
    assert find_anomalies(won).players == (Share(1, ENOUGH_LOW, ENOUGH_LOW),)
    assert find_anomalies(won[1:]).players == ()
    assert find_anomalies([seen(n, 1, 10 + n) for n in range(ENOUGH_LOW)]).players == ()


def test_a_result_that_comes_late_stands_out():
    assert find_anomalies([seen(1, 1, 2, late_by=LATE), seen(2, 1, 2, late_by=LATE + timedelta.resolution)]).late == (
        2,
    )
