"""What holds for every format in the table."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.breadth import some
from tests.tournament.formats.events import field, options_of, play_out, undecided
from tournament.formats import FORMATS, SIMULATED, choices
from tournament.formats.errors import PlanError
from tournament.formats.options import Seeding
from tournament.formats.plan import Draw, Entrant, Outcome, feed_of, parse_feed

pytestmark = pytest.mark.long

LARGE = (65, 100, 127, 128, 129, 255, 256, 257, 511, 512)
JACKPOT = SIMULATED["jackpot"]
SEEDED = Seeding.SEEDED


def draws_all(format, size):
    """Whether a field of this size is drawn at once: a jackpot waits for eight entrants, and for the next eight."""
    return format.min_entrants <= size <= format.max_entrants and (format is not JACKPOT or size % 8 == 0)


SIZES = [
    pytest.param(format, size, id=f"{slug}-{size}")
    for slug, format in SIMULATED.items()
    for size in (*range(2, 20), *some(range(20, 65), 8), *some(LARGE, 4))
    if draws_all(format, size)
]
EVERY_FORMAT = pytest.mark.parametrize("format", SIMULATED.values(), ids=SIMULATED.keys())


@st.composite
def draws(draw, largest=512):
    format = draw(st.sampled_from(list(SIMULATED.values())))
    sizes = st.integers(format.min_entrants, min(format.max_entrants, largest))
    size = draw(sizes.filter(lambda size: draws_all(format, size)))
    seeded = draw(st.integers(0, size))
    options = options_of(
        format, seeding=str(draw(st.sampled_from(Seeding))), lengths=draw(st.sampled_from(([9, 5], [1])))
    )
    return format, Draw(field(size, seeded), options, {}, draw(st.text(max_size=12)))


def assert_everyone_is_drawn_once(plan, entrants):
    drawn = [
        seat.id for pairing in plan.pairings if pairing.round == 1 for seat in (pairing.a, pairing.b) if is_in(seat)
    ]
    assert sorted(drawn) == sorted(entrant.id for entrant in entrants)


def is_in(seat):
    return isinstance(seat, Entrant)


def assert_sound(plan):
    keys = [pairing.key for pairing in plan.pairings]
    order = {key: index for index, key in enumerate(keys)}
    assert len(keys) == len(order)
    for bracket in {pairing.bracket for pairing in plan.pairings}:
        places = [(pairing.round, pairing.number) for pairing in plan.pairings if pairing.bracket == bracket]
        assert places == sorted(places)
    assert max(len(pairing.key) for pairing in plan.pairings) <= 16
    assert max(len(pairing.bracket) for pairing in plan.pairings) <= 4
    for pairing in plan.pairings:
        assert pairing.key == f"{pairing.bracket}{pairing.round}-{pairing.number}"
        assert pairing.a != pairing.b
        assert pairing.why.text
        for seat, feed in ((pairing.a, pairing.feed_a), (pairing.b, pairing.feed_b)):
            if not is_in(seat):
                assert feed_of(seat) == feed
            source = parse_feed(feed)
            if hasattr(source, "key"):
                assert order[source.key] < order[pairing.key]


def test_table_is_keyed_by_slug():
    assert {slug: format.slug for slug, format in FORMATS.items()} == {slug: slug for slug in FORMATS}


def test_choices_name_every_format():
    assert choices() == [(slug, format.name) for slug, format in FORMATS.items()]
    assert ("single-elimination", "Single elimination") in choices()


@pytest.mark.parametrize(("format", "size"), SIZES)
@pytest.mark.parametrize("seeding", Seeding)
def test_everyone_is_drawn_once(format, size, seeding):
    entrants = field(size, seeded=size // 3)
    for seed in some(range(8), 2):
        plan = format.plan(Draw(entrants, options_of(format, seeding=seeding), {}, str(seed)))
        assert_everyone_is_drawn_once(plan, entrants)
        assert_sound(plan)
        assert not plan.finished


@given(draws())
def test_everyone_is_drawn_once_in_any_field(case):
    format, draw = case
    plan = format.plan(draw)
    assert_everyone_is_drawn_once(plan, draw.entrants)
    assert_sound(plan)


@pytest.mark.parametrize(("format", "size"), SIZES)
def test_event_ends_and_replans_to_itself(format, size):
    played = play_out(format, Draw(field(size), options_of(format), {}, f"seed {size}"))
    plan = format.plan(played)
    assert plan.finished
    assert plan.stale == ()
    assert set(played.outcomes) == {pairing.key for pairing in plan.pairings if not pairing.is_bye}
    assert all(pairing.is_ready or pairing.is_bye for pairing in plan.pairings)
    assert_sound(plan)
    assert format.plan(played) == plan
    if plan.placings is not None:
        assert plan.winners
        assert_places_add_up(plan.placings, [entrant.id for entrant in played.entrants])
    for section in plan.sections:
        assert section.title.text
        if section.placings is not None:
            assert_places_add_up(section.placings, section.entrants)


def assert_places_add_up(placings, entrants):
    assert sorted(placing.entrant for placing in placings) == sorted(entrants)
    shared = {}
    for placing in placings:
        shared.setdefault((placing.place, placing.place_to), []).append(placing.entrant)
    taken = [place for (first, last), ids in shared.items() for place in range(first, last + 1)]
    assert sorted(taken) == list(range(1, len(entrants) + 1))
    assert all(len(ids) == last - first + 1 for (first, last), ids in shared.items())


@given(draws(largest=40), st.randoms(use_true_random=False))
def test_changed_outcome_replans_to_what_a_fresh_run_gives(case, rng):
    format, draw = case
    played = play_out(format, draw, salt="first")
    key = rng.choice(sorted(played.outcomes))
    flipped = Outcome(winner=played.outcomes[key].loser, loser=played.outcomes[key].winner)

    corrected = {**played.outcomes, key: flipped}
    plan = format.plan(Draw(draw.entrants, draw.options, corrected, draw.seed))
    kept = {other: outcome for other, outcome in corrected.items() if other not in plan.stale}
    repaired = play_out(format, Draw(draw.entrants, draw.options, kept, draw.seed), salt="first")

    fresh = play_out(format, draw, salt="first", fixed={key: flipped})
    assert repaired == fresh
    assert format.plan(repaired) == format.plan(fresh)


@given(draws(largest=40), st.randoms(use_true_random=False))
def test_stale_outcomes_change_nothing_but_stale(case, rng):
    format, draw = case
    played = play_out(format, draw)
    key = rng.choice(sorted(played.outcomes))
    removed = {other: outcome for other, outcome in played.outcomes.items() if other != key}
    plan = format.plan(Draw(draw.entrants, draw.options, removed, draw.seed))
    kept = {other: outcome for other, outcome in removed.items() if other not in plan.stale}
    without = format.plan(Draw(draw.entrants, draw.options, kept, draw.seed))
    assert without.stale == ()
    assert (plan.pairings, plan.placings, plan.finished) == (without.pairings, without.placings, without.finished)
    assert not plan.finished
    assert [pairing.key for pairing in undecided(without, kept)] == [key]


@given(draws(), st.randoms(use_true_random=False))
def test_order_of_entrants_does_not_matter(case, rng):
    format, draw = case
    mixed = list(draw.entrants)
    rng.shuffle(mixed)
    other = format.plan(Draw(tuple(mixed), draw.options, {}, draw.seed))
    assert other == format.plan(draw)


def some_draw(format, entrants=None, outcomes=None, seeding=Seeding.RANDOM, seed=""):
    return Draw(field(16) if entrants is None else entrants, options_of(format, seeding=seeding), outcomes or {}, seed)


@EVERY_FORMAT
def test_another_seed_gives_another_draw(format):
    first_rounds = {
        tuple((pairing.a, pairing.b) for pairing in format.plan(some_draw(format, seed=str(seed))).pairings)
        for seed in range(50)
    }
    assert len(first_rounds) == 50


@EVERY_FORMAT
def test_drawing_leaves_the_global_generator_alone(format):
    random.seed(5)
    before = random.getstate()
    format.plan(some_draw(format))
    assert random.getstate() == before


def refused(format, draw):
    with pytest.raises(PlanError) as refusal:
        format.plan(draw)
    assert str(refusal.value) == refusal.value.template % refusal.value.params
    return refusal.value.code


@EVERY_FORMAT
def test_field_of_the_wrong_size_is_refused(format):
    assert refused(format, some_draw(format, field(format.min_entrants - 1))) == "field_size"
    assert refused(format, some_draw(format, field(format.max_entrants + 1))) == "field_size"


@EVERY_FORMAT
def test_entrant_twice_is_refused(format):
    assert refused(format, some_draw(format, (*field(8), field(8)[0]))) == "entrant_twice"


@EVERY_FORMAT
def test_seed_twice_is_refused_only_in_a_seeded_draw(format):
    entrants = (Entrant(1, "Anna", 1), Entrant(2, "Bo", 1), *field(6))
    assert refused(format, some_draw(format, entrants, seeding=SEEDED)) == "seed_twice"
    assert_everyone_is_drawn_once(format.plan(some_draw(format, entrants)), entrants)


@EVERY_FORMAT
def test_seed_below_one_is_refused(format):
    assert refused(format, some_draw(format, (Entrant(1, "Anna", 0), *field(7)), seeding=SEEDED)) == "seed_not_positive"


@EVERY_FORMAT
def test_outcome_of_an_unknown_pairing_is_refused(format):
    a, b, *_ = entrants = field(8)
    assert refused(format, some_draw(format, entrants, {"X1-1": Outcome(a.id, b.id)})) == "outcome_unknown_pairing"


@EVERY_FORMAT
def test_outcome_of_a_stranger_is_refused(format):
    entrants = field(8)
    pairing = format.plan(some_draw(format, entrants)).pairings[0]
    code = refused(format, some_draw(format, entrants, {pairing.key: Outcome(pairing.a.id, 5)}))
    assert code == "outcome_not_of_two_entrants"


@EVERY_FORMAT
def test_outcome_against_oneself_is_refused(format):
    entrants = field(8)
    pairing = format.plan(some_draw(format, entrants)).pairings[0]
    code = refused(format, some_draw(format, entrants, {pairing.key: Outcome(pairing.a.id, pairing.a.id)}))
    assert code == "outcome_not_of_two_entrants"


@EVERY_FORMAT
def test_outcome_of_others_in_a_drawn_pairing_is_refused(format):
    entrants = field(8)
    first, second, *_ = format.plan(some_draw(format, entrants)).pairings
    code = refused(format, some_draw(format, entrants, {first.key: Outcome(first.a.id, second.a.id)}))
    assert code == "outcome_of_others"


@pytest.mark.parametrize("slug", sorted(SIMULATED.keys() - {JACKPOT.slug}))
def test_outcome_of_a_bye_is_refused(slug):
    format = SIMULATED[slug]
    entrants = field(max(5, format.min_entrants + 1))
    bye = next(pairing for pairing in format.plan(some_draw(format, entrants)).pairings if pairing.is_bye)
    other = next(entrant for entrant in entrants if entrant.id not in bye.entrant_ids)
    code = refused(format, some_draw(format, entrants, {bye.key: Outcome(bye.a.id, other.id)}))
    assert code == "outcome_of_bye"
