from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from rules.records.replay import verify

RECORDS = Path(__file__).parents[1] / "data" / "records"
PROVED = RECORDS / "galaxy-5pt.mat"


def convert(source, target, **options):
    out = StringIO()
    call_command("convert_record", str(source), str(target), stdout=out, **options)
    return out.getvalue().strip()


def refusal(source, target, **options):
    with pytest.raises(CommandError) as error:
        convert(source, target, **options)
    return str(error.value)


@pytest.mark.parametrize(
    ("source", "suffix"),
    [
        ("galaxy-5pt.mat", ".sgf"),
        ("galaxy-5pt.mat", ".mat"),
        ("gnubg-3pt-analysed.sgf", ".txt"),
        ("studio-7pt.sgf", ".SGF"),
    ],
)
def test_a_record_is_the_same_match_in_another_format(tmp_path, source, suffix):
    target = tmp_path / f"out{suffix}"
    assert convert(RECORDS / source, target) == f"{RECORDS / source} · proved · {target}"
    assert verify(target.read_bytes()) == verify((RECORDS / source).read_bytes())
    assert target.read_bytes().startswith(b"(;") is (suffix.lower() == ".sgf")


@pytest.mark.parametrize("jacoby", [True, False])
def test_the_jacoby_rule_that_a_money_session_implies_is_written_out(tmp_path, jacoby):
    source, target = tmp_path / "in.mat", tmp_path / "out.sgf"
    game = (RECORDS / "gnubg-3pt.mat").read_text().split(" Game 2\n")[1].replace(" : 1 ", " : 0 ")
    printed = game.replace("Wins 3 points", "Wins 1 point") if jacoby else game
    source.write_text(f"0 point match\n\n Game 1\n{printed}")
    assert convert(source, target) == f"{source} · proved · {target}"
    assert verify(target.read_bytes()) == verify(source.read_bytes())
    assert ("RU[Jacoby]" in target.read_text()) is jacoby


def test_a_record_that_is_not_proved_is_converted_and_says_so(tmp_path):
    target = tmp_path / "out.sgf"
    source = RECORDS / "gnubg-3pt-illegal.txt"
    sentence = "Game 1, row 2: The play of 32 was illegal, and the record says that it was accepted."
    assert convert(source, target) == f"{source} · quarantined ({sentence}) · {target}"
    assert verify(target.read_bytes()) == verify(source.read_bytes())


def test_a_refused_record_is_converted_only_on_request(tmp_path):
    source, target = tmp_path / "in.mat", tmp_path / "out.sgf"
    source.write_text(PROVED.read_text().replace("Doubles => 2", "Doubles => 4", 1))
    sentence = refusal(source, target)
    assert sentence.startswith(f"{source} is refused, so it is not converted; --refused converts it anyway. Game ")
    assert sentence.endswith("A double takes the cube from 1 to 2, not to 4.")
    assert not target.exists()
    back = tmp_path / "out.mat"
    assert convert(source, back, refused=True).endswith(f"A double takes the cube from 1 to 2, not to 4.) · {back}")
    assert verify(back.read_bytes()) == verify(source.read_bytes())


def test_a_refused_record_that_another_format_would_repair_is_not_converted(tmp_path):
    source, target = tmp_path / "in.mat", tmp_path / "out.sgf"
    source.write_text(PROVED.read_text().replace("Doubles => 2", "Doubles => 4", 1))
    sentence = refusal(source, target, refused=True)
    assert sentence == f"{source}: .sgf would hold another match, so it is not converted."
    assert not target.exists()


def test_an_existing_file_is_overwritten_only_on_request(tmp_path):
    target = tmp_path / "out.sgf"
    target.write_text("mine")
    assert refusal(PROVED, target) == f"{target} exists; --force overwrites it."
    assert target.read_text() == "mine"
    convert(PROVED, target, force=True)
    assert verify(target.read_bytes()).verdict == "proved"


def test_what_cannot_be_read_or_written_is_explained_in_a_sentence(tmp_path):
    broken, missing = tmp_path / "broken.mat", tmp_path / "missing.mat"
    broken.write_text("3 point match\n\n Game 1\n")
    out = tmp_path / "out.sgf"
    assert refusal(missing, out) == f"{missing} cannot be read: No such file or directory."
    assert refusal(broken, out) == f"{broken}: Game 1: The game has no line with the players' names and scores."
    assert (
        refusal(PROVED, tmp_path / "out.xg") == f"{tmp_path}/out.xg: the suffix of OUT must be one of .mat, .txt, .sgf."
    )
    nowhere = tmp_path / "no" / "out.sgf"
    assert refusal(PROVED, nowhere) == f"{nowhere} cannot be written: No such file or directory."
    assert not out.exists()


def test_what_a_format_cannot_hold_is_not_converted(tmp_path):
    source, out = tmp_path / "in.sgf", tmp_path / "out.mat"
    source.write_text("(;GM[6]MI[length:3]PW[Ann]PB[Bob]RU[Crawford];W[31hefe];CV[4])")
    assert refusal(source, out) == (
        f"{source}: Game 1, row 2: A position set up by hand cannot be written as .mat text."
    )
    assert not out.exists()
