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
    assert printed(TAKEN_AWAY, folder) == ["ok 201 None", away, "False", "ok 201 None", "away 201 None", "ok 201 None"]


def test_a_database_whose_lock_somebody_holds_is_not_ready(empty: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(empty, tmp_path / "var"))
    assert printed(LOCKED, folder) == ["ok", "ok locked locked", "ok"]


def test_a_database_whose_writers_take_turns_is_ready(empty: Path, tmp_path: Path) -> None:
    assert printed(TURNS, Path(shutil.copytree(empty, tmp_path / "var"))) == ["True", "False"]
