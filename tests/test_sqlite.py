"""Write transactions of SQLite follow one another. A test runs in a single one, so other processes try this."""

import os
import shutil
from pathlib import Path

import pytest

from tests.processes import environment, manage

BEGIN = """
import sqlite3, threading
from django.db import OperationalError, connection, transaction
from players.models import Club
other = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None, check_same_thread=False)
other.execute("BEGIN IMMEDIATE")
"""
STAMPS = """
other.execute("ROLLBACK")
connection.ensure_connection()
seen = [connection.stamp(), connection.stamp()]
list(Club.objects.all())
seen.append(connection.stamp())
print(len(set(seen)))
other.execute("INSERT INTO players_club (name, code, town) VALUES ('First', '', '')")
seen.append(connection.stamp())
Club.objects.create(name="Second")
seen.append(connection.stamp())
with transaction.atomic():
    print(connection.stamp())
connection.close()
print(connection.stamp())
connection.ensure_connection()
seen.append(connection.stamp())
print(len(set(seen)))
"""
WAITS = """
def write():
    try:
        with transaction.atomic():
            print("then", list(Club.objects.values_list("name", flat=True)))
            Club.objects.create(name="Second")
    finally:
        connection.close()
thread = threading.Thread(target=write)
thread.start()
thread.join(0.1)
print("waits", thread.is_alive())
other.execute("INSERT INTO players_club (name, code, town) VALUES ('First', '', '')")
other.execute("COMMIT")
thread.join()
print(sorted(Club.objects.values_list("name", flat=True)))
"""
GIVES_UP = """
connection.settings_dict["OPTIONS"]["timeout"] = 0.05
try:
    with transaction.atomic():
        print("begun")
except OperationalError as error:
    print(error)
with connection.cursor() as cursor:
    print(cursor.execute("PRAGMA busy_timeout").fetchone()[0])
other.execute("ROLLBACK")
with transaction.atomic():
    print("begun")
"""
IN_ORDER = """
def write(name):
    with transaction.atomic():
        Club.objects.create(name=name)
    connection.close()
threads = [threading.Thread(target=write, args=[f"{number:02}"]) for number in range(12)]
other.execute("ROLLBACK")
with transaction.atomic():
    for thread in threads:
        thread.start()
        thread.join(0.1)
for thread in threads:
    thread.join()
print(*Club.objects.order_by("pk").values_list("name", flat=True))
"""
NESTED = """
other.execute("ROLLBACK")
connection.settings_dict["OPTIONS"]["timeout"] = 0.05
def write(name):
    try:
        with transaction.atomic():
            Club.objects.create(name=name)
    except OperationalError as error:
        print(name, error)
    finally:
        connection.close()
def elsewhere(name):
    thread = threading.Thread(target=write, args=[name])
    thread.start()
    thread.join()
with transaction.atomic():
    with transaction.atomic():
        Club.objects.create(name="inner")
    elsewhere("too early")
elsewhere("after a commit")
try:
    with transaction.atomic():
        raise ValueError
except ValueError:
    elsewhere("after an error")
try:
    with transaction.atomic():
        connection.close()
except Exception as error:
    print(type(error).__name__)
elsewhere("after a lost connection")
print(*Club.objects.order_by("pk").values_list("name", flat=True), sep=", ")
"""
MAKES_A_TABLE = """
from django.db import connection
connection.cursor().execute("CREATE TABLE a (b)")
file = connection.settings_dict["NAME"]
for path in sorted(file.parent.glob("sixprime.sqlite3*")):
    print(path.name, oct(path.stat().st_mode & 0o777))
"""
READS = """
connection.settings_dict["OPTIONS"]["timeout"] = 0.05
other.execute("INSERT INTO players_club (name, code, town) VALUES ('Unfinished', '', '')")
print(Club.objects.count())
other.execute("COMMIT")
print(Club.objects.count())
with transaction.atomic():
    Club.objects.create(name="Also unfinished")
    thread = threading.Thread(target=lambda: (print(Club.objects.count()), connection.close()))
    thread.start()
    thread.join()
"""


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an empty database."""
    folder = tmp_path_factory.mktemp("empty")
    manage("migrate", "--verbosity", "0", env=environment(VAR_DIR=folder))
    return folder


@pytest.fixture
def folder(empty: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(empty, tmp_path / "var"))


def printed(code: str, folder: Path) -> list[str]:
    env = environment(VAR_DIR=folder)
    return manage("shell", "--no-imports", "--command", BEGIN + code, env=env).splitlines()


def test_a_second_writer_waits_and_sees_what_the_first_wrote(folder: Path) -> None:
    assert printed(WAITS, folder) == ["waits True", "then ['First']", "['First', 'Second']"]


def test_a_writer_that_has_waited_too_long_gets_an_error_and_can_try_again(folder: Path) -> None:
    assert printed(GIVES_UP, folder) == ["database is locked", "50", "begun"]


def test_writers_follow_one_another_in_the_order_in_which_they_came(folder: Path) -> None:
    assert printed(IN_ORDER, folder) == [" ".join(f"{number:02}" for number in range(12))]


def test_the_next_writer_begins_after_the_outermost_transaction_however_it_ends(folder: Path) -> None:
    assert printed(NESTED, folder) == [
        "too early database is locked",
        "inner, after a commit, after an error, after a lost connection",
    ]


def test_readers_wait_for_no_writer(folder: Path) -> None:
    assert printed(READS, folder) == ["0", "1", "1"]


def test_nobody_else_may_read_the_database(tmp_path: Path) -> None:
    folder = tmp_path / "var"
    folder.mkdir()
    folder.chmod(0o755)
    before = os.umask(0o022)
    try:
        told = manage("shell", "--no-imports", "--command", MAKES_A_TABLE, env=environment(VAR_DIR=folder))
    finally:
        os.umask(before)
    assert told.splitlines() == ["sixprime.sqlite3 0o600", "sixprime.sqlite3-shm 0o600", "sixprime.sqlite3-wal 0o600"]
    assert folder.stat().st_mode & 0o777 == 0o700


def test_a_stamp_comes_again_only_if_nothing_was_written(folder: Path) -> None:
    assert printed(STAMPS, folder) == ["1", "None", "None", "4"]
