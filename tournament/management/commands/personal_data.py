"""``manage.py personal_data``: export or delete what is kept about a player."""

import json
from argparse import ArgumentParser

from django.core.management.base import CommandError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from players.commands import SpokenCommand
from players.errors import Refused
from players.models import Player
from tournament.career.delete_person import delete_person
from tournament.career.personal_data import export_person


class Command(SpokenCommand):
    help = gettext_noop("Prints what is kept about a player as JSON, or deletes it: results stay, without the name.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=["export", "delete"])
        parser.add_argument("player", type=int, help=_("the number in the address of the player’s page"))
        parser.add_argument("--name", default="", help=_("the name of the player, to confirm the deletion"))

    def handle(self, *, action: str, player: int, name: str, **options: object) -> None:
        found = Player.objects.select_related("club").filter(pk=player).first()
        if found is None:
            raise CommandError(_("There is no player %(number)s.") % {"number": player})
        if action == "export":
            self.stdout.write(json.dumps(export_person(found), ensure_ascii=False, indent=2))
            return
        try:
            deleted = delete_person(found, typed=name, by=None, at=timezone.now())
        except Refused as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(_("Deleted. Results stay under the name “%(name)s”.") % {"name": deleted.name})
