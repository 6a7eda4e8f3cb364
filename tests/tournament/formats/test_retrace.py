"""A knockout retraced after a correction is what the format plans from the start."""

from contextlib import suppress
from dataclasses import replace
from random import Random

import pytest

from tests.tournament.formats.events import field, options_of, play_out, undecided
from tests.tournament.formats.variants import variants
from tournament.formats import FORMATS
from tournament.formats.advance import retrace
from tournament.formats.errors import PlanError
from tournament.formats.plan import Draw, Outcome


def changed(draw, plan, rng):
    """Return the outcomes after a correction: another winner, a void match, one taken back, or one of two others."""
    outcomes = dict(draw.outcomes)
    for key in rng.sample(sorted(outcomes), min(len(outcomes), rng.choice([1, 1, 1, 2, 4]))):
        was = outcomes[key]
        match rng.randrange(5):
            case 0:
                del outcomes[key]
            case 1:
                outcomes[key] = Outcome(was.winner, was.loser, is_void=not was.is_void)
            case 2:
                outcomes[key] = Outcome(*rng.sample([entrant.id for entrant in draw.entrants], 2))
            case _:
                outcomes[key] = Outcome(was.loser, was.winner)
    for pairing in undecided(plan, draw.outcomes):
        if rng.random() < 0.3:
            outcomes[pairing.key] = Outcome(*rng.sample(sorted(pairing.entrant_ids), 2))
    return outcomes


def plan_or_none(format, draw):
    with suppress(PlanError):
        return format.plan(draw)
    return None


@pytest.mark.parametrize("slug", ["single-elimination", "consolation", "double-elimination"])
@pytest.mark.parametrize("number", range(16))
def test_a_retraced_knockout_equals_its_plan(slug, number):
    format, rng = FORMATS[slug], Random(f"{slug} {number}")
    options = variants(slug)[number % len(variants(slug))]
    draw = Draw(field(rng.choice([6, 11, 16, 19]), 19), options, seed="retraced")
    plan, count = plan_or_none(format, draw), 0
    for _step in range(60 if plan else 0):
        later = replace(draw, outcomes=changed(draw, plan, rng))
        planned, run = plan_or_none(format, later), retrace(plan.run, later.outcomes)
        if planned is None:
            assert run is None
            continue
        if run is not None:
            retraced = format.plan_after(run)
            assert retraced == planned
            assert run.result.tracks == planned.run.result.tracks
            planned, count = retraced, count + 1
        draw, plan = later, planned
    graph = plan.run.graph if plan else None
    assert count > 0 or graph is None or graph.places_losers or graph.asks_for_wins


def test_what_is_not_corrected_is_not_planned_again():
    format = FORMATS["consolation"]
    draw = play_out(format, Draw(field(16), options_of(format), seed="retraced"))
    run = format.plan(draw).run
    was = draw.outcomes["M4-1"]
    again = retrace(run, {**draw.outcomes, "M4-1": Outcome(was.loser, was.winner)})
    moved = [old.key for old, new in zip(run.result.at, again.result.at, strict=True) if old is not new]
    assert moved == ["M4-1"]
    assert retrace(run, dict(draw.outcomes)) is run
