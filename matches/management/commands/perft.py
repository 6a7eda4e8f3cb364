"""``manage.py perft POSITION_ID DEPTH``: count the ways in which the next turns can go."""

from argparse import ArgumentParser

from django.core.management.base import CommandError
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext as _

from players.commands import SpokenCommand
from rules.ids import IdError, parse_position_id
from rules.perft import perft
from rules.profiles import DEFAULT_PROFILE, PROFILES


class Command(SpokenCommand):
    help = gettext_noop(
        "Counts the ways in which the next DEPTH turns can go: all 21 rolls, each distinct result of a roll once."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("position", metavar="POSITION_ID", help=_("a GNU Position ID; the start is 4HPwATDgc/ABMA"))
        parser.add_argument(
            "depth",
            metavar="DEPTH",
            type=int,
            choices=range(6),
            help=_("0 to 5; each step multiplies the count by about 400"),
        )
        parser.add_argument("--profile", choices=sorted(PROFILES), default=DEFAULT_PROFILE.slug)

    def handle(self, *, position: str, depth: int, profile: str, **options: object) -> None:
        try:
            start = parse_position_id(position)
        except IdError as error:
            raise CommandError(gettext(error.template) % error.params) from error
        self.stdout.write(str(perft(start, depth, PROFILES[profile])))
