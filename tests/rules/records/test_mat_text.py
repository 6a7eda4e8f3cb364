from dataclasses import replace
from pathlib import Path

import pytest

from rules.records.mat import loads
from rules.records.mat_text import dumps
from rules.records.record import Line, RecordError, SetUp
from rules.records.replay import verify

RECORDS = Path(__file__).parents[2] / "data" / "records"
TEXT = """\
; [Site "Somewhere"]
; [Letters "Latin-1"]

 3 point match

 Game 4
 Ann Lee,1812.5 : 0             Bob : 0
  1)                             64: 24/14
  2) 21: 13/11 6/5*              62:
  3)  Doubles => 2                Takes
  4) 66: 24/18 24/18 13/7 13/7   54: 25/20 3/off
  5) 31: Cannot Move             65: ????
  6)  Losses 2 points
                                   Wins 2 points

 Game 5
 Ann Lee,1815 : 0               Bob : 2
  1) 31: 8/5 6/5                  Doubles => 4
  2)  Drops
                                   Wins 1 point and the match
"""


def test_dumps_writes_columns_words_and_points_as_gnu_backgammon_does():
    lines = dumps(loads(TEXT.encode())).decode().split("\n")
    assert [line.rstrip() for line in lines] == TEXT.replace("3/off", "3/0").split("\n")
    assert f"  2) {' Drops':<27} " in lines


@pytest.mark.parametrize("path", sorted(RECORDS.rglob("gnubg-*.mat")), ids=lambda path: path.stem)
def test_what_gnu_backgammon_wrote_is_written_again_word_for_word(path):
    written = dumps(loads(path.read_bytes())).decode()
    words, its_words = ([line.split() for line in text.split("\n")] for text in (written, path.read_text()))
    assert [line for line in words if line] == [line for line in its_words if line]


def test_every_row_is_as_wide_as_a_left_cell_so_that_gnu_backgammon_reads_no_right_cell_twice():
    rows = "  1) 31: 8/5 6/5                64: 24/14\n  2) 52: 13/8 24/22\n  3)\n      Wins 1 point\n"
    written = dumps(loads(f" 3 point match\n\n Game 1\n Ann : 0     Bob : 0\n{rows}".encode())).decode()
    assert [len(line) for line in written.split("\n") if ")" in line] == [42, 33, 33]


def test_a_name_with_letters_beyond_ascii_is_utf8():
    record = loads(TEXT.replace("Bob", "Åse Ø").encode())
    assert loads(dumps(record)) == record
    assert "Åse Ø : 0".encode() in dumps(record)


def test_snowies_illegal_play_is_written_for_the_player_who_is_then_on_roll():
    path = RECORDS / "gnubg-3pt-illegal.txt"
    record = loads(path.read_bytes())
    assert loads(dumps(record)) == record
    (line,) = [line for line in path.read_text().split("\n") if "Illegal" in line]
    assert line in dumps(record).decode().split("\n")


@pytest.mark.parametrize(
    ("names", "tags"),
    [
        (("Ann : 3", "Bob"), {}),
        (("Ann, 1500", "Bob"), {}),
        (("Ann\nLee", "Bob"), {}),
        ((" Ann", "Bob"), {}),
        (("Ann", "Bob\x00"), {}),
        (("Ann", "Bob"), {"Event": "two\nlines"}),
        (("Ann", "Bob"), {' "': ""}),
        (("Ann", "Bob"), {"Variation": "Nackgammon"}),
    ],
)
def test_a_record_that_the_format_cannot_hold_is_not_written(names, tags):
    record = loads(TEXT.encode())
    games = tuple(replace(game, names=names, ratings=("", "")) for game in record.games)
    with pytest.raises(RecordError) as error:
        dumps(replace(record, games=games, tags=tags))
    assert error.value.finding.code == "record_not_writable"


def test_a_position_set_up_by_hand_is_not_written():
    record = loads(TEXT.encode())
    game = replace(record.games[0], lines=(Line(1, SetUp((("CV", ("2",)),))),))
    with pytest.raises(RecordError) as error:
        dumps(replace(record, games=(game,)))
    assert (error.value.finding.code, error.value.finding.game, error.value.finding.row) == (
        "record_not_writable",
        4,
        1,
    )


def test_the_written_record_is_proved_as_the_one_that_was_read():
    data = (RECORDS / "studio-7pt.mat").read_bytes()
    assert verify(dumps(loads(data))) == verify(data)
