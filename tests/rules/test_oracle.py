"""The whole set of legal plays matches two generators that know nothing of ours."""

import random
from dataclasses import replace
from importlib.util import find_spec
from itertools import islice

import pytest

from rules.perft import ROLLS
from rules.plays import legal_plays
from rules.profiles import DE_LEAFLET, WBGF
from tests.conftest import cannot
from tests.rules.naive import naive_plays
from tests.rules.oracle import gnubg_keys, keys
from tests.rules.samples import KINDS

POSITIONS = 240
"""Positions of each kind, tried with every roll: 20,160 comparisons."""


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_legal_plays_are_those_of_gnubg(kind):
    if find_spec("gnubg_nn") is None:
        cannot("gnubg-nn has no wheel for this machine or Python")
    for position in islice(KINDS[kind](random.Random(kind)), POSITIONS):
        for roll in ROLLS:
            assert keys(legal_plays(position, roll, WBGF)) == gnubg_keys(position, roll), (position, roll)


@pytest.mark.parametrize(
    "profile", [WBGF, DE_LEAFLET, replace(WBGF, higher_die=False)], ids=["usual", "free", "either"]
)
@pytest.mark.parametrize("kind", sorted(KINDS))
def test_legal_plays_are_those_found_the_long_way_round(kind, profile):
    rng = random.Random(f"{kind} long")
    for position in islice(KINDS[kind](rng), 40):
        for roll in rng.sample(ROLLS, 2):
            assert legal_plays(position, roll, profile) == naive_plays(position, roll, profile), (position, roll)
