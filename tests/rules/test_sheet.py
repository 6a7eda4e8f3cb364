"""Score sheets: an example of everything that is refused or queried."""

import pytest

from rules.profiles import PROFILES, Variants
from rules.score import Ending, Level, MatchScore
from rules.sheet import SheetCheck, Terms, check_sheet
from tests.rules.games import AT_CRAWFORD, A, B, codes, game

DK, DE, WBGF = PROFILES["dk-leaflet"], PROFILES["de-leaflet"], PROFILES["wbgf"]

REFUSED = [
    (Terms(-1), [], None, "length_invalid"),
    (Terms(True), [], None, "length_invalid"),
    (Terms(7.0), [], None, "length_invalid"),
    (Terms(7, start=(-1, 0)), [], None, "start_invalid"),
    (Terms(7, start=(8, 0)), [], None, "start_invalid"),
    (Terms(7, start=(7, 7)), [], None, "start_invalid"),
    (Terms(7, start=(0, "0")), [], None, "start_invalid"),
    (Terms(7, start=(5, 5), crawford_done=True), [], None, "crawford_done_invalid"),
    (Terms(1, start=(0, 0), crawford_done=True), [], None, "crawford_done_invalid"),
    (Terms(1), [game(A), game(A)], 2, "game_after_match_over"),
    (Terms(7, start=(7, 0)), [game(B)], 1, "game_after_match_over"),
    (Terms(7), [game("A")], 1, "winner_invalid"),
    (Terms(7), [game(A, ending="bearoff")], 1, "ending_invalid"),
    (Terms(7), [game(A, 3)], 1, "cube_not_power_of_two"),
    (Terms(7), [game(A, 0)], 1, "cube_not_power_of_two"),
    (Terms(7), [game(A, True)], 1, "cube_not_power_of_two"),
    (Terms(0, profile=DE), [game(A, 128)], 1, "cube_above_cap"),
    (Terms(7), [game(A, 1, 4)], 1, "level_not_in_profile"),
    (Terms(0, profile=DE), [game(A, 1, Level.BACKGAMMON)], 1, "level_not_in_profile"),
    (Terms(7), [*AT_CRAWFORD, game(B, 2)], 2, "crawford_cube"),
    (Terms(7), [*AT_CRAWFORD, game(A, ending=Ending.DROP)], 2, "crawford_drop"),
    (Terms(7), [game(A, 2, Level.GAMMON, Ending.DROP)], 1, "drop_level"),
    (Terms(0, profile=DE), [game(A, 64, ending=Ending.DROP)], 1, "drop_cube"),
    (Terms(0, variants=Variants(jacoby=True)), [game(A, 1, Level.GAMMON)], 1, "jacoby_level"),
    (Terms(0, variants=Variants(cube=False)), [game(A, 2)], 1, "no_cube"),
    (Terms(7, variants=Variants(cube=False)), [game(A, ending=Ending.DROP)], 1, "no_cube"),
    (Terms(0, profile=DK, variants=Variants(automatic_doubles=-1)), [], None, "automatic_doubles_negative"),
    (Terms(7, profile=DK, variants=Variants(automatic_doubles=1)), [], None, "automatic_double_in_match"),
    (Terms(0, profile=DE, variants=Variants(automatic_doubles=1)), [], None, "automatic_double_not_offered"),
    (
        Terms(0, profile=DK, variants=Variants(cube=False, automatic_doubles=1)),
        [],
        None,
        "automatic_double_without_cube",
    ),
    (Terms(7, variants=Variants(jacquet=True)), [], None, "jacquet_not_offered"),
    (Terms(0, profile=DK), [game(A, 2, Level.GAMMON, Ending.RESIGNED)], 1, "resignation_level"),
]

ASKED = [
    (Terms(7, start=(5, 0)), [game(A, 2)], []),
    (Terms(1), [game(A, 2)], [(1, "dead_cube"), (1, "cube_implausible")]),
    (Terms(1), [game(A, ending=Ending.DROP)], [(1, "dead_cube")]),
    (Terms(7, start=(5, 0)), [game(A, 2, ending=Ending.DROP)], [(1, "dead_cube")]),
    (Terms(7, start=(5, 0)), [game(B, 2, ending=Ending.DROP)], []),
    (Terms(7, start=(5, 0)), [game(B, 8)], [(1, "dead_cube")]),
    (Terms(7, start=(5, 5)), [game(B, 4)], [(1, "dead_cube"), (1, "cube_implausible")]),
    (Terms(7), [game(A, 16)], [(1, "dead_cube"), (1, "cube_implausible")]),
    (Terms(7), [game(A, 8)], []),
    (Terms(7, start=(5, 0)), [game(A, 1, Level.BACKGAMMON)], [(1, "overshoot")]),
    (Terms(7, start=(5, 0)), [game(A, 1, Level.GAMMON)], []),
    (Terms(7), [*AT_CRAWFORD, game(B), game(B)], [(3, "trailer_did_not_double")]),
    (Terms(7), [*AT_CRAWFORD, game(B), game(B, 2)], []),
    (Terms(7), [*AT_CRAWFORD, game(B), game(B, ending=Ending.DROP)], []),
    (Terms(7), [*AT_CRAWFORD, game(B), game(B, ending=Ending.FORFEIT)], []),
    (Terms(7, start=(6, 6), crawford_done=True), [game(B)], []),
    (Terms(3, crawford=False), [game(A), game(B)] * 2 + [game(A)], [(5, "many_games")]),
]


@pytest.mark.parametrize(("terms", "games", "number", "code"), REFUSED)
def test_check_sheet_refuses_what_the_rule_forbids(terms, games, number, code):
    check = check_sheet(terms, games)
    assert (number, code) in codes(check)
    assert not check.ok
    assert {finding.game for finding in check.errors} == {number}
    assert len(check.scores) == (number or 0)


@pytest.mark.parametrize(("terms", "games", "expected"), ASKED)
def test_check_sheet_asks_about_what_is_legal_but_unlikely(terms, games, expected):
    check = check_sheet(terms, games)
    assert codes(check) == expected
    assert check.ok
    assert len(check.scores) == len(games) + 1


def test_check_sheet_without_games_is_the_start():
    terms = Terms(7, start=(1, 0))
    assert check_sheet(terms, []) == SheetCheck((MatchScore(7, 1, 0),), ())
    assert terms.opening == MatchScore(7, 1, 0)
    with pytest.raises(ValueError, match="below"):
        _ = Terms(-1).opening


def test_points_are_cube_times_level():
    assert game(A, 4, Level.GAMMON).points == 8
    assert game(A, 64, Level.BACKGAMMON).points == 192
