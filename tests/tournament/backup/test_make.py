"""What a backup holds, and what it leaves out."""

import json
import zipfile
from base64 import b64decode
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from uuid import UUID

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command

from players.errors import Refusal
from players.models import Club
from tests.builders import AT, build_director, build_event
from tournament.backup.make import make_backup
from tournament.backup.read import open_backup
from tournament.backup.tables import LEFT_OUT, read_row, write_row
from tournament.models import BackupRun, Entry

pytestmark = pytest.mark.django_db(transaction=True)


def read_table(path: Path, name: str) -> list[dict]:
    """The rows of a table of a backup, each by its columns."""
    with zipfile.ZipFile(path) as packed:
        columns = {table["name"]: table["columns"] for table in json.loads(packed.read("manifest.json"))["tables"]}
        lines = packed.read(f"tables/{name}.jsonl").splitlines()
    return [dict(zip(columns[name], json.loads(line), strict=True)) for line in lines]


def test_a_backup_holds_every_row_and_says_how_many(tmp_path):
    event = build_event(build_director(), players=5)
    made = make_backup(tmp_path / "b.zip", at=AT)
    entries = read_table(tmp_path / "b.zip", "tournament.entry")
    assert [row["id"] for row in entries] == list(event.entries.order_by("pk").values_list("pk", flat=True))
    assert {table.name: table.rows for table in made.tables}["tournament.entry"] == Entry.objects.count() == 5
    assert made.made_at == AT.isoformat()
    assert ["tournament", "0001_tournaments"] in made.migrations


def test_a_backup_holds_neither_the_key_nor_who_is_signed_in(tmp_path):
    Session.objects.create(session_key="signed-in", session_data="x", expire_date=AT)
    BackupRun.objects.create(asked_at=AT)
    make_backup(tmp_path / "b.zip", at=AT)
    with zipfile.ZipFile(tmp_path / "b.zip") as packed:
        parts = {name: packed.read(name) for name in packed.namelist()}
    assert not [name for name, part in parts.items() if settings.SECRET_KEY.encode() in part or b"signed-in" in part]
    assert not [name for name in LEFT_OUT if f"tables/{name}.jsonl" in parts]


def test_the_key_goes_in_if_that_is_wanted(tmp_path):
    make_backup(tmp_path / "b.zip", at=AT, with_secret_key=True)
    with open_backup(tmp_path / "b.zip") as backup:
        assert backup.key == settings.SECRET_KEY


def test_the_same_rows_make_the_same_tables(tmp_path):
    build_event(build_director(), players=4)
    for name, at in (("a.zip", AT), ("b.zip", AT + timedelta(days=1))):
        make_backup(tmp_path / name, at=at)
    with zipfile.ZipFile(tmp_path / "a.zip") as a, zipfile.ZipFile(tmp_path / "b.zip") as b:
        assert a.namelist() == b.namelist()
        assert [name for name in a.namelist() if a.read(name) != b.read(name)] == ["manifest.json"]


def test_a_file_that_exists_is_never_written_over(tmp_path):
    path = tmp_path / "b.zip"
    path.write_text("precious")
    with pytest.raises(CommandError, match="exists already: choose another name"):
        call_command("backup", path)
    assert path.read_text() == "precious"
    assert [left.name for left in tmp_path.iterdir()] == ["b.zip"]


def test_nothing_is_left_of_a_backup_that_fails(tmp_path):
    def fail(table: str) -> None:
        raise OSError(28, "No space left on device")

    with pytest.raises(Refusal, match="cannot be written: No space left on device"):
        make_backup(tmp_path / "b.zip", at=AT, tell=fail)
    with pytest.raises(Refusal, match="cannot be written: No such file or directory"):
        make_backup(tmp_path / "nowhere" / "b.zip", at=AT)
    assert list(tmp_path.iterdir()) == []
    Club.objects.create(name="Later")  # the connection is fit for use


def test_the_command_says_where_the_key_lies(tmp_path, settings, capsys):
    settings.VAR_DIR = tmp_path
    (tmp_path / "secret_key").write_text(settings.SECRET_KEY)
    call_command("backup", tmp_path / "b.zip")
    assert f"Keep a copy of the secret key apart from it: {tmp_path / 'secret_key'}." in capsys.readouterr().out
    assert (tmp_path / "b.zip").stat().st_mode & 0o077 == 0


def test_values_of_every_kind_are_read_as_they_were_written():
    kinds = (
        bytes(range(256)),
        Decimal("1.50"),
        UUID(int=7),
        datetime(2026, 3, 6, 19, 0, 0, 1, tzinfo=UTC),
        "ø\n\u2028",
    )
    readers = (b64decode, Decimal, UUID, datetime.fromisoformat, str)
    line = write_row([*kinds, None])
    assert line.count(b"\n") == 1
    assert read_row(line, [*readers, str]) == (*kinds, None)
