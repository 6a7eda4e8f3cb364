"""``manage.py verify_record PATH...``: replay match records under the rules."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from pathlib import Path

from django.core.management.base import CommandError
from django.utils.translation import gettext
from django.utils.translation import gettext as _

from players.commands import SpokenCommand
from rules.errors import Finding, gettext_noop
from rules.records.formats import MAX_BYTES, files_in
from rules.records.known import COLUMNS, Known, parse_known
from rules.records.record import RecordError
from rules.records.replay import Replay, Verdict, refused, verify


class Command(SpokenCommand):
    help = gettext_noop("Replays match records under the rules and says which hold; exits 1 if any is refused.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "paths",
            nargs="+",
            type=Path,
            metavar="PATH",
            help=_("a record, or a folder of .mat, .sgf, .xg and .bgf files"),
        )
        parser.add_argument("--json", action="store_true", help=_("one JSON object per line"))
        parser.add_argument("--start", default="", metavar="A-B", help=_("the score at which the records begin"))
        parser.add_argument("--length", default="", metavar="N", help=_("the length of the match; 0 for money play"))
        parser.add_argument(
            "--names", nargs=2, default=("", ""), metavar="NAME", help=_("the players, the left column's first")
        )
        parser.add_argument(
            "--gave-up", default="", choices=tuple(COLUMNS), help=_("the column of the player who gave up")
        )

    def handle(
        self,
        *,
        paths: list[Path],
        json: bool,
        start: str,
        length: str,
        names: Sequence[str],
        gave_up: str,
        **options: object,
    ) -> None:
        show = _as_json if json else _as_text
        any_refused = False
        try:
            known = parse_known(start=start, length=str(length), names=(names[0], names[1]), gave_up=gave_up)
        except RecordError as error:
            raise CommandError(sentence(error.finding)) from error
        for path, replay in _verified(paths, known):
            self.stdout.write(show(path, replay))
            any_refused |= replay.verdict is Verdict.REFUSED
        if any_refused:
            sys.exit(1)


def _verified(paths: list[Path], known: Known) -> Iterator[tuple[Path, Replay]]:
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
            yield record, _replayed(record, known)


def _replayed(path: Path, known: Known) -> Replay:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        return _unreadable(error)
    return verify(data, known=known)


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
            "finding": None if finding is None else _line(finding),
            "notes": [_line(note) for note in replay.notes],
        }
    )


def _line(finding: Finding) -> dict[str, object]:
    return {"code": finding.code, "game": finding.game, "row": finding.row, "message": finding.message}


SENTENCES: dict[Verdict, str] = {
    Verdict.PROVED: gettext_noop("Every roll, play, cube action and score follows the rules."),
    Verdict.INCOMPLETE: gettext_noop("It is correct as far as it goes, but it ends before the match does."),
    Verdict.QUARANTINED: gettext_noop("No rule is broken, but not everything in it can be vouched for."),
    Verdict.REFUSED: gettext_noop("It breaks a rule or cannot be read."),
}
"""What each verdict means."""


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
    if replay.length or replay.money:
        parts.append(gettext(SENTENCES[replay.verdict]))
    if replay.finding is not None:
        parts.append(sentence(replay.finding))
    parts += [sentence(note) for note in replay.notes]
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
