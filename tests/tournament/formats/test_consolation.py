from collections import Counter

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.tournament.formats.events import field, options_of, play_out, undecided
from tests.tournament.formats.steps import forget, steps_of_planning
from tests.tournament.formats.test_formats import assert_everyone_is_drawn_once, assert_places_add_up, assert_sound
from tournament.formats import FORMATS
from tournament.formats.consolation_graph import knockout_graph
from tournament.formats.errors import PlanError
from tournament.formats.first_round import draw_lines
from tournament.formats.options import OptionKind
from tournament.formats.plan import Draw, Outcome

CONSOLATION = FORMATS["consolation"]
DOUBLE = FORMATS["double-elimination"]


@st.composite
def events(draw, largest=40):
    """A draw of a knockout with any compatible options, in a field of any size."""
    format = draw(st.sampled_from((CONSOLATION, CONSOLATION, DOUBLE)))
    chosen = {}
    for option in format.fields:
        match option.kind:
            case OptionKind.CHOICE:
                chosen[option.name] = draw(st.sampled_from([slug for slug, _ in option.choices]))
            case OptionKind.FLAG:
                chosen[option.name] = draw(st.booleans())
            case OptionKind.NUMBER:
                chosen[option.name] = draw(st.integers(option.least, 5))
    seeding = draw(st.sampled_from(("random", "seeded")))
    size = draw(st.integers(2, largest))
    event = Draw(field(size, size // 3), options_of(format, seeding=seeding, **chosen), {}, draw(st.text(max_size=4)))
    try:
        format.plan(event)
    except PlanError:
        assume(False)
    return format, event


def again(draw, outcomes):
    return Draw(draw.entrants, draw.options, outcomes, draw.seed)


@given(events())
def test_every_event_ends_with_everyone_placed_in_every_bracket(case):
    format, draw = case
    assert_everyone_is_drawn_once(format.plan(draw), draw.entrants)
    played = play_out(format, draw)
    plan = format.plan(played)
    assert_sound(plan)
    assert all(len(pairing.entrant_ids) == 2 - pairing.is_bye for pairing in plan.pairings)
    assert set(played.outcomes) == {pairing.key for pairing in plan.pairings if not pairing.is_bye}
    assert_places_add_up(plan.placings, [entrant.id for entrant in draw.entrants])
    for section in plan.sections:
        assert_places_add_up(section.placings, section.entrants)
        assert all(placing.why for placing in section.placings)
    assert all(placing.why for placing in plan.placings)
    assert len(plan.winners) == 1
    assert format.plan(played) == plan


@given(events(), st.randoms(use_true_random=False))
def test_open_places_only_ever_narrow(case, rng):
    """The places that are open to an entrant at any time include the one that it has in the end."""
    format, draw = case
    played = play_out(format, draw)
    final = {placing.entrant: placing for placing in format.plan(played).placings}
    entered = list(played.outcomes)
    outcomes = {key: played.outcomes[key] for key in entered[: rng.randint(0, len(entered))]}
    for placing in format.plan(again(draw, outcomes)).placings:
        assert placing.place <= final[placing.entrant].place
        assert final[placing.entrant].place_to <= placing.place_to


@given(events(largest=24), st.randoms(use_true_random=False))
def test_correction_anywhere_replans_to_what_a_fresh_run_gives(case, rng):
    format, draw = case
    played = play_out(format, draw, salt="first")
    key = rng.choice(sorted(played.outcomes))
    flipped = Outcome(played.outcomes[key].loser, played.outcomes[key].winner)
    corrected = {**played.outcomes, key: flipped}
    stale = format.plan(again(draw, corrected)).stale
    repaired = play_out(
        format, again(draw, {other: corrected[other] for other in corrected if other not in stale}), salt="first"
    )
    assert repaired == play_out(format, draw, salt="first", fixed={key: flipped})


@given(events(largest=24), st.randoms(use_true_random=False))
def test_result_taken_back_leaves_just_that_match_to_play(case, rng):
    format, draw = case
    played = play_out(format, draw)
    key = rng.choice(sorted(played.outcomes))
    rest = {other: outcome for other, outcome in played.outcomes.items() if other != key}
    stale = format.plan(again(draw, rest)).stale
    kept = {other: rest[other] for other in rest if other not in stale}
    assert [pairing.key for pairing in undecided(format.plan(again(draw, kept)), kept)] == [key]


@given(events(largest=24), st.randoms(use_true_random=False))
def test_outcomes_of_others_are_stale_and_change_nothing_else(case, rng):
    format, draw = case
    played = play_out(format, draw)
    plan = format.plan(played)
    fed = [pairing for pairing in plan.pairings if pairing.feed_a]
    assume(fed)
    pairing = rng.choice(fed)
    strangers = [entrant.id for entrant in draw.entrants if entrant.id not in pairing.entrant_ids]
    assume(strangers)
    wrong = {**played.outcomes, pairing.key: Outcome(strangers[0], min(pairing.entrant_ids))}
    assert pairing.key in format.plan(again(draw, wrong)).stale


@pytest.mark.parametrize("size", range(2, 129))
def test_an_entrant_is_out_after_two_losses_and_not_before(size):
    played = play_out(DOUBLE, Draw(field(size), options_of(DOUBLE), {}, str(size)))
    lost = Counter(outcome.loser for outcome in played.outcomes.values())
    (winner,) = DOUBLE.plan(played).winners
    assert len(played.outcomes) == 2 * size - 2 + lost[winner]
    assert {lost[entrant.id] for entrant in played.entrants if entrant.id != winner} == {2}
    assert lost[winner] <= 1


def test_without_recharge_one_grand_final_decides():
    options = options_of(DOUBLE, recharge=False)
    played = play_out(DOUBLE, Draw(field(16), options, {}, "x"))
    assert [key for key in played.outcomes if key[0] == "F"] == ["F1-1"]
    assert len(played.outcomes) == 30


@pytest.mark.parametrize("size", [2, 3, 5, 8, 13, 32])
def test_same_seed_draws_the_main_like_a_single_elimination(size):
    knockout = FORMATS["single-elimination"]
    alone = knockout.plan(Draw(field(size), options_of(knockout), {}, "club night")).pairings
    for format in (CONSOLATION, DOUBLE):
        pairings = format.plan(Draw(field(size), options_of(format), {}, "club night")).pairings
        assert tuple(pairing for pairing in pairings if pairing.bracket == "M") == alone


def test_planning_512_with_a_consolation_and_a_last_chance_takes_few_steps_a_player():
    new, again = steps_of_planning(CONSOLATION, options_of(CONSOLATION, last_chance="full"), 512)
    assert new < 80 * 512
    assert again < 90 * 512


def test_field_is_drawn_and_its_brackets_are_built_once_however_often_it_is_planned():
    forget()
    play_out(CONSOLATION, Draw(field(32), options_of(CONSOLATION, last_chance="full"), {}, "once"))
    assert knockout_graph.cache_info().misses == 1
    assert draw_lines.cache_info().misses == 1
