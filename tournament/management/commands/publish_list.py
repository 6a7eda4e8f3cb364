"""``manage.py publish_list LIST``: show the next publication of an official list, or publish it."""

from argparse import ArgumentParser
from datetime import date, timedelta
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from matches.lists.draft import Draft, cut_on, draft_next
from matches.lists.publish import publish
from players.commands import SpokenCommand
from players.errors import Refused
from players.lists.models import OfficialList
from tournament.reporting.source import SOURCE


class Command(SpokenCommand):
    help = gettext_noop(
        "Publishes an official list, signed and for good. With --dry-run it shows what would be published and its "
        "digest, which --digest holds the publication to."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("list", metavar="LIST", help=_("the address of the list, such as dbgf"))
        day: Any = {"type": date.fromisoformat, "metavar": "DAY"}
        parser.add_argument("--of", help=_("the day of the list; today"), **day)
        parser.add_argument("--matches-until", help=_("the last day whose matches count; yesterday"), **day)
        parser.add_argument("--members-on", help=_("the day of the memberships; that of the list"), **day)
        parser.add_argument("--dry-run", action="store_true", help=_("store nothing"))
        parser.add_argument("--digest", help=_("publish only what has this digest"))

    def handle(self, *, list: str, dry_run: bool, digest: str | None, **options: date | None) -> None:
        found = OfficialList.objects.select_related("federation").filter(slug=list).first()
        if found is None:
            known = ", ".join(OfficialList.objects.order_by("slug").values_list("slug", flat=True)) or "–"
            raise CommandError(_("There is no list “%(list)s”. Known: %(known)s.") % {"list": list, "known": known})
        now = timezone.now()
        day = options["of"] or timezone.localdate(now)
        last = options["matches_until"] or timezone.localdate(now) - timedelta(days=1)
        try:
            cut = cut_on(day, matches_until=last, members_on=options["members_on"] or day)
            if dry_run:
                self._show(draft_next(found, cut, at=now, source=SOURCE))
                return
            publication = publish(found, cut, digest=digest, source=SOURCE, by=None, at=now)
        except Refused as refused:
            raise CommandError(str(refused)) from refused
        said = {"list": found.name, "number": publication.number, "digest": publication.sha256}
        self.stdout.write(_("%(list)s, number %(number)s, has been published. Digest %(digest)s.") % said)

    def _show(self, draft: Draft) -> None:
        for line in draft.made.lines:
            known = draft.known[line.player]
            cells = line.rank or "–", known.number, known.title, known.name, line.value, line.delta or ""
            self.stdout.write("\t".join(map(str, cells)))
        counts = {"new": draft.new, "changed": draft.changed, "unchanged": draft.unchanged, "gone": draft.gone}
        said = {name: len(found) for name, found in counts.items()} | {"corrections": len(draft.corrections)}
        self.stdout.write(
            _(
                "New %(new)s, changed %(changed)s, unchanged %(unchanged)s, gone %(gone)s; corrected matches "
                "%(corrections)s."
            )
            % said
        )
        unlisted = sum(player not in draft.gone for player in draft.unlisted)
        self.stdout.write(_("Rated, and not on the list: %(unlisted)s.") % {"unlisted": unlisted})
        self.stdout.write(_("Digest %(digest)s. Nothing has been stored.") % {"digest": draft.made.sha256})
