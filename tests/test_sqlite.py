"""Write transactions of SQLite follow one another. A test runs in a single one, so other processes try this."""

from pathlib import Path

from tests.processes import environment, manage

BEGIN = """
import sqlite3, threading
from django.db import OperationalError, connection, transaction
from players.models import Club
other = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None, check_same_thread=False)
other.execute("BEGIN IMMEDIATE")
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
other.execute("INSERT INTO players_club (name) VALUES ('First')")
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


def printed(code: str, folder: Path) -> list[str]:
    env = environment(VAR_DIR=folder)
    manage("migrate", "--verbosity", "0", env=env)
    return manage("shell", "--no-imports", "--command", BEGIN + code, env=env).splitlines()


def test_a_second_writer_waits_and_sees_what_the_first_wrote(tmp_path: Path) -> None:
    assert printed(WAITS, tmp_path) == ["waits True", "then ['First']", "['First', 'Second']"]


def test_a_writer_that_has_waited_too_long_gets_an_error_and_can_try_again(tmp_path: Path) -> None:
    assert printed(GIVES_UP, tmp_path) == ["database is locked", "50", "begun"]
