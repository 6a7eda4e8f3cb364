"""Where the rule texts contradict each other, one test shows both sides on the same board."""

from dataclasses import replace

import pytest

from rules.actions import (
    Beavered,
    Doubled,
    Dropped,
    IllegalAction,
    OpeningThrow,
    Raccooned,
    Resigned,
    Rolled,
    Took,
)
from rules.answers import Stage
from rules.cube import Cube
from rules.errors import IllegalPlay
from rules.game import GameState
from rules.notation import parse_play
from rules.outcome import won_level
from rules.plays import judge_play, legal_plays
from rules.position import BAR, OFF, START, Position
from rules.profiles import DBF, DE_LEAFLET, DK_LEAFLET, NBGF_INFO, PROFILES, SE_WEB, WBGF, Variants
from rules.score import Ending, Level, MatchScore, Side
from rules.sheet import GameResult, Terms, check_sheet
from tests.rules.boards import board
from tests.rules.texts import OPENED, A, B, fault, game


def test_swedish_and_german_openings_throw_two_dice_each_and_may_be_a_double():
    two, one = OpeningThrow((5, 5), (6, 3)), OpeningThrow((6,), (3,))
    for profile in (SE_WEB, DE_LEAFLET):
        assert game(profile, two).roll == (5, 5)
        assert fault(game(profile), one) == "opening_dice"
        assert game(profile, Rolled(A, (5, 5))).stage is Stage.ROLLED
    for profile in (DK_LEAFLET, DBF, NBGF_INFO, WBGF):
        assert game(profile, one).roll == (6, 3)
        assert fault(game(profile), two) == "opening_dice"
        assert fault(game(profile), Rolled(A, (5, 5))) == "opening_double"


def test_swedish_backgammon_reaches_over_half_the_board():
    straggler = Position.of({OFF: 15}, {1: 14, 15: 1})
    levels = {slug: won_level(straggler, profile) for slug, profile in PROFILES.items()}
    assert {slug for slug, level in levels.items() if level is Level.BACKGAMMON} == {"se-web"}
    assert {level for slug, level in levels.items() if slug != "se-web"} == {Level.GAMMON}


def test_german_overshoot_bears_off_from_anywhere():
    position = board({6: 1, 4: 1})
    play = parse_play("4/off 6/5")
    assert judge_play(position, (5, 1), play, DE_LEAFLET) in legal_plays(position, (5, 1), DE_LEAFLET)
    for profile in (DK_LEAFLET, SE_WEB, DBF, NBGF_INFO, WBGF):
        with pytest.raises(IllegalPlay, match="highest occupied point"):
            judge_play(position, (5, 1), play, profile)


def test_german_rules_have_no_backgammon():
    on_the_bar = Position.of({OFF: 15}, {1: 14, BAR: 1})
    assert won_level(on_the_bar, DE_LEAFLET) is Level.GAMMON
    sheet = [GameResult(A, 1, Level.BACKGAMMON)]
    assert not check_sheet(Terms(0, profile=DE_LEAFLET), sheet).ok
    for profile in (DK_LEAFLET, SE_WEB, DBF, NBGF_INFO, WBGF):
        assert won_level(on_the_bar, profile) is Level.BACKGAMMON
        assert check_sheet(Terms(0, profile=profile), sheet).ok


def test_german_double_comes_at_any_time():
    rolled = (*OPENED, Rolled(B, (6, 5)))
    for side in Side:
        assert game(DE_LEAFLET, *rolled, Doubled(side, 2), Took(side.other)).cube == Cube(2, side.other)
    for profile in (DK_LEAFLET, SE_WEB, DBF, NBGF_INFO, WBGF):
        assert fault(game(profile, *rolled), Doubled(B, 2)) == "double_after_roll"
        assert fault(game(profile, *rolled), Doubled(A, 2)) == "wrong_turn"


def test_danish_immediate_redouble_gives_the_cube_to_the_first_doubler():
    redoubled = game(DK_LEAFLET, *OPENED, Doubled(B, 2), Doubled(A, 4))
    assert redoubled.apply(Took(B)).cube == Cube(4, B)
    assert redoubled.apply(Dropped(B)).result == GameResult(A, 2, ending=Ending.DROP)
    beavered = game(WBGF, *OPENED, Doubled(B, 2), Beavered(A))
    assert beavered.apply(Took(B)).cube == Cube(4, A)
    for profile in (SE_WEB, DBF, NBGF_INFO, DE_LEAFLET, WBGF):
        assert fault(game(profile, *OPENED, Doubled(B, 2)), Doubled(A, 4)) == "double_unanswered"


def test_danish_resignation_is_always_a_backgammon():
    levels = {slug: {level for level in Level if _may_resign(profile, level)} for slug, profile in PROFILES.items()}
    assert levels.pop("dk-leaflet") == {Level.BACKGAMMON}
    assert levels.pop("de-leaflet") == {Level.SINGLE, Level.GAMMON}
    assert list(levels.values()) == [set(Level)] * 4


def _may_resign(profile, level):
    try:
        result = game(profile, *OPENED, Resigned(B, level)).result
    except IllegalAction:
        return False
    return check_sheet(Terms(0, profile=profile), [result]).ok


def test_danish_variants_are_offered_by_the_leaflet_alone():
    tie = OpeningThrow((3,), (3,))
    twice = Variants(automatic_doubles=2)
    assert game(DK_LEAFLET, *[tie] * 3, variants=twice).cube == Cube(4)
    assert game(DK_LEAFLET, variants=Variants(jacquet=True)).position.checkers(BAR) == 15
    for profile in (SE_WEB, DBF, NBGF_INFO, DE_LEAFLET, WBGF):
        for variants in (twice, Variants(jacquet=True)):
            with pytest.raises(ValueError, match="do not include"):
                game(profile, variants=variants)
        assert game(profile).position == START
    for profile in (DBF, NBGF_INFO, WBGF, DK_LEAFLET):
        assert game(profile, tie).cube == Cube(1)


def test_norwegian_cube_has_no_limit():
    for profile, cap in ((NBGF_INFO, None), (WBGF, None), (DK_LEAFLET, 64), (SE_WEB, 64), (DBF, 64), (DE_LEAFLET, 64)):
        assert profile.cube_cap == cap
        at_64 = game(profile, *OPENED)._replace(cube=Cube(64, B))
        if cap is None:
            assert at_64.apply(Doubled(B, 128)).apply(Took(A)).cube == Cube(128, A)
        else:
            assert fault(at_64, Doubled(B, 128)) == "cube_above_cap"
        assert check_sheet(Terms(0, profile=profile), [GameResult(A, 128)]).ok is (cap is None)


def test_higher_die_is_left_open_by_two_texts_alone():
    assert {slug for slug, profile in PROFILES.items() if not profile.states("higher_die")} == {
        *("wbgf", "se-web", "de-leaflet")
    }
    position = board({24: 1}, {18: 2})
    for profile in PROFILES.values():
        assert legal_plays(position, (4, 2), profile) == {position.moved(24, 20)}
        freely = replace(profile, higher_die=False)
        assert legal_plays(position, (4, 2), freely) == {position.moved(24, 20), position.moved(24, 22)}


def test_crawford_belongs_to_the_texts_that_know_matches():
    assert {slug for slug, profile in PROFILES.items() if profile.crawford} == {"wbgf", "dbf", "nbgf-info"}
    assert {slug for slug, profile in PROFILES.items() if profile.match_play} == {"wbgf", "dbf", "nbgf-info"}
    sheet = [GameResult(A, 2, Level.BACKGAMMON), GameResult(B, 2)]
    for profile in (WBGF, DBF, NBGF_INFO):
        terms = Terms(7, profile=profile, crawford=profile.crawford)
        assert [error.code for error in check_sheet(terms, sheet).errors] == ["crawford_cube"]
    for profile in (DK_LEAFLET, SE_WEB):
        assert check_sheet(Terms(7, profile=profile, crawford=profile.crawford), sheet).ok


# --- money play ---------------------------------------------------------------------------------------------------


def test_a_raccoon_answers_a_beaver_and_leaves_the_cube_with_the_beaverer():
    raccooned = game(WBGF, *OPENED, Doubled(B, 2), Beavered(A), Raccooned(B))
    assert raccooned.apply(Took(A)).cube == Cube(8, A)
    assert raccooned.apply(Took(A)).on_roll is B
    assert raccooned.apply(Dropped(A)).result == GameResult(B, 4, ending=Ending.DROP)
    assert fault(raccooned, Took(B)) == "wrong_turn"
    assert fault(raccooned, Raccooned(A)) == "no_beaver"
    assert fault(raccooned, Beavered(A)) == "double_unanswered"


@pytest.mark.parametrize("length", [1, 2, 7])
def test_beavers_and_raccoons_are_refused_in_matches(length):
    state = GameState.begin(MatchScore(length), WBGF)
    doubled = state._replace(on_roll=B, stage=Stage.DOUBLED, offered_by=B)
    for event in (Beavered(A), Raccooned(A)):
        assert fault(doubled, event) == "beaver_in_match"


def test_beavers_and_raccoons_end_at_the_cap_and_where_they_were_not_agreed():
    doubled = game(WBGF, *OPENED, Doubled(B, 2), variants=Variants(beavers=False))
    assert fault(doubled, Beavered(A)) == "beaver_not_agreed"
    assert fault(game(WBGF, *OPENED, Doubled(B, 2)), Raccooned(A)) == "no_beaver"
    at_16 = game(DBF, *OPENED)._replace(cube=Cube(16, B)).apply(Doubled(B, 32)).apply(Beavered(A))
    assert at_16.apply(Took(B)).cube == Cube(64, A)
    assert fault(at_16, Raccooned(B)) == "cube_above_cap"
    at_32 = game(DBF, *OPENED)._replace(cube=Cube(32, B)).apply(Doubled(B, 64))
    assert fault(at_32, Beavered(A)) == "cube_above_cap"


def test_jacoby_counts_a_gammon_only_after_a_double_was_taken():
    jacoby = Variants(jacoby=True)
    assert game(WBGF, *OPENED, Resigned(B, Level.GAMMON), variants=jacoby).result.level is Level.SINGLE
    taken = (*OPENED, Doubled(B, 2), Took(A))
    assert game(WBGF, *taken, Resigned(B, Level.GAMMON), variants=jacoby).result.points == 4
    automatic = Variants(jacoby=True, automatic_doubles=1)
    tied = game(DK_LEAFLET, OpeningThrow((3,), (3,)), *OPENED, variants=automatic)
    assert tied.apply(Resigned(B, Level.BACKGAMMON)).result == GameResult(A, 2, Level.SINGLE, Ending.RESIGNED)
