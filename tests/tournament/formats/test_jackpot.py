from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournament.formats.events import field, options_of, play_out, undecided
from tournament.formats.jackpot import Jackpot, fill_brackets
from tournament.formats.plan import Draw, Entrant, Outcome, Placing

FORMAT = Jackpot()


def entries(*persons):
    """Entries in this order, numbered from 1, each with the person who made it."""
    return tuple(
        Entrant(number, f"Player {person}", persons=frozenset({person}))
        for number, person in enumerate(persons, start=1)
    )


def jackpot(entrants, outcomes=None, seed="seed", size="4"):
    return FORMAT.plan(Draw(tuple(entrants), options_of(FORMAT, size=size), outcomes or {}, seed))


def brackets(entrants, size):
    return [[entrant.id for entrant in bracket] for bracket in fill_brackets(entrants, size)]


def test_entrants_fill_brackets_in_the_order_of_their_ids():
    assert brackets(reversed(entries(*range(1, 11))), 4) == [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10]]


def test_a_player_who_enters_again_goes_into_the_next_bracket_without_them():
    """7 enters three times: the second entry opens B, the third opens C, and those after 7 fill A first."""
    assert brackets(entries(7, 7, 7, 1, 2, 3, 4, 5), 4) == [[1, 4, 5, 6], [2, 7, 8], [3]]


def test_a_pair_waits_for_a_bracket_without_either_player():
    pairs = [
        Entrant(number, f"Pair {number}", persons=frozenset(persons))
        for number, persons in enumerate(((1, 2), (3, 4), (2, 3), (5, 6)), start=1)
    ]
    assert brackets(pairs, 4) == [[1, 2, 4], [3]]


persons = st.lists(st.integers(1, 12), min_size=1, max_size=60)


@given(persons, st.sampled_from((4, 8, 16)))
def test_nobody_is_twice_in_a_bracket_and_no_bracket_is_too_large(order, size):
    filled = fill_brackets(entries(*order), size)
    assert sorted(entrant.id for bracket in filled for entrant in bracket) == list(range(1, len(order) + 1))
    for bracket in filled:
        assert len(bracket) <= size
        assert len({entrant.persons for entrant in bracket}) == len(bracket)


@given(persons, st.lists(st.integers(1, 12), max_size=20), st.sampled_from(("4", "8", "16")), st.text(max_size=4))
def test_a_later_entry_never_changes_a_full_bracket(order, later, size, seed):
    before, after = (
        jackpot(entries(*order), seed=seed, size=size),
        jackpot(entries(*order, *later), seed=seed, size=size),
    )
    drawn = {pairing.bracket for pairing in before.pairings}
    assert [pairing for pairing in after.pairings if pairing.bracket in drawn] == list(before.pairings)
    full = {section.bracket: section for section in after.sections}
    assert [full[section.bracket] for section in before.sections if section.bracket in drawn] == [
        section for section in before.sections if section.bracket in drawn
    ]


@given(persons, st.text(max_size=4), st.data())
def test_a_later_entry_leaves_what_is_decided_as_it_is(order, seed, data):
    outcomes = {}
    plan = jackpot(entries(*order), seed=seed)
    for _ in range(data.draw(st.integers(0, 6))):
        for pairing in undecided(plan, outcomes)[:1]:
            outcomes[pairing.key] = Outcome(pairing.a.id, pairing.b.id)
        plan = jackpot(entries(*order), outcomes, seed)
    later = jackpot(entries(*order, 98, 99), outcomes, seed)
    assert later.pairings[: len(plan.pairings)] == plan.pairings
    assert later.stale == plan.stale == ()


def test_a_bracket_that_is_not_full_has_no_pairings_and_says_how_many_it_is_waiting_for():
    plan = jackpot(entries(1, 2, 3))
    assert (plan.pairings, plan.finished) == ((), True)
    (section,) = plan.sections
    assert (section.bracket, section.title.text, section.entrants) == ("JA", "Jackpot A", (1, 2, 3))
    assert [(placing.entrant, placing.place, placing.place_to) for placing in section.placings] == [
        (1, 1, 4),
        (2, 1, 4),
        (3, 1, 4),
    ]
    assert section.placings[0].why.text == "Waiting for jackpot A to fill: 3 of 4 have entered."


def test_each_bracket_is_drawn_by_a_seed_of_its_own():
    lines = {pairing.bracket: [] for pairing in jackpot(entries(*range(1, 65)), size="16").pairings}
    for pairing in jackpot(entries(*range(1, 65)), size="16").pairings:
        if pairing.round == 1:
            lines[pairing.bracket] += [(pairing.a.id - 1) % 16, (pairing.b.id - 1) % 16]
    assert list(lines) == ["JA", "JB", "JC", "JD"]
    assert len({tuple(line) for line in lines.values()}) == 4


@pytest.mark.parametrize(("size", "rounds"), [("4", 2), ("8", 3), ("16", 4)])
def test_lengths_are_read_from_the_final_backwards(size, rounds):
    plan = jackpot(field(int(size)), size=size)
    lengths = {pairing.round: pairing.length for pairing in plan.pairings}
    assert lengths == {round: (9, 7, 5)[min(rounds - round, 2)] for round in range(1, rounds + 1)}


def test_places_are_those_of_the_rounds():
    entrants = entries(*range(1, 10))
    first = jackpot(entrants)
    one, two = (pairing for pairing in first.pairings if pairing.bracket == "JA" and pairing.round == 1)
    outcomes = {one.key: Outcome(one.a.id, one.b.id), two.key: Outcome(two.a.id, two.b.id)}
    outcomes["JA2-1"] = Outcome(two.a.id, one.a.id)
    plan = jackpot(entrants, outcomes)
    assert {(p.entrant, p.place, p.place_to) for p in plan.sections[0].placings} == {
        (two.a.id, 1, 1),
        (one.a.id, 2, 2),
        (one.b.id, 3, 4),
        (two.b.id, 3, 4),
    }
    assert [placing.why.text for placing in plan.sections[0].placings][:3] == [
        "Won jackpot A.",
        "Lost in round 2 of 2 in jackpot A.",
        "Lost in round 1 of 2 in jackpot A.",
    ]
    assert plan.sections[1].placings[0].why.text == "Still in jackpot B: plays in round 1 of 2."
    assert not plan.finished


def test_in_the_field_the_places_of_all_brackets_are_shared_and_those_waiting_are_last():
    """Eight have played two jackpots to the end; the ninth waits."""
    played = play_out(FORMAT, Draw(entries(*range(1, 9)), options_of(FORMAT, size="4")))
    entrants = entries(*range(1, 10))
    plan = FORMAT.plan(Draw(entrants, played.options, played.outcomes))
    assert sorted({(placing.place, placing.place_to) for placing in plan.placings}) == [(1, 2), (3, 4), (5, 8), (9, 9)]
    assert plan.placings[-1] == Placing(9, 9, 9, plan.sections[-1].placings[0].why)
    assert plan.finished
    assert len(plan.winners) == 2


def test_pairings_say_why():
    plan = jackpot(field(4))
    assert [pairing.why.text for pairing in plan.pairings] == [
        "Drawn at random: lines 1 and 2 of 4.",
        "Drawn at random: lines 3 and 4 of 4.",
        "The winner of JA1-1 meets the winner of JA1-2.",
    ]


def test_512_entrants_fill_128_brackets_with_letters_that_fit():
    plan = jackpot(entries(*Random(1).choices(range(200), k=512)))
    assert max(len(pairing.bracket) for pairing in plan.pairings) == 3
    assert len({section.bracket for section in plan.sections}) == len(plan.sections)
