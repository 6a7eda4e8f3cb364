"""A director's hand on the draw, in every format: applied, kept while results come in, and gone without a trace."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import pytest

from tests.tournament.formats.events import decide, field, options_of, undecided
from tests.tournament.formats.test_contract import begun_rounds_stand, first_plan, standing_pairings
from tests.tournament.formats.variants import variants
from tournament.formats import SIMULATED
from tournament.formats.hand import by_hand, lapsed
from tournament.formats.lots import SeededLots
from tournament.formats.moves import Move, MoveKind
from tournament.formats.plan import Draw, Entrant, Pairing, Plan, seated
from tournament.rehearsal.chance import draw_field
from tournament.rehearsal.invariants import check_end, check_first

LAID_OUT = [format for format in SIMULATED.values() if not format.pairs_by_round]
BY_ROUND = [format for format in SIMULATED.values() if format.pairs_by_round]
SIZES = (8, 11, 16)


def named(formats):
    return pytest.mark.parametrize("format", formats, ids=lambda format: format.slug)


def draws(format) -> Iterator[Draw]:
    """A draw of some sizes with each option."""
    for number, variant in enumerate(variants(format.slug)):
        size = SIZES[number % len(SIZES)]
        draw = Draw(draw_field(size, str(size)), variant, lots=SeededLots(f"urn {number}"))
        if first_plan(format, draw):
            yield draw


def meetings(plan: Plan, changed: dict[int, int] | None = None) -> dict[str, frozenset[int | None]]:
    """Who sits in each pairing, by key, with the entrants ``changed`` for others."""
    others = changed or {}
    return {
        pairing.key: frozenset(others.get(side or 0, side) for side in map(seated, (pairing.a, pairing.b)))
        for pairing in plan.pairings
    }


def two_to_swap(plan: Plan) -> tuple[int, int]:
    """Two whom the draw has put into different pairings of the first round of a bracket."""
    first = [pairing for pairing in plan.pairings if pairing.round == 1 and pairing.entrant_ids]
    bracket = [pairing for pairing in first if plan.groups or pairing.bracket == first[0].bracket]
    return min(bracket[0].entrant_ids), max(bracket[-1].entrant_ids)


@named(LAID_OUT)
def test_a_swap_exchanges_two_entrants_and_nothing_else_and_says_so(format):
    for draw in draws(format):
        before = format.plan(draw)
        a, b = two_to_swap(before)
        move = Move(1, MoveKind.SWAP, a, b, "They came in one car.")
        after = format.plan(replace(draw, moves=(move,)))
        assert meetings(after) == meetings(before, {a: b, b: a})
        told = {pairing.key for pairing in after.pairings if pairing.why == by_hand(move)}
        assert told == {one.key for one in after.pairings if one.entrant_ids & {a, b}}
        assert lapsed(after.notes) == set()
        assert check_first(replace(draw, moves=(move,)), after) == []


@named(SIMULATED.values())
def test_an_event_changed_by_hand_keeps_the_change_and_comes_to_a_sound_end(format):
    for draw in draws(format):
        plan = format.plan(draw)
        changed = replace(draw, moves=(some_move(format, plan),))
        started = format.plan(changed)
        waiting = undecided(started, {})
        first = {pairing.key: decide(pairing, "first") for pairing in waiting[:2]}
        going_on = format.plan(replace(changed, outcomes=first))
        kept = meetings(started)
        assert {key: ids for key, ids in meetings(going_on).items() if key in kept and None not in kept[key]} == {
            key: ids for key, ids in kept.items() if None not in ids
        }
        ended = begun_rounds_stand(format, changed)
        assert check_end(format, ended, format.plan(ended)) == []
        assert format.plan(replace(changed, moves=())) == plan


def some_move(format, plan: Plan) -> Move:
    if not format.pairs_by_round:
        return Move(1, MoveKind.SWAP, *two_to_swap(plan), "By hand.")
    first, *_others, last = [pairing for pairing in plan.pairings if pairing.round == 1 and pairing.is_ready]
    return Move(1, MoveKind.PAIR, min(first.entrant_ids), min(last.entrant_ids), "By hand.", round=1)


@named(BY_ROUND)
def test_a_fixed_pairing_is_taken_out_before_the_rest_of_its_round_is_paired_by_the_rules(format):
    for draw in draws(format):
        outcomes, published, plan = {}, (), format.plan(draw)
        if not format.is_continuous(draw.options):
            outcomes = {pairing.key: decide(pairing, "first") for pairing in undecided(plan, {})}
            published = standing_pairings(plan, {})
        draw = replace(draw, outcomes=outcomes, published=published)
        plan = format.plan(draw)
        round = max(pairing.round for pairing in plan.pairings)
        pairings = [pairing for pairing in plan.pairings if pairing.round == round and pairing.is_ready]
        if len(pairings) < 2 or (published and round == 1):
            continue
        move = fixed(pairings, round, {pairing.entrant_ids for pairing in plan.pairings if pairing.round < round})
        after = format.plan(replace(draw, moves=(move,)))
        here = [pairing for pairing in after.pairings if pairing.round == round]
        (made,) = [pairing for pairing in here if pairing.why == by_hand(move)]
        assert made.entrant_ids == {move.a, move.b}
        everyone = [entrant for pairing in here for entrant in pairing.entrant_ids]
        assert (
            len(everyone) == len(set(everyone)) == sum(len(pairing.entrant_ids) for pairing in same_round(plan, round))
        )
        assert lapsed(after.notes) == set()


def same_round(plan: Plan, round: int) -> list[Pairing]:
    return [pairing for pairing in plan.pairings if pairing.round == round]


def fixed(pairings: list[Pairing], round: int, met: set[frozenset[int]]) -> Move:
    """Two from different pairings who have not met."""
    for one, other in combinations(pairings, 2):
        for a in sorted(one.entrant_ids):
            for b in sorted(other.entrant_ids):
                if frozenset((a, b)) not in met:
                    return Move(1, MoveKind.PAIR, a, b, "A film is made.", round=round)
    raise AssertionError


def swiss(size, *moves, **more):
    format = SIMULATED["swiss"]
    return format.plan(Draw(field(size), options_of(format), lots=SeededLots("x"), moves=moves, **more))


def of_round(plan, round):
    return {pairing.entrant_ids for pairing in plan.pairings if pairing.round == round}


def test_a_bye_is_given_by_hand_and_a_later_move_sets_an_earlier_one_aside():
    ids = sorted(entrant.id for entrant in field(7))
    bye = Move(1, MoveKind.PAIR, ids[0], None, "Arrives at noon.", round=1)
    plan = swiss(7, bye)
    (free,) = [pairing for pairing in plan.pairings if pairing.is_bye]
    assert (free.entrant_ids, free.why) == ({ids[0]}, by_hand(bye))
    later = Move(2, MoveKind.PAIR, ids[0], ids[1], "Came earlier.", round=1)
    plan = swiss(7, bye, later)
    assert frozenset(ids[:2]) in of_round(plan, 1)
    assert lapsed(plan.notes) == set()


def test_a_fixed_pairing_of_somebody_who_has_left_lapses_with_a_note():
    ids = sorted(entrant.id for entrant in field(8))
    move = Move(3, MoveKind.PAIR, ids[0], ids[1], "For the stream.", round=1)
    gone = tuple(replace(one, presence=()) if one.id == ids[0] else one for one in field(8))
    format = SIMULATED["swiss"]
    plan = format.plan(Draw(gone, options_of(format), lots=SeededLots("x"), moves=(move,)))
    assert [note.text for note in plan.notes] == [
        "Change 3 by the director no longer applies, as one of the two has no seat there: For the stream."
    ]
    assert plan.pairings == format.plan(Draw(gone, options_of(format), lots=SeededLots("x"))).pairings


def test_a_round_that_has_begun_stands_whatever_was_fixed_for_it():
    before = swiss(8)
    published = standing_pairings(before, {})
    (a, _), (b, _) = (sorted(pairing.entrant_ids) for pairing in before.pairings[:2])
    late = swiss(8, Move(1, MoveKind.PAIR, a, b, "Too late.", round=1), published=published)
    assert late == swiss(8, published=published)


def twice(people: tuple[Entrant, ...], *two: int) -> tuple[Entrant, ...]:
    """The people, two of whom are entries of one person."""
    return tuple(replace(one, persons=frozenset({7})) if one.id in two else one for one in people)


@named(SIMULATED.values())
def test_no_hand_lets_two_entries_of_one_person_meet(format):
    for draw in draws(format):
        plan = format.plan(draw)
        first = [pairing for pairing in plan.pairings if pairing.round == 1 and pairing.is_ready]
        one, other = first[0], first[-1]
        a, b = min(one.entrant_ids), min(other.entrant_ids)
        shared = replace(draw, entrants=twice(draw.entrants, a, b))
        changed = Move(1, MoveKind.SWAP, max(one.entrant_ids), b, "No.")
        if format.pairs_by_round:
            changed = Move(1, MoveKind.PAIR, a, b, "No.", round=1)
        if not (drawn := first_plan_of(format, shared)):
            continue
        after = format.plan(replace(shared, moves=(changed,)))
        assert not any({a, b} <= pairing.entrant_ids for pairing in after.pairings)
        if lapsed(after.notes):
            assert after.pairings == drawn.pairings


def first_plan_of(format, draw: Draw) -> Plan | None:
    """The first plan; None where the format does not let them enter together."""
    try:
        return format.plan(draw)
    except ValueError:
        return None


def test_swaps_follow_each_other_and_a_bye_is_given_away():
    format = SIMULATED["single-elimination"]
    draw = Draw(field(7), options_of(format), lots=SeededLots("x"))
    before = format.plan(draw)
    (free,) = [pairing for pairing in before.pairings if pairing.is_bye]
    (holder,) = free.entrant_ids
    others = [pairing for pairing in before.pairings if pairing.round == 1 and pairing is not free]
    one, other = (min(pairing.entrant_ids) for pairing in others[:2])
    moves = (Move(1, MoveKind.SWAP, holder, one, "First."), Move(2, MoveKind.SWAP, one, other, "Second."))
    after = format.plan(replace(draw, moves=moves))
    (bye,) = [pairing for pairing in after.pairings if pairing.is_bye]
    assert (bye.key, bye.entrant_ids, bye.why) == (free.key, {other}, by_hand(moves[1]))
