"""``manage.py rate SYSTEM``: compute the ranking list of a rating system again from all score sheets."""

from argparse import ArgumentParser

from django.core.management.base import CommandError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from matches.counting import moment_to_count, start_again
from matches.ratings import rate_matches, rating_system
from players.commands import SpokenCommand
from players.errors import Refusal


class Command(SpokenCommand):
    help = gettext_noop(
        "Computes the ranking list of a rating system from all rated matches, oldest first, and stores it."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("system", help=_("the rating system, such as fibs"))

    def handle(self, *, system: str, **options: object) -> None:
        try:
            rating_system(system)
            start_again(at=timezone.now())
            ranking_list = rate_matches(system, at=moment_to_count(timezone.now()))
        except Refusal as refusal:
            raise CommandError(str(refusal)) from refusal
        players = ranking_list.ratings.count()
        counts = {"system": system, "matches": ranking_list.matches, "players": players}
        self.stdout.write(_("%(system)s: matches rated %(matches)s, players %(players)s.") % counts)
