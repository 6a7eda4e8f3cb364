import io
import json
import random
import subprocess
import sys

import pytest
from django.core.management import CommandError, call_command

from rules.ids import parse_position_id, position_id
from rules.plays import legal_plays
from rules.position import START
from rules.profiles import DE_LEAFLET, WBGF
from tests.processes import ROOT
from tests.rules.boards import board
from tests.rules.samples import random_play

START_ID = "4HPwATDgc/ABMA"
BEAROFF_ID = position_id(board({6: 1, 4: 1}))


def run(*arguments, lines=None, monkeypatch=None):
    """Return the exit code and the lines that were printed."""
    if lines is not None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines)))
    out = io.StringIO()
    try:
        call_command("legal_plays", *arguments, stdout=out)
    except SystemExit as stop:
        return stop.code, out.getvalue().splitlines()
    return 0, out.getvalue().splitlines()


def test_each_play_is_written_with_the_position_the_opponent_then_faces():
    code, (line,) = run(START_ID, "55", "--json")
    answer = json.loads(line)
    assert code == 0
    assert (answer["position"], answer["roll"]) == (START_ID, "55")
    assert [play["play"] for play in answer["plays"]] == ["13/3(2)", "13/3 13/8(2)", "13/3 8/3(2)", "13/8(4)"]
    assert {parse_position_id(play["position"]).swapped() for play in answer["plays"]} == legal_plays(
        START, (5, 5), WBGF
    )


def test_without_json_a_line_is_a_play():
    results = [position_id(board(mine).swapped()) for mine in ({}, {1: 1})]
    assert run(BEAROFF_ID, "65") == (0, [f"{results[0]}  6/off 4/off", f"{results[1]}  6/1 4/off"])


def test_a_roll_that_must_be_passed_has_no_plays():
    closed = position_id(board({25: 1}, {19: 2, 20: 2, 21: 2, 22: 2, 23: 2, 24: 2}))
    assert run(closed, "66") == (0, [])
    assert json.loads(run(closed, "66", "--json")[1][0])["plays"] == []


def test_a_profile_decides_what_is_legal():
    usual, free = (
        json.loads(run(BEAROFF_ID, "51", "--json", "--profile", slug)[1][0]) for slug in ("wbgf", "de-leaflet")
    )
    assert len(usual["plays"]) == len(legal_plays(board({6: 1, 4: 1}), (5, 1), WBGF))
    assert len(free["plays"]) == len(legal_plays(board({6: 1, 4: 1}), (5, 1), DE_LEAFLET))
    assert len(usual["plays"]) < len(free["plays"])


def test_lines_are_answered_in_their_order_and_agree_with_the_rules(monkeypatch):
    rng = random.Random(7)
    game = random_play(rng)
    asked = [(next(game), (rng.randint(1, 6), rng.randint(1, 6))) for _ in range(20)]
    text = "".join(f"{position_id(position)} {roll[0]}{roll[1]}\n" for position, roll in asked)
    code, lines = run("-", lines=text.encode(), monkeypatch=monkeypatch)
    assert code == 0
    assert len(lines) == len(asked)
    for (position, roll), line in zip(asked, lines, strict=True):
        answer = json.loads(line)
        assert (answer["position"], answer["roll"]) == (position_id(position), f"{roll[0]}{roll[1]}")
        results = [parse_position_id(play["position"]).swapped() for play in answer["plays"]]
        assert len(results) == len(set(results))
        assert set(results) == legal_plays(position, roll, WBGF)


@pytest.mark.parametrize(
    ("position", "roll", "sentence"),
    [
        ("4HPwATDgc", "31", "A Position ID is 14 characters long: letters, digits, + and /."),
        (START_ID, "", "A roll is two dice, each showing 1 to 6, such as 31."),
        (START_ID, "70", "A roll is two dice, each showing 1 to 6, such as 31."),
        (START_ID, "3 1", "A roll is two dice, each showing 1 to 6, such as 31."),
        (START_ID, "٣١", "A roll is two dice, each showing 1 to 6, such as 31."),
    ],
)
def test_what_cannot_be_read_is_one_sentence_or_one_object_and_exit_1(position, roll, sentence):
    with pytest.raises(CommandError, match="^" + sentence.replace("+", r"\+") + "$"):
        run(position, roll)
    code, (line,) = run(position, roll, "--json")
    assert code == 1
    assert json.loads(line) == {"position": position, "roll": roll, "error": sentence}


def test_a_bad_line_does_not_stop_the_others(monkeypatch):
    text = f"{START_ID} 31\n\n\xff\x00 12\n{START_ID}\n{'x' * 100_000} 1\n{START_ID} 66".encode("latin-1")
    code, lines = run("-", lines=text, monkeypatch=monkeypatch)
    assert code == 1
    assert ["plays" in json.loads(line) for line in lines] == [True, False, False, False, True]
    assert max(len(line) for line in lines[1:4]) < 500


def test_columns_may_be_separated_by_any_white_space(monkeypatch):
    text = f"{START_ID}\t66\n  {START_ID}   66 \r\n \t\n"
    code, lines = run("-", lines=text.encode(), monkeypatch=monkeypatch)
    assert (code, [json.loads(line)["roll"] for line in lines]) == (0, ["66", "66"])


def test_a_roll_is_refused_when_the_lines_give_their_own(monkeypatch):
    with pytest.raises(CommandError, match="its own roll"):
        run("-", "31", lines=b"", monkeypatch=monkeypatch)


def command(*arguments):
    return subprocess.Popen(
        [sys.executable, "manage.py", "legal_plays", *arguments],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def test_each_line_is_answered_before_the_next_is_asked():
    with command("-") as program:
        for roll, number in (("31", 16), ("66", 11)):
            program.stdin.write(f"{START_ID} {roll}\n".encode())
            program.stdin.flush()
            assert len(json.loads(program.stdout.readline())["plays"]) == number
        program.stdin.close()
        assert program.wait() == 0


@pytest.mark.parametrize("arguments", [["-"], [START_ID, "31", "--json"]])
def test_a_reader_that_closes_the_pipe_early_causes_no_traceback(arguments):
    with command(*arguments) as program:
        program.stdout.close()
        program.stdin.write(f"{START_ID} 31\n".encode())
        program.stdin.close()
        assert program.stderr.read() == b""
        assert program.wait() == 1
