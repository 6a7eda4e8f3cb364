"""``manage.py import_event FILE``: the tournament of an event file, stored with its events."""

from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import CommandError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from players.commands import SpokenCommand
from players.errors import Refusal
from players.models import User
from tournament.interchange.read import MOST_BYTES
from tournament.management.files import read_file
from tournament.transfer.load import import_event_file


class Command(SpokenCommand):
    help = gettext_noop(
        "Stores the tournament of a file of the open format (docs/interchange.md) with its events, all or nothing. "
        "A file with a fault is refused, and so is a tournament whose address is taken. People are entered anew: merge "
        "those who are known here already."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help=_("the event file"))
        parser.add_argument(
            "--owner", metavar="USER", help=_("the login name of the user who is to own the tournament")
        )

    def handle(self, *, file: Path, owner: str | None, **options: object) -> None:
        user = None if owner is None else User.objects.filter(username=owner).first()
        if owner is not None and user is None:
            raise CommandError(_("There is no user “%(name)s”.") % {"name": owner[:80]})
        try:
            tournament = import_event_file(read_file(file, MOST_BYTES), owner=user, by=None, at=timezone.now())
        except Refusal as refusal:
            raise CommandError(str(refusal)) from refusal
        for event in tournament.events.order_by("id"):
            self.stdout.write(_("Imported: %(name)s") % {"name": f"{tournament.slug}/{event.slug}"})
