"""``manage.py redraw FILE``: an event of one installation is checked on another, which is empty."""

import json
import os
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.builders import build_event, play_out
from tournament.past.draw_file import draw_file_bytes

ROOT = Path(__file__).parents[3]


@pytest.fixture
def file(director, tmp_path: Path, db) -> Path:
    event = build_event(director, players=6, format="swiss", seed="")
    play_out(event)
    path = tmp_path / "draw.json"
    path.write_bytes(draw_file_bytes(event))
    return path


def redraw(path: Path) -> tuple[int, list[str]]:
    out, code = StringIO(), 0
    try:
        call_command("redraw", str(path), stdout=out)
    except SystemExit as end:
        code = end.code
    return code, out.getvalue().splitlines()


def test_a_file_is_checked_without_a_query(file, django_assert_num_queries):
    with django_assert_num_queries(0):
        code, lines = redraw(file)
    assert (code, lines[-1]) == (0, "This draw holds.")
    assert sum(line.startswith("round 1\t") for line in lines) == 6


def test_it_is_checked_on_another_installation_that_has_not_even_a_table(file, tmp_path):
    """A process of its own, with another secret and a database that no migration has touched."""
    empty = tmp_path / "empty.sqlite3"
    environment = {**os.environ, "DATABASE_URL": f"sqlite:///{empty}", "SECRET_KEY": "of another server"}
    command = [sys.executable, "manage.py", "redraw", str(file)]
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.splitlines()[-1] == "This draw holds."
    assert not empty.exists() or empty.stat().st_size == 0


def test_a_changed_result_is_found(file):
    data = json.loads(file.read_text())
    first = data["draws"][0]["steps"][0]["pairings"][0]
    first["a"], first["b"] = first["b"], first["a"]
    file.write_text(json.dumps(data))
    code, lines = redraw(file)
    assert code == 1
    assert lines[-1].startswith("This draw does not hold")
    assert any(line.startswith("wrong\tstage 1, round 1: ") for line in lines)


def test_what_is_no_draw_file_is_refused(tmp_path):
    path = tmp_path / "other.json"
    with pytest.raises(CommandError, match="cannot be read"):
        redraw(path)
    path.write_text("{}")
    with pytest.raises(CommandError, match="not a draw file"):
        redraw(path)
