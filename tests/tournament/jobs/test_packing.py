"""Zip files of match records that are broken in some way: each is refused in one sentence, and nothing is stored."""

import io
import random
import struct
import zipfile
import zlib

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from players.errors import Refusal
from tests.breadth import few
from tournament.jobs.packing import MAX_FILES, MOST_PARTS, pack_records
from tournament.models import Job

TEXT = b" 1 point match\n\n Game 1\n Anna : 0                   Bo : 0\n" * 20


def zipped(data: bytes = TEXT, *, names: tuple[str, ...] = ("a.mat",), method: int = zipfile.ZIP_DEFLATED) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as files:
        for name in names:
            files.writestr(name, data)
    return made.getvalue()


WHOLE = zipped()
STORED = zipped(method=zipfile.ZIP_STORED)
LISTED = WHOLE.index(b"PK\x01\x02")


def listing(at: int, value: bytes, whole: bytes = WHOLE) -> bytes:
    """The file with these bytes in what its list of contents says of the first part."""
    at += whole.index(b"PK\x01\x02")
    return whole[:at] + value + whole[at + len(value) :]


UNPACKABLE = zipped(b"\x09\x04\x05\x00" + b"\xff" * 40, method=zipfile.ZIP_STORED)
UNPACKABLE = listing(10, b"\x0e\x00", UNPACKABLE[:8] + b"\x0e\x00" + UNPACKABLE[10:])


BROKEN = {
    "no zip": b"no zip",
    "empty": b"",
    "without its end": WHOLE[:-10],
    "without its list": WHOLE[:LISTED],
    "without its beginning": WHOLE[20:],
    "a byte changed": STORED.replace(b"Anna", b"Bnna", 1),
    "packed bytes changed": WHOLE[:60] + bytes(20) + WHOLE[80:],
    "another checksum": listing(16, bytes(4)),
    "encrypted": listing(8, b"\x01\x00"),
    "packed in an unknown way": listing(10, b"\x63\x00"),
    "packed by LZMA with options that it does not have": UNPACKABLE,
    "larger than it says": listing(24, struct.pack("<I", len(TEXT) - 1)),
    "a bomb": zipped(bytes(15_000_000)),
    "a bomb that says it is small": listing(24, struct.pack("<I", 100), zipped(bytes(15_000_000))),
    "nothing but the end of a list": b"PK\x05\x06" + bytes(18) + b"x",
}


def pack(data: bytes) -> bytes:
    return pack_records([("one.zip", io.BytesIO(data))]).data


def inside(packed: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(packed)) as files:
        return {name: files.read(name) for name in files.namelist()}


def code_of(data: bytes) -> str:
    with pytest.raises(Refusal) as refusal:
        pack(data)
    assert refusal.value.findings == ()
    return refusal.value.code


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_zip_file_is_refused_in_one_sentence(kind):
    expected = "no_records" if kind == "nothing but the end of a list" else "zip_unreadable"
    assert code_of(BROKEN[kind]) == expected


def test_too_much_is_told_apart_from_what_is_broken():
    assert code_of(zipped(random.Random(1).randbytes(21_000_000))) == "records_too_many"
    assert code_of(zipped(b"x", names=tuple(f"{number}.mat" for number in range(MAX_FILES + 1)))) == "records_too_many"
    assert code_of(WHOLE + b"PK\x01\x02" * (MOST_PARTS + 1)) == "records_too_many"


def test_every_part_of_a_zip_file_is_a_record_but_folders_and_what_systems_keep_of_them():
    kept = ("a/", ".DS_Store", "a/.DS_Store", "__MACOSX/._b.MAT", "__MACOSX/a/b.MAT", "a/Thumbs.db", "desktop.ini")
    data = zipped(names=("a/b.MAT", "note.doc", "c.sgf", "plain", *kept))
    assert inside(pack(data)) == dict.fromkeys(("a/b.MAT", "note.doc", "c.sgf", "plain"), TEXT)


def test_a_file_is_packed_as_a_record_whatever_it_is_called():
    files = [(name, io.BytesIO(TEXT)) for name in ("dropped.jpg", "plain", "a.doc", "a.doc", ".mat")]
    assert inside(pack_records(files).data) == dict.fromkeys(("dropped.jpg", "plain", "a.doc", "_a.doc", ".mat"), TEXT)


@pytest.mark.parametrize("kind", [kind for kind in BROKEN if kind != "nothing but the end of a list"])
def test_a_broken_zip_file_stops_no_other_file(kind):
    files = [("a.mat", TEXT), ("one.zip", BROKEN[kind]), ("two.zip", zipped(names=("b.mat",)))]
    pack = pack_records((name, io.BytesIO(data)) for name, data in files)
    assert (inside(pack.data), pack.broken) == ({"a.mat": TEXT, "b.mat": TEXT}, ["one.zip"])


def test_what_a_zip_file_unpacks_to_before_it_breaks_counts_as_well():
    whole = zipped(random.Random(2).randbytes(3_500_000), names=tuple("abcde"), method=zipfile.ZIP_STORED)
    broken = whole[: whole.rindex(b"PK\x03\x04") + 100] + b"!" + whole[whole.rindex(b"PK\x03\x04") + 101 :]
    with pytest.raises(Refusal) as refusal:
        pack_records([(f"{number}.zip", io.BytesIO(broken)) for number in range(2)])
    assert refusal.value.code == "records_too_many"


def test_a_zip_file_with_bytes_changed_anywhere_is_packed_or_refused():
    chance = random.Random(20261128)
    whole = [WHOLE, STORED, zipped(names=("a.mat", "b.sgf"))]
    for _each in range(few(2000)):
        data = bytearray(chance.choice(whole))
        for _change in range(chance.randint(1, 4)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        if chance.random() < 0.2:
            del data[chance.randrange(len(data)) :]
        try:
            assert zlib.crc32(pack(bytes(data)))
        except Refusal as refusal:
            assert refusal.code in {"zip_unreadable", "no_records", "records_too_many"}  # noqa: PT017 - any of these


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["without its end", "another checksum", "packed bytes changed", "encrypted", "a bomb"])
def test_the_page_answers_a_broken_zip_file_with_that_sentence(client: Client, director, kind):
    director.is_superuser = True
    director.save()
    client.force_login(director)
    answer = client.post("/records/import/", {"files": [SimpleUploadedFile("one.zip", BROKEN[kind])]})
    assert (answer.status_code, Job.objects.count()) == (400, 0)
    assert "“one.zip” cannot be read as a zip file." in answer.content.decode()
