"""What holds for every format in the table, with each of its options; a new format is tested here at no cost."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import count, cycle, islice
from random import Random

import pytest

from tests.breadth import IS_WIDE, some
from tests.tournament.formats.events import decide, play_out, undecided
from tests.tournament.formats.variants import (
    PROBES,
    pairs,
    play_if_drawn,
    play_variant,
    sizes_of,
    some_sizes,
    variants,
)
from tournament.formats import SIMULATED
from tournament.formats.errors import PlanError
from tournament.formats.format import Format
from tournament.formats.lots import SeededLots
from tournament.formats.plan import Draw, Entrant, Outcome, Plan, Published
from tournament.rehearsal.chance import draw_field
from tournament.rehearsal.invariants import check_end, check_first
from tournament.rehearsal.simulation import play_event, simulate_event

pytestmark = pytest.mark.long

BY_CHANCE = pytest.mark.parametrize("lots_of", [lambda seed: None, SeededLots], ids=["seed", "lots"])
"""Drawn by the generator of a seed, and by lots whose secret that seed is."""

EVERY_FORMAT = pytest.mark.parametrize("format", SIMULATED.values(), ids=SIMULATED.keys())
SEEDS = 100
EVENTS = 500 if IS_WIDE else 120
"""In all formats together."""

SMALL_SIZES = range(2, 8)
PAIRS = 40 if IS_WIDE else 16


def first_plan(format: Format, draw: Draw) -> Plan | None:
    """The first plan; None if nobody is drawn, or if the field or options that are not the defaults do not fit."""
    if not format.min_entrants <= len(draw.entrants) <= format.max_entrants:
        return None
    try:
        plan = format.plan(draw)
    except PlanError:
        assert draw.options.own != variants(format.slug)[0].own
        return None
    return plan if plan.pairings else None


@BY_CHANCE
@EVERY_FORMAT
def test_everyone_is_drawn_once_in_every_field(format, lots_of):
    wrong = []
    options = variants(format.slug)
    for number, size in some(enumerate(sizes_of(format)), 40):
        field = draw_field(size, str(size))
        for variant in {0: options[0], 1: options[number % len(options)]}.values():
            seed = f"seed {number % SEEDS}"
            draw = Draw(field, variant, seed=seed, lots=lots_of(seed))
            plan = first_plan(format, draw)
            wrong += [(size, variant, text) for text in (check_first(draw, plan) if plan else ())]
    assert wrong == []


@BY_CHANCE
@EVERY_FORMAT
def test_events_end_and_keep_every_promise(format, lots_of):
    """Over all sizes, options and a hundred seeds."""
    options = variants(format.slug)
    wrong = []
    for number, size in enumerate(some_sizes(format, -(-EVENTS // len(SIMULATED)))):
        variant = options[number % len(options)]
        seed = f"seed {number % SEEDS}"
        event = play_variant(format.slug, variant, size, seed, lots_of(seed))
        wrong += [(size, variant, text) for text in event.violations]
    assert wrong == []


@BY_CHANCE
@EVERY_FORMAT
def test_each_option_can_be_played(format, lots_of):
    """With each value of each option a field of some size is drawn and played to its end."""
    for variant in variants(format.slug):
        assert played_somewhere(format, variant, lots_of("seed")).violations == (), variant


@EVERY_FORMAT
def test_each_option_keeps_every_promise_in_the_smallest_fields(format):
    """Or is refused there. ``script/bench simulations --every`` plays each option in each field of up to 64."""
    wrong = []
    for variant in variants(format.slug):
        for size in SMALL_SIZES:
            event = play_if_drawn(format.slug, variant, size, f"seed {size}")
            wrong += [(size, variant, text) for text in (event.violations if event else ())]
    assert wrong == []


@EVERY_FORMAT
def test_two_options_together_keep_every_promise(format):
    """Or are refused: a few pairs of values, the same each time, each in a small field."""
    chance = Random(format.slug)
    both = pairs(format.slug)
    wrong = []
    for variant in chance.sample(both, min(PAIRS, len(both))):
        size = chance.randint(3, 14)
        event = play_if_drawn(format.slug, variant, size, f"seed {size}")
        wrong += [(size, variant, text) for text in (event.violations if event else ())]
    assert wrong == []


def played_somewhere(format, variant, lots):
    for size in PROBES:
        try:
            return simulate_event(format, variant, size, "seed", lots=lots)
        except PlanError:
            continue
    pytest.fail(f"no field is drawn with {variant}")


@BY_CHANCE
@EVERY_FORMAT
def test_entrants_who_share_a_person_never_meet(format, lots_of):
    """A format that does not let them enter together says so; a bracket keeps them apart when it is drawn."""
    wrong = []
    for variant, size in some(zip(variants(format.slug) * 2, cycle((8, 9, 16, 13, 24)), strict=False), 12):
        field = list(draw_field(size, str(size)))
        for first, second in ((0, 1), (2, 5)):
            field[second] = replace(field[second], persons=field[second].persons | field[first].persons)
        try:
            event = play_event(format, variant, tuple(field), f"seed {size}", lots=lots_of(f"seed {size}"))
        except PlanError:
            continue
        wrong += [(size, variant, text) for text in event.violations]
    assert wrong == []


@BY_CHANCE
@EVERY_FORMAT
def test_a_finished_draw_is_planned_to_itself(format, lots_of):
    for size in some_sizes(format, 8)[:-1]:
        draw = Draw(draw_field(size, "f"), variants(format.slug)[0], seed=f"seed {size}", lots=lots_of(f"seed {size}"))
        if first_plan(format, draw):
            ended = begun_rounds_stand(format, draw)
            assert check_end(format, ended, format.plan(ended)) == []


@BY_CHANCE
@EVERY_FORMAT
def test_a_correction_gives_what_a_fresh_run_with_it_gives(format, lots_of):
    """As long as nothing stands: a continuous format pairs by when players were free, which only that can tell."""
    for variant, size in some(zip(variants(format.slug), cycle((8, 5, 11, 16, 3, 13)), strict=False), 8):
        draw = Draw(draw_field(size, "f"), variant, seed=f"seed {size}", lots=lots_of(f"seed {size}"))
        if format.is_continuous(variant) or not first_plan(format, draw):
            continue
        played = play_out(format, draw, salt="first")
        for key in spread(sorted(played.outcomes), 4):
            flipped = Outcome(winner=played.outcomes[key].loser, loser=played.outcomes[key].winner)
            corrected = {**played.outcomes, key: flipped}
            stale = format.plan(replace(draw, outcomes=corrected)).stale
            kept = {other: outcome for other, outcome in corrected.items() if other not in stale}
            repaired = play_out(format, replace(draw, outcomes=kept), salt="first")
            fresh = play_out(format, draw, salt="first", fixed={key: flipped})
            assert repaired == fresh, (size, variant, key)
            assert format.plan(repaired) == format.plan(fresh)


@BY_CHANCE
@EVERY_FORMAT
def test_an_event_goes_on_after_a_correction_while_begun_rounds_stand(format, lots_of):
    """Published pairings that the corrected result does not move stay, and the event comes to a sound end."""
    for variant, size in some(zip(variants(format.slug), cycle((8, 16, 7, 12, 22)), strict=False), 8):
        draw = Draw(draw_field(size, "f"), variant, seed=f"seed {size}", lots=lots_of(f"seed {size}"))
        if not first_plan(format, draw):
            continue
        played = begun_rounds_stand(format, draw)
        for key in spread(sorted(played.outcomes), 3):
            flipped = Outcome(winner=played.outcomes[key].loser, loser=played.outcomes[key].winner)
            again = taken_back(format, played, {**played.outcomes, key: flipped})
            ended = begun_rounds_stand(format, again)
            assert ended.outcomes[key] == flipped
            assert check_end(format, ended, format.plan(ended)) == []


@EVERY_FORMAT
def test_lengths_are_read_from_a_final_backwards_where_there_is_one_and_nowhere_else(format):
    for variant, size in zip(variants(format.slug), cycle((16, 8, 13)), strict=False):
        draw = Draw(draw_field(size, "f"), variant, seed=f"seed {size}")
        if not first_plan(format, draw):
            continue
        lengths = {pairing.length for pairing in format.plan(play_out(format, draw)).pairings}
        assert (lengths != {variant.length(0)}) == format.has_final, (size, variant)


@EVERY_FORMAT
def test_the_rounds_that_a_format_plans_are_those_it_plays(format):
    for variant, size in zip(variants(format.slug) * 2, cycle((8, 5, 16, 3, 11)), strict=False):
        field = draw_field(size, "f")
        draw = Draw(field, variant, seed=f"seed {size}")
        planned = format.planned_rounds(variant, field)
        if planned is None or not first_plan(format, draw):
            continue
        rounds = {pairing.round for pairing in format.plan(play_out(format, draw)).pairings}
        assert rounds == set(range(1, planned + 1)), (size, variant)


def test_some_formats_plan_their_rounds_and_some_do_not():
    field = draw_field(8, "f")
    planned = {slug: format.planned_rounds(variants(slug)[0], field) for slug, format in SIMULATED.items()}
    assert {"single-elimination": 3, "round-robin": 7, "league": 7, "swiss": 3}.items() <= planned.items()
    assert None in planned.values()


@EVERY_FORMAT
def test_only_what_is_continuous_pairs_anew_while_a_round_is_played(format):
    """A bracket goes on in one half while the other plays, but its pairings are all there from the draw."""
    for variant in variants(format.slug):
        draw = Draw(draw_field(16, "f"), variant, seed="seed")
        if first_plan(format, draw):
            pairs_ahead = format.pairs_by_round and pairs_before_its_round_is_over(format, draw)
            assert pairs_ahead == format.is_continuous(variant), variant


def pairs_before_its_round_is_over(format: Format, draw: Draw) -> bool:
    """Whether, result by result, a pairing comes while one of an earlier round has no result."""
    while waiting := undecided(plan := format.plan(draw), draw.outcomes):
        if any(pairing.round > waiting[0].round for pairing in plan.pairings):
            return True
        published = standing_pairings(plan, {line.key: line for line in draw.published})
        outcomes = {**draw.outcomes, waiting[0].key: decide(waiting[0], "first")}
        draw = replace(draw, outcomes=outcomes, published=published)
    return False


def spread(keys: list[str], most: int) -> Iterator[str]:
    """Up to ``most`` of the ``keys``, evenly from the first to the last."""
    step = max(1, -(-len(keys) // most))
    return islice(iter(keys[::step]), most)


def begun_rounds_stand(format: Format, draw: Draw) -> Draw:
    """Play ``draw`` to its end in rounds; every pairing with known sides stands from then on."""
    for _round in count():
        assert _round < 1000
        plan = format.plan(draw)
        assert plan.stale == ()
        published = standing_pairings(plan, {line.key: line for line in draw.published})
        fresh = {pairing.key: decide(pairing, "first") for pairing in undecided(plan, draw.outcomes)}
        if not fresh and published == draw.published:
            assert plan.finished
            return draw
        draw = replace(draw, outcomes={**draw.outcomes, **fresh}, published=published)


def standing_pairings(plan: Plan, before: Mapping[str, Published]) -> tuple[Published, ...]:
    """Those that stood ``before``, and then those of the plan that now have both sides."""
    lines = dict(before)
    for pairing in sorted(plan.pairings, key=lambda pairing: pairing.round):
        sides = [seat.id for seat in (pairing.a, pairing.b) if isinstance(seat, Entrant)]
        if sides and (pairing.is_ready or pairing.is_bye):
            lines.setdefault(pairing.key, Published(pairing.key, sides[0], sides[1] if len(sides) == 2 else None))
    return tuple(lines.values())


def taken_back(format: Format, played: Draw, outcomes: Mapping[str, Outcome]) -> Draw:
    """The draw with these outcomes, without the matches that a director has to take back for them."""
    draw = replace(played, outcomes=outcomes)
    while True:
        plan = format.plan(draw)
        seats = {pairing.key: pairing.entrant_ids for pairing in plan.pairings}
        published = tuple(line for line in draw.published if seats.get(line.key) == {line.a, line.b} - {None})
        kept = {key: outcome for key, outcome in draw.outcomes.items() if key not in plan.stale}
        if published == draw.published and kept == draw.outcomes:
            return draw
        draw = replace(draw, outcomes=kept, published=published)
