"""Every rule is cited by text and section, from the profile's own text or from the texts that it is taken from."""

import pytest

from rules.citations import Citation, cite, cite_section
from rules.disputes import Dispute, settle
from rules.profiles import PROFILES
from tests.rules.texts import S0, S1, S2, S3, S4

WBGF = PROFILES["wbgf"]


@pytest.mark.parametrize(
    ("parameter", "profile", "citation"),
    [
        ("double_timing", S2, Citation(True, ('S2, rules of Dansk Backgammon Forbund: "Dobleterningen"',))),
        ("higher_die", S2, Citation(True, ('S2, rules of Dansk Backgammon Forbund: "Flyt af brikker - regler" 6',))),
        ("illegal_move", WBGF, Citation(True, ('WBGF Tournament Rules, Ed. 2.1 (2023): 4.2(iii) "Legal Moves"',))),
        (
            "bearoff_overshoot",
            S3,
            Citation(True, ('S3, nbgf.no "historie og regler" (not official): "Backgammon regler"',)),
        ),
        (
            "double_timing",
            S1,
            Citation(
                False,
                (
                    'S0, leaflet of an old Danish set: "Doblerterningen"',
                    'S2, rules of Dansk Backgammon Forbund: "Dobleterningen"',
                    'S3, nbgf.no "historie og regler" (not official): "Doblingskuben"',
                ),
            ),
        ),
        ("illegal_move", S4, Citation(False, ())),
    ],
)
def test_cite_names_text_and_section_of_the_profile_or_else_of_all_that_say_the_same(parameter, profile, citation):
    assert cite(parameter, profile) == citation


@pytest.mark.parametrize("profile", PROFILES.values(), ids=lambda profile: profile.slug)
def test_cite_states_exactly_what_the_profile_states_and_takes_nothing_that_says_otherwise(profile):
    for parameter, value in profile.parameters.items():
        citation = cite(parameter, profile)
        same = [text for text in PROFILES.values() if text.states(parameter) and getattr(text, parameter) == value]
        sources = [profile] if profile.states(parameter) else same
        assert citation.stated == profile.states(parameter)
        assert [place.startswith(f"{text.source}: ") for place, text in zip(citation.places, sources, strict=True)] == [
            True for _ in sources
        ]


def test_cite_knows_only_parameters():
    with pytest.raises(AttributeError):
        cite("name_of_the_game", S0)


def test_cite_section_is_stated_only_under_its_own_text():
    assert cite_section(S2, '"Dobleterningen"', S2) == Citation(True, (f'{S2.source}: "Dobleterningen"',))
    assert cite_section(S2, '"Dobleterningen"', S4) == Citation(False, (f'{S2.source}: "Dobleterningen"',))


def test_settle_cites_the_dispute():
    assert settle(Dispute.DOUBLE_TAKEN_BACK, S4).citation == Citation(
        False, ('S2, rules of Dansk Backgammon Forbund: "Dobleterningen - fortsat"',)
    )
    assert settle(Dispute.LATE_DOUBLE, S4).citation == Citation(True, ('S4, "Spielregeln Backgammon": "Spielende"',))
    assert settle(Dispute.ILLEGAL_PLAY, S1).citation == Citation(False, ())
