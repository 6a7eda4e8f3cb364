"""Swiss and Monrad with a fixed number of rounds: when players are paired, what stands, and what they are told."""

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rustworkx import PyGraph, max_weight_matching

from tests.breadth import some
from tests.tournament.formats.events import decide, field, options_of, play_out, undecided
from tournament.formats.errors import PlanError
from tournament.formats.plan import Bye, Draw, Entrant, Outcome, Published
from tournament.formats.swiss import Monrad, Swiss

SWISS, MONRAD = Swiss(), Monrad()
BOTH = pytest.mark.parametrize("format", [SWISS, MONRAD], ids=["swiss", "monrad"])


def drawn(count, format=SWISS, seed="seed", **options):
    return Draw(field(count), options_of(format, **options), {}, seed)


def in_round(plan, round):
    return [pairing for pairing in plan.pairings if pairing.round == round]


def met_in(plan, round):
    return {pairing.entrant_ids for pairing in in_round(plan, round)}


def published(pairings):
    return tuple(Published(pairing.key, pairing.a.id, None if pairing.is_bye else pairing.b.id) for pairing in pairings)


def with_results(draw, rounds, format=SWISS, salt=""):
    """Play this many rounds of ``draw``."""
    for _ in range(rounds):
        plan = format.plan(draw)
        decided = {pairing.key: decide(pairing, salt) for pairing in undecided(plan, draw.outcomes)}
        draw = replace(draw, outcomes={**draw.outcomes, **decided})
    return draw


@pytest.mark.parametrize(("count", "rounds"), [(2, 1), (3, 2), (4, 2), (5, 3), (8, 3), (9, 4), (64, 6)])
def test_without_a_number_there_are_as_many_rounds_as_in_a_knockout(count, rounds):
    assert max(pairing.round for pairing in SWISS.plan(play_out(SWISS, drawn(count))).pairings) == rounds


def test_as_many_rounds_are_held_as_were_chosen():
    plan = SWISS.plan(play_out(SWISS, drawn(6, rounds=4)))
    assert Counter(pairing.round for pairing in plan.pairings) == {1: 3, 2: 3, 3: 3, 4: 3}


@BOTH
def test_round_is_paired_once_all_matches_before_it_are_decided(format):
    draw = with_results(drawn(8, format), 1, format)
    assert {pairing.round for pairing in format.plan(draw).pairings} == {1, 2}
    lacking = {key: outcome for key, outcome in draw.outcomes.items() if key != "S1-2"}
    plan = format.plan(replace(draw, outcomes=lacking))
    assert {pairing.round for pairing in plan.pairings} == {1}
    assert not plan.finished


@BOTH
def test_order_in_which_results_come_in_does_not_matter(format):
    draw = with_results(drawn(16, format), 2, format)
    turned = dict(reversed(draw.outcomes.items()))
    assert format.plan(replace(draw, outcomes=turned)) == format.plan(draw)


@BOTH
def test_winners_meet_winners(format):
    plan = format.plan(with_results(drawn(8, format), 1, format))
    wins = {key: outcome.winner for key, outcome in with_results(drawn(8, format), 1, format).outcomes.items()}
    winners = set(wins.values())
    assert sorted(len(pair & winners) for pair in met_in(plan, 2)) == [0, 0, 2, 2]
    assert [len(pairing.entrant_ids & winners) for pairing in in_round(plan, 2)] == [2, 2, 0, 0]


def best_possible(pairs, ids):
    """The most pairs that a round could have without any of ``pairs``."""
    graph = PyGraph()
    graph.add_nodes_from(ids)
    at = {id: index for index, id in enumerate(ids)}
    graph.add_edges_from([(at[a], at[b], 1) for a in ids for b in ids if a < b and frozenset((a, b)) not in pairs])
    return len(max_weight_matching(graph, max_cardinality=True))


@pytest.mark.parametrize("size", [*range(2, 14), *some(range(14, 65), 6)])
def test_nobody_meets_again_or_is_free_again_while_it_can_be_avoided(size):
    for seed in some(range(30 if size < 12 else 2), 10):
        format, rounds = (SWISS, MONRAD)[seed % 2], min(size + 1, 10)
        plan = format.plan(play_out(format, drawn(size, format, str(seed), rounds=rounds), salt=str(seed)))
        met, byes = Counter(), Counter()
        for round in range(1, rounds + 1):
            pairings = in_round(plan, round)
            ids = [seat.id for pairing in pairings for seat in (pairing.a, pairing.b) if isinstance(seat, Entrant)]
            assert sorted(ids) == sorted(entrant.id for entrant in field(size))
            pairs = [pairing.entrant_ids for pairing in pairings if not pairing.is_bye]
            again = sum(pair in met for pair in pairs)
            if again:
                assert best_possible(set(met), ids) < size // 2
            for free in (pairing.a.id for pairing in pairings if pairing.is_bye):
                byes[free] += 1
            if not again and size % 2:
                assert len([pairing for pairing in pairings if pairing.is_bye]) == 1
            met.update(pairs)
        if size % 2 and rounds <= size // 2:
            assert set(byes.values()) == {1}
        assert plan.free_wins == byes


@given(st.integers(2, 40), st.sampled_from((SWISS, MONRAD)), st.integers(0, 10**6))
def test_event_published_round_by_round_is_the_one_drawn_again_from_its_seed(size, format, seed):
    draw = drawn(size, format, str(seed))
    while True:
        plan = format.plan(draw)
        assert plan.pairings == format.plan(replace(draw, published=())).pairings
        if plan.finished:
            return
        ready = undecided(plan, draw.outcomes)
        draw = replace(
            draw,
            published=published(plan.pairings),
            outcomes={**draw.outcomes, **{pairing.key: decide(pairing, str(seed)) for pairing in ready}},
        )


def test_published_pairings_stand_when_an_earlier_result_is_corrected():
    draw = with_results(drawn(16), 2)
    plan = SWISS.plan(draw)
    begun = replace(draw, published=published(in_round(plan, 2)))
    first = draw.outcomes["S1-1"]
    corrected = replace(begun, outcomes={**draw.outcomes, "S1-1": Outcome(first.loser, first.winner)})
    assert met_in(SWISS.plan(corrected), 2) == met_in(plan, 2)
    assert SWISS.plan(corrected).stale == ()
    assert met_in(SWISS.plan(corrected), 3) != met_in(plan, 3)
    assert SWISS.plan(replace(corrected, published=())).stale != ()


def test_published_pairings_stand_when_an_earlier_result_is_taken_back():
    draw = with_results(drawn(16), 2)
    plan = SWISS.plan(draw)
    without = {key: outcome for key, outcome in draw.outcomes.items() if key != "S1-3"}
    later = SWISS.plan(replace(draw, published=published(in_round(plan, 2)), outcomes=without))
    assert [(p.key, p.entrant_ids) for p in in_round(later, 2)] == [(p.key, p.entrant_ids) for p in in_round(plan, 2)]
    assert (in_round(later, 3), later.finished, later.stale) == ([], False, ())


def test_players_who_are_in_no_published_pairing_are_paired_again():
    draw = with_results(drawn(8), 1)
    standing = in_round(SWISS.plan(draw), 2)[1:3]
    turned = {key: Outcome(outcome.loser, outcome.winner) for key, outcome in draw.outcomes.items()}
    plan = SWISS.plan(replace(draw, outcomes=turned, published=published(standing)))
    assert {pairing.entrant_ids for pairing in standing} < met_in(plan, 2)
    assert [pairing.key for pairing in in_round(plan, 2)] == ["S2-1", "S2-2", "S2-3", "S2-4"]
    assert sorted(id for pair in met_in(plan, 2) for id in pair) == sorted(entrant.id for entrant in draw.entrants)


def test_outcome_of_others_in_a_later_round_is_stale():
    draw = with_results(drawn(8), 1)
    first, second, *_ = in_round(SWISS.plan(draw), 2)
    wrong = Outcome(first.a.id, second.a.id)
    plan = SWISS.plan(replace(draw, outcomes={**draw.outcomes, "S2-1": wrong, "S3-1": wrong}))
    assert plan.stale == ("S2-1", "S3-1")
    assert {pairing.round for pairing in plan.pairings} == {1, 2}


def test_published_pairing_of_a_stranger_is_refused():
    with pytest.raises(PlanError) as refusal:
        SWISS.plan(replace(drawn(4), published=(Published("S1-1", 997, 5),)))
    assert refusal.value.code == "published_of_others"


def absent(draw, **presences):
    entrants = tuple(
        replace(entrant, presence=presences.get(entrant.name.replace(" ", "_"), (1,))) for entrant in draw.entrants
    )
    return replace(draw, entrants=entrants)


def named(plan, round):
    return {seat.name for pairing in in_round(plan, round) for seat in (pairing.a, pairing.b) if seat != Bye()}


@BOTH
def test_late_entry_withdrawal_and_return_in_any_round(format):
    draw = absent(
        drawn(8, format, rounds=5), Player_1=(3,), Player_2=(1, 3), Player_3=(1, 2, 4), Player_4=(1, 2, 3, 4, 5)
    )
    plan = format.plan(play_out(format, draw))
    everyone = {entrant.name for entrant in draw.entrants}
    assert named(plan, 1) == everyone - {"Player 1"}
    assert named(plan, 2) == everyone - {"Player 1", "Player 3", "Player 4"}
    assert named(plan, 3) == everyone - {"Player 2", "Player 3"}
    assert named(plan, 4) == everyone - {"Player 2", "Player 4"}
    assert named(plan, 5) == everyone - {"Player 2"}


@BOTH
@pytest.mark.parametrize("seeding", ["random", "seeded"])
def test_late_entry_changes_no_round_before_it(format, seeding):
    draw = with_results(drawn(9, format, rounds=4, seeding=seeding), 2, format)
    late = replace(draw, entrants=(*draw.entrants, Entrant(7, "Late", seed=1, presence=(3,))))
    assert format.plan(late).pairings[:10] == format.plan(draw).pairings[:10]
    assert "Late" in named(format.plan(late), 3)
    assert format.plan(late).stale == ()


@BOTH
def test_rounds_without_two_players_are_not_held(format):
    gone = {f"Player_{number}": (1, 3) for number in range(2, 9)}
    plan = format.plan(play_out(format, absent(drawn(8, format, rounds=5), **gone)))
    assert {pairing.round for pairing in plan.pairings} == {1, 2}
    back = absent(drawn(8, format, rounds=5), **(gone | {"Player_8": (1, 3, 5)}))
    plan = format.plan(play_out(format, back))
    assert [len(in_round(plan, round)) for round in range(1, 6)] == [4, 4, 1, 1, 1]
    assert named(plan, 5) == {"Player 1", "Player 8"}


def test_everyone_withdrawn_ends_the_event():
    draw = replace(drawn(4), entrants=tuple(replace(entrant, presence=()) for entrant in drawn(4).entrants))
    assert (SWISS.plan(draw).pairings, SWISS.plan(draw).finished) == ((), True)


def test_earlier_matches_count_as_met_and_in_the_record():
    entrants = field(4)
    a, b, c, d = (entrant.id for entrant in entrants)
    earlier = (Outcome(a, b), Outcome(c, d), Outcome(b, c), Outcome(b, a))
    plan = SWISS.plan(Draw(entrants, options_of(SWISS), {}, "seed", earlier=earlier))
    assert met_in(plan, 1) == {frozenset((a, c)), frozenset((b, d))}
    assert plan.pairings[1].why.text == "Both have a record of 1–1; among equals the draw decided."


def test_two_who_share_a_person_never_meet():
    entrants = tuple(replace(e, persons=frozenset({number // 2})) for number, e in enumerate(field(6)))
    draw = Draw(entrants, options_of(SWISS, rounds=6), {}, "seed")
    plan = SWISS.plan(play_out(SWISS, draw))
    persons = {entrant.id: entrant.persons for entrant in entrants}
    assert all(len({persons[id] for id in pairing.entrant_ids}) == 2 for pairing in plan.pairings)
    assert Counter(pairing.round for pairing in plan.pairings) == dict.fromkeys(range(1, 7), 3)


def test_only_two_of_one_person_are_free_and_the_director_is_told():
    entrants = tuple(replace(entrant, persons=frozenset({7})) for entrant in field(2))
    plan = SWISS.plan(Draw(entrants, options_of(SWISS), {}, "seed"))
    assert [pairing.is_bye for pairing in plan.pairings] == [True, True]
    assert plan.free_wins == {entrant.id: 1 for entrant in entrants}
    assert [note.code for note in plan.notes] == ["bye_nobody_left", "bye_nobody_left"]
    assert plan.notes[0].text == f"{plan.pairings[0].a.name} is free in round 1: nobody else is here to play."


@pytest.mark.parametrize(
    ("within", "pairs"),
    [("fold", [(1, 8), (2, 7), (3, 6), (4, 5)]), ("slide", [(1, 5), (2, 6), (3, 7), (4, 8)])],
)
def test_seeds_are_the_order_among_equals(within, pairs):
    draw = Draw(field(8, 8), options_of(SWISS, within=within, seeding="seeded"), {}, "seed")
    assert [(pairing.a.seed, pairing.b.seed) for pairing in SWISS.plan(draw).pairings] == pairs


def test_monrad_pairs_neighbours_in_the_standings():
    """The higher seed wins each match; in round 3 the second and third of the middle group have not met."""
    draw = Draw(field(8, 8), options_of(MONRAD, seeding="seeded", rounds=3), {}, "seed")
    rounds = []
    for _ in range(3):
        plan = MONRAD.plan(draw)
        rounds.append([(pairing.a.seed, pairing.b.seed) for pairing in in_round(plan, len(rounds) + 1)])
        won = {p.key: Outcome(*sorted(p.entrant_ids, reverse=True)) for p in undecided(plan, draw.outcomes)}
        draw = replace(draw, outcomes={**draw.outcomes, **won})
    assert rounds == [
        [(1, 2), (3, 4), (5, 6), (7, 8)],
        [(1, 3), (5, 7), (2, 4), (6, 8)],
        [(1, 5), (2, 3), (6, 7), (4, 8)],
    ]


def test_lots_are_drawn_again_for_each_round_and_the_order_of_a_monrad_once():
    lots = {frozenset(met_in(SWISS.plan(with_results(drawn(16, seed=str(s)), 1)), 2)) for s in range(20)}
    assert len(lots) == 20
    draw = with_results(drawn(16, MONRAD), 2, MONRAD)
    order = [seat.id for pairing in in_round(MONRAD.plan(draw), 1) for seat in (pairing.a, pairing.b)]
    for pairing in MONRAD.plan(draw).pairings:
        if pairing.why.code == "same_record_neighbours":
            assert order.index(pairing.a.id) < order.index(pairing.b.id)


def test_clubs_are_kept_apart_in_every_round_when_chosen_and_families_in_round_1():
    entrants = tuple(replace(e, club=f"club {n % 4}", family=f"family {n % 2}") for n, e in enumerate(field(16)))
    clubs, families = ({e.id: getattr(e, word) for e in entrants} for word in ("club", "family"))
    for seed in range(20):
        options = options_of(SWISS, avoid="club", rounds=2)
        plan = SWISS.plan(play_out(SWISS, Draw(entrants, options, {}, str(seed))))
        assert all(len({families[id] for id in pairing.entrant_ids}) == 2 for pairing in in_round(plan, 1))
        assert all(len({clubs[id] for id in pairing.entrant_ids}) == 2 for pairing in plan.pairings)


def test_event_of_500_ends():
    plan = SWISS.plan(play_out(SWISS, drawn(500)))
    assert (plan.finished, len(plan.pairings), plan.notes) == (True, 9 * 250, ())


def whys(plan):
    return {pairing.why.code: pairing.why.text for pairing in plan.pairings}


def test_every_pairing_says_why_in_one_sentence():
    plan = SWISS.plan(play_out(SWISS, drawn(7, rounds=8)))
    told = whys(plan)
    assert told["same_record_lot"].startswith("Both have a record of ")
    assert all(text.count(". ") == 0 and text.endswith(".") for text in told.values())
    assert {"same_record_lot", "float_odd", "float_met", "rematch", "bye_worst_record"} <= set(told)


def test_first_round_says_that_lots_decided():
    assert SWISS.plan(drawn(4)).pairings[0].why.text == "Both have a record of 0–0; among equals the draw decided."
    assert SWISS.plan(drawn(5)).pairings[2].why.text == (
        f"{SWISS.plan(drawn(5)).pairings[2].a.name} (0–0) is free in round 1, which counts as a win: "
        "the number of players is odd, and nobody with as few byes has a worse record."
    )


def test_rematch_says_when_they_met_and_is_a_note():
    plan = SWISS.plan(play_out(SWISS, drawn(2, rounds=2)))
    second = plan.pairings[1]
    assert second.why.text == (
        f"{second.a.name} and {second.b.name} meet again in round 2, as in round 1: "
        "the round cannot be paired with fewer rematches."
    )
    assert plan.notes == (second.why,)
    assert SWISS.plan(replace(play_out(SWISS, drawn(2, rounds=2)), published=published(plan.pairings))).notes == ()


def test_pairings_within_a_club_are_counted_in_a_note():
    entrants = tuple(replace(entrant, club="Odense") for entrant in field(4))
    plan = SWISS.plan(Draw(entrants, options_of(SWISS, avoid="club"), {}, "seed"))
    assert plan.pairings[0].why.text == (
        "Both have a record of 0–0; both belong to “Odense”, which could not be avoided among equals."
    )
    assert [note.text for note in plan.notes] == [
        "Round 1: pairings within one club, country or family that could not be avoided: 2."
    ]


@given(st.integers(4, 24), st.integers(0, 10**6))
def test_result_corrected_while_later_rounds_stand_gives_what_a_fresh_event_with_those_rounds_gives(size, seed):
    """A result that is corrected in the end gives the same plan as if it had been right from the start."""
    rng = random.Random(seed)
    draw = with_results(drawn(size, seed=str(seed)), 2, salt=str(seed))
    plan = SWISS.plan(draw)
    standing = published([pairing for pairing in plan.pairings if pairing.round == 2])
    key = rng.choice([pairing.key for pairing in in_round(plan, 1) if not pairing.is_bye])
    turned = Outcome(draw.outcomes[key].loser, draw.outcomes[key].winner)
    corrected = SWISS.plan(replace(draw, outcomes={**draw.outcomes, key: turned}, published=standing))
    fresh = {**{k: o for k, o in draw.outcomes.items() if k.startswith("S1-")}, key: turned}
    again = replace(draw, outcomes=fresh, published=standing)
    for pairing in undecided(SWISS.plan(again), fresh):
        fresh[pairing.key] = draw.outcomes[pairing.key]
    assert corrected == SWISS.plan(replace(again, outcomes=fresh))
