"""``manage.py verify_list FILE``: compute a published list again from its file alone."""

import sys
from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import CommandError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from players.commands import SpokenCommand
from players.errors import in_words
from players.lists.check import check_list
from players.lists.read import ListFault, ListFile, read_list_file
from players.lists.signing import key_id, verify
from players.lists.systems import build

MOST_BYTES = 1_000_000_000


class Command(SpokenCommand):
    help = gettext_noop(
        "Computes a published list again from its file: digest, signature, every rating, line and class. It needs no "
        "database. Exits 1 and names what is wrong if anything in the file does not follow."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help=_("a published list"))
        parser.add_argument(
            "--after", type=Path, metavar="FILE", help=_("the publication before it, or the one that it begins from")
        )
        parser.add_argument("--key", default="", help=_("the public key of the publisher, or its short name"))

    def handle(self, *, file: Path, after: Path | None, key: str, **options: object) -> None:
        published, earlier = _read(file), None if after is None else _read(after)
        report = check_list(published, verify=verify, build=build, earlier=earlier)
        if report.head is not None:
            head = report.head
            self.stdout.write(
                _("%(list)s, number %(number)s of %(day)s: %(matches)s matches counted here.")
                % {"list": head.name, "number": head.number, "day": head.as_of, "matches": report.matches}
            )
        self.stdout.write(_("Digest %(digest)s.") % {"digest": published.sha256})
        self.stdout.write(_("Signed with the key %(key)s.") % {"key": _key_id(published.key)})
        for finding in report.findings:
            self.stdout.write(f"{finding.code}\t{in_words(finding)}")
        is_theirs = not key or key in (published.key, _key_id(published.key))
        if not is_theirs:
            self.stdout.write("key_differs\t" + _("This is not the key that was given."))
        if not (report.holds and is_theirs):
            self.stdout.write(_("This list does not hold."))
            sys.exit(1)
        self.stdout.write(_("This list holds."))


def _key_id(key: str) -> str:
    try:
        return key_id(key)
    except ValueError:
        return "–"


def _read(path: Path) -> ListFile:
    try:
        with path.open("rb") as opened:
            return read_list_file(opened.read(MOST_BYTES))
    except OSError as error:
        raise CommandError(
            _("%(file)s cannot be read: %(reason)s.") % {"file": path, "reason": error.strerror}
        ) from error
    except ListFault as fault:
        raise CommandError(f"{path}: {in_words(fault)}") from fault
