"""Challenge ladders: rungs, what a challenge changes, who may challenge whom, and whole ladders played at random."""

from dataclasses import replace
from itertools import permutations
from random import Random

import pytest

from tests.breadth import some
from tests.tournament.formats.events import field, options_of
from tournament.formats import FORMATS, SIMULATED
from tournament.formats.challenge import Challenge
from tournament.formats.errors import PlanError
from tournament.formats.lots import SeededLots
from tournament.formats.plan import Draw, Entrant, Outcome
from tournament.formats.rungs import Reach, rungs_of
from tournament.rehearsal.invariants import check_places, check_plan
from tournament.rehearsal.ladder import simulate_ladder

LADDER = FORMATS["ladder"]


def ladder(size, *made, **options):
    """A ladder of entrants 1, 2, 3 ... by seed, with challenges as challenger, challenged and winner (0 for open)."""
    entrants = tuple(Entrant(id=number, name=f"P{number}", seed=number, number=number) for number in range(1, size + 1))
    challenges = tuple(Challenge(number, low, high) for number, (low, high, _won) in enumerate(made, start=1))
    outcomes = {
        challenge.key: Outcome(won, low + high - won)
        for challenge, (low, high, won) in zip(challenges, made, strict=True)
        if won
    }
    options = options_of(LADDER, seeding="seeded", **options)
    return Draw(entrants, options, outcomes, seed="seed", challenges=challenges)


def test_a_draw_pairs_nobody_and_its_order_is_by_seed_or_by_lot():
    plan = LADDER.plan(ladder(4))
    assert (plan.pairings, plan.finished) == ((), True)
    assert [(line.entrant, line.place, line.place_to) for line in plan.placings] == [(n, n, n) for n in (1, 2, 3, 4)]
    by_lot = {tuple(rungs_of(Draw(field(8), options_of(LADDER), lots=SeededLots(str(secret))))) for secret in range(20)}
    assert len(by_lot) == 20


@pytest.mark.parametrize(
    ("taking", "won", "rungs"),
    [
        ("swap", 5, [1, 5, 3, 4, 2, 6]),
        ("insert", 5, [1, 5, 2, 3, 4, 6]),
        ("swap", 2, [1, 2, 3, 4, 5, 6]),
        ("insert", 2, [1, 2, 3, 4, 5, 6]),
    ],
)
def test_a_challenger_who_wins_takes_the_rung_and_one_who_loses_changes_nothing(taking, won, rungs):
    assert rungs_of(ladder(6, (5, 2, won), taking=taking)) == rungs


def test_a_challenge_is_a_pairing_with_its_reason_and_a_void_one_changes_nothing():
    draw = ladder(4, (3, 2, 0))
    plan = LADDER.plan(draw)
    (pairing,) = plan.pairings
    assert (pairing.key, pairing.a.id, pairing.b.id, pairing.length) == ("H1-1", 3, 2, 9)
    assert pairing.why.text == (
        "Challenge 1: the player named first challenged the other one, who stood higher. By winning they change rungs; "
        "otherwise everyone stays."
    )
    assert not plan.finished
    void = LADDER.plan(replace(draw, outcomes={"H1-1": Outcome(3, 2, is_void=True)}))
    assert void.finished
    assert [line.entrant for line in void.placings] == [1, 2, 3, 4]


def test_those_who_come_after_the_draw_stand_at_the_bottom_and_move_nobody():
    draw = replace(ladder(3), options=options_of(LADDER), lots=SeededLots("s"))
    before = rungs_of(draw)
    late = (Entrant(8, "L8", seed=1, presence=(2,), number=5), Entrant(9, "L9", presence=(2,), number=4))
    assert rungs_of(replace(draw, entrants=(*late, *draw.entrants))) == [*before, 9, 8]


def test_a_corrected_result_leaves_a_winner_who_already_stands_higher():
    assert rungs_of(ladder(3, (2, 1, 2), (3, 2, 3))) == [3, 1, 2]
    assert rungs_of(ladder(3, (3, 1, 3), (1, 3, 1))) == [1, 2, 3]
    assert rungs_of(ladder(3, (3, 1, 1), (1, 3, 1))) == [1, 2, 3]


def test_a_challenge_of_a_stranger_is_refused():
    with pytest.raises(PlanError) as refused:
        LADDER.plan(replace(ladder(3), challenges=(Challenge(1, 3, 9),)))
    assert refused.value.code == "challenge_unknown"


def test_players_reach_some_rungs_above_without_those_who_have_left_are_busy_or_have_just_met():
    rungs = (1, 2, 3, 4, 5, 6)
    assert Reach(rungs, 2).of(5) == [3, 4]
    assert Reach(rungs, 9).of(3) == [1, 2]
    assert Reach(rungs, 2).of(1) == []
    assert Reach(rungs, 2, gone=frozenset({4})).of(5) == [2, 3]
    assert Reach(rungs, 2, gone=frozenset({5})).of(5) == []
    assert Reach(rungs, 2, busy=frozenset({4})).of(5) == [3]
    assert Reach(rungs, 2, busy=frozenset({5})).of(5) == []
    assert Reach(rungs, 2, resting=frozenset({frozenset({3, 5})})).of(5) == [4]


def test_no_ladder_is_forecast_and_every_other_format_is():
    assert FORMATS.keys() - SIMULATED.keys() == {"ladder"}


@pytest.mark.parametrize("size", [*range(2, 9), *some([*range(9, 33), 64], 4)])
@pytest.mark.parametrize("chosen", [{}, {"taking": "insert"}, {"reach": 1}, {"rest": 5}], ids=str)
def test_a_simulated_ladder_is_played_to_its_end(size, chosen):
    played = simulate_ladder(LADDER, options_of(LADDER, **chosen), size, f"{size}")
    assert played.violations == ()
    assert played.fewest >= 1
    assert played == simulate_ladder(LADDER, options_of(LADDER, **chosen), size, f"{size}")
    assert played.rematches == 0 or "rest" not in chosen


@pytest.mark.parametrize("taking", ["swap", "insert"])
def test_challenges_open_together_may_be_decided_in_any_order(taking):
    """The order of four challenges between eight players makes no difference: rungs need no clock."""
    rng = Random(taking)
    for _case in some(range(200), 60):
        draw = ladder(10, taking=taking)
        people = rng.sample(range(1, 11), 8)
        two = [(max(pair), min(pair)) for pair in zip(people[::2], people[1::2], strict=True)]
        found = set()
        for order in permutations(two):
            challenges = tuple(Challenge(number, *pair) for number, pair in enumerate(order, start=1))
            outcomes = {challenge.key: Outcome(challenge.challenger, challenge.challenged) for challenge in challenges}
            found.add(tuple(rungs_of(replace(draw, challenges=challenges, outcomes=outcomes))))
        assert len(found) == 1


@pytest.mark.parametrize("size", [*range(2, 9), *some(range(9, 65), 8)])
def test_a_ladder_played_at_random_keeps_its_promises(size):
    """Challenges are made and decided in any order; players come late and leave."""
    rng = Random(size)
    taking = rng.choice(["swap", "insert"])
    draw = replace(ladder(size, taking=taking), options=options_of(LADDER, taking=taking), lots=SeededLots(str(size)))
    gone: set[int] = set()
    for _step in range(60):
        before = rungs_of(draw)
        waiting = [challenge for challenge in draw.challenges if challenge.key not in draw.outcomes]
        busy = frozenset(id for one in waiting for id in (one.challenger, one.challenged))
        reach = Reach(before, 3, busy, frozenset(gone))
        pairs = [(low, high) for low in before for high in reach.of(low)]
        act = rng.random()
        if act < 0.05:
            number = max(one.number for one in draw.entrants) + 1
            draw = replace(draw, entrants=(*draw.entrants, Entrant(number, f"P{number}", number=number, presence=(2,))))
            assert rungs_of(draw) == [*before, number]
        elif act < 0.08 and len(gone) < size - 2:
            gone.add(rng.choice([id for id in before if id not in busy]) if len(busy) < len(before) else 0)
        elif waiting and (not pairs or act < 0.5):
            chosen = rng.choice(waiting)
            two = [chosen.challenger, chosen.challenged]
            rng.shuffle(two)
            draw = replace(draw, outcomes={**draw.outcomes, chosen.key: Outcome(*two)})
            after = rungs_of(draw)
            if two[0] == chosen.challenger:
                assert after.index(two[0]) < after.index(two[1])
                moved = [id for id in before if after.index(id) != before.index(id)]
                assert taking == "insert" or set(moved) == set(two)
            else:
                assert after == before
        elif pairs:
            low, high = rng.choice(pairs)
            assert before.index(low) - before.index(high) > 0
            draw = replace(draw, challenges=(*draw.challenges, Challenge(len(draw.challenges) + 1, low, high)))
        plan = LADDER.plan(draw)
        # All challenges are in one round, which says nothing of when they are played.
        assert [text for text in check_plan(draw, plan) if "sits twice in the round" not in text] == []
        assert check_places(plan.placings, draw.entrants) == []
        assert plan.finished == all(challenge.key in draw.outcomes for challenge in draw.challenges)
        mixed = replace(draw, entrants=draw.entrants[::-1], challenges=draw.challenges[::-1])
        assert LADDER.plan(mixed) == plan
