import pytest

from tournament.formats.options import Options
from tournament.log.words import tell
from tournament.models import LogEntry
from tournament.pages.tags import score_sheet, words


@pytest.mark.parametrize(
    ("value", "shown"),
    [(None, "–"), (0, "0"), (3, "3"), (-2, "−2"), ("7/2", "3½"), ("1/2", "½"), ("-1/2", "−½"), ("7/3", "7/3")],
)
def test_tiebreak_value_is_written_as_people_write_it(value, shown):
    assert words.tiebreak_value(value) == shown


def test_a_rating_is_written_with_decimals():
    assert words.tiebreak_value(152340, "rating") == "1523.40"
    assert words.tiebreak_value(152340, "buchholz") == "152340"


@pytest.mark.parametrize(
    ("lengths", "phrase"),
    [
        ((7,), "to 7"),
        ((7, 7), "to 7"),
        ((9, 7), "to 7, final to 9"),
        ((11, 9, 7), "to 7, semifinals to 9, final to 11"),
    ],
)
def test_lengths_are_listed_from_the_earlier_rounds_to_the_final(lengths, phrase):
    assert words.lengths(Options(lengths=lengths)) == phrase


@pytest.mark.parametrize(
    ("points", "length", "filled", "rects"), [(0, 7, 0, 7), (5, 7, 5, 7), (7, 7, 7, 7), (1, 1, 1, 1)]
)
def test_pips_show_the_points_out_of_the_length(points, length, filled, rects):
    picture = score_sheet.pips(points, length)
    assert (picture.count('class="on"'), picture.count("<rect")) == (filled, rects)


def test_pips_of_a_long_match_are_a_bar():
    assert 'width="40" height="4" rx="1" class="on"' in score_sheet.pips(20, 50)


@pytest.mark.parametrize(
    ("verb", "detail", "told"),
    [
        ("make_draw", {"seed": "ab", "entries": 8}, "Drawn: 8 entries"),
        ("enter_result", {"fixture": "M1-1", "score": [7, 3], "conclusion": "played"}, "M1-1: 7\u2060–\u20603"),
        (
            "enter_result",
            {"fixture": "M1-1", "score": [7, 0], "conclusion": "walkover"},
            "M1-1: 7\u2060–\u20600 by walkover",
        ),
        (
            "enter_result",
            {"fixture": "M1-1", "players": ["Ann", "Bo"], "score": [7, 3], "conclusion": "played"},
            "M1-1 Ann – Bo: 7\u2060–\u20603",
        ),
        ("void_result", {"fixture": "M1-1", "score": [7, 3]}, "M1-1: result 7\u2060–\u20603 taken back"),
        ("add_entries", {"names": ["Ann", "Bo"]}, "Entered: Ann, Bo"),
        ("add_entries", {"names": ["Ann"], "late": ["Ann"]}, "Late, taking a bye: Ann"),
        ("undo_merge", {"names": ["Ann"], "before": "Anne"}, "Merge of Anne into Ann undone"),
        (
            "add_entries",
            {"names": [str(n) for n in range(14)]},
            "Entered: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 2 more",
        ),
        ("seed_entry", {"seed": None}, "Seed removed"),
        (
            "enter_result",
            {"fixture": "R1-1", "stage": 2, "players": ["Ann", "Bo"], "score": [7, 3], "conclusion": "played"},
            "Stage 2, R1-1 Ann – Bo: 7\u2060–\u20603",
        ),
        ("make_draw", {"entries": 4, "stage": 2}, "Stage 2 drawn: 4 entries"),
        ("cancel_draw", {"seed": "ab"}, "Draw taken back"),
        ("cancel_draw", {"seed": "ab", "stage": 2}, "Draw of stage 2 taken back"),
        ("add_stage", {"stage": 2, "format": "swiss"}, "Stage 2 added: Swiss"),
        ("remove_stage", {"stage": 2}, "Stage 2 removed"),
        ("withdraw_entry", {"names": ["Ann"], "round": 3}, "Sits out from round 3: Ann"),
        ("return_entry", {"names": ["Ann"], "round": 5}, "Back from round 5: Ann"),
        ("keep_apart", {"names": ["Ann"], "family": "Byl"}, "Ann: family “Byl”"),
        ("keep_apart", {"names": ["Ann"], "family": ""}, "Ann: no family"),
        ("some_other_verb", {}, "Some other verb"),
    ],
)
def test_log_entry_is_described_in_a_sentence(verb, detail, told):
    assert tell(LogEntry(verb=verb, detail=detail)) == told
