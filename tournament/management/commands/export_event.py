"""``manage.py export_event TOURNAMENT/EVENT [FILE]``: a whole event, or all of a tournament, as an event file."""

from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import CommandError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from players.commands import SpokenCommand
from players.errors import Refusal
from tournament.management.files import write_file
from tournament.management.subject import find_event
from tournament.models import Event, Tournament
from tournament.transfer.export import export_bytes


class Command(SpokenCommand):
    help = gettext_noop(
        "Writes a whole event as a file of the open format (docs/interchange.md), to standard output or to FILE; "
        "without /EVENT all events of the tournament. The same event always gives the same bytes."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("event", metavar="TOURNAMENT/EVENT", help=_("the event, named as in its address"))
        parser.add_argument("file", type=Path, nargs="?", metavar="FILE", help=_("write to this file instead"))

    def handle(self, *, event: str, file: Path | None, **options: object) -> None:
        try:
            tournament, events = _found(event)
        except Refusal as refusal:
            raise CommandError(str(refusal)) from refusal
        data = export_bytes(tournament, events, with_reasons=True)
        if file is None:
            self.stdout.write(data.decode(), ending="")
        else:
            write_file(file, data)


def _found(text: str) -> tuple[Tournament, list[Event]]:
    """Return the tournament and its events that are named. Raises Refusal if there are none."""
    if "/" not in text.strip("/"):
        events = Event.objects.select_related("tournament").filter(tournament__slug=text.strip("/")).order_by("id")
        if found := list(events):
            return found[0].tournament, found
    event = find_event(text)
    return event.tournament, [event]
