"""``manage.py validate_event FILE``: whether an event file holds, each fault with its place."""

import sys
from argparse import ArgumentParser
from pathlib import Path

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from players.commands import SpokenCommand
from players.errors import in_words
from tournament.interchange.read import MOST_BYTES
from tournament.management.files import read_file
from tournament.transfer.judge import judge


class Command(SpokenCommand):
    help = gettext_noop(
        "Judges a file of the open format (docs/interchange.md): its form, what it refers to, the score sheets by the "
        "rules, its draws made again. Prints a line for each fault, with its JSON Pointer and its code, and exits 1 if "
        "there are any. It stores nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE", help=_("the event file"))

    def handle(self, *, file: Path, **options: object) -> None:
        judgement = judge(read_file(file, MOST_BYTES))
        for fault in judgement.faults:
            self.stdout.write(f"{fault.pointer or '/'}\t{fault.code}\t{in_words(fault)}")
        for event in judgement.summary.get("events", ()):
            outcomes = ", ".join(f"{outcome} {count}" for outcome, count in event["outcomes"].items())
            self.stdout.write(
                _("%(name)s: %(entrants)s entrants, %(stages)s; %(pairings)s pairings: %(outcomes)s.")
                % {**event, "stages": ", ".join(event["stages"]), "outcomes": outcomes or "–"}
            )
        if not judgement.faults:
            self.stdout.write(_("This file holds."))
            return
        count = len(judgement.faults)
        sentence = ngettext(
            "This file does not hold: %(count)s fault.", "This file does not hold: %(count)s faults.", count
        )
        self.stdout.write(sentence % {"count": count})
        sys.exit(1)
