"""``manage.py verify_record PATH...``: replay match records under the rules."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path

from django.utils.translation import gettext
from django.utils.translation import gettext as _

from players.commands import SpokenCommand
from rules.errors import Finding, gettext_noop
from rules.records.formats import MAX_BYTES, files_in
from rules.records.record import RecordError
from rules.records.replay import Replay, Verdict, refused, verify


class Command(SpokenCommand):
    help = gettext_noop("Replays match records under the rules and says which hold; exits 1 if any is refused.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "paths", nargs="+", type=Path, metavar="PATH", help=_("a record, or a folder of .mat and .sgf files")
        )
        parser.add_argument("--json", action="store_true", help=_("one JSON object per line"))

    def handle(self, *, paths: list[Path], json: bool, **options: object) -> None:
        show = _as_json if json else _as_text
        any_refused = False
        for path, replay in _verified(paths):
            self.stdout.write(show(path, replay))
            any_refused |= replay.verdict is Verdict.REFUSED
        if any_refused:
            sys.exit(1)


def _verified(paths: list[Path]) -> Iterator[tuple[Path, Replay]]:
    """Yield each record with its replay; a folder stands for the records in it, sorted by name."""
    for path in paths:
        try:
            records = files_in(path) if path.is_dir() else [path]
        except OSError as error:
            yield path, _unreadable(error)
            continue
        if not records:
            yield path, refused(RecordError("folder_empty", gettext_noop("The folder contains no match records.")))
        for record in records:
            yield record, _replayed(record)


def _replayed(path: Path) -> Replay:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        return _unreadable(error)
    return verify(data)


def _unreadable(error: Exception) -> Replay:
    template = gettext_noop("The file cannot be read: %(reason)s.")
    return refused(RecordError("file_unreadable", template, reason=reason_of(error)))


def reason_of(error: Exception) -> str:
    """Return why a file cannot be read or written, in the operating system's words where it gives any."""
    return getattr(error, "strerror", None) or str(error)


def _as_json(path: Path, replay: Replay) -> str:
    finding = replay.finding
    return json.dumps(
        {
            "file": str(path),
            "verdict": replay.verdict,
            "length": replay.length,
            "money": replay.money,
            "games": len(replay.games),
            "plays": replay.plays,
            "score": [replay.score.a, replay.score.b],
            "finding": None
            if finding is None
            else {"code": finding.code, "game": finding.game, "row": finding.row, "message": finding.message},
        }
    )


def _as_text(path: Path, replay: Replay) -> str:
    parts = [str(path).encode(errors="replace").decode(), str(replay.verdict)]
    if replay.length or replay.money:
        summary = (
            gettext("%(a)s-%(b)s in a money session, %(games)s games, %(plays)s plays")
            if replay.money
            else gettext("%(a)s-%(b)s to %(length)s, %(games)s games, %(plays)s plays")
        )
        score = {"a": replay.score.a, "b": replay.score.b, "length": replay.length}
        parts.append(summary % {**score, "games": len(replay.games), "plays": replay.plays})
    if replay.finding is not None:
        parts.append(sentence(replay.finding))
    return " · ".join(parts)


def sentence(finding: Finding) -> str:
    """Return the finding's sentence, preceded by the game and row that it concerns."""
    message = gettext(finding.template) % finding.params
    place = {"game": finding.game, "row": finding.row}
    if finding.row is not None:
        return gettext("Game %(game)s, row %(row)s:") % place + f" {message}"
    if finding.game is not None:
        return gettext("Game %(game)s:") % place + f" {message}"

    return message
