from collections import Counter
from itertools import permutations

import pytest

from tests.tournament.formats.events import field, options_of, play_out
from tournament.formats.errors import PlanError
from tournament.formats.league import League
from tournament.formats.plan import Bye, Draw, Entrant
from tournament.formats.round_robin import RoundRobin

FORMAT = League()
ONCE, TWICE = options_of(FORMAT), options_of(FORMAT, home_and_away=True)
SIZES = pytest.mark.parametrize("size", range(2, 33))


def league(size, options=TWICE):
    return FORMAT.plan(Draw(field(size), options, {}, "seed"))


@SIZES
def test_everyone_meets_everyone_once_at_home_and_once_away(size):
    met = Counter((pairing.a.id, pairing.b.id) for pairing in league(size).pairings if not pairing.is_bye)
    assert met == dict.fromkeys(permutations([entrant.id for entrant in field(size)], 2), 1)


@SIZES
def test_everyone_plays_once_a_week(size):
    plan = league(size)
    weeks = {pairing.round for pairing in plan.pairings}
    assert weeks == set(range(1, 2 * (size + size % 2 - 1) + 1))
    for week in weeks:
        seats = [seat for pairing in plan.pairings if pairing.round == week for seat in (pairing.a, pairing.b)]
        assert sorted(seat.id for seat in seats if isinstance(seat, Entrant)) == sorted(e.id for e in field(size))
        assert seats.count(Bye()) == size % 2


@SIZES
def test_the_second_half_is_the_first_with_sides_reversed(size):
    plan = league(size)
    half = max(pairing.round for pairing in plan.pairings) // 2
    first = [(pairing.round, pairing.a, pairing.b) for pairing in plan.pairings if pairing.is_ready]
    assert sorted((week + half, b.id, a.id) for week, a, b in first if week <= half) == sorted(
        (week, a.id, b.id) for week, a, b in first if week > half
    )


def test_a_league_once_is_a_round_robin():
    seats = [(pairing.key, pairing.a, pairing.b) for pairing in league(7, ONCE).pairings]
    round_robin = RoundRobin().plan(Draw(field(7), options_of(RoundRobin()), {}, "seed"))
    assert seats == [(pairing.key, pairing.a, pairing.b) for pairing in round_robin.pairings]


def test_pairings_say_why():
    assert league(5, ONCE).pairings[0].why.text == (
        "Week 1 of 5: everyone meets everyone once; the side named first is at home."
    )
    assert league(5).pairings[-2].why.text == (
        "Week 10 of 10: everyone meets everyone home and away; the side named first is at home."
    )
    assert league(5).pairings[-1].why.text == (
        "Free in week 10 of 10: the number of entrants (5) is odd, so somebody is free each week, and everyone "
        "equally often."
    )


def test_league_ends_with_its_last_match():
    draw = play_out(FORMAT, Draw(field(4), TWICE))
    assert (len(draw.outcomes), FORMAT.plan(draw).finished, FORMAT.plan(draw).free_wins) == (12, True, {})
    missing = {key: outcome for key, outcome in draw.outcomes.items() if key != "R6-2"}
    assert not FORMAT.plan(Draw(draw.entrants, TWICE, missing)).finished


def test_two_entries_of_one_person_are_refused():
    twice = [Entrant(number, f"Anna {number}", persons=frozenset({7})) for number in (1, 2)]
    with pytest.raises(PlanError) as refused:
        FORMAT.plan(Draw((*twice, *field(4)), ONCE))
    assert refused.value.code == "meets_himself"
