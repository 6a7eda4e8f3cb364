"""The options that a format declares: read, refused, and written back."""

import pytest
from django.utils import translation
from django.utils.translation import gettext as _

from players.errors import in_words
from tournament.formats import FORMATS, parse_options
from tournament.formats.errors import PlanError
from tournament.formats.options import PROTECT, OptionField, OptionKind, Options

FIELDS = (
    OptionField("rounds", OptionKind.NUMBER, "Rounds", 5, least=1, most=20),
    OptionField("third", OptionKind.FLAG, "Third place", False),
    OptionField("cut", OptionKind.CHOICE, "Cut", "none", choices=(("none", "none"), ("money", "money round"))),
    OptionField("later_lengths", OptionKind.LENGTHS, "Lengths", ()),
)


def test_an_option_that_is_not_named_has_its_default():
    options = Options.parse({"lengths": [7]}, FIELDS)
    assert (options.number("rounds"), options.flag("third"), options.choice("cut")) == (5, False, "none")


def test_options_read_back_as_they_were_written():
    data = {"lengths": [9, 7], "rounds": 3, "third": True, "cut": "money", "later_lengths": [5, 3]}
    options = Options.parse(data, FIELDS)
    assert Options.parse(options.as_dict(), FIELDS) == options
    assert options.as_dict() == {**data, "seeding": "random"}


def test_a_choice_that_is_a_number_may_be_written_as_one():
    sizes = OptionField("size", OptionKind.CHOICE, "Size", "8", choices=(("4", "4"), ("8", "8")))
    assert Options.parse({"lengths": [7], "size": 4}, (sizes,)).choice("size") == "4"
    with pytest.raises(PlanError):
        Options.parse({"lengths": [7], "size": 5}, (sizes,))


def test_lengths_that_are_left_empty_are_those_of_the_main_bracket():
    options = Options.parse({"lengths": [9, 7], "later_lengths": []}, FIELDS)
    assert [options.length(back, "later_lengths") for back in range(3)] == [9, 7, 7]
    options = Options.parse({"lengths": [9, 7], "later_lengths": [5, 3]}, FIELDS)
    assert [options.length(back, "later_lengths") for back in range(3)] == [5, 3, 3]


@pytest.mark.parametrize(
    ("own", "code"),
    [
        ({"rounds": 0}, "option_invalid"),
        ({"rounds": 21}, "option_invalid"),
        ({"rounds": True}, "option_invalid"),
        ({"rounds": "3"}, "option_invalid"),
        ({"third": 1}, "option_invalid"),
        ({"cut": "moon"}, "option_invalid"),
        ({"cut": ["none"]}, "option_invalid"),
        ({"later_lengths": [0]}, "length_out_of_range"),
        ({"later_lengths": 5}, "lengths_not_a_list"),
        ({"drop": 1}, "option_unknown"),
    ],
)
def test_an_option_refuses_values_that_it_does_not_take(own, code):
    with pytest.raises(PlanError) as refused:
        Options.parse({"lengths": [7], **own}, FIELDS)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("own", "sentence"),
    [
        ({"rounds": 21}, "“Rounds” is a whole number from 1 to 20."),
        ({"third": 1}, "“Third place” is either true or false."),
        ({"cut": "moon"}, "“Cut” is one of: none, money."),
        ({"day": "soon"}, "“First day” is a day from 2000-01-01 to 2199-12-31, or empty."),
    ],
)
def test_a_refused_value_is_answered_with_the_label_and_what_the_option_takes(own, sentence):
    with pytest.raises(PlanError) as refused:
        Options.parse({"lengths": [7], **own}, (*FIELDS, OptionField("day", OptionKind.DATE, "First day", "")))
    assert str(refused.value) == in_words(refused.value) == sentence
    assert refused.value.params["option"] in own


def test_the_label_of_a_refused_option_is_in_the_readers_language():
    with pytest.raises(PlanError) as refused:
        parse_options("single-elimination", {"lengths": [7], "protect": "moon"})
    with translation.override("da"):
        assert _(PROTECT.label) in in_words(refused.value)
        assert PROTECT.label not in in_words(refused.value)


@pytest.mark.parametrize("slug", FORMATS)
def test_every_formats_defaults_are_options_that_it_takes(slug):
    options = parse_options(slug, {"lengths": [7]})
    assert parse_options(slug, options.as_dict()) == options
