import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.formats.errors import PlanError
from tournament.formats.options import Options, Seeding
from tournament.formats.plan import (
    Bye,
    Entrant,
    LoserOf,
    LoserOfRound,
    Outcome,
    Pairing,
    Placing,
    Plan,
    Reason,
    WinnerOf,
    feed_of,
    parse_feed,
)

ANNA, BO = Entrant(1, "Anna"), Entrant(2, "Bo")
WHY = Reason("drawn", "Drawn.")


def pairing(a, b):
    return Pairing("M1-1", "M", 1, 1, a, b, 7, feed_of(a), feed_of(b), WHY)


@pytest.mark.parametrize(
    ("seat", "text"),
    [
        (Bye(), "bye"),
        (WinnerOf("M1-1"), "winner:M1-1"),
        (LoserOf("C2-13"), "loser:C2-13"),
        (LoserOfRound(10), "round:10"),
    ],
)
def test_feed_reads_back_as_the_seat(seat, text):
    assert feed_of(seat) == text
    assert parse_feed(text) == seat


def test_feed_of_an_entrant_is_empty_and_reads_back_as_none():
    assert feed_of(ANNA) == ""
    assert parse_feed("") is None


@pytest.mark.parametrize(
    "text",
    ["winner:", "loser:", "winner", "Bye", " bye", "drawn:M1-1", ":M1-1", "round:", "round:0", "round:x", "round:²"],
)
def test_parse_feed_refuses_other_texts(text):
    with pytest.raises(PlanError) as refused:
        parse_feed(text)
    assert refused.value.code == "feed_unreadable"


@pytest.mark.parametrize(
    ("a", "b", "is_bye", "is_ready", "ids"),
    [
        (ANNA, BO, False, True, {1, 2}),
        (ANNA, Bye(), True, False, {1}),
        (ANNA, WinnerOf("M1-2"), False, False, {1}),
        (WinnerOf("M1-1"), WinnerOf("M1-2"), False, False, set()),
    ],
)
def test_pairing_says_what_it_is_waiting_for(a, b, is_bye, is_ready, ids):
    assert (pairing(a, b).is_bye, pairing(a, b).is_ready, pairing(a, b).entrant_ids) == (is_bye, is_ready, ids)


def test_reason_text_fills_in_the_parameters():
    assert Reason("seeds", "Seed %(a)s meets seed %(b)s.", (("a", 3), ("b", 6))).text == "Seed 3 meets seed 6."


def test_plan_error_carries_code_template_and_params():
    error = PlanError("field_size", "At most %(most)s.", most=8)
    assert (str(error), error.code, error.template, error.params) == (
        "At most 8.",
        "field_size",
        "At most %(most)s.",
        {"most": 8},
    )


@pytest.mark.parametrize(
    ("placings", "finished", "winners"),
    [
        ((Placing(1, 1, 1), Placing(2, 2, 2)), True, (1,)),
        ((Placing(1, 1, 2), Placing(2, 1, 2)), True, (1, 2)),
        ((Placing(1, 1, 2), Placing(2, 1, 2)), False, ()),
        (None, True, ()),
    ],
)
def test_plan_winners_are_those_placed_first_at_the_end(placings, finished, winners):
    assert Plan((), placings, finished).winners == winners


@given(
    lengths=st.lists(st.integers(1, 99), min_size=1, max_size=16).map(tuple),
    seeding=st.sampled_from(Seeding),
)
def test_options_read_back_as_written(lengths, seeding):
    options = Options(lengths=lengths, seeding=seeding)
    assert Options.parse(options.as_dict()) == options


def test_options_seeding_is_random_when_absent():
    assert Options.parse({"lengths": [7]}) == Options((7,), Seeding.RANDOM)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({}, "lengths_not_a_list"),
        ({"lengths": []}, "lengths_not_a_list"),
        ({"lengths": 7}, "lengths_not_a_list"),
        ({"lengths": "7"}, "lengths_not_a_list"),
        ({"lengths": {"7": 7}}, "lengths_not_a_list"),
        ({"lengths": [7] * 17}, "lengths_not_a_list"),
        ({"lengths": [7, 0]}, "length_out_of_range"),
        ({"lengths": [100]}, "length_out_of_range"),
        ({"lengths": [True]}, "length_out_of_range"),
        ({"lengths": [7.0]}, "length_out_of_range"),
        ({"lengths": ["7"]}, "length_out_of_range"),
        ({"lengths": [None]}, "length_out_of_range"),
        ({"lengths": [7], "seeding": "fold"}, "seeding_unknown"),
        ({"lengths": [7], "seeding": None}, "seeding_unknown"),
        ({"lengths": [7], "seeding": ["random"]}, "seeding_unknown"),
        ({"lengths": [7], "length": 7}, "option_unknown"),
    ],
)
def test_options_refuse_anything_else(data, code):
    with pytest.raises(PlanError) as refused:
        Options.parse(data)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("lengths", "rounds_to_final", "length"),
    [((9, 7, 5), 0, 9), ((9, 7, 5), 1, 7), ((9, 7, 5), 2, 5), ((9, 7, 5), 8, 5), ((11,), 0, 11), ((11,), 4, 11)],
)
def test_options_lengths_are_read_from_the_final_backwards(lengths, rounds_to_final, length):
    assert Options(lengths).length(rounds_to_final) == length


def test_outcome_is_a_value():
    assert Outcome(1, 2) == Outcome(winner=1, loser=2)
