"""``manage.py import_records PATH...``: turn match records into players, matches and confirmed score sheets."""

import json as jsonlib
import os
import sys
import time
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from matches.import_records import Imported, batches, import_batch
from matches.management.commands.verify_record import reason_of
from players.commands import SpokenCommand
from rules.records.formats import MAX_BYTES, files_in

VERDICTS = ("proved", "incomplete", "quarantined", "refused", "known", "unreadable")


class Command(SpokenCommand):
    help = gettext_noop(
        "Imports match records (.mat, .sgf, .xg, .bgf). A record that the rules engine proves becomes a match with a "
        "confirmed score sheet; the rest are kept with the reason. A match that was imported before is known again, in "
        "whatever format, and left alone. Exits 1 if a record is refused or a file cannot be read; the others are "
        "imported all the same."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "paths",
            nargs="+",
            type=Path,
            metavar="PATH",
            help=_("a record, or a folder of .mat, .sgf, .xg and .bgf files"),
        )
        parser.add_argument("--json", action="store_true", help=_("one JSON object per line"))

    def handle(self, *, paths: list[Path], json: bool, verbosity: int, **options: object) -> None:
        counts: Counter[str] = Counter(dict.fromkeys(VERDICTS, 0))
        began = time.monotonic()
        for batch in batches(_files(paths)):
            files = [(_printable(path.name), data) for path, data in batch if isinstance(data, bytes)]
            imported = iter(import_batch(files, at=timezone.now()))
            for path, data in batch:
                if isinstance(data, str):
                    line: dict[str, object] = {"file": _printable(path), "verdict": "unreadable", "reason": data}
                    counts["unreadable"] += 1
                else:
                    done = next(imported)
                    line = _describe(path, done)
                    counts["known" if done.known else str(done.record.verdict)] += 1
                if json:
                    self.stdout.write(jsonlib.dumps(line))
                elif verbosity:
                    self._say(line)
            if verbosity and counts.total() > len(batch):
                rate = counts.total() / max(time.monotonic() - began, 0.001)
                about = {"count": counts.total(), "rate": round(rate)}
                self.stderr.write(_("%(count)s files so far, %(rate)s a second") % about)
        if json:
            self.stdout.write(jsonlib.dumps({"summary": counts}))
        else:
            self.stdout.write(", ".join(f"{number} {verdict}" for verdict, number in counts.items()) + ".")
        if counts["refused"] or counts["unreadable"]:
            sys.exit(1)

    def _say(self, line: dict[str, object]) -> None:
        finding = line.get("finding")
        why = line.get("reason") or (finding["message"] if isinstance(finding, dict) else "")
        known = _("known as record %(number)s") % {"number": line["record"]} + ", " if line.get("known") else ""
        self.stdout.write(f"{line['file']}: {known}{line['verdict']}" + (f": {why}" if why else ""))


def _files(paths: list[Path]) -> Iterator[tuple[Path, bytes | str]]:
    """Yield each file with its bytes, one at a time, or with the reason why it cannot be read; folders by name."""
    for path in paths:
        try:
            files = files_in(path) if path.is_dir() else [path]
        except OSError as error:
            yield path, reason_of(error)
            continue
        if not files:
            yield path, _("the folder contains no match records")
        for file in files:
            yield file, _read(file)


def _read(file: Path) -> bytes | str:
    try:
        if file.exists() and not file.is_file():
            return _("it is not a file")
        with file.open("rb") as opened:
            data = opened.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        return reason_of(error)
    return data if len(data) <= MAX_BYTES else _("it has more than %(limit)s bytes") % {"limit": MAX_BYTES}


def _printable(path: Path | str) -> str:
    """Return the name as text, replacing bytes that are not UTF-8."""
    return os.fsencode(path).decode(errors="replace")


def _describe(path: Path, done: Imported) -> dict[str, object]:
    finding = done.record.finding
    replay = done.replay
    return {
        "file": _printable(path),
        "verdict": str(done.record.verdict),
        "length": replay.length,
        "games": len(replay.games),
        "plays": replay.plays,
        "score": [replay.score.a, replay.score.b],
        "finding": finding and {key: finding[key] for key in ("code", "game", "row", "message")},
        "known": done.known,
        "record": done.record.pk,
        "match": done.record.match_id,
    }
