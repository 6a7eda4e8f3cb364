from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournament.formats.events import field, options_of, play_out
from tournament.formats.gsl import Gsl
from tournament.formats.options import Seeding
from tournament.formats.plan import Draw, Entrant, Outcome, feed_of

FORMAT = Gsl()
SEEDED = options_of(FORMAT, seeding=Seeding.SEEDED)
NUMBERS = {entrant.id: number for number, entrant in enumerate(field(12), start=1)}


def block(size, *won):
    """A single block by seeds after these pairings, each with the seed of its winner and of its loser."""
    entrants = field(size, size)
    outcomes = {key: Outcome(entrants[winner - 1].id, entrants[loser - 1].id) for key, winner, loser in won}
    return FORMAT.plan(Draw(entrants, SEEDED, outcomes))


def seats(plan):
    """By key, the seed of each side or where it comes from."""
    return {
        pairing.key: tuple(
            NUMBERS[seat.id] if isinstance(seat, Entrant) else feed_of(seat) for seat in (pairing.a, pairing.b)
        )
        for pairing in plan.pairings
    }


def places(placings):
    return {NUMBERS[placing.entrant]: (placing.place, placing.place_to) for placing in placings}


def test_a_block_has_two_openers_a_winners_and_a_losers_match_and_a_decider():
    assert seats(block(4)) == {
        "GA1-1": (1, 4),
        "GA1-2": (2, 3),
        "GA2-1": ("winner:GA1-1", "winner:GA1-2"),
        "GA2-2": ("loser:GA1-1", "loser:GA1-2"),
        "GA3-1": ("loser:GA2-1", "winner:GA2-2"),
    }


def test_a_block_goes_on_with_its_results():
    """1 and 3 come through; 3 wins the block, 4 comes back and takes second place from 1."""
    openers = (("GA1-1", 1, 4), ("GA1-2", 3, 2))
    middle = (("GA2-1", 3, 1), ("GA2-2", 4, 2))
    assert places(block(4).placings) == {1: (1, 4), 2: (1, 4), 3: (1, 4), 4: (1, 4)}
    assert places(block(4, *openers).placings) == {1: (1, 3), 3: (1, 3), 2: (2, 4), 4: (2, 4)}
    assert places(block(4, *openers, *middle).placings) == {3: (1, 1), 1: (2, 3), 4: (2, 3), 2: (4, 4)}
    over = block(4, *openers, *middle, ("GA3-1", 4, 1))
    assert places(over.placings) == {3: (1, 1), 4: (2, 2), 1: (3, 3), 2: (4, 4)}
    assert (over.finished, over.sections[0].placings) == (True, over.placings)
    assert [placing.why.text for placing in over.placings] == [
        "First in group A: came through the opener and won the winners' match.",
        "Second in group A: lost one match and won the decider.",
        "Third in group A: lost the decider.",
        "Fourth in group A: lost the opener and the losers' match.",
    ]


def test_a_block_of_three_has_two_byes():
    plan = block(3, ("GA1-2", 3, 2))
    assert seats(plan) == {
        "GA1-1": (1, "bye"),
        "GA1-2": (2, 3),
        "GA2-1": (1, 3),
        "GA2-2": (2, "bye"),
        "GA3-1": ("loser:GA2-1", 2),
    }
    assert places(plan.placings) == {1: (1, 3), 3: (1, 3), 2: (2, 3)}
    over = block(3, ("GA1-2", 3, 2), ("GA2-1", 1, 3), ("GA3-1", 2, 3))
    assert (over.finished, places(over.placings)) == (True, {1: (1, 1), 2: (2, 2), 3: (3, 3)})


def test_a_block_of_two_is_one_match():
    assert seats(block(2)) == {
        "GA1-1": (1, "bye"),
        "GA1-2": (2, "bye"),
        "GA2-1": (1, 2),
        "GA3-1": ("loser:GA2-1", "bye"),
    }
    assert (block(2).finished, places(block(2).placings)) == (False, {1: (1, 2), 2: (1, 2)})
    over = block(2, ("GA2-1", 2, 1))
    assert (over.finished, places(over.placings)) == (True, {2: (1, 1), 1: (2, 2)})
    assert over.placings[1].why.text == "Second in group A: lost the only match between its two entrants."


@pytest.mark.parametrize(
    ("entrants", "sizes"),
    [(2, [2]), (4, [4]), (5, [3, 2]), (6, [3, 3]), (7, [4, 3]), (9, [3, 3, 3]), (13, [4, 3, 3, 3])],
)
def test_blocks_differ_by_one_entrant_at_most(entrants, sizes):
    plan = FORMAT.plan(Draw(field(entrants), options_of(FORMAT)))
    assert sorted((len(section.entrants) for section in plan.sections), reverse=True) == sizes
    assert [section.title.text for section in plan.sections] == [f"Group {'ABCD'[n]}" for n in range(len(sizes))]


def test_seeds_are_dealt_there_and_back():
    plan = FORMAT.plan(Draw(field(12, 12), SEEDED))
    assert [[NUMBERS[entrant] for entrant in section.entrants] for section in plan.sections] == [
        [1, 6, 7, 12],
        [2, 5, 8, 11],
        [3, 4, 9, 10],
    ]


def test_the_same_places_of_all_blocks_are_shared_in_the_field():
    played = play_out(FORMAT, Draw(field(7), options_of(FORMAT)))
    plan = FORMAT.plan(played)
    ranges = Counter((placing.place, placing.place_to) for placing in plan.placings)
    assert ranges == {(1, 2): 2, (3, 4): 2, (5, 6): 2, (7, 7): 1}
    assert set(plan.winners) == {section.placings[0].entrant for section in plan.sections}


@given(st.integers(2, 40), st.text(max_size=4))
def test_places_agree_with_wins_and_losses(size, salt):
    played = play_out(FORMAT, Draw(field(size), options_of(FORMAT), {}, salt), salt)
    lost = Counter(outcome.loser for outcome in played.outcomes.values())
    won = Counter(outcome.winner for outcome in played.outcomes.values())
    for section in FORMAT.plan(played).sections:
        first, second, *others = section.placings
        assert lost[first.entrant] == 0
        assert lost[second.entrant] == 1
        assert [lost[placing.entrant] for placing in others] == [2] * len(others)
        assert sum(won[entrant] for entrant in section.entrants) == {2: 1, 3: 3, 4: 5}[len(section.entrants)]


def test_a_corrected_opener_takes_the_later_results_of_its_block_with_it():
    openers = (("GA1-1", 4, 1), ("GA1-2", 3, 2))
    plan = block(4, *openers, ("GA2-1", 3, 1), ("GA2-2", 4, 2), ("GA3-1", 4, 1))
    assert plan.stale == ("GA2-1", "GA2-2", "GA3-1")
    assert seats(plan)["GA2-1"] == (4, 3)
    assert seats(plan)["GA3-1"] == ("loser:GA2-1", "winner:GA2-2")


def test_pairings_say_why():
    assert [pairing.why.text for pairing in block(4).pairings] == [
        "Opener of group A: dealt by seed in snake order; first meets fourth, and second meets third.",
        "Opener of group A: dealt by seed in snake order; first meets fourth, and second meets third.",
        "Winners' match of group A: those who came through the openers play for first place.",
        "Losers' match of group A: the losers of the openers meet, and a second loss puts a player out.",
        "Decider of group A: the loser of the winners' match meets the winner of the losers' match for second place.",
    ]
    three = block(3).pairings
    assert three[0].why.text == "Bye in the opener: group A has 3 entrants instead of four."
    assert three[3].why.text == "Bye in the losers' match: group A has three entrants, and only one lost an opener."
    assert block(2).pairings[-1].why.text == (
        "Bye instead of the decider: group A has two entrants, and their only match has decided the places."
    )
    drawn = FORMAT.plan(Draw(field(4), options_of(FORMAT))).pairings[0]
    assert drawn.why.text == "Opener of group A, drawn at random."
