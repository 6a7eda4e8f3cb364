"""The first edition: what is drawn by it stays as it was. The digests were taken before there was another edition."""

from dataclasses import replace
from hashlib import sha256

import pytest

from tests.tournament.formats.events import decide, field, options_of, undecided
from tournament.formats import FORMATS
from tournament.formats.editions import FIRST
from tournament.formats.errors import PlanError
from tournament.formats.plan import Draw, Entrant

SIZES = (*range(2, 26), 33, 40, 65)
SECOND = {"second_consolation": True}
CASES = [
    ("consolation", {}, "a091c446ac7cddcd"),
    ("consolation", {"consolation": "simple"}, "4689759cd01b5120"),
    ("consolation", {"consolation": "simple", "third_place": True}, "7e1f3b3b2c3c1174"),
    ("consolation", {"cut_off": "semifinalists", **SECOND}, "ef3a0c601d515b79"),
    ("consolation", {"cut_off": "quarterfinalists", "shifted": True}, "66713cdce5f1f323"),
    ("consolation", {"last_chance": "full", "consolation_lengths": [4, 2]}, "0cfd29d5ebe446b9"),
    ("consolation", {"shifted": True, "last_chance": "partial", "reunite": "second-place"}, "4e237f5a444c1edc"),
    ("consolation", {**SECOND, "second_consolation_lengths": [3], "last_chance": "full"}, "9354dc1a73a3ff9b"),
    ("double-elimination", {}, "5899c5fbe99a959d"),
    ("double-elimination", {"shifted": True}, "33039c3ed104a654"),
]


@pytest.mark.parametrize(("slug", "own", "digest"), CASES)
def test_what_was_drawn_by_the_first_edition_is_planned_as_it_was(slug, own, digest):
    format = FORMATS[slug]
    found = sha256()
    for size in SIZES:
        draw = replace(Draw(field(size), options_of(format, **own), seed=str(size)), edition=FIRST)
        try:
            plan = format.plan(draw)
        except PlanError as error:
            found.update(error.code.encode())
            continue
        found.update(repr([(one.key, one.feed_a, one.feed_b, one.length) for one in plan.pairings]).encode())
        outcomes = {}
        while not plan.finished:
            outcomes |= {one.key: decide(one, "") for one in undecided(plan, outcomes)}
            plan = format.plan(replace(draw, outcomes=outcomes))
        found.update(repr([(one.key, in_seat(one.a), in_seat(one.b)) for one in plan.pairings]).encode())
        found.update(repr([(one.entrant, one.place, one.place_to) for one in plan.placings]).encode())
    assert found.hexdigest()[:16] == digest


def in_seat(seat):
    return seat.id if isinstance(seat, Entrant) else None
