"""``manage.py export NAME``: a ranking list, or a table of an event, for other programs."""

from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import CommandError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from players.commands import SpokenCommand
from players.errors import Refusal
from tournament.draw.standings import store_standings
from tournament.exports.formats import BINARY, FORMATS
from tournament.exports.tables import EXPORTS, Subject, make_table
from tournament.management.subject import find_event


class Command(SpokenCommand):
    help = gettext_noop("Writes an export to standard output, or to a file.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help=_("one of: %(names)s") % {"names": ", ".join(EXPORTS)})
        parser.add_argument("--list", default="", metavar="SYSTEM", help=_("the ranking list, such as fibs"))
        parser.add_argument("--event", metavar="TOURNAMENT/EVENT", help=_("the event, named as in its address"))
        parser.add_argument("--format", choices=list(FORMATS), default="csv")
        parser.add_argument("--output", type=Path, metavar="FILE", help=_("write to this file instead"))

    def handle(
        self, *, name: str, list: str, event: str | None, format: str, output: Path | None, **options: object
    ) -> None:
        try:
            found = find_event(event) if event else None
            if found is not None:
                store_standings(found.pk)
            if output is None and format in BINARY:
                raise CommandError(
                    _("A file of the format %(format)s is not text: name it with --output.") % {"format": format}
                )
            file = FORMATS[format](make_table(name, Subject(event=found, system=list, with_reasons=True)))
        except Refusal as refusal:
            raise CommandError(str(refusal)) from refusal
        if output is None:
            self.stdout.write(file.decode(), ending="")
            return
        try:
            output.write_bytes(file)
        except OSError as error:
            raise CommandError(
                _("%(file)s cannot be written: %(reason)s.") % {"file": output, "reason": error.strerror}
            ) from error
