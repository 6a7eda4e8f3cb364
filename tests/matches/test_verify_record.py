import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

RECORDS = Path(__file__).parents[1] / "data" / "records"
PROVED = RECORDS / "gnubg-3pt.mat"


FOLLOWS = "Every roll, play, cube action and score follows the rules."


def run(*paths, as_json=True, **known):
    """Return the exit code and the lines, read as JSON if that was asked for."""
    out = io.StringIO()
    code = 0
    try:
        call_command("verify_record", *map(str, paths), json=as_json, stdout=out, **known)
    except SystemExit as stop:
        code = stop.code
    lines = out.getvalue().splitlines()
    return code, [json.loads(line) for line in lines] if as_json else lines


def test_a_proved_record_is_one_line_and_exit_0():
    assert run(PROVED) == (
        0,
        [
            {
                "file": str(PROVED),
                "verdict": "proved",
                "length": 3,
                "money": False,
                "games": 2,
                "plays": 48,
                "score": [3, 0],
                "finding": None,
                "notes": [
                    {
                        "code": "names_unproved",
                        "game": None,
                        "row": None,
                        "message": "No board shows that it was gnubg and south who played, and on which side.",
                    },
                    {
                        "code": "rolls_unproved",
                        "game": None,
                        "row": None,
                        "message": "Nor does it show which dice fell and which of the legal plays was made, or how "
                        "long the match was: only that all of it can have been so.",
                    },
                ],
            }
        ],
    )


def test_a_tampered_record_exits_1_and_names_the_place(tmp_path):
    tampered = tmp_path / "tampered.mat"
    tampered.write_text(PROVED.read_text().replace("south : 1 ", "south : 2 ").replace(" : 1  ", " : 2  ", 1))
    code, (line,) = run(tampered)
    assert (code, line["verdict"], line["games"]) == (1, "refused", 1)
    assert line["finding"] == {
        "code": "score_mismatch",
        "game": 2,
        "row": None,
        "message": "The heading of the game says 2–0, but the score before it is 1–0.",
    }


def test_a_folder_stands_for_its_records_by_name():
    code, lines = run(RECORDS)
    assert code == 0
    paths = sorted(path for path in RECORDS.iterdir() if path.suffix in (".mat", ".sgf"))
    assert [line["file"] for line in lines] == list(map(str, paths))
    assert {path.suffix for path in paths} == {".mat", ".sgf"}
    doubtful = [line["file"] for line in lines if line["verdict"] != "proved"]
    assert doubtful == [str(RECORDS / "gnubg-3pt-illegal.sgf")]


def test_every_format_is_verified_whatever_its_file_is_called(tmp_path):
    (tmp_path / "a").write_bytes((RECORDS / "studio-7pt.sgf").read_bytes())
    (tmp_path / "b.sgf").write_bytes((RECORDS / "studio-7pt.mat").read_bytes())
    (tmp_path / "c.xg").write_bytes(b"RGMH")
    code, (sgf, mat, xg, snowie) = run(
        tmp_path / "a", tmp_path / "b.sgf", tmp_path / "c.xg", RECORDS / "gnubg-3pt-illegal.txt"
    )
    assert code == 1
    assert {**sgf, "file": ""} == {**mat, "file": ""}
    assert sgf["verdict"] == "proved"
    assert (xg["verdict"], xg["finding"]["code"]) == ("refused", "record_damaged")
    assert (snowie["verdict"], snowie["finding"]["row"]) == ("quarantined", 2)


def test_a_quarantined_or_incomplete_record_is_not_a_failure(tmp_path):
    text = PROVED.read_text()
    (tmp_path / "a.mat").write_text(text.split(" Game 2")[0])
    (tmp_path / "b.mat").write_text(text.replace("Wins 3 points", "Wins 4016 points"))
    code, lines = run(tmp_path)
    assert code == 0
    assert [line["verdict"] for line in lines] == ["incomplete", "quarantined"]
    assert [line["finding"] and line["finding"]["code"] for line in lines] == [None, "result_unexplained"]


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("missing.mat", None, "file_unreadable"),
        ("nul\0.mat", None, "file_unreadable"),
        ("empty.mat", b"", "record_empty"),
        ("large.mat", b"x" * 5_000_000, "record_too_large"),
        ("bytes.mat", bytes(range(256)), "record_not_text"),
    ],
)
def test_what_cannot_be_read_is_refused_and_the_rest_is_still_verified(tmp_path, name, content, code):
    if content is not None:
        (tmp_path / name).write_bytes(content)
    exit_code, lines = run(tmp_path / name, PROVED)
    assert exit_code == 1
    assert [line["verdict"] for line in lines] == ["refused", "proved"]
    assert lines[0]["finding"]["code"] == code


def test_a_folder_without_records_is_refused(tmp_path):
    code, (line,) = run(tmp_path)
    assert (code, line["verdict"], line["finding"]["code"]) == (1, "refused", "folder_empty")


def test_a_money_session_is_verified_without_a_winner():
    money = RECORDS / "money" / "gnubg-money.mat"
    code, (line,) = run(money)
    assert (code, line["verdict"], line["length"], line["money"], line["score"]) == (0, "proved", 0, True, [6, 5])
    code, (said,) = run(money, as_json=False)
    assert said.startswith(f"{money} · proved · 6-5 in a money session, 9 games, 580 plays · {FOLLOWS}")


def test_without_json_a_line_is_a_sentence(tmp_path):
    tampered = tmp_path / "tampered.mat"
    tampered.write_text(PROVED.read_text().replace("Doubles => 2", "Doubles => 4"))
    code, (proved, refused) = run(PROVED, tampered, as_json=False)
    assert code == 1
    assert proved == (
        f"{PROVED} · proved · 3-0 to 3, 2 games, 48 plays · {FOLLOWS}"
        " · No board shows that it was gnubg and south who played, and on which side."
        " · Nor does it show which dice fell and which of the legal plays was made, or how long the match was:"
        " only that all of it can have been so."
    )
    assert refused.startswith(f"{tampered} · refused · 0-0 to 3, 0 games, ")
    assert "row " in refused
    assert refused.endswith("A double takes the cube from 1 to 2, not to 4.")


def test_what_is_known_takes_the_place_of_what_the_record_says(tmp_path):
    later = tmp_path / "later.mat"
    later.write_text(PROVED.read_text().replace("south : 0", "south : 1"))
    code, (line,) = run(later)
    assert (code, line["finding"]["code"]) == (1, "score_mismatch")
    code, (line,) = run(later, start="0-1")
    assert (code, line["verdict"], line["score"]) == (0, "proved", [3, 1])
    exchanged = tmp_path / "exchanged.mat"
    exchanged.write_text('; [Player 1 "south"]\n; [Player 2 "gnubg"]\n' + PROVED.read_text())
    assert run(exchanged)[1][0]["finding"]["code"] == "names_exchanged"
    code, (line,) = run(exchanged, names=("Ann", "Bo"))
    assert (code, line["verdict"], line["finding"]) == (0, "proved", None)
    assert any("Ann and Bo" in note["message"] for note in line["notes"])
    code, (line,) = run(PROVED, start="3-0")
    assert (code, line["verdict"], line["finding"]["code"]) == (1, "refused", "known_start")
    code, (line,) = run(PROVED, length="0")
    assert (line["length"], line["money"]) == (0, True)


@pytest.mark.parametrize("known", [{"start": "one"}, {"length": "1000"}, {"names": ("Ann", "")}, {"names": ("A", "A")}])
def test_what_is_known_must_be_clear(known):
    with pytest.raises(CommandError):
        run(PROVED, **known)
