"""Drawn matches of teams in standings and tie-breaks: half a win for each, exact and worked out by hand."""

from fractions import Fraction

import pytest

from tests.tournament.ranking.test_tiebreaks import ANNA, BO, CARL, DORA, match, values
from tournament.formats.plan import Entrant
from tournament.ranking.standings import compute_standings
from tournament.ranking.tiebreaks import TIEBREAKS, Result

HALF = Fraction(1, 2)
FOUR = (ANNA, BO, CARL, DORA)
ENTRANTS = tuple(Entrant(id, name) for id, name in zip(FOUR, ("Anna", "Bo", "Carl", "Dora"), strict=True))


def drawn(a: int, b: int, boards: int = 1, round: int = 0) -> Result:
    return Result(f"{a}={b}", a, b, boards, boards, None, "played", 7, round)


# Teams of two boards, all play all:
#         A    B    C    D   wins
# Anna    -   1-1  2-0  2-0  2½
# Bo     1-1   -   1-1  2-0  2
# Carl   0-2  1-1   -   1-1  1
# Dora   0-2  0-2  1-1   -   ½
TABLE = (
    drawn(ANNA, BO),
    match(ANNA, CARL, 2, 0, round=2, length=7),
    match(ANNA, DORA, 2, 0, round=3),
    drawn(BO, CARL, round=3),
    match(BO, DORA, 2, 0, round=2),
    drawn(CARL, DORA, round=1),
)


def test_a_drawn_match_is_half_a_win_for_each():
    lines = compute_standings(ENTRANTS, TABLE, (), None)
    assert [(line.entrant, line.place, line.played, line.wins, line.draws, line.losses) for line in lines] == [
        (ANNA, 1, 3, 2, 1, 0),
        (BO, 2, 3, 1, 2, 0),
        (CARL, 3, 3, 0, 2, 1),
        (DORA, 4, 3, 0, 1, 2),
    ]
    assert [line.byes for line in lines] == [0, 0, 0, 0]
    assert lines[0].why.text == "Nobody else has as many wins (2½)."


def test_two_draws_are_as_much_as_a_win_and_a_loss():
    level = (drawn(ANNA, BO), drawn(ANNA, CARL), match(BO, DORA, 2, 0), match(DORA, CARL, 2, 0))
    lines = {line.entrant: line for line in compute_standings(ENTRANTS, level, (), None)}
    assert (lines[ANNA].place, lines[ANNA].place_to) == (lines[DORA].place, lines[DORA].place_to) == (2, 3)
    assert lines[ANNA].why.text == "Tied on wins (1) with Dora; nothing further separates them."


@pytest.mark.parametrize(
    ("slug", "expected"),
    [
        # all six wins less one's own
        ("buchholz", {ANNA: Fraction(7, 2), BO: 4, CARL: 5, DORA: Fraction(11, 2)}),
        # Anna: half of Bo 2, Carl 1, Dora ½. Bo: half of 2½, half of 1, ½. Carl: half of 2, half of ½. Dora: half of 1.
        ("sonneborn-berger", {ANNA: Fraction(5, 2), BO: Fraction(9, 4), CARL: Fraction(5, 4), DORA: HALF}),
        ("head-to-head", {ANNA: Fraction(5, 2), BO: 2, CARL: 1, DORA: HALF}),
        ("points-for", {ANNA: 5, BO: 4, CARL: 2, DORA: 1}),
        ("point-difference", {ANNA: 4, BO: 2, CARL: -2, DORA: -4}),
        # the shares of Bo 2/3, Carl 1/3, Dora 1/6, averaged; and so on
        (
            "opponents-win-rate",
            {ANNA: Fraction(7, 18), BO: Fraction(4, 9), CARL: Fraction(5, 9), DORA: Fraction(11, 18)},
        ),
    ],
)
def test_tiebreaks_count_a_drawn_match_as_half_a_win(slug, expected):
    assert values(slug, TABLE, FOUR) == expected


def test_a_draw_counts_half_in_each_later_round():
    rounds = (drawn(ANNA, BO, round=1), match(ANNA, CARL, 2, 0, round=2))
    assert values("progressive", rounds, (ANNA, BO, CARL)) == {ANNA: 2, BO: 1, CARL: 0}


def test_whole_values_stay_whole_numbers():
    for slug in TIEBREAKS:
        for value in values(slug, TABLE, FOUR).values():
            assert value is None or slug == "opponents-win-rate" or type(value) is int or value.denominator > 1


def test_those_who_drew_do_not_beat_each_other_in_a_cycle():
    level = (drawn(ANNA, BO), drawn(BO, CARL), drawn(ANNA, CARL))
    lines = compute_standings(ENTRANTS[:3], level, ("head-to-head",), None)
    assert [(line.place, line.place_to, line.note) for line in lines] == [(1, 3, None)] * 3
