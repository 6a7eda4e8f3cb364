"""What is said of a value that a parameter cannot have: a sentence for people, in their language."""

import pytest
from django.utils import translation

from players.errors import in_words
from players.parameters import ParameterError
from players.points import build_points
from players.ratings import build_system


def refused(build, kind: str, parameters: dict[str, object]) -> ParameterError:
    with pytest.raises(ParameterError) as caught:
        build(kind, parameters)
    assert caught.value.code == "parameter_invalid"
    return caught.value


LONG = "“Points, first place first” has at most 64 numbers; these are 65."
TAKING_PART = "“Points for taking part” is a number from 0 to 1,000,000."
ITSELF = "“A match counts as experience for itself” is either true or false."
TABLE = "“Points, first place first” takes numbers from 0 to 1,000,000, separated by spaces, at most 64."


@pytest.mark.parametrize(
    ("build", "kind", "parameters", "sentence"),
    [
        (build_points, "places", {"table": None}, TABLE),
        (build_points, "places", {"table": ["a", "b"]}, TABLE),
        (build_points, "places", {"table": [float("inf")]}, TABLE),
        (build_points, "places", {"table": [1] * 65}, LONG),
        (build_points, "places", {"taking_part": "x" * 80}, TAKING_PART),
        (build_points, "places", {"decimals": 5}, "“Decimal places” is a whole number from 0 to 4."),
        (build_points, "places", {"shared": "no"}, "“Players who share places” is one of: mean, first, last."),
        (build_system, "glicko-2", {"volatility": 0}, "“Volatility of a newcomer” is a number from 0.001 to 1."),
        (
            build_system,
            "elo",
            {"this_match_counts": 1},
            ITSELF,
        ),
    ],
)
def test_what_is_said_of_a_wrong_value(build, kind, parameters, sentence):
    error = refused(build, kind, parameters)
    assert str(error) == sentence
    with translation.override("en"):
        assert in_words(error) == sentence


def test_the_label_and_the_numbers_are_those_of_the_reader():
    error = refused(build_points, "places", {"taking_part": -1})
    with translation.override("da"):
        said = in_words(error)
    assert "»Point for at deltage«" in said
    assert "1.000.000" in said
