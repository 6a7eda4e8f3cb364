"""What holds for every occasion in the table."""

import pytest

from tournament.formats import FORMATS, parse_options
from tournament.formats.errors import PlanError
from tournament.formats.occasions import OCCASIONS
from tournament.rehearsal.simulation import simulate_event

EVERY_OCCASION = pytest.mark.parametrize("occasion", OCCASIONS.values(), ids=OCCASIONS.keys())


@EVERY_OCCASION
@pytest.mark.parametrize("players", [8, 16, 33])
def test_an_occasion_is_drawn_and_played_to_its_end(occasion, players):
    format, options = FORMATS[occasion.format], parse_options(occasion.format, occasion.options)
    if players > format.max_entrants:
        with pytest.raises(PlanError) as refused:
            simulate_event(format, options, players, occasion.slug)
        assert refused.value.code == "field_size"
        return
    event = simulate_event(format, options, players, occasion.slug)
    assert event.violations == ()
    assert event.matches > 0


def test_only_the_league_has_a_limit_below_33():
    assert [one.slug for one in OCCASIONS.values() if FORMATS[one.format].max_entrants < 33] == ["season"]


@EVERY_OCCASION
def test_what_an_occasion_asks_for_is_an_option_of_its_format(occasion):
    fields = {field.name for field in FORMATS[occasion.format].fields}
    assert set(occasion.asks) <= fields
    assert set(occasion.options) <= fields | {"lengths"}


def test_every_occasion_stands_under_its_slug():
    assert [slug for slug, occasion in OCCASIONS.items() if slug != occasion.slug] == []
    assert len({occasion.name for occasion in OCCASIONS.values()}) == len(OCCASIONS) == 6
