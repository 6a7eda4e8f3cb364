"""``manage.py restore FILE``: fill an empty installation with a backup, and check it."""

import sys
from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import CommandError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from players.commands import SpokenCommand
from players.errors import Refusal
from tournament.audit import audit_everything
from tournament.backup.restore import restore_backup
from tournament.draw.standings import stale_event_ids, store_standings


class Command(SpokenCommand):
    help = gettext_noop("Fills an empty installation with a backup, checks it, and audits it; all of it, or nothing.")
    requires_system_checks = []
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help=_("a file that backup has written"))
        parser.add_argument(
            "--secret-key", type=Path, metavar="KEYFILE", help=_("the file with the secret key that belongs to it")
        )
        parser.add_argument(
            "--any-key",
            action="store_true",
            help=_("go on without that key: players’ links and chains of draws from before end"),
        )
        parser.add_argument("--no-audit", action="store_true", help=_("leave the audit for later; it takes long"))

    def handle(
        self,
        *,
        file: Path,
        secret_key: Path | None,
        any_key: bool,
        no_audit: bool,
        verbosity: int,
        **options: object,
    ) -> None:
        if verbosity:
            self.stdout.write(_("Restoring. It takes a minute or more, and is all done or not at all."))
            self.stdout.flush()
        try:
            restored = restore_backup(file, key_in=secret_key, any_key=any_key)
        except Refusal as refusal:
            raise CommandError(str(refusal)) from refusal
        if verbosity:
            said = {"rows": restored.rows, "tables": len(restored.tables), "at": restored.made_at}
            self.stdout.write(_("Restored: %(rows)s rows of %(tables)s tables, as they were at %(at)s.") % said)
        if no_audit:
            return
        if verbosity:
            self.stdout.write(_("Now everything is computed again from the score sheets."))
            self.stdout.flush()
        # Those that were still being computed when the backup was made.
        for event_id in stale_event_ids():
            store_standings(event_id)
        differences = list(audit_everything())
        for difference in differences:
            self.stdout.write(str(difference))
        if differences:
            sys.exit(1)
        if verbosity:
            self.stdout.write(_("No differences."))
