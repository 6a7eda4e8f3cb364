import re
from pathlib import Path

import pytest

from rules.actions import Doubled, Dropped, Took
from rules.notation import Hop
from rules.position import Position
from rules.records import mat, mat_text
from rules.records.record import Line, Lost, RecordError, SetUp, Turn, Won
from rules.records.replay import Verdict, replay, verify
from rules.records.sgf import loads
from rules.records.sgf_text import dumps
from rules.score import Side

A, B = Side.A, Side.B
RECORDS = Path(__file__).parents[2] / "data" / "records"

TEXT = r"""(;FF[4]GM[6]CA[UTF-8]AP[any:1]MI[length:3][game:0][ws:0][bs:0]PW[Ann \] Lee]PB[Bö]WR[1800]DT[2026-11-21]
EV[Cup\: final]GC[[Unrated "On"\]
spoken of]RU[Crawford]RE[W+2R]GS[M:0 1][C:2 (;)]
;B[31qtst]A[0][lqst E 1]C[a (comment; with \] signs)]
;W[64xryx]
;B[66]
;W[double]
;B[take]
;PL[W]DI[21])
(;GM[6]CA[utf-8]MI[length:3][game:1][ws:2][bs:0]PW[Ann \] Lee]PB[Bö]RU[Crawford:CrawfordGame]
;W[65caaz])
"""


def test_loads_reads_a_collection_of_games():
    record = loads(TEXT.encode())
    assert (record.length, record.names, record.crawford) == (3, ("Ann ] Lee", "Bö"), True)
    assert record.tags == {"Event": "Cup: final", "EventDate": "2026.11.21", "Unrated": "On"}
    first, second = record.games
    assert (first.number, first.score, first.ratings, first.crawford) == (1, (0, 0), ("1800", ""), False)
    assert first.lines == (
        Line(1, Turn(B, (3, 1), (Hop(8, 5), Hop(6, 5)))),
        Line(2, Turn(A, (6, 4), (Hop(24, 18), Hop(25, 24)))),
        Line(2, Turn(B, (6, 6), ())),
        Line(3, Doubled(A, 2)),
        Line(3, Took(B)),
        Line(4, Turn(A, (2, 1), None)),
        Line(5, Won(A, 2)),
    )
    assert (second.number, second.score, second.ratings, second.crawford) == (2, (2, 0), ("", ""), True)
    assert second.lines == (Line(1, Turn(A, (6, 5), (Hop(3, 1), Hop(1, 0)))),)


def test_dumps_writes_a_collection_of_games():
    written = dumps(loads(TEXT.encode())).decode()
    assert written == (
        r"""(;FF[4]GM[6]CA[UTF-8]AP[Sixprime]MI[length:3][game:0][ws:0][bs:0]PW[Ann \] Lee]PB[Bö]WR[1800]"""
        r"""DT[2026-11-21]EV[Cup: final]GC[[Unrated "On"\]]RU[Crawford]RE[W+2R]
;B[31qtst]
;W[64xryx]
;B[66]
;W[double]
;B[take]
;PL[W]DI[21])
(;FF[4]GM[6]CA[UTF-8]AP[Sixprime]MI[length:3][game:1][ws:2][bs:0]PW[Ann \] Lee]PB[Bö]RU[Crawford:CrawfordGame]
;W[65caaz])
"""
    )
    assert loads(written.encode()) == loads(TEXT.encode())


def text_of(*nodes, root=""):
    return f"(;GM[6]MI[length:3]PW[Ann]PB[Bob]RU[Crawford]{root}{''.join(nodes)})".encode()


def lines_of(*nodes, root=""):
    return loads(text_of(*nodes, root=root)).games[0].lines


@pytest.mark.parametrize("stem", ["gnubg-3pt-analysed", "gnubg-7pt-backgammon", "studio-7pt"])
def test_what_gnu_backgammon_writes_is_the_same_match_as_the_mat_beside_it(stem):
    data = (RECORDS / f"{stem}.sgf").read_bytes()
    judged = verify(data)
    assert judged.verdict is Verdict.PROVED
    assert judged == verify((RECORDS / f"{stem}.mat").read_bytes())
    assert loads(dumps(loads(data))) == loads(data)


def test_an_accepted_illegal_play_is_the_position_after_a_roll():
    sgf, text = ((RECORDS / f"gnubg-3pt-illegal.{suffix}").read_bytes() for suffix in ("sgf", "txt"))
    assert verify(sgf) == verify(text)
    turn = loads(sgf).games[0].lines[3].action
    assert (turn.side, turn.dice, turn.play) == (B, (3, 2), None)
    assert turn.after == mat.loads(text).games[0].lines[3].action.after
    assert replay(loads(dumps(mat.loads(text)))) == verify(text)
    assert loads(dumps(loads(sgf))) == loads(sgf)


def test_the_position_after_an_illegal_play_is_seen_by_its_player():
    board = ";PL[B]AE[a:y]AW[f][f][y]AB[x][w]"
    white, black = {6: 2, 25: 1}, {1: 1, 2: 1}
    assert lines_of(";PL[W]DI[31]", board)[0].action.after == Position.of(white, black)
    black_played = lines_of(";PL[B]DI[31]", board.replace("PL[B]", "PL[W]"))
    assert black_played[0].action.after == Position.of(black, white)


@pytest.mark.parametrize(
    "nodes",
    [
        (";AE[a:y]AW[f]AB[x]",),
        (";B[31qtst]", ";AE[a:y]AW[f]AB[x]"),
        (";PL[W]DI[31]", ";PL[W]AE[a:y]AW[f]AB[x]"),
        (";PL[W]DI[31]", ";AE[a:x]AW[f]AB[x]"),
        (";PL[W]DI[31]", ";AE[a:y]AW[f]"),
        (";PL[W]DI[31]", ";AE[a:y]AW[a:c]AB[x]"),
        (";PL[W]DI[31]", ";AE[a:y]AW[x]AB[x]"),
        (";PL[W]DI[31]", ";AE[a:y]" + "AW" + "[f]" * 16 + "AB[x]"),
        (";B[31qtst]", ";CV[4]"),
        (";B[31qtst]", ";CP[w]"),
        (";B[31qtst]", ";PL[B]"),
        (";DI[31]",),
        (";PL[W]DI[71]",),
    ],
)
def test_what_is_set_up_by_hand_is_quarantined_there(nodes):
    judged = verify(text_of(*nodes))
    assert (judged.verdict, judged.finding.code, judged.finding.game) == (Verdict.QUARANTINED, "set_up", 1)
    record = loads(text_of(*nodes))
    assert isinstance(record.games[0].lines[-1].action, SetUp)
    assert loads(dumps(record)) == record


def test_a_cube_that_begins_at_two_is_set_up():
    assert lines_of(root="CV[2]") == (Line(1, SetUp((("CV", ("2",)),))),)


def test_a_roll_that_was_noted_before_its_play_is_the_same_roll():
    assert lines_of(";PL[B]DI[13]", ";B[31qtst]") == lines_of(";B[31qtst]")
    assert [line.action.play for line in lines_of(";PL[B]DI[31]", ";W[31hefe]")] == [(), (Hop(8, 5), Hop(6, 5))]


def test_what_was_played_with_a_roll_may_be_unknown():
    lines = lines_of(";PL[B]DI[31]C[????]", ";W[31hefe]")
    assert lines[0] == Line(1, Turn(B, (3, 1), None, unknown=True))
    record = loads(text_of(";PL[B]DI[31]C[????]"))
    assert loads(dumps(record)) == record


@pytest.mark.parametrize(
    ("result", "line"),
    [
        ("W+2", Line(2, Won(A, 2))),
        ("B+1Resign", Line(2, Won(B, 1))),
        ("B+3R", Line(2, Won(B, 3))),
        ("", None),
        ("?", None),
        ("Void", None),
        ("0", None),
    ],
)
def test_the_result_is_in_the_winners_column(result, line):
    lines = lines_of(";W[31hefe]", ";B[66]", root=f"RE[{result}]")
    assert lines[2:] == ((line,) if line else ())


def test_of_several_branches_the_first_is_the_game():
    nodes = ";W[31hefe](;B[double](;W[take];B[66])(;W[drop]))(;B[21])"
    assert lines_of(nodes) == lines_of(";W[31hefe]", ";B[double]", ";W[take]", ";B[66]")


@pytest.mark.parametrize("path", sorted(RECORDS.glob("*.sgf")), ids=lambda path: path.stem)
def test_what_gnu_backgammon_wrote_is_written_again_but_for_its_analysis(path):
    left_out = r"(?<![A-Z])(?:AP|GS|A|DA|MR|BM|LU)(?:\[[^]]*\])+|\s"
    its_text, written = path.read_text(), dumps(loads(path.read_bytes())).decode()
    assert re.sub(left_out, "", written) == re.sub(left_out, "", its_text)


@pytest.mark.parametrize(
    ("old", "new", "code", "game", "row"),
    [
        ("GM[6]", "GM[1]", "record_variation", None, None),
        ("GM[6]CA", "CA", "record_variation", None, None),
        ("RU[Crawford]", "RU[Crawford:Nackgammon]", "record_variation", None, None),
        ("length:3", "length:0", "record_length", 2, None),
        ("length:3", "length:1000", "record_length", None, None),
        ("length:3", "", "record_no_length", None, None),
        ("length:3", "length:5", "record_length", 2, None),
        ("[game:1]", "[game:2]", "game_number", 2, None),
        ("[game:0]", "[game:9]", "game_count", 10, None),
        ("CA[UTF-8]", "CA[KOI8-R]", "record_encoding", None, None),
        ("CA[UTF-8]", "CA[ISO-8859-1]", "record_encoding", 2, None),
        ("CA[UTF-8]", "CA[US-ASCII]", "record_encoding", None, None),
        ("RE[W+2R]", "RE[W+R]", "result_unreadable", 1, None),
        ("RE[W+2R]", "RE[White]", "result_unreadable", 1, None),
        (";B[31qtst]", ";B[31tqst]", "play_unreadable", 1, 1),
        (";B[31qtst]", ";B[31qts]", "play_unreadable", 1, 1),
        (";B[31qtst]", ";B[71lqst]", "play_unreadable", 1, 1),
        (";B[31qtst]", ";B[31zqst]", "play_unreadable", 1, 1),
        (";B[31qtst]", ";B[33lolololost]", "play_unreadable", 1, 1),
        (";B[31qtst]", ";B[]", "play_unreadable", 1, 1),
        (";B[31qtst]", ";B[31qtst][31]", "play_unreadable", 1, 1),
        (";B[66]", ";B[thinks]", "play_unreadable", 1, 2),
        (";B[66]", ";B[thinks\n]", "play_unreadable", 1, 2),
        (";B[66]", ";B[66]W[66]", "node_unclear", 1, 3),
        ("GM[6]", "GM[6]B[31qtst]", "node_unclear", 1, None),
        ("PW[Ann", "PW[" + "n" * 1000, "name_too_long", 1, None),
        ("ws:0", "ws:", "match_unreadable", None, None),
        ("bs:0", "bs:-1", "match_unreadable", None, None),
        ("game:0", "game:" + "9" * 10, "match_unreadable", None, None),
        ("length:3", "length: 3.0", "match_unreadable", None, None),
        (";B[66]", ";B[66]CV[2]", "node_unclear", 1, 3),
        (";B[66]", ";B[66]B[66]", "sgf_unreadable", None, None),
        (";B[66]", ";B[66]\n()", "sgf_unreadable", None, None),
        (";B[66]", "(;B[66]);B[66]", "sgf_unreadable", None, None),
        (";W[65caaz])", ";W[65caaz", "sgf_unreadable", None, None),
        (";W[65caaz])", ";W[65caaz]", "sgf_unreadable", None, None),
        (";B[66]", "]", "sgf_unreadable", None, None),
        (";B[66]", ";B" * 3, "sgf_unreadable", None, None),
        ("(;FF[4]", "((;FF[4]", "sgf_unreadable", None, None),
        ("(;FF[4]", "(FF[4]", "sgf_unreadable", None, None),
        ("(;FF[4]", ")(;FF[4]", "sgf_unreadable", None, None),
        (";PL[W]DI[21])", "", "sgf_unreadable", None, None),
        (";PL[W]DI[21])", "(" * 60, "sgf_unreadable", None, None),
        (";PL[W]DI[21]", "(;B[66]" * 60, "sgf_unreadable", None, None),
        (";PL[W]DI[21]", ";W[double];B[take]" * 40, "cube_implausible", 1, None),
    ],
)
def test_loads_names_the_place_of_what_it_cannot_read(old, new, code, game, row):
    assert old in TEXT
    with pytest.raises(RecordError) as error:
        loads(TEXT.replace(old, new, 1).encode())
    finding = error.value.finding
    assert (finding.code, finding.game) == (code, game)
    assert row is None or finding.row == row
    assert str(error.value) == finding.message
    assert "\n" not in finding.message
    assert "\n" not in finding.message


@pytest.mark.parametrize(
    ("charset", "encoding", "guessed"),
    [
        ("CA[UTF-8]", "utf-8", None),
        ("CA[ISO-8859-1]", "latin-1", None),
        ("CA[windows-1252]", "windows-1252", None),
        ("", "utf-8", "UTF-8"),
        ("", "latin-1", "Latin-1"),
    ],
)
def test_letters_are_those_of_the_declared_encoding_or_a_guess(charset, encoding, guessed):
    text = f"(;GM[6]{charset}MI[length:1]PW[Bö]PB[Bob]RE[W+1R];W[31hefe];B[66])"
    record = loads(text.encode(encoding))
    assert record.names == ("Bö", "Bob")
    assert record.tags.get("Letters") == guessed
    assert record.names_guessed is (guessed is not None)


def test_rules_of_the_root_decide_whether_crawford_and_the_cube_are_played():
    text = b"(;GM[6]MI[length:3]PW[Ann]PB[Bob]%s;W[31hefe])"
    assert loads(text % b"").tags == {"Crawford": "Off"}
    assert loads(text % b"RU[Crawford:NoCube]").tags == {"CubeLimit": "1"}
    assert loads(text % b'RU[Crawford]GC[[Crawford "Off"\\]]').tags == {"Crawford": "On"}
    for rules in (b"", b"RU[Crawford:NoCube]", b"RU[Crawford]"):
        record = loads(text % rules)
        assert loads(dumps(record)) == record


def test_a_resignation_of_no_more_than_was_needed_is_written_whole():
    text = "3 point match\n\n Game 1\n Ann : 0   Bob : 0\n  1) 31: 8/5 6/5                  Doubles => 2\n"
    record = mat.loads(f"{text}  2)  Takes                      31: 8/5 6/5\n      Wins 3 points\n".encode())
    assert replay(record).verdict is Verdict.PROVED
    assert b"RE[W+4R]" in dumps(record)
    assert replay(loads(dumps(record))) == replay(record)
    wrong = mat.loads(f"{text.replace('3 p', '7 p')}  2)  Takes\n      Wins 3 points\n".encode())
    assert replay(wrong).finding.code == "result_points"
    assert replay(loads(dumps(wrong))).finding.code == "result_points"


def test_two_different_results_of_one_game_are_not_written():
    text = "3 point match\n\n Game 1\n Ann : 0   Bob : 0\n  1) 31: 8/5 6/5                  64: 24/14\n"
    record = mat.loads(f"{text}  2)  Losses 1 point\n      Wins 1 point\n".encode())
    with pytest.raises(RecordError) as error:
        dumps(record)
    assert (error.value.finding.code, error.value.finding.game) == ("record_not_writable", 1)
    assert isinstance(record.games[0].lines[2].action, Lost)


@pytest.mark.parametrize("path", sorted(RECORDS.glob("*.mat")), ids=lambda path: path.stem)
def test_a_mat_record_is_the_same_match_as_sgf_and_back(path):
    record = mat.loads(path.read_bytes())
    copy = loads(dumps(record))
    assert replay(copy) == replay(record)
    assert loads(dumps(copy)) == copy
    back = mat.loads(mat_text.dumps(copy))
    assert replay(back) == replay(record)
    assert back.tags == copy.tags == record.tags


def test_a_drop_needs_no_mark_of_a_resignation():
    record = loads(text_of(";W[31hefe]", ";B[double]", ";W[drop]", root="RE[B+1]"))
    assert record.games[0].lines[2].action == Dropped(A)
    assert b"RE[B+1]" in dumps(record)
