import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import AmbiguousPlay, IllegalPlay
from rules.ids import position_id
from rules.notation import Hop, parse_play
from rules.perft import ROLLS
from rules.plays import Fault, dice_of, judge_play, legal_plays, must_pass, step_fault
from rules.position import BAR, CHECKERS, START, Position, count
from rules.profiles import DE_LEAFLET, PROFILES, WBGF
from tests.rules.boards import board, positions, rolls
from tests.rules.naive import naive_plays

PROFILES_OF_PLAY = [WBGF, DE_LEAFLET, replace(WBGF, higher_die=False)]


def plays(position, roll, profile=WBGF):
    return legal_plays(position, roll, profile)


def after(position, roll, text, profile=WBGF):
    return judge_play(position, roll, parse_play(text), profile)


def test_legal_plays_of_the_start_count_447_and_202782():
    first = [(roll, result) for roll in ROLLS for result in plays(START, roll)]
    assert len(first) == 447
    assert sum(len(plays(result.swapped(), roll)) for _, result in first for roll in ROLLS) == 202_782


@pytest.mark.parametrize(
    ("mine", "theirs", "roll", "texts"),
    [
        ({24: 1}, {22: 2, 18: 2}, (6, 2), []),
        ({24: 2}, {}, (5, 3), ["24/16", "24/21 24/19"]),
        ({24: 4}, {}, (4, 4), ["24/8", "24/12 24/20", "24/16(2)", "24/16 24/20(2)", "24/20(4)"]),
        ({24: 1}, {18: 2}, (4, 2), ["24/20"]),
        ({BAR: 2, 6: 1}, {20: 2}, (5, 4), ["bar/21"]),
        ({BAR: 1, 6: 1}, {22: 2, 19: 2}, (6, 3), []),
        ({BAR: 1, 6: 1}, {22: 2, 19: 1}, (6, 3), ["bar/19*/16", "bar/19* 6/3"]),
        ({BAR: 1}, {20: 2, 21: 2, 22: 2, 23: 2, 24: 2}, (4, 2), []),
        ({BAR: 1}, {20: 2, 21: 2, 22: 2, 23: 2, 24: 2}, (5, 1), []),
        ({BAR: 1}, {20: 2, 21: 2, 22: 2, 23: 2, 24: 2}, (6, 1), ["bar/19/18"]),
        ({BAR: 1}, {19: 2, 20: 2, 21: 2, 22: 2, 23: 2, 24: 2}, (6, 6), []),
        ({7: 1, 1: 1}, {}, (6, 5), ["7/1/off"]),
        ({6: 2, 3: 2, 1: 3}, {}, (6, 3), ["6/off 3/off", "6/off 6/3"]),
        ({5: 1, 3: 2, 2: 3, 1: 2}, {}, (6, 5), ["5/off 3/off"]),
        ({6: 1, 4: 1}, {}, (5, 5), ["6/1 4/off 1/off"]),
        ({BAR: 15}, {}, (3, 1), ["bar/22 bar/24"]),
        ({BAR: 15}, {}, (6, 6), ["bar/19(4)"]),
        ({2: 1}, {1: 1}, (3, 1), ["2/1*/off"]),
    ],
)
def test_legal_plays_are_exactly_those(mine, theirs, roll, texts):
    position = board(mine, theirs)
    assert plays(position, roll) == {after(position, roll, text) for text in texts}
    assert must_pass(position, roll, WBGF) is (not texts)


def test_legal_plays_open_as_the_texts_say():
    assert len(plays(START, (5, 4))) == 9
    assert {after(START, (5, 4), "24/20/15"), after(START, (5, 4), "13/9 13/8")} < plays(START, (5, 4))
    assert len(plays(START, (3, 1))) == 16
    assert {after(START, (3, 1), "24/20"), after(START, (3, 1), "8/5 6/5")} < plays(START, (3, 1))
    assert len(plays(START, (5, 5))) == 4
    assert {result.checkers(24) for result in plays(START, (5, 5))} == {2}


def test_legal_plays_of_44_hit_twice_and_make_the_nine_point():
    position = board({24: 2, 13: 5, 8: 3, 6: 5}, {20: 1, 16: 1, 1: 2, 12: 5, 19: 6})
    result = after(position, (4, 4), "24/20*/16* 13/9(2)")
    assert result in plays(position, (4, 4))
    assert (count(result.theirs, BAR), result.checkers(9)) == (2, 2)


def test_legal_plays_of_52_make_the_four_point():
    position = Position.of({24: 2, 13: 3, 9: 1, 8: 3, 6: 5, 5: 1}, {24: 2, 13: 5, 8: 3, 6: 5})
    assert after(position, (5, 2), "9/4 6/4") in plays(position, (5, 2))


def test_legal_plays_of_55_are_20_pips_where_all_four_can_be_played():
    assert {START.pips() - result.pips() for result in plays(START, (5, 5))} == {20}


def test_legal_plays_let_a_profile_drop_the_higher_die():
    position = board({24: 1}, {18: 2})
    assert plays(position, (4, 2), replace(WBGF, higher_die=False)) == {
        after(position, (4, 2), "24/20"),
        position.moved(24, 22),
    }


def test_legal_plays_bear_off_from_anywhere_only_where_the_text_says_so():
    position = board({6: 1, 4: 1})
    freely = {position.moved(4, 0).moved(6, 5), position.moved(4, 3).moved(3, 0)}
    assert plays(position, (5, 1), DE_LEAFLET) - plays(position, (5, 1)) == freely


@pytest.mark.parametrize(
    ("mine", "theirs", "roll", "text", "fault"),
    [
        ({6: 2}, {}, (2, 1), "8/6 6/5", Fault.NO_CHECKER),
        ({BAR: 1, 6: 2}, {}, (2, 1), "6/4 6/5", Fault.BAR_FIRST),
        ({BAR: 2, 6: 2}, {}, (2, 1), "bar/23 6/5", Fault.BAR_FIRST),
        ({BAR: 1, 2: 3}, {}, (2, 1), "2/off bar/24", Fault.BAR_FIRST),
        ({24: 1, 2: 3}, {}, (2, 1), "24/23 2/off", Fault.NOT_HOME),
        ({8: 2}, {6: 2}, (2, 1), "8/6 8/7", Fault.BLOCKED),
        ({8: 2}, {6: 2, 7: 2}, (2, 1), "8/5", Fault.BLOCKED),
        ({8: 1, 2: 1}, {}, (2, 1), "2/off 8/7", Fault.NOT_HOME),
        ({6: 1, 4: 2}, {}, (5, 1), "4/off 4/3", Fault.HIGHER_POINT),
        ({7: 1, 5: 1}, {}, (6, 3), "7/1 1/off", Fault.HIGHER_POINT),
        ({7: 1, 2: 1}, {1: 1}, (6, 3), "7/1* 1/off", Fault.HIGHER_POINT),
        ({7: 1, 2: 1}, {1: 1}, (6, 3), "7/1 1/off", Fault.HIGHER_POINT),
        ({7: 1, 2: 1}, {1: 2}, (6, 3), "7/1 1/off", Fault.BLOCKED),
        ({8: 2}, {}, (2, 1), "8/4 8/7", Fault.NOT_ROLLED),
        ({8: 3}, {}, (2, 1), "8/6 8/7 8/7", Fault.NOT_ROLLED),
        ({8: 2}, {}, (2, 1), "8/6* 8/7", Fault.NO_HIT),
        ({4: 2}, {}, (6, 4), "4/off 4/off*", Fault.NO_HIT),
        ({8: 2}, {}, (2, 1), "8/6", Fault.MORE_DICE),
        ({8: 4}, {}, (1, 1), "8/7(3)", Fault.MORE_DICE),
        ({2: 1}, {1: 1}, (3, 1), "2/off", None),
        ({3: 1}, {}, (2, 1), "3/1", Fault.MORE_DICE),
        ({24: 1}, {18: 2}, (4, 2), "24/22", Fault.HIGHER_DIE),
        ({8: 2}, {}, (2, 1), "", Fault.MUST_MOVE),
    ],
)
def test_judge_play_names_the_broken_rule(mine, theirs, roll, text, fault):
    position = board(mine, theirs)
    if fault is None:
        assert after(position, roll, text) in plays(position, roll)
        return
    with pytest.raises(IllegalPlay) as refusal:
        after(position, roll, text)
    assert refusal.value.code == fault
    assert str(refusal.value).endswith(position_id(position))
    assert refusal.value.position_id == position_id(position)


def test_judge_play_reads_a_hop_without_a_hit_on_its_way_where_it_can():
    position = board({13: 1, 6: 1}, {7: 1})
    assert count(after(position, (6, 2), "13/5").theirs, BAR) == 0
    assert count(after(position, (6, 2), "13/7*/5").theirs, BAR) == 1
    blocked = board({13: 1, 6: 1}, {7: 1, 11: 2})
    assert count(after(blocked, (6, 2), "13/5").theirs, BAR) == 1


def test_judge_play_lets_one_checker_be_borne_off_by_both_dice_in_either_order():
    position = board({7: 1, 2: 3}, {})
    assert after(position, (6, 3), "7/1 1/off") == after(position, (6, 3), "7/4 4/off") == board({2: 3})


def test_judge_play_refuses_to_guess_which_checker_is_hit():
    with pytest.raises(AmbiguousPlay):
        after(board({13: 1, 6: 1}, {7: 1, 11: 1}), (6, 2), "13/5")


def test_judge_play_accepts_the_hops_in_any_order():
    position = board({BAR: 1, 8: 1}, {})
    assert after(position, (2, 1), "8/7 bar/23") == after(position, (2, 1), "bar/23 8/7")


@given(positions(), rolls)
def test_legal_plays_keep_every_checker_and_lose_only_rolled_pips(position, roll):
    dice = sum(roll) * (2 if roll[0] == roll[1] else 1)
    for result in plays(position, roll):
        for side in (result.mine, result.theirs):
            assert sum(count(side, point) for point in range(BAR + 1)) == CHECKERS
        assert 0 < position.pips() - result.pips() <= dice
        assert not any(result.checkers(point) and result.opposing(point) for point in range(1, BAR))


@given(positions(), rolls, st.sampled_from(PROFILES_OF_PLAY))
def test_legal_plays_of_any_position_are_those_found_the_long_way_round(position, roll, profile):
    legal = plays(position, roll, profile)
    assert legal == naive_plays(position, roll, profile)
    assert must_pass(position, roll, profile) is (not legal)
    assert {type(result) for result in legal} <= {Position}


def some_play(rng, position, roll):
    """Return hops that may be a legal play: steps that can be made, some joined, some in another order or left out."""
    hops = []
    for die in rng.sample(dice_of(roll), len(dice_of(roll))):
        starts = [point for point in range(1, BAR + 1) if step_fault(position, point, die, WBGF) is None]
        if not starts or rng.random() < 0.05:
            break
        start = rng.choice(starts[-3:])
        end = max(start - die, 0)
        hop = Hop(start, end, position.is_hit(end) and rng.random() < 0.7)
        position = position.moved(start, end)
        if hops and hops[-1].end == start and rng.random() < 0.7:
            hop = Hop(hops.pop().start, end, hop.hit)
        hops.append(hop)
    return tuple(rng.sample(hops, len(hops)) if rng.random() < 0.3 else hops)


def judged(position, roll, play, profile):
    """Return the position after the play, or the rule that it breaks."""
    try:
        return judge_play(position, roll, play, profile)
    except (IllegalPlay, AmbiguousPlay) as refusal:
        return refusal.code


@given(positions(), rolls, st.sampled_from(PROFILES_OF_PLAY), st.randoms(use_true_random=False))
def test_the_shortcut_of_judge_play_agrees_with_the_search_of_all_readings(position, roll, profile, rng):
    play = some_play(rng, position, roll)
    quickly = judged(position, roll, play, profile)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rules.plays.made_as_written", lambda *_: None)
        assert quickly == judged(position, roll, play, profile)


@given(positions(), rolls)
def test_judge_play_agrees_with_legal_plays_on_every_pair_of_steps(position, roll):
    legal = plays(position, roll)
    rng = random.Random(position.mine ^ position.theirs)
    for _ in range(20):
        starts = rng.choices(range(1, BAR + 1), k=2)
        text = " ".join(f"{start}/{max(start - die, 0)}" for start, die in zip(starts, roll, strict=True))
        try:
            result = after(position, roll, text)
        except IllegalPlay:
            continue
        assert result in legal


@pytest.mark.parametrize("slug", sorted(PROFILES))
def test_legal_plays_exist_for_every_opening_roll_under_every_profile(slug):
    assert all(plays(START, roll, PROFILES[slug]) for roll in ROLLS)


@pytest.mark.parametrize("roll", [(0, 2), (7, 7), (6, -1)])
def test_impossible_dice_have_no_plays(roll):
    with pytest.raises(ValueError, match="1 to 6"):
        legal_plays(START, roll, WBGF)
    for play in ("", "8/6"):
        with pytest.raises(ValueError, match="1 to 6"):
            judge_play(START, roll, parse_play(play), WBGF)
