from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournament.formats.events import LENGTHS, SEEDED, assert_even, field, play_out
from tests.tournament.formats.steps import steps_of_planning
from tournament.formats.main_bracket import round_count
from tournament.formats.options import Options
from tournament.formats.plan import Bye, Draw, Entrant, Outcome, WinnerOf
from tournament.formats.single_elimination import SingleElimination

FORMAT = SingleElimination()


def first_round(plan):
    return [pairing for pairing in plan.pairings if pairing.round == 1]


def names(pairing):
    return tuple(seat.name if isinstance(seat, Entrant) else None for seat in (pairing.a, pairing.b))


@given(st.integers(2, 1024), st.text(max_size=8), st.sampled_from((LENGTHS, SEEDED)), st.floats(0, 1))
def test_byes_are_spread_and_never_meet(size, seed, options, seeded):
    plan = FORMAT.plan(Draw(field(size, seeded=int(size * seeded)), options, {}, seed))
    assert all(isinstance(pairing.a, Entrant) for pairing in first_round(plan))
    byes = [int(isinstance(pairing.b, Bye)) for pairing in first_round(plan)]
    assert sum(byes) == 2 ** round_count(size) - size
    assert_even(byes)
    assert not any(pairing.is_bye for pairing in plan.pairings if pairing.round > 1)


@given(st.integers(2, 1024))
def test_matches_are_one_fewer_than_entrants(size):
    plan = FORMAT.plan(Draw(field(size), LENGTHS))
    assert sum(not pairing.is_bye for pairing in plan.pairings) == size - 1


def test_random_draw_gives_everyone_the_bye_equally_often():
    free = Counter(
        pairing.a.id
        for seed in range(600)
        for pairing in FORMAT.plan(Draw(field(3), LENGTHS, {}, str(seed))).pairings
        if pairing.is_bye
    )
    assert sorted(free) == sorted(entrant.id for entrant in field(3))
    assert all(150 < count < 250 for count in free.values())


def test_published_seed_gives_the_published_draw():
    """The draw of this seed is fixed for ever, on every Python."""
    entrants = tuple(Entrant(number, f"P{number}") for number in range(1, 7))
    plan = FORMAT.plan(Draw(entrants, LENGTHS, {}, "club night"))
    assert [names(pairing) for pairing in first_round(plan)] == [
        ("P6", None),
        ("P4", "P5"),
        ("P3", "P1"),
        ("P2", None),
    ]


def test_seeded_draw_keeps_the_best_apart_and_draws_the_rest_behind_them():
    entrants = field(8, seeded=3)
    opponents = set()
    for seed in range(40):
        plan = FORMAT.plan(Draw(entrants, SEEDED, {}, str(seed)))
        top = [names(pairing) for pairing in first_round(plan)]
        assert (top[0][0], top[2][0], top[3][0]) == ("Player 1", "Player 2", "Player 3")
        opponents.add(top[0][1])
    assert opponents == {"Player 4", "Player 5", "Player 6", "Player 7", "Player 8"}


def test_seeded_draw_of_a_full_seeding_is_the_standard_one():
    plan = FORMAT.plan(Draw(field(6, seeded=6), SEEDED))
    assert [names(pairing) for pairing in first_round(plan)] == [
        ("Player 1", None),
        ("Player 4", "Player 5"),
        ("Player 2", None),
        ("Player 3", "Player 6"),
    ]


def test_seeded_draw_closes_gaps_in_the_seeds():
    entrants = (Entrant(1, "Anna", 9), Entrant(2, "Bo", 2), Entrant(3, "Carl", 5), Entrant(4, "Dora", 4))
    plan = FORMAT.plan(Draw(entrants, SEEDED))
    assert [names(pairing) for pairing in first_round(plan)] == [("Bo", "Anna"), ("Dora", "Carl")]


@pytest.mark.parametrize(
    ("entrants", "number", "text"),
    [
        (field(6, 6), 1, "Bye for seed 1: 6 entrants on 8 lines; the top seeds get the byes."),
        (
            field(6, 6),
            4,
            "Seed 3 meets seed 6: the top seeds meet the lowest, so that the top seeds meet each other late.",
        ),
        (field(8, 3), 4, "Seed 3 meets an opponent drawn at random among those without a seed."),
        (field(8, 3), 2, "Neither is seeded: both were drawn at random."),
        (
            field(5, 1),
            3,
            (
                "Bye, drawn at random among those without a seed: 5 entrants on 8 lines leave more byes than there "
                "are seeds."
            ),
        ),
    ],
)
def test_seeded_pairing_says_why(entrants, number, text):
    assert first_round(FORMAT.plan(Draw(entrants, SEEDED)))[number - 1].why.text == text


def test_random_pairing_says_why():
    texts = {pairing.is_bye: pairing.why.text for pairing in first_round(FORMAT.plan(Draw(field(3), LENGTHS)))}
    bye, match = (2, 0) if first_round(FORMAT.plan(Draw(field(3), LENGTHS)))[1].is_bye else (0, 2)
    assert texts == {
        True: (
            f"Bye, drawn at random (line {bye + 1} of 4): 3 entrants do not fill all the lines, and the empty ones are "
            "spread evenly."
        ),
        False: f"Drawn at random: lines {match + 1} and {match + 2} of 4.",
    }


@pytest.mark.parametrize(
    ("size", "key", "text"),
    [
        (8, "M2-1", "The winner of M1-1 meets the winner of M1-2."),
        (6, "M2-1", "After a bye in round 1, against the winner of M1-2, on the neighbouring lines of the draw."),
        (5, "M2-2", "Both had a bye in round 1, on neighbouring lines of the draw."),
    ],
)
def test_later_pairing_says_why(size, key, text):
    plan = FORMAT.plan(Draw(field(size, size), SEEDED))
    assert {pairing.key: pairing.why.text for pairing in plan.pairings}[key] == text


def test_bye_sits_in_round_two_at_once_and_says_where_from():
    plan = FORMAT.plan(Draw(field(3, 3), SEEDED))
    final = plan.pairings[-1]
    assert (final.key, final.a, final.b) == ("M2-1", field(3, 3)[0], WinnerOf("M1-2"))
    assert (final.feed_a, final.feed_b) == ("winner:M1-1", "winner:M1-2")
    assert (plan.pairings[0].b, plan.pairings[0].feed_b) == (Bye(), "bye")


def test_lengths_are_read_from_the_final_backwards():
    plan = FORMAT.plan(Draw(field(32), Options((9, 7, 5)), {}))
    assert {pairing.round: pairing.length for pairing in plan.pairings} == {1: 5, 2: 5, 3: 5, 4: 7, 5: 9}


def test_winner_keeps_the_feed_that_brought_them():
    entrants = field(4, 4)
    plan = FORMAT.plan(Draw(entrants, SEEDED, {"M1-1": Outcome(entrants[3].id, entrants[0].id)}))
    assert (plan.pairings[2].a, plan.pairings[2].feed_a) == (entrants[3], "winner:M1-1")


def test_correction_makes_every_later_match_of_the_two_stale():
    draw = play_out(FORMAT, Draw(field(16, 16), SEEDED))
    flipped = Outcome(draw.outcomes["M1-5"].loser, draw.outcomes["M1-5"].winner)
    plan = FORMAT.plan(Draw(draw.entrants, SEEDED, {**draw.outcomes, "M1-5": flipped}))
    assert plan.stale == ("M2-3", "M3-2", "M4-1")
    advanced = {pairing.key: pairing for pairing in plan.pairings}
    assert flipped.winner in advanced["M2-3"].entrant_ids
    assert advanced["M3-2"].a == WinnerOf("M2-3")


def test_outcome_before_its_pairing_is_known_is_stale():
    entrants = field(4, 4)
    plan = FORMAT.plan(Draw(entrants, SEEDED, {"M2-1": Outcome(entrants[0].id, entrants[1].id)}))
    assert plan.stale == ("M2-1",)
    assert not plan.finished


def test_placings_say_what_each_can_still_reach():
    one, two, three, four, five, six = (entrant.id for entrant in field(6, 6))
    outcomes = {}

    def placings():
        plan = FORMAT.plan(Draw(field(6, 6), SEEDED, outcomes))
        return {placing.entrant: (placing.place, placing.place_to) for placing in plan.placings}

    assert placings() == {one: (1, 4), two: (1, 4), three: (1, 6), four: (1, 6), five: (1, 6), six: (1, 6)}
    outcomes["M1-2"] = Outcome(five, four)
    assert placings() == {one: (1, 4), two: (1, 4), three: (1, 6), four: (5, 6), five: (1, 4), six: (1, 6)}
    outcomes["M2-1"] = Outcome(five, one)
    assert placings() == {one: (3, 4), two: (1, 4), three: (1, 6), four: (5, 6), five: (1, 2), six: (1, 6)}
    outcomes |= {"M1-4": Outcome(six, three), "M2-2": Outcome(two, six), "M3-1": Outcome(two, five)}
    assert placings() == {one: (3, 4), two: (1, 1), three: (5, 6), four: (5, 6), five: (2, 2), six: (3, 4)}


def test_placings_are_listed_best_first():
    entrants = field(2, 2)
    plan = FORMAT.plan(Draw(entrants, SEEDED, {"M1-1": Outcome(entrants[1].id, entrants[0].id)}))
    assert [(placing.entrant, placing.place, placing.place_to) for placing in plan.placings] == [
        (entrants[1].id, 1, 1),
        (entrants[0].id, 2, 2),
    ]
    assert [placing.why.text for placing in plan.placings] == ["Won M1-1, the final.", "Lost M1-1, the final."]
    assert plan.winners == (entrants[1].id,)


def test_planning_the_largest_field_takes_few_steps_a_player():
    new, again = steps_of_planning(FORMAT, LENGTHS, 1024)
    assert new < 45 * 1024
    assert again < 40 * 1024
