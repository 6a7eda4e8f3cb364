import pytest

from tests.tournament.formats.events import field, options_of
from tournament.formats import FORMATS
from tournament.formats.consolation_graph import Shape
from tournament.formats.errors import PlanError
from tournament.formats.knockout_options import CONSOLATION_FIELDS, shape_of, with_defaults
from tournament.formats.options import Options
from tournament.formats.plan import Draw

FORMAT = FORMATS["consolation"]


def shape(rounds, **chosen):
    return shape_of(options_of(FORMAT, **chosen), rounds)


def test_default_is_a_progressive_consolation_for_all_but_the_finalists():
    assert shape(5) == Shape(falling=4, recharge=True)


@pytest.mark.parametrize(
    ("chosen", "falling"),
    [
        ({"consolation": "none"}, 0),
        ({"consolation": "simple"}, 1),
        ({"cut_off": "nobody"}, 5),
        ({"cut_off": "finalists"}, 4),
        ({"cut_off": "semifinalists"}, 3),
        ({"cut_off": "quarterfinalists"}, 2),
        ({"cut_off": "round", "cut_off_round": 3}, 3),
        ({"cut_off": "round", "cut_off_round": 9}, 4),
        ({"cut_off": "round"}, 2),
        ({"consolation": "simple", "cut_off": "nobody"}, 1),
    ],
)
def test_cut_off_says_up_to_which_round_the_losers_come_in(chosen, falling):
    assert shape(5, **chosen).falling == falling


@pytest.mark.parametrize(
    ("chosen", "code"),
    [
        ({"consolation": "none", "last_chance": "full"}, "consolation_missing"),
        ({"consolation": "none", "second_consolation": True}, "consolation_missing"),
        ({"consolation": "none", "reunite": "second-place"}, "consolation_missing"),
        ({"reunite": "grand-final"}, "grand_final_not_for_all"),
        ({"reunite": "grand-final", "consolation": "simple", "cut_off": "nobody"}, "grand_final_not_for_all"),
        ({"reunite": "second-place", "cut_off": "nobody"}, "finalist_falls"),
        ({"third_place": True}, "third_place_taken"),
        ({"third_place": True, "cut_off": "nobody"}, "third_place_taken"),
        ({"third_place": True, "cut_off": "round", "cut_off_round": 4}, "third_place_taken"),
        ({"third_place": True, "cut_off": "semifinalists", "reunite": "second-place"}, "third_place_taken"),
    ],
)
def test_incompatible_choices_are_refused_in_one_sentence(chosen, code):
    with pytest.raises(PlanError) as refusal:
        FORMAT.plan(Draw(field(32), options_of(FORMAT, **chosen)))
    assert refusal.value.code == code
    assert str(refusal.value).count(".") == 1


@pytest.mark.parametrize(
    "chosen",
    [
        {"third_place": True, "cut_off": "semifinalists"},
        {"third_place": True, "consolation": "none"},
        {"reunite": "grand-final", "cut_off": "nobody"},
        {"reunite": "second-place", "consolation": "simple"},
    ],
)
def test_compatible_choices_are_accepted(chosen):
    FORMAT.plan(Draw(field(32), options_of(FORMAT, **chosen)))


def test_field_too_small_for_a_consolation_is_noted():
    plan = FORMAT.plan(Draw(field(4), options_of(FORMAT, cut_off="semifinalists")))
    assert {pairing.bracket for pairing in plan.pairings} == {"M"}
    assert [note.text for note in plan.notes] == ["With 4 entrants nobody enters the consolation, so there is none."]


def test_missing_options_are_their_defaults_and_a_preset_comes_first():
    options = with_defaults(Options((5,), own={"shifted": True}), CONSOLATION_FIELDS, reunite="grand-final")
    assert (options.flag("shifted"), options.choice("byes"), options.choice("reunite")) == (
        True,
        "seeds",
        "grand-final",
    )


LENGTHS = {"consolation_lengths": [4], "second_consolation_lengths": [3], "last_chance_lengths": [2]}


def lengths_of_finals(*left_empty, second=False):
    """The length of the final of each bracket, with these lengths left empty; a main final is to 9."""
    chosen = {name: value for name, value in LENGTHS.items() if name not in left_empty}
    options = options_of(FORMAT, last_chance="full", second_consolation=second, **chosen)
    pairings = FORMAT.plan(Draw(field(16), options, seed="x")).pairings
    return {pairing.bracket: pairing.length for pairing in sorted(pairings, key=lambda one: one.round)}


def test_an_empty_length_means_that_of_the_bracket_whose_losers_play_there():
    assert lengths_of_finals() == {"M": 9, "C": 4, "L": 2}
    assert lengths_of_finals("last_chance_lengths") == {"M": 9, "C": 4, "L": 4}
    assert lengths_of_finals("consolation_lengths", "last_chance_lengths") == {"M": 9, "C": 9, "L": 9}
    assert lengths_of_finals("last_chance_lengths", second=True) == {"M": 9, "C": 4, "D": 3, "L": 3}
    assert lengths_of_finals("second_consolation_lengths", second=True) == {"M": 9, "C": 4, "D": 4, "L": 2}
    assert lengths_of_finals(*LENGTHS, second=True) == {"M": 9, "C": 9, "D": 9, "L": 9}
