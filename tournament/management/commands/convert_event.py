"""``manage.py convert_event FORMAT FILE [OUT]``: another program's file of results as an event file."""

from argparse import ArgumentParser
from datetime import date
from pathlib import Path

from django.core.management.base import CommandError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from players.commands import SpokenCommand
from players.errors import in_words
from tournament.interchange.adapters.known import ADAPTERS, convert
from tournament.interchange.adapters.results import Given
from tournament.interchange.canonical import canonical
from tournament.interchange.form import SMALL
from tournament.interchange.read import MOST_BYTES, Unreadable
from tournament.management.files import read_file, write_file
from tournament.transfer.judge import judge


class Command(SpokenCommand):
    help = gettext_noop(
        "Reads another program's file of results and writes an event file of the profile “results” "
        "(docs/interchange.md), to standard output or to OUT. What the file does not say can be given."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("format", choices=list(ADAPTERS), metavar="FORMAT", help=", ".join(ADAPTERS))
        parser.add_argument("file", type=Path, metavar="FILE", help=_("the file to read"))
        parser.add_argument("out", type=Path, nargs="?", metavar="OUT", help=_("write to this file instead"))
        parser.add_argument("--name", default="", help=_("the name of the tournament"))
        parser.add_argument("--length", type=int, help=_("the match length"))
        parser.add_argument("--day", type=date.fromisoformat, metavar="YYYY-MM-DD", help=_("the day of play"))

    def handle(
        self,
        *,
        format: str,
        file: Path,
        out: Path | None,
        name: str,
        length: int | None,
        day: date | None,
        **options: object,
    ) -> None:
        if length is not None and not 1 <= length <= SMALL:
            raise CommandError(_("The match length is from 1 to %(most)s.") % {"most": SMALL})
        given = Given(name=name or file.stem, length=length, day=day)
        try:
            document = convert(format, read_file(file, MOST_BYTES), given)
            data = canonical(document)
        except Unreadable as error:
            raise CommandError(in_words(error.fault)) from error
        for fault in judge(data).faults:
            raise CommandError(f"{fault.pointer}: {in_words(fault)}")
        if out is None:
            self.stdout.write(data.decode(), ending="")
        else:
            write_file(out, data)
