"""What is read into a record, what is known of it, and what no board can prove."""

from pathlib import Path

import pytest

from rules.records.formats import loads
from rules.records.identity import identity_of
from rules.records.known import Known, parse_known
from rules.records.record import RecordError
from rules.records.replay import Verdict, replay, verify
from rules.score import Side

RECORDS = Path(__file__).parents[2] / "data" / "records"
ANSWERED = ("31: 8/5 6/5", "64: 24/14")


def record(*games, length=3, tags=""):
    """Write games, each a heading score and rows of (left, right) cells, or whole lines."""
    lines = [tags, f"{length} point match", ""]
    for number, (score, *rows) in enumerate(games, 1):
        lines += [f" Game {number}", f" Ann : {score[0]}                         Bob : {score[1]}"]
        for row, cells in enumerate(rows, 1):
            lines.append(cells if isinstance(cells, str) else f"{row:3}) {cells[0]:<35} {cells[1]}")
    return "\n".join(lines).encode()


def found(judged):
    return judged.verdict.value, judged.finding and judged.finding.code, [note.code for note in judged.notes]


@pytest.mark.parametrize(
    ("rows", "score"),
    [
        (["  1) 31: 8/5 6/5      64: 24/14", "  2)", "  3) 52: ???        Wins 2 points"], (0, 2)),
        (["  1) 31: 8/5 6/5      64: 24/14", "  2) Resigns          Wins 1 point"], (0, 1)),
        (["  1) 31: 8/5 6/5      64: 24/14", "  2) 3) Resigns                   ", "      Losses 1 point"], (0, 1)),
        (
            ["  1) 31: 8/5 6/5      64: 24/14", "  2)  2) 52: ????", f"{'':35}Wins 1 point"],
            (0, 1),
        ),
        (["  1) 31: 8/5 6/5      64: 24/14", "  2) Resigns          Wins 2 points with gammon"], (0, 2)),
        (["  1) 31: 8/5 6/5      64: 24/14", "  2) Resigns          Wins 3 points with a backgammon"], (0, 3)),
    ],
)
def test_every_way_to_write_that_the_left_player_gave_up(rows, score):
    judged = verify(record(((0, 0), *rows), length=9))
    assert (judged.verdict, judged.finding, (judged.score.a, judged.score.b)) == (Verdict.INCOMPLETE, None, score)


def test_utf_16_is_read_as_utf_8_is():
    text = record(((0, 0), ANSWERED, ("Wins 3 points", "")))
    assert verify(text.decode().encode("utf-16")) == verify(text)
    sgf = (RECORDS / "studio-7pt.sgf").read_text(encoding="utf-8").replace("CA[UTF-8]", "")
    assert verify(sgf.encode("utf-16")).names == ("Frode Lie", "Åse")


@pytest.mark.parametrize("cell", ["52:", "52: ????", "52: ???"])
def test_a_record_that_stops_after_a_roll_is_incomplete_and_says_so(cell):
    judged = verify(record(((0, 0), ANSWERED, (cell, ""))))
    assert found(judged) == ("incomplete", None, ["stops_after_roll"])
    assert (judged.notes[0].game, judged.notes[0].row) == (1, 2)


@pytest.mark.parametrize(
    ("length", "tags", "games", "money"),
    [
        (16, "", [((0, 0), ANSWERED, ("Wins 2 points", ""))], True),
        (8, "", [((0, 0), ANSWERED, ("Wins 1 point", ""))], True),
        (17, '; [Site "BackgammonGalaxy"]', [((0, 0), ANSWERED, ("Wins 1 point", ""))], True),
        (17, '; [Site "Hall 1"]', [((0, 0), ANSWERED, ("Wins 1 point", ""))], False),
        (15, "", [((0, 0), ANSWERED, ("Wins 1 point", ""))], False),
        (16, "", [((0, 0), ANSWERED, ("Wins 1 point", "")), ((1, 0), ANSWERED)], False),
    ],
)
def test_a_single_game_headed_as_a_match_is_money_play(length, tags, games, money):
    judged = verify(record(*games, length=length, tags=tags))
    assert (judged.money, judged.length) == (money, 0 if money else length)
    assert ("single_game" in [note.code for note in judged.notes]) is money
    assert judged.verdict is (Verdict.PROVED if money else Verdict.INCOMPLETE)


def test_a_single_game_whose_points_reach_its_heading_is_money_play_all_the_same():
    turned = ("Doubles => 2", "Takes"), ("31: 24/23 13/10", "Doubles => 4"), ("Takes", "")
    data = record(((0, 0), ANSWERED, *turned, ("", "Wins 8 points and the match")), length=8)
    assert found(verify(data)) == (
        "proved",
        None,
        ["single_game", "resignation_unproved", "names_unproved", "rolls_unproved"],
    )
    match = verify(data, known=Known(length=8))
    assert (match.verdict, match.length, match.score.b) == (Verdict.PROVED, 8, 8)


@pytest.mark.parametrize(
    ("games", "winner"),
    [
        ([((0, 0), ANSWERED, ("52:", ""), "     Losses 1 point", "     Wins 1 point")], Side.B),
        ([((0, 0), ANSWERED, "     Losses 1 point", "     Wins 1 point"), ((0, 1), ANSWERED)], Side.B),
        ([((0, 0), ANSWERED, "     Losses 1 point", "     Wins 1 point"), ((1, 0), ANSWERED)], Side.A),
        (
            [
                ((0, 0), ANSWERED, ("", "Wins 2 points")),
                ((0, 2), ANSWERED, "     Losses 1 point", "     Wins 1 point and the match"),
            ],
            Side.B,
        ),
    ],
)
def test_a_win_in_the_losers_column_is_decided_where_only_one_can_have_won(games, winner):
    judged = verify(record(*games))
    assert judged.verdict is not Verdict.QUARANTINED
    assert judged.finding is None
    assert judged.games[-1].winner is winner
    assert "result_column" in [note.code for note in judged.notes]


def test_who_gave_up_is_not_certain_where_either_may_have():
    judged = verify(record(((0, 0), ANSWERED, "     Losses 1 point", "     Wins 1 point")))
    assert found(judged) == ("quarantined", "result_contradiction", [])
    assert judged.finding.message.endswith("so who gave up is not certain.")


def test_what_is_proved_says_what_no_board_can_prove():
    judged = verify((RECORDS / "studio-5pt.mat").read_bytes())
    given_up, names, rolls = judged.notes
    codes = ("resignation_unproved", "names_unproved", "rolls_unproved")
    assert (judged.verdict, (given_up.code, names.code, rolls.code)) == (Verdict.PROVED, codes)
    assert all(str(number) in given_up.params["games"] for number in (6,))
    assert "Sten and Grete" in names.message


def test_the_columns_count_where_the_remarks_are_those_of_a_transcriber():
    tags = '; [Player 1 "Bob"]\n; [Player 2 "Ann"]\n'
    data = record(((0, 0), ANSWERED, ("Wins 3 points", "")), tags=tags)
    assert found(verify(data))[1] == "names_exchanged"
    judged = verify(record(((0, 0), ANSWERED, ("Wins 3 points", "")), tags=tags + '; [Transcriber "Cy"]'))
    assert (judged.verdict, judged.names, judged.notes[0].code) == (Verdict.PROVED, ("Ann", "Bob"), "names_by_column")


def test_names_that_are_known_clear_up_those_that_are_doubtful():
    data = record(((0, 0), ANSWERED, ("Wins 3 points", ""))).replace(b"Bob", b"Bj\xf6rn")
    assert found(verify(data))[1] == "names_guessed"
    judged = verify(data, known=Known(names=("Ann", "Björn")))
    assert (judged.verdict, judged.names) == (Verdict.PROVED, ("Ann", "Björn"))


@pytest.mark.parametrize(
    "said",
    [
        {"start": "1"},
        {"start": "a-b"},
        {"length": "-1"},
        {"length": "1000"},
        {"names": ("Ann", " ")},
        {"gave_up": "Ann"},
    ],
)
def test_what_is_said_to_be_known_must_be_clear(said):
    with pytest.raises(RecordError):
        parse_known(**said)
    assert parse_known(start=" 1 – 0 ", length="7", names=("Ann", " Bo  Ek")) == Known((1, 0), 7, ("Ann", "Bo Ek"))


def test_another_play_another_die_or_another_name_is_another_match():
    data = (RECORDS / "gnubg-3pt.mat").read_bytes()

    def identity(text):
        read = loads(text)
        return identity_of(read, replay(read))

    changes = [(b"8/3 6/3", b"8/5 6/3"), (b"53:", b"54:"), (b"south", b"north"), (b"Drops", b"Takes")]
    assert len({identity(data), *(identity(data.replace(was, now, 1)) for was, now in changes)}) == 5
    assert identity(data.replace(b"8/3 6/3", b"6/3 8/3", 1)) == identity(data)
