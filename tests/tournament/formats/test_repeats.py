from fractions import Fraction
from itertools import permutations, product

import pytest

from bench.draws import RULES
from tests.tournament.formats.events import field, options_of
from tournament.formats import FORMATS
from tournament.formats.advance import advance
from tournament.formats.chance import SeededChance
from tournament.formats.consolation_graph import Shape, build_graph
from tournament.formats.first_round import draw_first_round
from tournament.formats.knockout import FINAL
from tournament.formats.main_bracket import round_count, spread_byes
from tournament.formats.plan import Draw, Outcome
from tournament.formats.repeats import (
    expected_repeats,
    mix,
    mix_again,
    mix_last_chance,
    mix_shifted,
    mix_shifted_all,
    turned,
)


def all_fall(rounds):
    return Shape(rounds, reunite="grand-final", recharge=True)


def finalists_stay(rounds):
    return Shape(rounds - 1)


def byes_of(entrants, seed=0):
    pairings = 2 ** (round_count(entrants) - 1)
    return tuple(spread_byes(pairings, 2 * pairings - entrants, SeededChance(seed)))


def shifted(rounds):
    return Shape(rounds - 1, shifted=True)


def shifted_all_fall(rounds):
    return Shape(rounds, shifted=True, reunite="grand-final", recharge=True)


def last_chance(rounds):
    return Shape(rounds - 1, last_chance="full")


def repeats(entrants, shape_of, order=None, seed=0):
    return expected_repeats(build_graph(byes_of(entrants, seed), shape_of(round_count(entrants)), order))


def played_repeats(graph, entrants, wins):
    """How many matches are rematches if ``wins`` says, match by match, whether the upper side wins."""
    draw = Draw(field(entrants), options_of(FORMATS["consolation"]), {}, "draw")
    first = draw_first_round(draw)
    outcomes: dict[str, Outcome] = {}
    met: list[frozenset[int]] = []
    lots = iter(wins)
    while True:
        run = advance(graph, first.lines, first.reasons, Draw(draw.entrants, draw.options, outcomes, draw.seed))
        ready = [pairing for pairing in run.pairings if pairing.is_ready and pairing.key not in outcomes]
        if not ready:
            return len(met) - len(set(met))
        for pairing in ready:
            a, b = pairing.a.id, pairing.b.id
            outcomes[pairing.key] = Outcome(a, b) if next(lots) else Outcome(b, a)
            if pairing.bracket != FINAL:
                met.append(pairing.entrant_ids)


@pytest.mark.parametrize(
    ("entrants", "shape"),
    [(4, Shape(2)), (5, Shape(2)), (5, Shape(3)), (6, Shape(2, last_chance="full")), (6, Shape(3, shifted=True))],
)
def test_expectation_is_that_over_all_ways_in_which_the_matches_can_end(entrants, shape):
    first = draw_first_round(Draw(field(entrants), options_of(FORMATS["consolation"]), {}, "draw"))
    graph = build_graph(first.byes, shape, mix)
    matches = sum(not node.is_bye for node in graph.nodes)
    total = sum(played_repeats(graph, entrants, wins) for wins in product((True, False), repeat=matches))
    assert expected_repeats(graph) == Fraction(total, 2**matches)


@pytest.mark.parametrize(
    ("entrants", "double", "consolation"),
    [
        (8, Fraction(5, 8), Fraction(1, 4)),
        (16, Fraction(3, 4), Fraction(13, 32)),
        (32, Fraction(47, 64), Fraction(51, 128)),
        (64, Fraction(1439, 2048), Fraction(755, 2048)),
    ],
)
def test_full_fields_have_the_fewest_repeats_known(entrants, double, consolation):
    assert (repeats(entrants, all_fall), repeats(entrants, finalists_stay)) == (double, consolation)


@pytest.mark.parametrize(
    ("entrants", "double", "consolation"), [(16, 0.75, 0.41), (32, 0.73, 0.40), (64, 0.70, 0.37), (128, 0.72, 0.38)]
)
def test_full_fields_have_no_more_than_the_best_static_tables(entrants, double, consolation):
    assert round(float(repeats(entrants, all_fall)), 2) <= double
    assert round(float(repeats(entrants, finalists_stay)), 2) <= consolation


@pytest.mark.parametrize("shape_of", [all_fall, finalists_stay])
def test_byes_bring_no_more_repeats_than_full_fields_have(shape_of):
    """No more than the next larger power of two or, for the few fields too close to it, the one before."""
    full = {2**rounds: repeats(2**rounds, shape_of) for rounds in range(2, 8)}
    above = []
    for entrants in range(4, 129):
        found = repeats(entrants, shape_of, seed=entrants)
        larger = 2 ** round_count(entrants)
        if found > full[larger]:
            above.append(entrants)
            assert found <= max(full[larger], full[larger // 2]) + Fraction(1, 64) or entrants in (10, 11)
    assert set(above) <= {9, 10, 11, *range(17, 24), *range(33, 48), *range(65, 96)}


@pytest.mark.parametrize("entrants", [11, 23, 45])
def test_any_even_spread_of_byes_is_as_good(entrants):
    assert len({repeats(entrants, all_fall, seed=seed) for seed in range(8)}) == 1


@pytest.mark.parametrize(("entrants", "least"), [(5, Fraction(5, 8)), (8, Fraction(5, 8))])
def test_no_other_order_does_better_in_small_fields(entrants, least):
    """Every order of the losers of every round is tried."""
    rounds = round_count(entrants)
    sizes = [entrants - 2 ** (rounds - 1), *(2 ** (rounds - round) for round in range(2, rounds))]
    found = set()
    for orders in product(*(list(permutations(range(size))) for size in sizes)):

        def order(losers, round, _entrants, orders=orders):
            return [losers[place] for place in orders[round - 1]] if round <= len(orders) else list(losers)

        found.add(repeats(entrants, all_fall, order))
    assert min(found) == least == repeats(entrants, all_fall)


def test_natural_and_always_reversed_orders_are_worse():
    def natural(losers, round, entrants):
        return list(losers)

    def reverse(losers, round, entrants):
        return list(losers) if round == 1 else list(losers)[::-1]

    assert [round(float(repeats(32, all_fall, order)), 2) for order in (None, natural, reverse)] == [0.73, 6.52, 1.99]


@pytest.mark.parametrize("shape_of", [all_fall, finalists_stay, shifted, shifted_all_fall, last_chance])
@pytest.mark.parametrize("entrants", [*range(5, 25), 28, 32, 40, 47, 48, 56, 64, 80, 128])
def test_no_rule_of_another_system_has_fewer_repeats(shape_of, entrants):
    assert repeats(entrants, shape_of) <= min(repeats(entrants, shape_of, order) for order in RULES.values() if order)


@pytest.mark.parametrize(
    ("entrants", "some", "everyone", "chance"),
    [
        (16, Fraction(3, 8), Fraction(5, 8), Fraction(835, 512)),
        (32, Fraction(23, 64), Fraction(19, 32), Fraction(7763, 4096)),
        (64, Fraction(11, 32), Fraction(79, 128), Fraction(61645, 32768)),
    ],
)
def test_shifted_brackets_and_last_chance_have_orders_of_their_own(entrants, some, everyone, chance):
    found = [repeats(entrants, shape_of) for shape_of in (shifted, shifted_all_fall, last_chance)]
    assert found == [some, everyone, chance]


@pytest.mark.parametrize("order", [mix, mix_shifted, mix_shifted_all, mix_last_chance])
@pytest.mark.parametrize("entrants", [3, 4, 5, 17, 23, 24, 100, 257, 512, 1024])
def test_mixing_loses_nobody(entrants, order):
    for number in range(1, round_count(entrants) + 1):
        losers = list(range(2 ** max(round_count(entrants) - number, 0)))
        assert sorted(order(losers, number, entrants)) == losers


@pytest.mark.parametrize(
    ("number", "order"), [(0, "abcde"), (2, "cdeab"), (7, "cdeab"), (-1, "edcba"), (-2, "dcbae"), (-6, "edcba")]
)
def test_losers_are_turned_forwards_from_a_place_or_backwards(number, order):
    assert "".join(turned("abcde", number)) == order
    assert turned([], number) == []


@pytest.mark.parametrize(
    ("wave", "order"), [(0, [0, 1, 2, 3, 4]), (1, [4, 3, 2, 1, 0]), (2, [2, 1, 0, 4, 3]), (3, [3, 4, 0, 1, 2])]
)
def test_waves_of_a_further_consolation_are_mixed_in_turn(wave, order):
    assert mix_again(range(5), wave) == order
    assert mix_again(range(5), wave + 4) == order
