"""A backup of an event in play is restored elsewhere: in another folder, on another port, engine and version."""

import json
import shutil
import sqlite3
import subprocess
import sys
import zipfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.prepared import copy_prepared
from tests.processes import ROOT, environment, manage, prepare, site
from tests.servers import own_database

pytestmark = [pytest.mark.cluster, pytest.mark.long]

EXPORTS = """
from tournament.audit import audit_everything
from tournament.entries.links import link_of
from tournament.exports.formats import FORMATS
from tournament.exports.tables import EXPORTS, Subject, make_table
from tournament.draw.standings import store_standings
from tournament.models import Event
from players.errors import Refusal

for event in Event.objects.order_by("pk"):
    store_standings(event.pk)
    for name in sorted(EXPORTS):
        try:
            print(name, FORMATS["csv"](make_table(name, Subject(event=event, system="fibs"))).decode())
        except Refusal as refusal:
            print(name, refusal.code)
    print(*map(link_of, event.entries.order_by("pk")))
print(*audit_everything())
"""

BACKUP_WHILE_A_CLUB_IS_FOUNDED = """
from pathlib import Path
from django.utils import timezone
from tournament.backup.make import make_backup

def found(table):
    if table == "matches.match":
        {connect}
        other.execute("INSERT INTO players_club (name, code, town) VALUES ('Late', '', '')")
        other.commit()
        other.close()

make_backup(Path({path!r}), at=timezone.now(), tell=found)
from players.models import Club
assert Club.objects.filter(name="Late").delete()
"""


@dataclass(frozen=True)
class Machine:
    """An installation with a folder of its own, and a database on another server if ``database`` is its address."""

    folder: Path
    database: str = ""

    @property
    def env(self) -> dict[str, str]:
        return environment(VAR_DIR=self.folder, DATABASE_URL=self.database, DEMO=0, BACKUP_HOURS=0)

    @property
    def key(self) -> Path:
        return self.folder / "secret_key"

    def manage(self, *arguments: object) -> str:
        return manage(*map(str, arguments), env=self.env)

    def refuses(self, *arguments: object) -> str:
        command = [sys.executable, "manage.py", *map(str, arguments)]
        done = subprocess.run(command, cwd=ROOT, env=self.env, capture_output=True, text=True, timeout=300)
        assert done.returncode == 1, done.stdout
        assert "Traceback" not in done.stderr
        return done.stderr

    def python(self, code: str) -> str:
        return self.manage("shell", "--verbosity", "0", "--command", code)


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    """The laptop of a club in the middle of an evening."""
    laptop = Machine(tmp_path_factory.mktemp("club") / "var")
    copy_prepared(laptop.folder, prepare)
    laptop.manage("demo", "--format", "swiss", "--players", "8", "--seed", "7")
    return laptop


@pytest.fixture(scope="module")
def backup(club: Machine) -> Path:
    path = club.folder / "backup.zip"
    assert str(club.key) in club.manage("backup", path)
    return path


@pytest.fixture(scope="module")
def restored(club: Machine, backup: Path, tmp_path_factory: pytest.TempPathFactory) -> Machine:
    """Another machine, with the key of the lost one."""
    other = Machine(tmp_path_factory.mktemp("other"))
    assert "belongs to another secret key" in other.refuses("restore", backup)
    assert "No differences." in other.manage("restore", backup, "--secret-key", club.key)
    return other


@pytest.fixture(scope="module")
def exports(club: Machine) -> str:
    return club.python(EXPORTS)


def rows_of(backup: Path, name: str) -> list[list]:
    with zipfile.ZipFile(backup) as packed:
        return [json.loads(line) for line in packed.read(f"tables/{name}.jsonl").splitlines()]


def forge(backup: Path, path: Path, name: str, change: Callable[[list[list]], None]) -> Path:
    """A backup with other rows in a table, and the right hash of them."""
    with zipfile.ZipFile(backup) as packed:
        parts = {each: packed.read(each) for each in packed.namelist()}
    rows = rows_of(backup, name)
    change(rows)
    part = "".join(json.dumps(row) + "\n" for row in rows).encode()
    manifest = json.loads(parts["manifest.json"])
    table = next(table for table in manifest["tables"] if table["name"] == name)
    table |= {"rows": len(rows), "bytes": len(part), "sha256": sha256(part).hexdigest()}
    parts |= {f"tables/{name}.jsonl": part, "manifest.json": json.dumps(manifest).encode()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for each, content in parts.items():
            packed.writestr(each, content)
    return path


def test_another_machine_goes_on_where_the_lost_one_was(backup: Path, exports: str, restored: Machine):
    assert restored.python(EXPORTS) == exports
    link = next(word for word in exports.split() if word.startswith("/my/") or "~" in word)
    with site(restored.folder) as running, urlopen(running.url + link) as page:
        assert page.status == 200
    assert "already holds data" in restored.refuses("restore", backup)


def test_a_backup_that_is_refused_leaves_no_database(backup: Path, tmp_path: Path):
    def break_a_row(rows: list[list]) -> None:
        rows[0].pop()

    other = Machine(tmp_path / "other")
    late = forge(backup, tmp_path / "late.zip", "players.player", break_a_row)
    damaged = tmp_path / "damaged.zip"
    with zipfile.ZipFile(backup) as whole, zipfile.ZipFile(damaged, "w") as packed:
        for each in whole.namelist():
            packed.writestr(each, whole.read(each) + (b" " if "players.player." in each else b""))
    for refused in (late, damaged):
        other.refuses("restore", refused, "--any-key")
        assert [path.name for path in other.folder.iterdir() if "sqlite3" in path.name] == []
    other.manage("restore", backup, "--any-key", "--no-audit")
    assert (other.folder / "sixprime.sqlite3").stat().st_mode & 0o777 == 0o600


def test_numbers_of_lost_rows_are_not_given_again(backup: Path, restored: Machine):
    """A phone may hold the link of an entry that was made after the backup."""
    code = "from players.models import Club; print(Club.objects.create(name='New').pk)"
    assert int(restored.python(code)) > max([0, *(row[0] for row in rows_of(backup, "players.club"))]) + 1000


def test_a_backup_that_breaks_a_rule_changes_nothing(backup: Path, tmp_path: Path):
    """Even one whose hashes are right: a match is missing, a row is too short."""
    other = Machine(tmp_path / "other")
    missing = forge(backup, tmp_path / "missing.zip", "matches.match", lambda rows: rows.pop())
    short = forge(backup, tmp_path / "short.zip", "players.player", lambda rows: rows[1].pop())
    for forged, said in ((missing, "foreign key"), (short, "Row 2 of players.player")):
        sentence = other.refuses("restore", forged, "--any-key")
        assert said in sentence
        assert sentence.count("\n") == 1
        with closing(sqlite3.connect(other.folder / "sixprime.sqlite3")) as database:
            assert database.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)
        assert not list(other.folder.glob("*restoring*"))


def test_a_backup_from_before_an_update_is_brought_up_to_date(club, exports, tmp_path: Path):
    old = Machine(tmp_path / "old")
    shutil.copytree(club.folder, old.folder)
    old.manage("migrate", "tournament", "0022", "--verbosity", "0")
    old.manage("backup", tmp_path / "old.zip")
    other = Machine(tmp_path / "other")
    other.manage("restore", tmp_path / "old.zip", "--secret-key", club.key)
    assert other.python(EXPORTS) == exports


def test_from_sqlite_to_postgres_and_back_while_people_write(club, backup, exports, postgres_url, tmp_path: Path):
    path = tmp_path / "federation.zip"
    with own_database(postgres_url, "restored") as address:
        federation = Machine(tmp_path / "federation", address)
        assert "No differences." in federation.manage("restore", backup, "--secret-key", club.key)
        assert federation.python(EXPORTS) == exports
        connect = f"import psycopg; other = psycopg.connect({address!r})"
        federation.python(BACKUP_WHILE_A_CLUB_IS_FOUNDED.format(connect=connect, path=str(path)))
    assert "Late" not in str(rows_of(path, "players.club"))
    laptop = Machine(tmp_path / "laptop")
    laptop.manage("restore", path, "--secret-key", federation.key)
    assert laptop.python(EXPORTS) == exports


def test_a_backup_shows_one_moment_while_people_write(club: Machine, tmp_path: Path):
    connect = f"import sqlite3; other = sqlite3.connect({str(club.folder / 'sixprime.sqlite3')!r}, timeout=20)"
    path = tmp_path / "meanwhile.zip"
    club.python(BACKUP_WHILE_A_CLUB_IS_FOUNDED.format(connect=connect, path=str(path)))
    assert "Late" not in str(rows_of(path, "players.club"))
