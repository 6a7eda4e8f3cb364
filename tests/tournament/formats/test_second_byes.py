"""Byes of a consolation go to those who had none before, as far as the bracket allows."""

from dataclasses import replace
from fractions import Fraction

import pytest

from tests.tournament.formats.events import decide, field, options_of, undecided
from tournament.formats import FORMATS
from tournament.formats.plan import Bye, Draw

CONSOLATION = FORMATS["consolation"]
DOUBLE = FORMATS["double-elimination"]
HALF = Fraction(1, 2)
SHAPES = {
    "progressive": (CONSOLATION, {}),
    "simple": (CONSOLATION, {"consolation": "simple"}),
    "semifinalists": (CONSOLATION, {"cut_off": "semifinalists"}),
    "shifted": (CONSOLATION, {"shifted": True}),
    "double": (DOUBLE, {}),
    "double, shifted": (DOUBLE, {"shifted": True}),
    "fighters": (FORMATS["fighters-bracket"], {}),
}


def chances_of_a_bye(plan):
    """How likely the loser of each match of the main bracket is to have had a bye, if every match is even."""
    chance = {}
    for pairing in plan.pairings:
        if pairing.bracket == "M" and not pairing.is_bye:
            feeds = [feed.removeprefix("winner:") for feed in (pairing.feed_a, pairing.feed_b)]
            chance[pairing.key] = sum(HALF * chance.get(feed, 0) for feed in feeds if feed)
        elif pairing.bracket == "M":
            chance[pairing.key] = Fraction(1)
    return chance


def byes_of_losers(plan):
    """The main matches whose losers have a bye in the consolation, and those whose losers play in its first round."""
    first = [pairing for pairing in plan.pairings if (pairing.bracket, pairing.round) == ("C", 1)]
    free = [pairing.a.key for pairing in first if isinstance(pairing.b, Bye)]
    busy = [seat.key for pairing in first if not isinstance(pairing.b, Bye) for seat in (pairing.a, pairing.b)]
    return free, busy


@pytest.mark.parametrize("name", SHAPES)
def test_no_other_choice_of_those_who_enter_first_has_fewer_second_byes(name):
    """The bound: of all who come to the consolation's first round, as many as have byes, the least likely ones."""
    format, chosen = SHAPES[name]
    for size in range(format.min_entrants, 65):
        plan = format.plan(Draw(field(size), options_of(format, **chosen), seed=str(size)))
        chance = chances_of_a_bye(plan)
        free, busy = byes_of_losers(plan)
        least = sorted(chance[key] for key in free + busy)[: len(free)]
        assert sum(chance[key] for key in free) == sum(least), size


@pytest.mark.parametrize("size", [20, 21, 24, 31, 40, 48, 63, 100])
def test_nobody_has_two_byes_where_nobody_has_to(size):
    """With 20 players it was 4 of 4, with 40 players 8 of 8."""
    for salt in "abc":
        draw = Draw(field(size), options_of(CONSOLATION), seed=str(size))
        plan, outcomes = CONSOLATION.plan(draw), {}
        while not plan.finished:
            outcomes |= {pairing.key: decide(pairing, salt) for pairing in undecided(plan, outcomes)}
            plan = CONSOLATION.plan(replace(draw, outcomes=outcomes))
        byes = [entrant for pairing in plan.pairings if pairing.is_bye for entrant in pairing.entrant_ids]
        assert len(byes) == len(set(byes))
