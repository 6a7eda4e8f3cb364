"""Every format with an even number of boards: those that rank by wins keep every promise, all others refuse."""

from dataclasses import replace

import pytest

from tests.tournament.formats.events import decide, field, options_of, play_out
from tests.tournament.formats.variants import some_sizes, variants
from tournament.formats import FORMATS, SIMULATED
from tournament.formats.drawn_matches import is_drawn, takes_boards
from tournament.formats.errors import PlanError
from tournament.formats.lots import SeededLots
from tournament.formats.plan import Draw, Outcome
from tournament.rehearsal.chance import draw_field
from tournament.rehearsal.simulation import SimulatedEvent, simulate_event

pytestmark = pytest.mark.long

BY_RECORD = [slug for slug, format in FORMATS.items() if format.ranks_by_record]
WITH_WINNERS = [slug for slug, format in SIMULATED.items() if not format.ranks_by_record]


@pytest.mark.parametrize(
    ("boards", "won_a", "won_b", "drawn"),
    [(2, 1, 1, True), (4, 2, 2, True), (4, 1, 1, True), (4, 3, 1, False), (4, 0, 0, False), (3, 1, 1, False)],
)
def test_a_match_is_drawn_if_an_even_number_of_boards_is_shared_and_somebody_came(boards, won_a, won_b, drawn):
    assert is_drawn(boards, won_a, won_b) is drawn


@pytest.mark.parametrize("slug", FORMATS)
def test_odd_numbers_of_boards_are_for_every_format_and_even_ones_for_those_that_rank_by_wins(slug):
    taken = [boards for boards in range(1, 10) if takes_boards(FORMATS[slug], boards)]
    assert taken == (list(range(1, 10)) if slug in BY_RECORD else [1, 3, 5, 7, 9])


@pytest.mark.parametrize("boards", [2, 4])
@pytest.mark.parametrize("slug", BY_RECORD)
def test_events_with_drawn_matches_end_and_keep_every_promise(slug, boards):
    wrong, drawn = [], 0
    for number, size in enumerate(some_sizes(FORMATS[slug], 12)):
        options = variants(slug)[number % len(variants(slug))]
        seed = f"seed {number}"
        try:
            event = SimulatedEvent(
                FORMATS[slug], options, draw_field(size, seed, boards=boards), seed, None, boards, SeededLots(seed)
            )
            event.play()
        except PlanError:
            continue
        drawn += sum(outcome.is_drawn for outcome in event.outcomes.values())
        wrong += [(size, options, text) for text in event.violations]
    assert wrong == []
    assert drawn > 0


@pytest.mark.parametrize("slug", WITH_WINNERS)
def test_a_format_that_needs_winners_plays_no_event_with_an_even_number_of_boards(slug):
    with pytest.raises(PlanError) as refused:
        simulate_event(FORMATS[slug], variants(slug)[0], 16, "seed", boards=2)
    assert refused.value.code == "boards_not_odd"


def test_a_bracket_refuses_a_drawn_outcome():
    draw = Draw(field(2), options_of(FORMATS["single-elimination"]), seed="seed")
    a, b = (entrant.id for entrant in draw.entrants)
    with pytest.raises(PlanError) as refused:
        FORMATS["single-elimination"].plan(replace(draw, outcomes={"M1-1": Outcome(a, b, is_drawn=True)}))
    assert refused.value.code == "outcome_without_winner"


@pytest.mark.parametrize("slug", BY_RECORD)
@pytest.mark.parametrize("size", [5, 8, 11])
def test_a_match_that_is_no_longer_drawn_gives_what_a_fresh_run_without_the_draw_gives(slug, size):
    draw = Draw(draw_field(size, "f"), options_of(FORMATS[slug]), seed="seed", lots=SeededLots("seed"))
    first = next(pairing for pairing in FORMATS[slug].plan(draw).pairings if pairing.is_ready)
    won = decide(first, "first")
    shared = replace(won, is_drawn=True)
    played = play_out(FORMATS[slug], draw, salt="first", fixed={first.key: shared})
    assert played.outcomes[first.key] == shared
    corrected = {**played.outcomes, first.key: won}
    stale = FORMATS[slug].plan(replace(draw, outcomes=corrected)).stale
    kept = {key: outcome for key, outcome in corrected.items() if key not in stale}
    again = play_out(FORMATS[slug], replace(draw, outcomes=kept), salt="first")
    assert again == play_out(FORMATS[slug], draw, salt="first", fixed={first.key: won})


@pytest.mark.parametrize("slug", ["swiss", "monrad"])
def test_where_every_match_is_drawn_nobody_meets_twice(slug):
    draw = Draw(draw_field(8, "f"), options_of(FORMATS[slug], rounds=5), seed="seed", lots=SeededLots("seed"))
    while not (plan := FORMATS[slug].plan(draw)).finished:
        outcomes = {
            pairing.key: Outcome(*sorted(pairing.entrant_ids), is_drawn=True)
            for pairing in plan.pairings
            if pairing.is_ready
        }
        draw = replace(draw, outcomes=outcomes)
    met = [pairing.entrant_ids for pairing in plan.pairings]
    assert len(set(met)) == len(met) == 20
