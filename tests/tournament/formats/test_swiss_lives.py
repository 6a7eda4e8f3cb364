"""Swiss with lives: when players are out, when the event stops, and when a continuous one pairs whom."""

import random
from collections import Counter
from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.breadth import some
from tests.tournament.formats.events import decide, field, options_of, play_out, undecided
from tournament.formats.errors import PlanError
from tournament.formats.lots import SeededLots
from tournament.formats.plan import Draw, Outcome, Published
from tournament.formats.swiss_lives import SwissLives
from tournament.rehearsal.chance import draw_field
from tournament.rehearsal.simulation import SimulatedEvent, simulate_event

FORMAT = SwissLives()


def drawn(count, seed="seed", **options):
    return Draw(field(count), options_of(FORMAT, **options), {}, seed)


def losses_of(draw):
    return Counter(outcome.loser for outcome in draw.outcomes.values())


def publish(draw, plan):
    standing = tuple(Published(p.key, p.a.id, None if p.is_bye else p.b.id) for p in plan.pairings)
    return replace(draw, published=standing)


def play_continuously(draw, rng, watch=lambda draw, plan: None):
    """Play ``draw`` to its end: pairings are published at once, and results come in one by one in any order."""
    while True:
        plan = FORMAT.plan(draw)
        watch(draw, plan)
        assert plan.stale == ()
        draw = publish(draw, plan)
        running = undecided(plan, draw.outcomes)
        if plan.finished:
            assert running == []
            return draw
        pairing = rng.choice(running)
        draw = replace(draw, outcomes={**draw.outcomes, pairing.key: decide(pairing, str(rng.random()))})


@dataclass
class Asked:
    """Lots that remember which urns were asked for."""

    lots: SeededLots
    scopes: set[str]

    def urn(self, scope):
        self.scopes.add(scope)
        return self.lots.urn(scope)


@pytest.mark.parametrize("count", [4, 5, 6, 7])
def test_no_urn_is_opened_for_a_batch_in_which_nobody_can_be_paired(count):
    """Else the lots of the next batch would be known while it is still open who is in it."""
    for seed in range(20):
        asked = Asked(SeededLots(str(seed)), set())

        def watch(draw, plan, scopes=asked.scopes):
            assert scopes <= {f"round {pairing.round}" for pairing in plan.pairings}

        options = options_of(FORMAT, mode="continuous", batch=2, lives=4)
        play_continuously(Draw(field(count), options, lots=asked), random.Random(seed), watch)


@pytest.mark.parametrize("lives", [2, 3, 4, 5])
@pytest.mark.parametrize("count", some([2, 3, 5, 8, 17, 33], 4))
def test_players_without_a_life_are_out_and_one_player_is_left(count, lives):
    draw = play_out(FORMAT, drawn(count, lives=lives))
    plan = FORMAT.plan(draw)
    losses = losses_of(draw)
    (winner,) = plan.winners
    assert {entrant.id: losses[entrant.id] for entrant in draw.entrants if entrant.id != winner} == {
        entrant.id: lives for entrant in draw.entrants if entrant.id != winner
    }
    assert plan.lives == {winner: lives - losses[winner]}
    assert lives > losses[winner]


def test_a_player_who_is_out_is_not_paired_again():
    draw = drawn(12, lives=2)
    while not (plan := FORMAT.plan(draw)).finished:
        losses = losses_of(draw)
        last = max(pairing.round for pairing in plan.pairings)
        there = {id for pairing in plan.pairings if pairing.round == last for id in pairing.entrant_ids}
        assert there == {entrant.id for entrant in draw.entrants if losses[entrant.id] < 2}
        draw = replace(draw, outcomes=draw.outcomes | {p.key: decide(p, "") for p in undecided(plan, draw.outcomes)})


def test_players_with_the_same_lives_left_meet():
    draw = drawn(16, lives=3)
    for _ in range(2):
        plan = FORMAT.plan(draw)
        draw = replace(draw, outcomes=draw.outcomes | {p.key: decide(p, "") for p in undecided(plan, draw.outcomes)})
    lost = losses_of(draw)
    third = [pairing for pairing in FORMAT.plan(draw).pairings if pairing.round == 3]
    assert sorted(sorted(lost[id] for id in pairing.entrant_ids) for pairing in third) == (
        [[0, 0]] * 2 + [[1, 1]] * 4 + [[2, 2]] * 2
    )


@pytest.mark.parametrize("mode", ["rounds", "continuous"])
@pytest.mark.parametrize("left", [2, 3, 7])
def test_it_stops_when_no_more_than_the_chosen_number_are_left(mode, left):
    for seed in range(5):
        draw = drawn(20, str(seed), stop="left", left=left, mode=mode, lives=2)
        draw = play_continuously(draw, random.Random(seed)) if mode == "continuous" else play_out(FORMAT, draw)
        plan = FORMAT.plan(draw)
        assert 1 <= len(plan.lives) <= left
        before_last = Counter(losses_of(draw))
        last = max(pairing.round for pairing in plan.pairings)
        if mode == "rounds":
            before_last -= Counter(
                draw.outcomes[p.key].loser for p in plan.pairings if p.round == last and not p.is_bye
            )
            assert sum(before_last[entrant.id] < 2 for entrant in draw.entrants) > left


@pytest.mark.parametrize("mode", ["rounds", "continuous"])
@pytest.mark.parametrize(
    ("count", "lives", "left", "power"), [(20, 2, 16, 16), (33, 3, 20, 16), (9, 5, 4, 4), (2, 2, 8, 2)]
)
def test_it_stops_when_the_lives_left_are_a_power_of_two(mode, count, lives, left, power):
    for seed in range(5):
        draw = drawn(count, str(seed), stop="power", left=left, mode=mode, lives=lives)
        draw = play_continuously(draw, random.Random(seed)) if mode == "continuous" else play_out(FORMAT, draw)
        plan = FORMAT.plan(draw)
        assert sum(plan.lives.values()) == power or len(plan.lives) == 1
        assert plan.lives == {
            entrant.id: lives - losses_of(draw)[entrant.id]
            for entrant in draw.entrants
            if losses_of(draw)[entrant.id] < lives
        }


def test_last_round_before_the_bracket_has_only_as_many_matches_as_lives_have_to_go():
    """12 players with 2 lives have 24, and 18 after a round of six; so round 2 has two matches, and eight are free."""
    draw = play_out(FORMAT, drawn(12, lives=2, stop="power", left=16))
    plan = FORMAT.plan(draw)
    last = [pairing for pairing in plan.pairings if pairing.round == 2]
    assert Counter(pairing.is_bye for pairing in last) == {True: 8, False: 2}
    assert {pairing.why.code for pairing in last if pairing.is_bye} == {"bye_short_round"}
    assert {pairing.round for pairing in plan.pairings} == {1, 2}
    assert (sum(plan.lives.values()), plan.finished) == (16, True)


@pytest.mark.parametrize("left", [2, 4, 8, 16, 64])
@pytest.mark.parametrize("lives", [2, 3])
@pytest.mark.parametrize("count", [3, 5, 9, 11, 16, 17])
def test_everyone_is_drawn_before_a_continuous_event_stops_at_a_power_of_two(count, lives, left):
    """Five with two lives have ten: at eight, after two matches, the fifth would never have been drawn."""
    options = options_of(FORMAT, mode="continuous", stop="power", lives=lives, left=left, batch=2)
    event = simulate_event(FORMAT, options, count, "seed")
    assert event.violations == ()
    assert event.fewest >= 1


@pytest.mark.parametrize(("count", "lives", "left"), [(3, 3, 8), (5, 2, 8), (7, 5, 32), (9, 4, 32)])
def test_a_bye_is_not_enough_before_rounds_stop_at_a_power_of_two(count, lives, left):
    """Three with three lives have nine: at eight, after one match, the third would only have had a bye."""
    event = simulate_event(FORMAT, options_of(FORMAT, stop="power", lives=lives, left=left), count, "seed")
    assert event.violations == ()
    assert event.fewest >= 1


@pytest.mark.parametrize("lives", [2, 3, 4])
@pytest.mark.parametrize("count", [3, 5, 7, 9, 12])
def test_nobody_has_another_bye_before_everyone_has_had_as_many(count, lives):
    """A bye is a life, so it is shared even if two have to meet again."""
    for seed in range(6):
        assert simulate_event(FORMAT, options_of(FORMAT, lives=lives), count, str(seed)).violations == ()


def test_event_that_would_stop_before_it_begins_is_refused():
    with pytest.raises(PlanError) as refusal:
        FORMAT.plan(drawn(8, stop="left", left=8))
    assert refusal.value.code == "left_not_below_field"
    assert str(refusal.value) == "The stage should end with 8 still in, but only 8 have entered."


@given(
    st.integers(2, 24),
    st.sampled_from(("rounds", "continuous")),
    st.sampled_from(("last", "left", "power", "ahead")),
    st.integers(2, 5),
    st.integers(0, 10**6),
)
def test_place_is_always_within_what_was_open_before(count, mode, stop, lives, seed):
    left = 2 if count > 2 else 0
    options = {"mode": mode, "lives": lives, "batch": 4, "stop": stop} | ({"left": 2} if left else {"stop": "last"})
    seen = []
    play_continuously(
        drawn(count, str(seed), **options), random.Random(seed), lambda _, plan: seen.append(plan.placings)
    )
    final = {placing.entrant: (placing.place, placing.place_to) for placing in seen[-1]}
    for placings in seen:
        assert sorted(placing.entrant for placing in placings) == sorted(final)
        for placing in placings:
            best, worst = final[placing.entrant]
            assert placing.place <= best
            assert worst <= placing.place_to


@pytest.mark.parametrize(
    ("mode", "count"),
    [
        *(("rounds", count) for count in (*range(2, 14), *some(range(14, 65), 5))),
        *(("continuous", count) for count in (2, 3, 4, 5, 8, 13, 33, 64)),
    ],
)
def test_play_ends_when_only_one_has_fewer_than_three_losses_of_four(mode, count):
    """That player wins; all with exactly three losses share the next places, and all others are out at four."""
    options = options_of(FORMAT, lives=4, stop="ahead", mode=mode)
    event = SimulatedEvent(FORMAT, options, draw_field(count, str(count)), str(count), None)
    event.play()
    assert (event.violations, event.plan.finished) == ([], True)
    lost = Counter(outcome.loser for outcome in event.outcomes.values())
    places = {placing.entrant: placing for placing in event.plan.placings}
    (winner,) = event.plan.winners
    three = [id for id in places if lost[id] == 3 and id != winner]
    assert all(lost[id] == 4 for id in places if id not in {winner, *three})
    assert {(places[id].place, places[id].place_to) for id in three} <= {(2, 1 + len(three))}
    ahead = [id for id in places if lost[id] < 3]
    assert ahead == [winner] or (not ahead and not three)
    assert {places[id].why.code for id in three} <= {"one_life_left"}


def test_nobody_plays_on_once_one_is_alone_ahead():
    """Before the last round at least two had fewer than three losses."""
    draw = play_out(FORMAT, drawn(24, lives=4, stop="ahead"))
    plan = FORMAT.plan(draw)
    last = max(pairing.round for pairing in plan.pairings)
    before = Counter(
        draw.outcomes[pairing.key].loser
        for pairing in plan.pairings
        if pairing.round < last and pairing.key in draw.outcomes
    )
    assert sum(before[entrant.id] < 3 for entrant in draw.entrants) > 1
    shared = [placing for placing in plan.placings if placing.place == 2]
    assert len(shared) > 1
    assert shared[0].why.text == (
        f"One life left, with a record of {dict(shared[0].why.params)['record']}, when only one player had more: "
        "all with one life left share these places."
    )


def test_without_anyone_ahead_play_goes_on_until_one_is_left():
    """Two lives each, and the last two who have lost none lose to those below in the same round."""
    for seed in some(range(200), 40):
        draw = play_out(FORMAT, drawn(6, str(seed), lives=2, stop="ahead"), salt=str(seed))
        plan = FORMAT.plan(draw)
        lost = losses_of(draw)
        if lost[plan.winners[0]] == 1:
            assert [lost[entrant.id] for entrant in draw.entrants].count(1) == 1
            return
    pytest.fail("nobody ever lost the lead")


def test_out_with_more_wins_is_placed_better_and_byes_count():
    draw = play_out(FORMAT, drawn(9, lives=2))
    plan = FORMAT.plan(draw)
    wins = Counter(outcome.winner for outcome in draw.outcomes.values()) + Counter(plan.free_wins)
    out = [placing for placing in plan.placings if placing.place > 1]
    assert sorted(out, key=lambda placing: -wins[placing.entrant]) == sorted(out, key=lambda placing: placing.place)
    assert all((one.place == other.place) == (wins[one.entrant] == wins[other.entrant]) for one in out for other in out)


def test_places_say_how_they_were_won():
    draw = play_out(FORMAT, drawn(2, lives=2))
    plan = FORMAT.plan(draw)
    lost = losses_of(draw)[plan.winners[0]]
    assert [placing.why.text for placing in plan.placings] == [
        f"Lives left: {2 - lost}, with a record of 2–{lost}.",
        f"Lost all lives, with a record of {lost}–2.",
    ]
    gone = replace(draw.entrants[0], presence=(1, 2))
    withdrawn = FORMAT.plan(replace(drawn(2), entrants=(gone, draw.entrants[1])))
    assert not withdrawn.finished


@given(st.integers(2, 40), st.integers(2, 5), st.integers(2, 12), st.integers(0, 10**6))
def test_continuous_event_ends_and_keeps_its_rules(count, lives, batch, seed):
    sizes = []

    def watch(draw, plan):
        running = undecided(plan, draw.outcomes)
        busy = [id for pairing in running for id in pairing.entrant_ids]
        assert len(busy) == len(set(busy))
        assert not any(pairing.is_bye for pairing in plan.pairings)
        standing = [(published.key, {published.a, published.b}) for published in draw.published]
        assert standing == [(p.key, set(p.entrant_ids)) for p in plan.pairings[: len(standing)]]
        new = plan.pairings[len(standing) :]
        if new:
            lost = losses_of(draw)
            alive = {entrant.id for entrant in draw.entrants if lost[entrant.id] < lives}
            others = {id for pairing in running for id in pairing.entrant_ids if pairing not in new}
            assert len(alive - others) >= batch or not others
            assert len({pairing.round for pairing in new}) == 1
            met = [pairing.entrant_ids for pairing in plan.pairings[: len(standing)]]
            assert not others or not any(pairing.entrant_ids in met for pairing in new)
        sizes.append(len(new))

    draw = drawn(count, str(seed), mode="continuous", lives=lives, batch=batch)
    played = play_continuously(draw, random.Random(seed), watch)
    assert len(FORMAT.plan(played).lives) == 1
    assert sum(sizes) == len(played.outcomes)


def test_a_player_who_was_left_over_is_paired_before_those_who_played_more():
    draw = drawn(3, mode="continuous", lives=2, batch=2)
    plan = FORMAT.plan(draw)
    (first,) = plan.pairings
    draw = replace(publish(draw, plan), outcomes={"S1-1": Outcome(first.a.id, first.b.id)})
    (waited,) = {entrant.id for entrant in draw.entrants} - first.entrant_ids
    assert waited in FORMAT.plan(draw).pairings[1].entrant_ids


def test_batch_waits_until_enough_are_free():
    draw = drawn(12, mode="continuous", batch=6)
    plan = FORMAT.plan(draw)
    draw = publish(draw, plan)
    for decided, new in ((1, 0), (2, 0), (3, 3)):
        outcomes = {p.key: decide(p, "") for p in plan.pairings[:decided]}
        assert len(FORMAT.plan(replace(draw, outcomes=outcomes)).pairings) == 6 + new


@pytest.mark.parametrize("mode", ["rounds", "continuous"])
def test_a_player_who_withdraws_is_out_and_one_who_is_away_comes_back(mode):
    draw = drawn(6, mode=mode, lives=2)
    gone, away, *others = draw.entrants
    draw = replace(draw, entrants=(replace(gone, presence=(1, 2)), replace(away, presence=(1, 2, 4)), *others))
    draw = play_out(FORMAT, draw)
    plan = FORMAT.plan(draw)
    rounds_of = {
        entrant.id: {pairing.round for pairing in plan.pairings if entrant.id in pairing.entrant_ids}
        for entrant in (gone, away)
    }
    assert rounds_of[gone.id] == {1}
    assert {2, 3}.isdisjoint(rounds_of[away.id])
    assert 4 in rounds_of[away.id]
    assert gone.id not in plan.lives
    withdrawn = next(placing for placing in plan.placings if placing.entrant == gone.id)
    if losses_of(draw)[gone.id] < 2:
        assert withdrawn.why.code == "withdrawn"


@pytest.mark.parametrize("mode", ["rounds", "continuous"])
def test_last_two_entries_of_one_person_share_first_place(mode):
    entrants = tuple(replace(entrant, persons=frozenset({7})) for entrant in field(2))
    plan = FORMAT.plan(replace(drawn(2, mode=mode), entrants=entrants))
    assert (plan.finished, plan.pairings, set(plan.winners)) == (True, (), {entrant.id for entrant in entrants})


@pytest.mark.parametrize("mode", ["rounds", "continuous"])
def test_those_left_wait_for_an_opponent_they_may_meet(mode):
    """Two of one person are there, the third comes in round 4."""
    one, two, late = field(3)
    entrants = (
        replace(one, persons=frozenset({7})),
        replace(two, persons=frozenset({7})),
        replace(late, presence=(4,)),
    )
    plan = FORMAT.plan(replace(drawn(3, mode=mode, lives=2), entrants=entrants))
    first = next(pairing for pairing in plan.pairings if not pairing.is_bye)
    assert (first.round, late.id in first.entrant_ids) == (4, True)


@pytest.mark.parametrize("mode", ["rounds", "continuous"])
def test_event_of_500_ends(mode):
    draw = drawn(500, mode=mode, lives=2)
    assert len(FORMAT.plan(play_out(FORMAT, draw)).lives) == 1


@given(st.integers(3, 30), st.integers(2, 5), st.sampled_from(("last", "power")), st.integers(0, 10**6))
def test_event_published_round_by_round_is_the_one_drawn_again_from_its_seed(count, lives, stop, seed):
    draw = drawn(count, str(seed), lives=lives, stop=stop)
    while not (plan := FORMAT.plan(draw)).finished:
        assert plan.pairings == FORMAT.plan(replace(draw, published=())).pairings
        results = {p.key: decide(p, str(seed)) for p in undecided(plan, draw.outcomes)}
        draw = replace(publish(draw, plan), outcomes={**draw.outcomes, **results})
