"""``manage.py demo``: make a tournament of invented players, through the services that people use."""

import secrets
from argparse import ArgumentParser

from django.conf import settings
from django.core.management.base import CommandError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from players.commands import SpokenCommand
from players.errors import Refusal
from players.models import User
from tournament.formats import FORMATS
from tournament.management.demo.login import director_login, ensure_director
from tournament.management.demo.scenes import Scene, Until, build_demo
from tournament.management.demo.weekend import build_first_demo, build_weekend
from tournament.models import Event, Tournament


class Command(SpokenCommand):
    help = gettext_noop(
        "Makes a demo weekend in play: a championship with its consolation, a Swiss, doubles, a jackpot, and a warm-up "
        "that is over; or, with --format, --players or --until, a single event. Prints the demo director's login."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--format", choices=list(FORMATS), help=_("a single event in this format"))
        parser.add_argument("--players", type=int, metavar="N", help=_("the number of players (16)"))
        parser.add_argument(
            "--until", metavar="POINT", help=_("how far to play: entries, draw, round:K, middle or end (middle)")
        )
        parser.add_argument(
            "--length", type=int, nargs="+", default=[9, 7], help=_("match lengths, the final first (9 7)")
        )
        parser.add_argument("--seed", type=int, help=_("the same seed gives the same draw and the same results"))
        parser.add_argument("--if-empty", action="store_true", help=_("only if there is no tournament yet"))

    def handle(
        self,
        *,
        format: str | None,
        players: int | None,
        until: str | None,
        length: list[int],
        seed: int | None,
        if_empty: bool,
        **options: object,
    ) -> None:
        login = settings.VAR_DIR / "demo_login"
        now = timezone.now()
        seed = secrets.randbelow(10**6) if seed is None else seed
        single = format or players is not None or until
        try:
            if if_empty and single:
                raise CommandError(_("--if-empty makes the whole demo; it takes no --format, --players or --until."))
            if if_empty:
                tournament = build_first_demo(login=login, seed=seed, now=now)
            else:
                by = ensure_director(login)
                if single:
                    slug, point = format or "single-elimination", Until.parse(until or "middle")
                    count = 16 if players is None else players
                    scene = Scene(str(FORMATS[slug].name), slug, count, tuple(length), point)
                    tournament = build_demo(scene, by=by, seed=seed, now=now)
                else:
                    tournament = build_weekend(by=by, seed=seed, now=now)
        except Refusal as refusal:
            raise CommandError(str(refusal)) from refusal
        if tournament is not None:
            self._describe(tournament, seed)
        found = director_login(login)
        if found is not None:
            rights = " (administrator)" if User.objects.get(username=found[0]).is_superuser else ""
            self.stdout.write(f"Demo director:         {found[0]}, password {found[1]}{rights}")

    def _describe(self, tournament: Tournament, seed: int) -> None:
        self.stdout.write(f"Demo tournament:       {tournament.get_absolute_url()} (seed {seed})")
        for event in Event.objects.filter(tournament=tournament).order_by("id"):
            entrants = "pairs" if event.doubles else "players"
            self.stdout.write(f"  {event.get_absolute_url()}  {event.entries.count()} {entrants}")
