from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.actions import Doubled, Dropped, Took
from rules.notation import Hop
from rules.records.mat import MAX_BYTES, loads
from rules.records.record import Line, Lost, RecordError, Turn, Won
from rules.score import Side
from tests.rules.records.hostile import most_steps
from tests.steps import CountedBytes, Steps

A, B = Side.A, Side.B
RECORDS = sorted((Path(__file__).parents[2] / "data" / "records").glob("*.mat"))

GALAXY = """\
; [Site "Somewhere"]
; [Crawford "Off"]

3 point match

 Game 1
 Ann : 0                         Bob : 0
  1)                             64: 24/14
  2) 21: 13/11 6/5               62:
  3)  Doubles => 2                Takes
  4) 66: 24/18 24/18 13/7 13/7   54:
  5)  Doubles => 4                Drops
      Wins 2 point


 Game 2
 Ann : 2                         Bob : 0
  1) 31: 8/5 6/5                  Losses 1 point
      Wins 1 point and the match
"""


def test_loads_reads_the_galaxy_dialect():
    record = loads(GALAXY.encode())
    assert (record.length, record.names, record.crawford) == (3, ("Ann", "Bob"), False)
    assert record.tags == {"Site": "Somewhere", "Crawford": "Off"}
    assert [(game.number, game.score) for game in record.games] == [(1, (0, 0)), (2, (2, 0))]
    assert record.games[0].lines == (
        Line(1, Turn(B, (6, 4), (Hop(24, 14),))),
        Line(2, Turn(A, (2, 1), (Hop(13, 11), Hop(6, 5)))),
        Line(2, Turn(B, (6, 2), None)),
        Line(3, Doubled(A, 2)),
        Line(3, Took(B)),
        Line(4, Turn(A, (6, 6), (Hop(24, 18), Hop(24, 18), Hop(13, 7), Hop(13, 7)))),
        Line(4, Turn(B, (5, 4), None)),
        Line(5, Doubled(A, 4)),
        Line(5, Dropped(B)),
        Line(6, Won(A, 2)),
    )
    assert record.games[1].lines[1:] == (Line(1, Lost(B, 1)), Line(2, Won(A, 1, match=True)))


STUDIO = """\
5 point match


 Game 1
 Ann Lee : 0                            Bob : 0
  1) 51: 24/23 13/8                     42: 8/4* 6/4
  2) 63: Cannot Move                    22: bar/23 13/11(2) 6/off
  3) 32: ????                            Wins 1 point
  4)                                    \n"""


def test_loads_reads_the_studio_dialect():
    record = loads(STUDIO.encode())
    assert record.names == ("Ann Lee", "Bob")
    assert record.crawford
    assert record.games[0].lines[1:] == (
        Line(1, Turn(B, (4, 2), (Hop(8, 4, hit=True), Hop(6, 4)))),
        Line(2, Turn(A, (6, 3), ())),
        Line(2, Turn(B, (2, 2), (Hop(25, 23), Hop(13, 11), Hop(13, 11), Hop(6, 0)))),
        Line(3, Turn(A, (3, 2), None, unknown=True)),
        Line(3, Won(B, 1)),
    )


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
@pytest.mark.parametrize(
    "change",
    [
        lambda data: b"\xef\xbb\xbf" + data,
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: data.replace(b"\n", b"\r"),
        lambda data: data.rstrip(),
        lambda data: data.replace(b"\n", b"  \n"),
        lambda data: b"# a remark\n" + data,
    ],
    ids=["bom", "crlf", "cr", "no-last-newline", "trailing-blanks", "remark"],
)
def test_loads_reads_the_same_match_however_its_lines_end(path, change):
    data = path.read_bytes()
    assert loads(change(data)) == loads(data)


@pytest.mark.parametrize(("column", "side"), [(0, A), (6, A), (19, A), (20, B), (34, B), (62, B)])
def test_loads_gives_a_lone_result_to_the_player_of_its_column(column, side):
    text = GALAXY.replace("      Wins 2 point", " " * column + "Wins 2 point")
    assert loads(text.encode()).games[0].lines[-1] == Line(6, Won(side, 2))


def test_loads_reads_cells_that_touch():
    text = GALAXY.replace("13/7 13/7   54:", "13/7 13/7 54:")
    assert loads(text.encode()) == loads(GALAXY.encode())


@pytest.mark.parametrize(
    ("old", "new", "code", "game", "row"),
    [
        ("3 point match", "", "line_unreadable", None, None),
        ("3 point match", "999999999 point match", "record_length", None, None),
        ("3 point match", "9999999999 point match", "line_unreadable", None, None),
        ("3 point match", "-3 point match", "line_unreadable", None, None),
        (" Game 2", " Game 3", "game_number", 2, None),
        (" Game 1", " Game 0", "game_number", 1, None),
        (" Ann : 2", " Ann   2", "line_unreadable", 2, None),
        ("  2) 21", "  3) 21", "row_number", 1, 2),
        ("13/11 6/5", "13/11 6/x", "play_unreadable", 1, 2),
        ("13/11 6/5", "13/11 5/6", "play_unreadable", 1, 2),
        ("13/11 6/5", "Illegal play (25;0)", "position_unreadable", 1, 2),
        ("21: 13", "71: 13", "cell_unreadable", 1, 2),
        ("21: 13", "211: 13", "cell_unreadable", 1, 2),
        ("21: 13", "2: 13", "cell_unreadable", 1, 2),
        ("Doubles => 2", "Doubles", "cell_unreadable", 1, 3),
        ("Doubles => 2", "Doubles => 2222222222", "cell_unreadable", 1, 3),
        ("Takes", "Takes it", "cell_unreadable", 1, 3),
        ("Takes", "Thinks", "cell_unreadable", 1, 3),
        ("      Wins 2 point", "      Wins two point", "line_unreadable", 1, 6),
        ("  1) 31", "    31", "line_unreadable", 2, 1),
        ('"Off"]', '"Off"]\n; [Variation "Nackgammon"]', "record_variation", None, None),
    ],
)
def test_loads_names_the_place_of_what_it_cannot_read(old, new, code, game, row):
    with pytest.raises(RecordError) as error:
        loads(GALAXY.replace(old, new, 1).encode())
    finding = error.value.finding
    assert (finding.code, finding.game, finding.row) == (code, game, row)
    assert str(error.value) == finding.message


GAMES = "".join(f" Game {number}\n A : 0 B : 0\n" for number in range(1, 30_000))


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "record_no_length"),
        (b"\n" * 900_000, "record_no_length"),
        (b"3 point match\n", "record_no_games"),
        (b"3 point match\n\n Game 1\n", "game_no_names"),
        (GALAXY.encode() + b"\x00", "record_not_text"),
        (b"\x00" * 1000, "record_not_text"),
        (GALAXY.encode().replace(b"Ann", b"\x8asa"), "record_not_utf8"),
        (GALAXY.encode("utf-16")[:-1], "record_encoding"),
        (GALAXY.encode("utf-16")[2:], "record_not_text"),
        (b"x" * 10_000_000, "record_too_large"),
        (b"1" * MAX_BYTES, "line_too_long"),
        (b"3 point match\n Game 1\n" + b" " * 2000 + b"A : 0 B : 0", "line_too_long"),
        (b"3 point match\n" + GAMES.encode(), "game_count"),
        (b"999 point match\n" + GAMES.encode(), "game_count"),
        ((b"; [" + b" " * 990 + b"\n") * 1000, "record_no_length"),
        (b"3 point match\n Game 1\n" + b" : 0" * 240 + b" :", "line_unreadable"),
        (b"3 point match\n Game 1\n A : 0 B : 0\n" + b"  1) " + b"66: " * 200, "line_unreadable"),
        (b"3 point match\n Game 1\n A : 0 B : 0\n" + b"  1) 66: " + b"8/2 " * 200, "play_unreadable"),
        (b"3 point match\n Game 1\n A : 0 B : 0\n" + b"  1) 66: 8" + b"/7" * 200, "play_unreadable"),
        (b"<html><body>not found</body></html>", "line_unreadable"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_loads_refuses_hostile_bytes_with_one_sentence_after_a_few_passes(data, code):
    steps = Steps()
    with pytest.raises(RecordError) as error:
        loads(CountedBytes(steps, data))
    assert steps.taken <= most_steps(data)
    assert error.value.finding.code == code
    assert len(str(error.value)) < 200
    assert "\n" not in str(error.value)


@given(st.binary(max_size=300))
def test_loads_raises_nothing_but_a_record_error(data):
    for text in (data, b"3 point match\n Game 1\n A : 0 B : 0\n" + data):
        try:
            record = loads(text)
        except RecordError:
            continue
        assert record.games


def test_a_record_that_is_too_large_is_told_the_limit_alone_as_no_reader_reads_further():
    with pytest.raises(RecordError) as error:
        loads(b"x" * (MAX_BYTES + 1))
    assert str(error.value) == "A match record may have at most 1 MB; this one has more."
