"""The process that tries mutated files out: on an empty database, for what must be stored to be read."""

import base64
import io
import json
import os
import sys
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import django

django.setup()

# Everything below needs Django's settings.
import xlsxwriter  # noqa: E402
from django.core.management import call_command  # noqa: E402

from players.errors import Refusal  # noqa: E402
from rules.records.formats import loads  # noqa: E402
from rules.records.record import RecordError  # noqa: E402
from rules.records.replay import replay  # noqa: E402
from tests.builders import build_director, build_event, play_out  # noqa: E402
from tournament.entries.handed import read_handed  # noqa: E402
from tournament.entries.lists import parse_file, parse_pasted  # noqa: E402
from tournament.past.draw_file import draw_file_of  # noqa: E402
from tournament.proof.check import check_file  # noqa: E402
from tournament.proof.faults import FileFault  # noqa: E402
from tournament.proof.read import read_draw_file  # noqa: E402
from tournament.proof.write import write_draw_file  # noqa: E402

OWN_RECORDS = Path(__file__).parents[1] / "tests" / "data" / "records"
WORDS = (b"0", b"-1", b"99999999999999999999", b"\x00", b"\xff\xfe", b"[" * 500, b"(" * 500, b'"', b",", b";", b"\n")
LIST = "Name;Club;Country;Seed\nAda Lovelace;London;GB;1\nBo Ek;Malmö;SE;2\nTeam: Cy, Di;Oslo;NO;\n"
SAYS = {"m": 1, "s": "a", "k": "key", "b": 0, "g": [["a", "single", 2]], "t": "2026-11-21T20:00:00Z"}
SLOWEST_SECONDS = 2.0
"""How long any file may take to be read at most, of processor, with everything that is checked in it."""


@dataclass(frozen=True)
class Importer:
    """What reads a file of one kind, and what it raises for one that it cannot read.

    The ``seeds`` are mutated, and then packed into a file.
    """

    name: str
    read: Callable[[bytes], object]
    refuses: type[Exception]
    seeds: list[bytes]
    pack: Callable[[bytes], bytes] = bytes


@dataclass
class Fate:
    """What became of the mutated files of an importer."""

    counts: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0
    wrong: list[str] = field(default_factory=list)


def main() -> None:
    files, seed = int(sys.argv[1]), sys.argv[2]
    found = importers()
    each = -(-files // len(found))
    print(f"{'importer':22}{'files':>9}{'read':>9}{'refused':>9}{'wrong':>7}{'a second':>10}{'slowest ms':>12}")
    wrong = [line for importer in found for line in report(importer, each, Random(f"{seed}:{importer.name}"))]
    print("\n".join(["", "WRONG", *wrong[:20]]) if wrong else "\nEvery file was read or refused.")
    sys.exit(1 if wrong else 0)


def report(importer: Importer, count: int, random: Random) -> list[str]:
    began = time.perf_counter()
    fate = try_out(importer, count, random)
    rate = count / (time.perf_counter() - began)
    read, refused = fate.counts["read"], fate.counts["refused"]
    told = f"{read:9,}{refused:9,}{len(fate.wrong):7,}{rate:10,.0f}{1000 * fate.slowest:12,.0f}"
    print(f"{importer.name:22}{count:9,}{told}", flush=True)
    return fate.wrong


def try_out(importer: Importer, count: int, random: Random) -> Fate:
    """Let the importer read so many mutated files."""
    fate = Fate()
    for number in range(count):
        data = importer.pack(mutated(importer.seeds[number % len(importer.seeds)], random))
        began = time.process_time()
        try:
            importer.read(data)
            fate.counts["read"] += 1
        except importer.refuses:
            fate.counts["refused"] += 1
        except Exception as error:
            fate.wrong.append(f"{importer.name}: {error!r} for {data[:200]!r}")
        took = time.process_time() - began
        fate.slowest = max(fate.slowest, took)
        if took > SLOWEST_SECONDS:
            fate.wrong.append(f"{importer.name}: {took:.1f} s for {data[:200]!r}")
    return fate


def mutated(data: bytes, random: Random) -> bytes:
    """Return the file with one to four changes: bytes, pieces and lines that are changed, moved, doubled or gone."""
    for _change in range(random.randint(1, 4)):
        if not data:
            return data
        at, size = random.randrange(len(data)), random.choice((1, 1, 2, 8, 64, 512))
        piece = data[at : at + size]
        match random.randrange(8):
            case 0:
                data = data[:at] + bytes([data[at] ^ 1 << random.randrange(8)]) + data[at + 1 :]
            case 1:
                data = data[:at] + data[at + size :]
            case 2:
                data = data[:at] + piece * random.choice((2, 3, 40)) + data[at + size :]
            case 3:
                to = random.randrange(len(data))
                data = data[:to] + piece + data[to:]
            case 4:
                data = data[:at] + random.choice(WORDS) + data[at:]
            case 5:
                data = data[:at]
            case 6:
                lines = data.split(b"\n")
                random.shuffle(lines)
                data = b"\n".join(lines)
            case _:
                data = data[:at] + random.randbytes(size) + data[at + size :]
    return data


def importers() -> list[Importer]:
    """Return every reader of files or texts that people bring."""
    book, sheet = workbook(), "xl/worksheets/sheet1.xml"
    with zipfile.ZipFile(io.BytesIO(book)) as parts:
        cells = parts.read(sheet)
    said = [json.dumps(SAYS).encode()]
    return [
        Importer("records", lambda data: replay(loads(data)), RecordError, list(records())),
        Importer("lists, CSV", parse_file, Refusal, [LIST.encode(), LIST.replace(";", ",").encode("utf-16")]),
        Importer("lists, XLSX", parse_file, Refusal, [book]),
        Importer("lists, cells of XLSX", parse_file, Refusal, [cells], lambda data: with_part(book, sheet, data)),
        Importer("lists, pasted", lambda data: parse_pasted(data.decode("latin-1")), Refusal, [LIST.encode()]),
        Importer("draw files", lambda data: check_file(read_draw_file(data)), FileFault, draw_files()),
        Importer("handed sheets", lambda data: read_handed(data.decode("ascii")), Refusal, said, handed),
    ]


def records() -> Iterator[bytes]:
    """Yield our own records, and those in CORPUS_DIR."""
    folders = [OWN_RECORDS, *([Path(os.environ["CORPUS_DIR"])] if "CORPUS_DIR" in os.environ else [])]
    for folder in folders:
        yield from (path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


def workbook() -> bytes:
    made = io.BytesIO()
    with xlsxwriter.Workbook(made) as book:
        sheet = book.add_worksheet()
        for number, line in enumerate(LIST.splitlines()):
            sheet.write_row(number, 0, line.split(";"))
    return made.getvalue()


def with_part(book: bytes, name: str, data: bytes) -> bytes:
    """Return the workbook with another content of this part."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(book)) as old, zipfile.ZipFile(made, "w") as new:
        for part in old.namelist():
            new.writestr(part, data if part == name else old.read(part))
    return made.getvalue()


def handed(payload: bytes) -> bytes:
    return b".".join(base64.urlsafe_b64encode(part).rstrip(b"=") for part in (payload, b"no signature"))


def draw_files() -> list[bytes]:
    """Return the draw files of played events, a knockout and one of rounds."""
    call_command("migrate", verbosity=0)
    director = build_director()
    made = [
        build_event(director, name="Cup", players=6, seed=""),
        build_event(director, name="Rounds", players=6, seed="", format="swiss", options={"rounds": 3}),
    ]
    for event in made:
        play_out(event)
    return [write_draw_file(draw_file_of(event)) for event in made]


if __name__ == "__main__":
    main()
