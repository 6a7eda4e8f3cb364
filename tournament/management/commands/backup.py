"""``manage.py backup FILE``: all data as one file, while people play."""

from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import CommandError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from players.commands import SpokenCommand
from players.errors import Refusal
from tournament.backup.folder import name_at
from tournament.backup.keys import key_file
from tournament.backup.make import make_backup


class Command(SpokenCommand):
    help = gettext_noop("Writes all data into one file, while the site runs; restore reads it into an empty one.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help=_("a new file, or a folder to make one in"))
        parser.add_argument(
            "--with-secret-key",
            action="store_true",
            help=_("put the secret key in too; then the file opens every player’s page and tells draws to come"),
        )

    def handle(self, *, file: Path, with_secret_key: bool, verbosity: int, **options: object) -> None:
        at = timezone.now()
        path = file / name_at(at) if file.is_dir() else file
        try:
            tell = self.stdout.write if verbosity > 1 else str
            made = make_backup(path, at=at, with_secret_key=with_secret_key, tell=tell)
        except Refusal as refusal:
            raise CommandError(str(refusal)) from refusal
        if not verbosity:
            return
        said = {"file": path, "rows": made.rows, "tables": len(made.tables), "bytes": path.stat().st_size}
        self.stdout.write(_("%(file)s: %(rows)s rows of %(tables)s tables in %(bytes)s bytes.") % said)
        if with_secret_key:
            self.stdout.write(_("It holds the secret key: keep it where you would keep a password."))
        elif (kept := key_file()) is not None:
            self.stdout.write(_("Keep a copy of the secret key apart from it: %(file)s.") % {"file": kept})
        else:
            self.stdout.write(_("Keep the secret key apart from it: the environment sets it as SECRET_KEY."))
