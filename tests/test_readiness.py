"""A site is not ready while its database cannot keep what is sent."""

import shutil
from pathlib import Path

import pytest

from tests.processes import environment, manage
from tests.test_outages import printed

TAKEN_AWAY = """
import json, os
other.close()
def tell():
    ready = json.loads(ask("GET", "/readyz")[3])["database"]
    method, status, after, said = ask("POST", "/api/v1/tournaments/", BODY)
    return f"{ready} {status} {json.loads(said).get('code')}"
BODY = b'{"name": "Open", "starts_on": "2026-05-01", "place": "Odense"}'
name = str(connection.settings_dict["NAME"])
print(tell())
os.rename(name, name + "-away")
print(tell())
print(os.path.exists(name))
os.rename(name + "-away", name)
print(tell())
import shutil
connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")
shutil.copy(name, name + "-copy")
os.rename(name + "-copy", name)
print(tell())
print(tell())
"""

NEVER_MADE = """
import json, os
other.close()
BODY = b'{"name": "Open", "starts_on": "2026-05-01", "place": "Odense"}'
def tell():
    method, status, after, said = ask("POST", "/api/v1/tournaments/", BODY)
    connection.close()
    return f"{status} {json.loads(said).get('code')}"
name = str(connection.settings_dict["NAME"])
print(tell())
os.rename(name, name + "-away")
print(tell(), os.path.exists(name))
os.rename(name + "-away", name)
print(tell())
"""
BESIDE = NEVER_MADE.replace("print(tell(), ", 'open(name + "-wal", "a").close(); print(tell(), ')
WHAT_SERVES = "config.sqlite.base.never_make_files()\n" + NEVER_MADE

LOCKED = """
import json
config.sqlite.base.PROBE_SECONDS = 0.05
def tell():
    return json.loads(ask("GET", "/readyz")[3])["database"]
print(tell())
other.execute("BEGIN IMMEDIATE")
print(tell(), tell(), tell())
other.execute("ROLLBACK")
print(tell())
"""

TURNS = """
config.sqlite.base.PROBE_SECONDS = 0.5
other.execute("BEGIN IMMEDIATE")
other.execute("UPDATE players_user SET first_name = 'x'")
def take_the_next_turn():
    other.execute("COMMIT")
    other.execute("BEGIN IMMEDIATE")
threading.Timer(0.1, take_the_next_turn).start()
print(connection.can_write())
print(connection.can_write())
"""


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an empty database."""
    folder = tmp_path_factory.mktemp("empty")
    manage("migrate", "--verbosity", "0", env=environment(VAR_DIR=folder))
    return folder


def test_nothing_is_written_to_a_file_that_was_taken_away_while_it_is_open(empty: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(empty, tmp_path / "var"))
    away = "away 503 database_away"
    there = "ok 201 None"
    assert printed(TAKEN_AWAY, folder) == [there, away, "False", there, there, there]


@pytest.mark.parametrize("code", [BESIDE, WHAT_SERVES], ids=["beside what was written last", "by what serves"])
def test_no_new_file_is_made_where_one_was_taken_away(empty: Path, tmp_path: Path, code: str) -> None:
    folder = Path(shutil.copytree(empty, tmp_path / "var"))
    assert printed(code, folder) == ["201 None", "503 database_away False", "201 None"]


def test_a_database_whose_lock_somebody_holds_is_not_ready(empty: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(empty, tmp_path / "var"))
    assert printed(LOCKED, folder) == ["ok", "ok locked locked", "ok"]


def test_a_database_whose_writers_take_turns_is_ready(empty: Path, tmp_path: Path) -> None:
    assert printed(TURNS, Path(shutil.copytree(empty, tmp_path / "var"))) == ["True", "False"]
