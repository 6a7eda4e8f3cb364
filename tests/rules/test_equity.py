import pytest

from rules.equity import (
    KAZAROSS_XG2,
    SIZE,
    TABLES,
    equity,
    notice,
    post_crawford_equity,
    rows,
    win_probability,
    win_tenths,
)
from rules.score import MatchScore, Side

AWAY = range(1, SIZE + 1)


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_table_has_25_rows_of_25_and_one_for_after_the_crawford_game(table):
    assert [len(row) for row in rows(table)] == [SIZE] * (SIZE + 1)


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_equities_of_both_sides_add_up_to_one(table):
    assert {round(equity(table, a, b) + equity(table, b, a), 9) for a in AWAY for b in AWAY} == {1.0}
    assert {equity(table, away, away) for away in AWAY} == {0.5}


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_equity_falls_with_the_points_still_needed(table):
    for b in AWAY:
        column = [equity(table, a, b) for a in AWAY]
        assert column == sorted(column, reverse=True)
    trailer = [post_crawford_equity(table, away) for away in AWAY]
    assert trailer == sorted(trailer, reverse=True)


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_table_keeps_the_notice_of_its_authors(table):
    assert "Copyright" in notice(table)
    assert "Copying and distribution of this file, with or without modification," in notice(table)


@pytest.mark.parametrize(
    ("a_away", "b_away", "expected"),
    [(2, 4, 0.6687), (3, 8, 0.80468), (4, 7, 0.69924), (5, 9, 0.7254), (1, 2, 0.67736)],
)
def test_kazaross_xg2_as_published(a_away, b_away, expected):
    assert equity(KAZAROSS_XG2, a_away, b_away) == pytest.approx(expected, abs=5e-6)


def test_kazaross_xg2_after_the_crawford_game_as_published():
    assert post_crawford_equity(KAZAROSS_XG2, 2) == 0.48803
    assert post_crawford_equity(KAZAROSS_XG2, 3) == 0.32264
    assert post_crawford_equity(KAZAROSS_XG2, 3) == pytest.approx(1 - equity(KAZAROSS_XG2, 1, 2))


@pytest.mark.parametrize(
    ("score", "expected"),
    [
        (MatchScore(7), 0.5),
        (MatchScore(7, 5, 3), 0.6687),
        (MatchScore(7, 6, 5), 0.67736),
        (MatchScore(7, 6, 5, crawford_done=True), 1 - 0.48803),
        (MatchScore(7, 5, 6, crawford_done=True), 0.48803),
        (MatchScore(7, 4, 6, crawford_done=True), 0.32264),
        (MatchScore(7, 6, 6, crawford_done=True), 0.5),
        (MatchScore(7, 6, 6), 0.5),
        (MatchScore(7, 6, 5, crawford=False), 1 - 0.48803),
        (MatchScore(1), 0.5),
        (MatchScore(1, crawford=False), 0.5),
        (MatchScore(7, 7, 5), 1.0),
        (MatchScore(7, 5, 7), 0.0),
    ],
)
def test_win_probability_knows_the_crawford_game_from_the_games_after_it(score, expected):
    assert win_probability(score) == pytest.approx(expected)
    assert win_probability(score, side=Side.B) == pytest.approx(1 - expected)


@pytest.mark.parametrize("score", [MatchScore(0, 3, 1), MatchScore(27, 1, 0), MatchScore(7, 2, 1, crawford=False)])
def test_win_probability_refuses_scores_that_the_tables_do_not_cover(score):
    with pytest.raises(ValueError, match=r"away|tables"):
        win_probability(score)


@pytest.mark.parametrize("away", [0, -1, 26])
def test_equity_refuses_scores_beyond_the_table(away):
    for ask in (lambda: equity(KAZAROSS_XG2, away, 2), lambda: equity(KAZAROSS_XG2, 2, away)):
        with pytest.raises(ValueError, match="25"):
            ask()
    with pytest.raises(ValueError, match="25"):
        post_crawford_equity(KAZAROSS_XG2, away)


@pytest.mark.parametrize(
    ("score", "expected"),
    [
        (MatchScore(7), (500, 500)),
        (MatchScore(7, 5, 3), (669, 331)),
        (MatchScore(7, 3, 5), (331, 669)),
        (MatchScore(7, 6, 5), (677, 323)),
        (MatchScore(7, 6, 5, crawford_done=True), (512, 488)),
        (MatchScore(1), (500, 500)),
        (MatchScore(7, 7, 5), None),
        (MatchScore(0, 7, 5), None),
        (MatchScore(27, 1, 5), None),
        (MatchScore(7, 5, 3, crawford=False), None),
    ],
)
def test_win_tenths_are_whole_and_add_up_to_a_thousand(score, expected):
    assert win_tenths(score) == expected


def test_win_tenths_of_every_score_in_the_table_add_up_to_a_thousand():
    for a in AWAY:
        for b in AWAY:
            score = MatchScore(SIZE, SIZE - a, SIZE - b)
            assert sum(win_tenths(score)) == 1000
            assert abs(win_tenths(score)[0] - 1000 * win_probability(score)) <= 0.5
