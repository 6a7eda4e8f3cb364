import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.actions import (
    ActionFault,
    Beavered,
    Doubled,
    Dropped,
    IllegalAction,
    OpeningThrow,
    Played,
    Raccooned,
    Resigned,
    Rolled,
    RolledEarly,
    Took,
)
from rules.answers import Stage
from rules.cube import Cube, CubeFault
from rules.errors import IllegalPlay
from rules.game import GameState
from rules.notation import Hop, parse_play
from rules.plays import after_die, dice_of, legal_plays, must_pass
from rules.position import BAR, OFF, START, count
from rules.profiles import DK_LEAFLET, PROFILES, SE_WEB, WBGF, Variants
from rules.score import Ending, Level, MatchScore, Side
from rules.sheet import GameResult, Terms, check_sheet

A, B = Side.A, Side.B
OPENED = (Rolled(A, (3, 1)), Played(A, parse_play("8/5 6/5")))


def game(*events, score=None, profile=WBGF):
    state = GameState.begin(score or MatchScore(7), profile)
    for event in events:
        state = state.apply(event)
    return state


def test_begin_refuses_a_game_after_the_end_of_the_match():
    with pytest.raises(ValueError, match="over"):
        GameState.begin(MatchScore(7, 7, 3), WBGF)


def test_first_roll_decides_who_is_on_roll_and_each_play_passes_the_turn():
    state = game(Rolled(B, (3, 1)))
    assert (state.on_roll, state.stage, state.position) == (B, Stage.ROLLED, START)
    state = state.apply(Played(B, parse_play("8/5 6/5")))
    assert (state.on_roll, state.stage, state.roll) == (A, Stage.TURN, None)
    assert (state.position.opposing(20), state.position.checkers(24)) == (2, 2)


@pytest.mark.parametrize(
    ("events", "fault"),
    [
        ((Rolled(A, (3, 3)),), ActionFault.OPENING_DOUBLE),
        ((Rolled(A, (7, 1)),), ActionFault.NO_SUCH_DICE),
        ((Rolled(A, (3, 0)),), ActionFault.NO_SUCH_DICE),
        ((OpeningThrow((7,), (1,)),), ActionFault.NO_SUCH_DICE),
        ((OpeningThrow((1,), (0,)),), ActionFault.NO_SUCH_DICE),
        ((*OPENED, Rolled(B, (3, 1, 2))), ActionFault.NO_SUCH_DICE),
        ((Rolled(A, (3, 1)), RolledEarly(B, (0, 3))), ActionFault.NO_SUCH_DICE),
        ((Doubled(A, 2),), ActionFault.OPENING_ROLL_FIRST),
        ((Resigned(A, Level.SINGLE),), ActionFault.OPENING_ROLL_FIRST),
        ((Played(A, ()),), ActionFault.NOT_ROLLED_YET),
        ((Rolled(A, (3, 1)), Rolled(A, (3, 1))), ActionFault.ALREADY_ROLLED),
        ((Rolled(A, (3, 1)), Rolled(B, (3, 1))), ActionFault.WRONG_TURN),
        ((Rolled(A, (3, 1)), Played(B, ())), ActionFault.WRONG_TURN),
        ((Rolled(A, (3, 1)), Doubled(A, 2)), ActionFault.DOUBLE_AFTER_ROLL),
        ((Rolled(A, (3, 1)), Doubled(B, 2)), ActionFault.WRONG_TURN),
        ((*OPENED, Rolled(A, (3, 1))), ActionFault.WRONG_TURN),
        ((*OPENED, Played(B, ())), ActionFault.NOT_ROLLED_YET),
        ((*OPENED, Doubled(A, 2)), ActionFault.WRONG_TURN),
        ((*OPENED, Doubled(B, 4)), CubeFault.CUBE_VALUE),
        ((*OPENED, Took(A)), ActionFault.NO_DOUBLE),
        ((*OPENED, Dropped(A)), ActionFault.NO_DOUBLE),
        ((*OPENED, Beavered(A)), ActionFault.NO_DOUBLE),
        ((*OPENED, Doubled(B, 2), Took(B)), ActionFault.WRONG_TURN),
        ((*OPENED, Doubled(B, 2), Dropped(B)), ActionFault.WRONG_TURN),
        ((*OPENED, Doubled(B, 2), Rolled(B, (3, 1))), ActionFault.DOUBLE_UNANSWERED),
        ((*OPENED, Doubled(B, 2), Doubled(A, 4)), ActionFault.DOUBLE_UNANSWERED),
        ((*OPENED, Doubled(B, 2), Resigned(A, Level.SINGLE)), ActionFault.DOUBLE_UNANSWERED),
        ((*OPENED, Doubled(B, 2), Beavered(A)), CubeFault.BEAVER_IN_MATCH),
        ((*OPENED, Doubled(B, 2), Took(A), Doubled(B, 4)), CubeFault.CUBE_OWNER),
        ((*OPENED, Doubled(B, 2), Dropped(A), Rolled(B, (3, 1))), ActionFault.GAME_OVER),
        ((*OPENED, Resigned(B, Level.SINGLE), Resigned(A, Level.SINGLE)), ActionFault.GAME_OVER),
    ],
)
def test_apply_names_the_rule_that_an_event_breaks(events, fault):
    state = game(*events[:-1])
    with pytest.raises(IllegalAction) as refusal:
        state.apply(events[-1])
    assert refusal.value.code == fault
    assert str(refusal.value) == refusal.value.template % refusal.value.params


def test_apply_refuses_a_play_that_breaks_a_rule():
    with pytest.raises(IllegalPlay):
        game(Rolled(A, (3, 1)), Played(A, parse_play("8/4 6/5")))


def test_first_roll_may_be_a_double_where_both_throw_two_dice():
    assert game(Rolled(A, (5, 5)), profile=SE_WEB).stage is Stage.ROLLED


def test_a_taken_double_gives_the_cube_to_the_taker_and_the_roll_to_the_doubler():
    state = game(*OPENED, Doubled(B, 2), Took(A))
    assert (state.cube, state.on_roll, state.stage) == (Cube(2, A), B, Stage.TURN)


def test_a_dropped_double_pays_the_cube_before_it():
    assert game(*OPENED, Doubled(B, 2), Dropped(A)).result == GameResult(B, 1, Level.SINGLE, Ending.DROP)
    redoubled = (
        *(Doubled(B, 2), Took(A), Rolled(B, (3, 1)), Played(B, parse_play("8/5 6/5"))),
        *(Doubled(A, 4), Dropped(B)),
    )
    state = game(*OPENED, *redoubled)
    assert state.result == GameResult(A, 2, Level.SINGLE, Ending.DROP)


def test_nobody_doubles_in_the_crawford_game():
    with pytest.raises(IllegalAction) as refusal:
        game(*OPENED, Doubled(B, 2), score=MatchScore(7, 6, 0))
    assert (refusal.value.code, refusal.value.rule) == (CubeFault.CRAWFORD_CUBE, "I7")


def test_a_beaver_for_money_doubles_again_and_keeps_the_cube():
    money = MatchScore(0)
    state = game(*OPENED, Doubled(B, 2), Beavered(A), Took(B), score=money)
    assert (state.cube, state.on_roll, state.stage) == (Cube(4, A), B, Stage.TURN)
    dropped = game(*OPENED, Doubled(B, 2), Beavered(A), Dropped(B), score=money)
    assert dropped.result == GameResult(A, 2, Level.SINGLE, Ending.DROP)
    with pytest.raises(IllegalAction):
        game(*OPENED, Doubled(B, 2), Beavered(A), Beavered(B), score=money)


def test_a_resignation_is_worth_its_level_times_the_cube():
    state = game(*OPENED, Doubled(B, 2), Took(A), Resigned(A, Level.GAMMON))
    assert state.result == GameResult(B, 2, Level.GAMMON, Ending.RESIGNED)


def test_a_resignation_is_always_a_backgammon_where_the_text_says_so():
    with pytest.raises(IllegalAction) as refusal:
        game(*OPENED, Resigned(B, Level.SINGLE), profile=DK_LEAFLET)
    assert refusal.value.code == ActionFault.RESIGNATION_LEVEL
    assert game(*OPENED, Resigned(B, Level.BACKGAMMON), profile=DK_LEAFLET).result.level is Level.BACKGAMMON


def any_play(position, roll, rng):
    """Return the hops of one legal play, found by trying steps; empty for a dance."""
    wanted = rng.choice(sorted(legal_plays(position, roll, WBGF), key=lambda result: (result.mine, result.theirs)))
    for dice in (dice_of(roll), dice_of(roll)[::-1]):
        paths = [(position, ())]
        for die in dice:
            paths = [
                (here.moved(point, max(point - die, OFF)), (*hops, Hop(point, max(point - die, OFF))))
                for here, hops in paths
                for point in range(1, BAR + 1)
                if here.checkers(point) and here.moved(point, max(point - die, OFF)) in after_die(here, die, WBGF)
            ] or paths
        for result, hops in paths:
            if result == wanted:
                return hops
    raise AssertionError(wanted)


@pytest.mark.parametrize("seed", range(3))
def test_a_game_of_legal_plays_ends_with_all_checkers_of_the_winner_off(seed):
    rng = random.Random(seed)
    state = game(Rolled(A, (3, 1)), Played(A, parse_play("8/5 6/5")))
    while state.stage is not Stage.OVER:
        roll = rng.randint(1, 6), rng.randint(1, 6)
        side = state.on_roll
        play = () if must_pass(state.position, roll, WBGF) else any_play(state.position, roll, rng)
        state = state.apply(Rolled(side, roll)).apply(Played(side, play))
    assert count(state.position.mine, OFF) == 15
    assert state.result.winner is side
    assert state.result.ending is Ending.BEAROFF


@settings(max_examples=300)
@given(st.integers(0, 2**32), st.sampled_from(list(PROFILES.values())), st.sampled_from([0, 1, 2, 7]), st.booleans())
def test_a_score_sheet_holds_the_result_of_any_sequence_of_cube_actions(seed, profile, length, jacoby):
    rng = random.Random(seed)
    ties = rng.randint(0, 2) if profile.automatic_double and not length else 0
    variants = Variants(jacoby=jacoby, automatic_doubles=ties, cube=ties > 0 or rng.random() < 0.9)
    score = MatchScore(length, *(rng.choice([(0, 0), (length - 1, 0)]) if length else (0, 0)))
    state = GameState.begin(score, profile, variants)
    for event in (OpeningThrow((3,), (3,)),) * ties if profile is not SE_WEB else ():
        state = state.apply(event)
    state = state.apply(OPENED[0]).apply(OPENED[1])
    offers, last = 0, None
    while state.stage is not Stage.OVER:
        side = rng.choice(list(Side))
        doubled = Doubled(side, state.cube.value * (4 if state.stage is Stage.DOUBLED else 2))
        given_up = Resigned(side, rng.choice(list(Level)))
        event = rng.choice([doubled, doubled, Took(side), Took(side), Beavered(side), Raccooned(side), Dropped(side)])
        event = given_up if rng.random() < 0.05 else event
        try:
            state = state.apply(event)
        except IllegalAction:
            state = state._replace(on_roll=state.on_roll.other) if state.stage is Stage.TURN else state
            continue
        if isinstance(event, Doubled) and state.offer == "double":
            assert last in (None, side.other)  # I6: doublers alternate, however the cube came to its owner
        if isinstance(event, Doubled | Beavered | Raccooned):
            offers, last = offers + 1, side
        if isinstance(event, Took):
            beaver = state.cube.owner is not side
            assert not beaver or not length
            last = state.cube.owner.other
    taken = offers - (state.result.ending is Ending.DROP)
    assert state.result.cube == 2 ** (ties + taken)
    terms = Terms(length, profile=profile, variants=variants, start=(score.a, score.b))
    assert check_sheet(terms, [state.result]).errors == ()
