"""The profiles against the table of what each rule text says."""

import re
from dataclasses import fields

import pytest

from rules.profiles import DEFAULT_PROFILE, PROFILES, USUAL, RuleProfile, Variants, variant_fault

TWO = "two_dice_each_highest_total"
SLUGS = ["dk-leaflet", "se-web", "dbf", "nbgf-info", "de-leaflet"]

TABLE = {
    "notation": ["dk_sw", "24", "24", "24", "24"],
    "opening": ["one_die_each", TWO, "one_die_each", "one_die_each", TWO],
    "first_roll_may_be_double": [False, True, False, False, True],
    "higher_die": [True] * 5,
    "bearoff_overshoot": ["highest_mandatory"] * 4 + ["free"],
    "multipliers": [(1, 2, 3)] * 4 + [(1, 2)],
    "backgammon_zone": ["winner_home+bar", "winner_half+bar", "winner_home+bar", "winner_home+bar", "none"],
    "borne_off_is_single": [False, *[True] * 4],
    "double_timing": ["before_own_roll"] * 4 + ["any_time"],
    "immediate_redouble": [True, False, False, False, False],
    "cube_cap": [64, 64, 64, None, 64],
    "resignation": ["always_backgammon"] + ["offered_level"] * 4,
    "automatic_double": [True, False, False, False, False],
    "jacquet": [True, False, False, False, False],
    "match_play": [False, False, True, True, False],
    "crawford": [False, False, True, True, False],
    "illegal_move": ["unstated", "unstated", "accept_or_redo_all", "unstated", "unstated"],
}

VARIANTS = {"automatic_double", "jacquet"}

DEFAULTS = {
    "dk-leaflet": {"match_play", "crawford", "illegal_move"},
    "se-web": {
        "notation",
        "higher_die",
        "bearoff_overshoot",
        "borne_off_is_single",
        "double_timing",
        "resignation",
        *VARIANTS,
        *("match_play", "crawford", "illegal_move"),
    },
    "dbf": {"opening", "resignation", *VARIANTS},
    "nbgf-info": {"resignation", *VARIANTS, "illegal_move"},
    "de-leaflet": {
        *("notation", "higher_die", "resignation", *VARIANTS),
        *("match_play", "crawford", "illegal_move"),
    },
}
"""The parameters that no sentence of the text states, read off the texts by hand."""

TEXTS = {"wbgf": "WBGF", "dk-leaflet": "S0", "se-web": "S1", "dbf": "S2", "nbgf-info": "S3", "de-leaflet": "S4"}

PARAMETERS = {field.name for field in fields(RuleProfile)} - {"slug", "name", "source", "stated"}


@pytest.mark.parametrize("parameter", TABLE)
def test_profiles_say_what_the_texts_say(parameter):
    assert [getattr(PROFILES[slug], parameter) for slug in SLUGS] == TABLE[parameter]


def test_profiles_table_covers_every_parameter():
    assert set(TABLE) - {"first_roll_may_be_double"} == PARAMETERS


@pytest.mark.parametrize("slug", SLUGS)
def test_profiles_name_their_defaults(slug):
    assert PROFILES[slug].defaults == DEFAULTS[slug]


@pytest.mark.parametrize("slug", PROFILES)
def test_profile_defaults_are_parameters_and_slugs_are_keys(slug):
    profile = PROFILES[slug]
    assert profile.slug == slug
    assert profile.defaults <= PARAMETERS
    assert {parameter for parameter in PARAMETERS if not profile.states(parameter)} == profile.defaults
    with pytest.raises(AttributeError):
        profile.states("no_such_parameter")


@pytest.mark.parametrize("slug", PROFILES)
def test_profile_names_the_place_of_every_sentence_in_its_own_text(slug):
    places = PROFILES[slug].stated
    assert {place.split()[0] for place in places.values()} == {TEXTS[slug]}
    assert [place for place in places.values() if not re.fullmatch(r'\S+( \S+)? "[^"]+"(.*: "[^"]+".*)?', place)] == []


def test_default_profile_is_wbgf_and_claims_only_what_was_read():
    assert DEFAULT_PROFILE is PROFILES["wbgf"]
    assert set(DEFAULT_PROFILE.stated) == {"match_play", "illegal_move"}
    assert DEFAULT_PROFILE.illegal_move == "legal_moves"
    assert DEFAULT_PROFILE.cube_cap is None
    assert DEFAULT_PROFILE.multipliers == (1, 2, 3)
    assert set(PROFILES) == {"wbgf", *SLUGS}


@pytest.mark.parametrize(
    ("variants", "slug", "length", "fault"),
    [
        (USUAL, "wbgf", 7, None),
        (Variants(cube=False, jacoby=True, beavers=False), "wbgf", 7, None),
        (Variants(automatic_doubles=1), "dk-leaflet", 0, None),
        (Variants(automatic_doubles=1), "dk-leaflet", 7, "automatic_double_in_match"),
        (Variants(automatic_doubles=1), "dbf", 0, "automatic_double_not_offered"),
        (Variants(automatic_doubles=1, cube=False), "dk-leaflet", 0, "automatic_double_without_cube"),
        (Variants(automatic_doubles=-1), "dk-leaflet", 0, "automatic_doubles_negative"),
        (Variants(jacquet=True), "dk-leaflet", 0, None),
        (Variants(jacquet=True), "wbgf", 0, "jacquet_not_offered"),
    ],
)
def test_variant_fault_names_what_cannot_be_agreed_on(variants, slug, length, fault):
    assert variant_fault(variants, PROFILES[slug], length) == fault
