"""The rest of an event in progress: it ends, not before the matches being played do, and sooner as it goes on."""

from fractions import Fraction
from statistics import median

import pytest

from tournament.formats import FORMATS, parse_options
from tournament.formats.plan import Draw, Outcome, Published
from tournament.rehearsal.chance import MINUTES_A_POINT, draw_field
from tournament.rehearsal.rest import UnfinishedStage, minutes_left

SEEDS = [str(number) for number in range(15)]


def situation(slug: str, rounds_played: int = 0, *, players: int = 16, tables: int = 8, running=(), pace=8):
    """A stage in which the lower id has won every match of the first rounds."""
    field, options = draw_field(players, "1"), parse_options(slug, {"lengths": [5]})
    outcomes: dict[str, Outcome] = {}
    published: dict[str, Published] = {}
    for number in range(1, rounds_played + 1):
        plan = FORMATS[slug].plan(Draw(field, options, outcomes, "1", tuple(published.values())))
        for pairing in plan.pairings:
            if pairing.round == number and pairing.is_ready:
                a, b = pairing.a.id, pairing.b.id
                published[pairing.key] = Published(pairing.key, a, b)
                outcomes[pairing.key] = Outcome(min(a, b), max(a, b))
    draw = Draw(field, options, outcomes, "1", tuple(published.values()))
    return UnfinishedStage(FORMATS[slug], draw, dict(running), tables, Fraction(pace))


def usual(found: UnfinishedStage) -> int:
    return median(minutes_left(found, seed) for seed in SEEDS)


@pytest.mark.parametrize("slug", ["single-elimination", "swiss", "round-robin"])
def test_the_rest_is_shorter_the_more_has_been_played(slug):
    lefts = [usual(situation(slug, played)) for played in (0, 2, 4)]
    assert lefts == sorted(lefts, reverse=True)
    assert lefts[0] > lefts[1]


def test_an_event_that_is_over_has_nothing_left():
    assert minutes_left(situation("single-elimination", 4), "1") == 0


def test_the_same_seed_gives_the_same_time_and_a_slow_hall_takes_longer():
    found = situation("single-elimination", 1)
    assert minutes_left(found, "1") == minutes_left(found, "1")
    slow = situation("single-elimination", 1, pace=2 * MINUTES_A_POINT)
    assert 1.7 * usual(found) < usual(slow) < 2.3 * usual(found)


def test_fewer_tables_take_longer():
    assert usual(situation("single-elimination", tables=2)) > usual(situation("single-elimination", tables=8))


def test_a_match_that_is_being_played_has_less_time_left_but_never_none():
    final = situation("single-elimination", 3)
    assert usual(situation("single-elimination", 3, running={"M4-1": 20})) < usual(final)
    assert minutes_left(situation("single-elimination", 3, running={"M4-1": 2000}), "1") == 5


def test_without_a_table_nothing_ends():
    assert minutes_left(situation("single-elimination", tables=0), "1") is None
