"""Files that are broken, truncated or made to do harm are refused with one sentence."""

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from players.errors import Refusal
from players.models import Club
from tests.builders import AT
from tournament.backup.make import make_backup
from tournament.backup.read import open_backup
from tournament.backup.restore import restore_backup

pytestmark = pytest.mark.django_db(transaction=True)

CLUBS = "tables/players.club.jsonl"


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    Club.objects.bulk_create(Club(name=f"Aarhus {number}") for number in range(50))
    make_backup(tmp_path / "whole.zip", at=AT)
    return tmp_path / "whole.zip"


def code_of(path: Path) -> str:
    """The code of the refusal, whose sentence names the file."""
    with pytest.raises(Refusal) as refused, open_backup(path) as backup:
        backup.verify()
    assert str(path) in str(refused.value)
    assert "\n" not in str(refused.value)
    return refused.value.code


def rebuild(whole: Path, change: Callable[[dict[str, bytes], dict], None]) -> Path:
    """A copy of the backup with other parts, or another manifest."""
    with zipfile.ZipFile(whole) as packed:
        parts = {name: packed.read(name) for name in packed.namelist()}
    manifest = json.loads(parts["manifest.json"])
    change(parts, manifest)
    if "manifest.json" in parts:
        parts["manifest.json"] = json.dumps(manifest).encode()
    path = whole.with_name("changed.zip")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, part in parts.items():
            packed.writestr(name, part)
    return path


def test_a_whole_backup_is_read(whole):
    with open_backup(whole) as backup:
        backup.verify()


def test_other_files_are_refused(tmp_path):
    path = tmp_path / "file"
    assert code_of(path) == "not_read"
    for content in (b"", b"no zip", b"PK\x03\x04", b"PK\x05\x06" + bytes(18)):
        path.write_bytes(content)
        assert code_of(path) == "not_a_backup"
    assert code_of(tmp_path) == "not_read"


def test_a_backup_that_was_cut_off_is_refused(whole):
    content = whole.read_bytes()
    for size in (len(content) - 1, len(content) // 2, 100):
        whole.write_bytes(content[:size])
        assert code_of(whole) == "not_a_backup"


def test_a_bit_that_has_turned_is_found(whole):
    content = bytearray(whole.read_bytes())
    at = content.index(CLUBS.encode()) + len(CLUBS) + 40
    content[at] ^= 1
    whole.write_bytes(content)
    assert code_of(whole) == "damaged"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda parts, manifest: parts.pop("manifest.json"), "not_a_backup"),
        (lambda parts, manifest: parts.pop(CLUBS), "damaged"),
        (lambda parts, manifest: parts.update({"../../etc/passwd": b"x"}), "foreign_part"),
        (lambda parts, manifest: parts.update({"/etc/passwd": b"x"}), "foreign_part"),
        (lambda parts, manifest: parts.update({CLUBS: parts[CLUBS].replace(b"Aarhus", b"Odense")}), "damaged"),
        (lambda parts, manifest: parts.update({CLUBS: parts[CLUBS] + b"[]\n"}), "damaged"),
        (lambda parts, manifest: parts.update({CLUBS: bytes(200_000_000)}), "damaged"),
        (lambda parts, manifest: manifest.update(format="sixprime-backup-2"), "newer_format"),
        (lambda parts, manifest: manifest.update(format="other"), "not_a_backup"),
        (lambda parts, manifest: manifest.update(tables=[]), "not_a_backup"),
        (lambda parts, manifest: manifest.update(tables={"a": 1}), "not_a_backup"),
        (lambda parts, manifest: manifest.update(keys="x"), "not_a_backup"),
        (lambda parts, manifest: manifest.update(migrations=[["players"]]), "not_a_backup"),
        (lambda parts, manifest: manifest.update(made_at="yesterday"), "not_a_backup"),
        (lambda parts, manifest: manifest["tables"][0].update(rows="1"), "not_a_backup"),
        (lambda parts, manifest: manifest["tables"][0].update(rows=-1), "not_a_backup"),
        (lambda parts, manifest: manifest["tables"].append(manifest["tables"][0]), "not_a_backup"),
    ],
)
def test_parts_that_do_not_belong_together_are_refused(whole, change, code):
    assert code_of(rebuild(whole, change)) == code


def test_a_manifest_of_endless_brackets_is_refused(whole):
    with zipfile.ZipFile(whole.with_name("deep.zip"), "w") as packed:
        packed.writestr("manifest.json", b"[" * 200_000)
    assert code_of(whole.with_name("deep.zip")) == "not_a_backup"


def test_a_bomb_is_not_unpacked(whole):
    """A part that is thousands of times larger than in the file is refused by what the file says of it."""
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("manifest.json", bytes(50_000_000))
    path = whole.with_name("bomb.zip")
    path.write_bytes(bomb.getvalue())
    assert code_of(path) == "damaged"


def test_an_installation_with_data_is_left_as_it_is(whole):
    with pytest.raises(Refusal) as refused:
        restore_backup(whole)
    assert refused.value.code == "not_empty"
    assert Club.objects.count() == 50


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda parts, manifest: manifest["migrations"].append(["tournament", "9999_next_year"]), "newer"),
        (
            lambda parts, manifest: manifest["migrations"].remove(["players", "0001_people_and_ranking_lists"]),
            "does_not_fit",
        ),
        (lambda parts, manifest: manifest["tables"][0]["columns"].append("more"), "does_not_fit"),
        (lambda parts, manifest: manifest.update(keys=["0" * 16]), "key_needed"),
    ],
)
def test_a_backup_of_another_program_or_key_is_refused(whole, change, code):
    with pytest.raises(Refusal) as refused:
        restore_backup(rebuild(whole, change))
    assert refused.value.code == code


def test_another_key_than_that_of_the_backup_is_refused(whole, tmp_path):
    path = rebuild(whole, lambda parts, manifest: manifest.update(keys=["0" * 16]))
    for content, code in (("x" * 60, "wrong_key"), ("short", "not_a_key"), ("\n", "not_a_key")):
        (tmp_path / "key").write_text(content)
        with pytest.raises(Refusal) as refused:
            restore_backup(path, key_in=tmp_path / "key")
        assert refused.value.code == code
    with pytest.raises(Refusal) as refused:
        restore_backup(path, key_in=tmp_path / "no-key")
    assert refused.value.code == "key_unreadable"
