"""``manage.py rehearse_switch LIST``: replay a season from files and compare with the official list."""

from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import CommandError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from players.commands import SpokenCommand
from players.errors import Refused
from players.lists.make import system_of
from players.lists.models import OfficialList
from players.lists.rehearsal import Rehearsal, rehearse


class Command(SpokenCommand):
    help = gettext_noop(
        "Replays a season from files by the rating system of a list, and shows every difference to the official list "
        "with its reason. Nothing is stored."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("list", metavar="LIST", help=_("the address of the list, such as dbgf"))
        parser.add_argument("--starts", type=Path, metavar="FILE", help=_("the list from before the season"))
        parser.add_argument("--results", type=Path, metavar="FILE", required=True, help=_("its matches"))
        parser.add_argument("--official", type=Path, metavar="FILE", required=True, help=_("the list after it"))

    def handle(self, *, list: str, starts: Path | None, results: Path, official: Path, **options: object) -> None:
        found = OfficialList.objects.filter(slug=list).first()
        if found is None:
            raise CommandError(_("There is no list “%(list)s”.") % {"list": list})
        try:
            done = rehearse(
                system_of(found),
                starts=starts.read_bytes() if starts else None,
                results=results.read_bytes(),
                official=official.read_bytes(),
            )
        except (OSError, Refused) as error:
            raise CommandError(str(error)) from error
        self._show(done)

    def _show(self, done: Rehearsal) -> None:
        for unread in done.unread:
            self.stdout.write(f"{unread.file}\t{unread.row}\t{unread.why}")
        for one in done.differences:
            cells = one.number, one.name, one.theirs, "–" if one.ours is None else one.ours, one.code, one.why
            self.stdout.write("\t".join(map(str, cells)))
        said = {
            "matches": done.matches,
            "same": done.same,
            "differences": len(done.differences),
            "unexplained": done.unexplained,
            "unread": len(done.unread),
        }
        self.stdout.write(
            _(
                "Matches %(matches)s, unread rows %(unread)s; ratings the same %(same)s, different %(differences)s, "
                "without a reason %(unexplained)s."
            )
            % said
        )
