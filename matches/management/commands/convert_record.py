"""``manage.py convert_record IN OUT``: write a match record in another format."""

from argparse import ArgumentParser
from dataclasses import replace
from pathlib import Path

from django.core.management.base import CommandError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from matches.management.commands.verify_record import reason_of, sentence
from players.commands import SpokenCommand
from rules.records.formats import FORMATS, MAX_BYTES, SUFFIXES, Format, detect
from rules.records.record import RecordError
from rules.records.replay import Replay, Verdict, replay


class Command(SpokenCommand):
    help = gettext_noop(
        "Writes a match record in another format, given by the suffix of OUT: .mat (or .txt) or .sgf. A record that "
        "breaks the rules is not converted unless --refused is given, and a file that exists is not overwritten unless "
        "--force is."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("source", type=Path, metavar="IN", help=_("the record, in any format"))
        parser.add_argument("target", type=Path, metavar="OUT", help=_("the file to write"))
        parser.add_argument("--force", action="store_true", help=_("overwrite OUT if it exists"))
        parser.add_argument("--refused", action="store_true", help=_("convert even a record that the rules refuse"))

    def handle(self, *, source: Path, target: Path, force: bool, refused: bool, **options: object) -> None:
        writer = _format_of(target)
        if target.exists() and not force:
            raise CommandError(_("%(file)s exists; --force overwrites it.") % {"file": target})
        data = _read(source)
        try:
            record = detect(data).loads(data)
        except RecordError as error:
            raise CommandError(f"{source}: {sentence(error.finding)}") from error
        judged = replay(record)
        if judged.money and record.jacoby is None:
            record = replace(record, tags={**record.tags, "Jacoby": "On" if judged.variants.jacoby else "Off"})
        if judged.verdict is Verdict.REFUSED and not refused:
            reason = sentence(judged.finding) if judged.finding else ""
            raise CommandError(
                _("%(file)s is refused, so it is not converted; --refused converts it anyway. %(reason)s")
                % {"file": source, "reason": reason}
            )
        try:
            converted = writer.dumps(record)
        except RecordError as error:
            raise CommandError(f"{source}: {sentence(error.finding)}") from error
        if _contents(replay(writer.loads(converted))) != _contents(judged):
            raise CommandError(
                _("%(file)s: %(suffix)s would hold another match, so it is not converted.")
                % {"file": source, "suffix": target.suffix}
            )
        try:
            with target.open("wb" if force else "xb") as file:
                file.write(converted)
        except (OSError, ValueError) as error:
            raise CommandError(
                _("%(file)s cannot be written: %(reason)s.") % {"file": target, "reason": reason_of(error)}
            ) from error
        about = f" ({sentence(judged.finding)})" if judged.finding else ""
        self.stdout.write(f"{source} · {judged.verdict}{about} · {target}")


def _contents(judged: Replay) -> tuple[object, ...]:
    """Return what must be the same in both formats; the rows of findings may differ."""
    return judged.verdict, judged.length, judged.names, judged.games, judged.score, judged.plays, judged.crawford


def _format_of(target: Path) -> Format:
    """Return the format that the suffix of the file names. Raises CommandError if it names none."""
    slug = SUFFIXES.get(target.suffix.lower())
    if slug is None:
        raise CommandError(
            _("%(file)s: the suffix of OUT must be one of %(known)s.") % {"file": target, "known": ", ".join(SUFFIXES)}
        )
    return FORMATS[slug]


def _read(source: Path) -> bytes:
    """Return the file's bytes, at most one more than any format allows. Raises CommandError if it cannot be read."""
    try:
        with source.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise CommandError(
            _("%(file)s cannot be read: %(reason)s.") % {"file": source, "reason": reason_of(error)}
        ) from error
