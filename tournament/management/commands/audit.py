"""``manage.py audit``: recompute everything stored from the score sheets, and print each difference on a line."""

import json as jsonlib
import sys
from argparse import ArgumentParser
from collections.abc import Iterable

from django.core.management.base import CommandError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from matches.audit import Difference
from players.commands import SpokenCommand
from players.errors import Refusal
from tournament.audit import audit_event, audit_everything
from tournament.management.subject import find_event


class Command(SpokenCommand):
    help = gettext_noop(
        "Computes everything again from the score sheets and prints every difference; exits 1 if there is one."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--event", metavar="TOURNAMENT/EVENT", help=_("only this event"))
        parser.add_argument(
            "--records", action="store_true", help=_("replay every match record too, which takes longer")
        )
        parser.add_argument("--json", action="store_true", help=_("one JSON object per line"))

    def handle(self, *, event: str | None, records: bool, json: bool, verbosity: int, **options: object) -> None:
        differences: Iterable[Difference]
        if event is not None and records:
            raise CommandError(_("--records checks the whole database, not a single event."))
        try:
            differences = audit_everything(records=records) if event is None else audit_event(find_event(event))
        except Refusal as refusal:
            raise CommandError(str(refusal)) from refusal
        found = 0
        for difference in differences:
            found += 1
            self.stdout.write(jsonlib.dumps(difference.as_dict()) if json else str(difference))
        if found:
            sys.exit(1)
        if not json and verbosity:
            self.stdout.write(_("No differences."))
