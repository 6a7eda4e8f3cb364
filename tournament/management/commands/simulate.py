"""``manage.py simulate FORMAT``: what an event with a given number of players would be like in this format."""

import json
from argparse import ArgumentParser
from dataclasses import asdict

from django.core.management.base import CommandError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from players.commands import SpokenCommand
from tournament.formats import FORMATS, parse_options
from tournament.formats.errors import PlanError
from tournament.formats.options import Options
from tournament.models.event import BOARDS
from tournament.rehearsal.chance import SPREAD
from tournament.rehearsal.ladder import simulate_ladder
from tournament.rehearsal.simulation import simulate_event
from tournament.rehearsal.summary import Summary, summarise

MOST_PLAYERS = 1024
MOST_EVENTS = 100_000
MOST_TABLES = 512
MOST_SPREAD = 1000

MEANS = ("matches", "rounds", "waiting_minutes", "rematches", "byes")
PRINTED = (*MEANS, "hours_median", "hours_p90", "p_best_wins", "violations")


class Command(SpokenCommand):
    help = gettext_noop(
        "Simulates whole events in a format, with results by skill and luck and durations by match length, and prints "
        "their means: matches, rounds, minutes that a player waits, rematches and byes per event; the hours after "
        "which half and nine tenths of the events are over; how often the best player wins; and the broken "
        "invariants. On a ladder each player makes three challenges, at random. The same arguments always print the "
        "same."
    )

    # Numbers are parsed below, so that a bad one gets a sentence and exit code 1 like everything else.
    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("format", metavar="FORMAT", help=_("one of: %(names)s") % {"names": ", ".join(FORMATS)})
        parser.add_argument("--players", default="16", metavar="N", help=_("16 by default"))
        parser.add_argument("--count", default="100", metavar="K", help=_("how many events; 100 by default"))
        parser.add_argument("--seed", default="1", metavar="S", help=_("any word; 1 by default"))
        parser.add_argument(
            "--options", default="{}", metavar="JSON", help=_('such as {"lengths": [9, 7]}; [7] by default')
        )
        parser.add_argument("--tables", metavar="N", help=_("as many as the event can use by default"))
        parser.add_argument(
            "--spread",
            default=str(SPREAD),
            metavar="N",
            help=_("standard deviation of the ratings; %(spread)s by default") % {"spread": SPREAD},
        )
        parser.add_argument("--boards", default="1", metavar="N", help=_("for teams: 2 to 9; 1 by default"))
        parser.add_argument(
            "--json", action="store_true", dest="as_json", help=_("print one JSON object instead of lines")
        )

    def handle(
        self,
        *,
        format: str,
        players: str,
        count: str,
        seed: str,
        options: str,
        tables: str | None,
        spread: str,
        boards: str,
        as_json: bool,
        **others: object,
    ) -> None:
        if format not in FORMATS:
            raise CommandError(
                _("There is no format “%(format)s”; there are %(known)s.")
                % {"format": format[:40], "known": ", ".join(FORMATS)}
            )
        size = _number("--players", players, 2, MOST_PLAYERS)
        events = _number("--count", count, 1, MOST_EVENTS)
        hall = None if tables is None else _number("--tables", tables, 1, MOST_TABLES)
        deviation = _number("--spread", spread, 0, MOST_SPREAD)
        if boards not in map(str, BOARDS):
            raise CommandError(
                _("%(option)s must be one of %(known)s, not “%(text)s”.")
                % {"option": "--boards", "known": ", ".join(map(str, BOARDS)), "text": boards[:40]}
            )
        try:
            chosen = _options(format, options)
            play = simulate_ladder if FORMATS[format].pairs_on_challenge() else simulate_event
            summary = summarise(
                [
                    play(FORMATS[format], chosen, size, f"{seed} {number}", hall, deviation, int(boards))
                    for number in range(1, events + 1)
                ]
            )
        except PlanError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(_as_json(format, size, summary) if as_json else _as_lines(format, size, summary))


def _number(name: str, text: str, least: int, most: int) -> int:
    if text.isascii() and text.isdecimal() and len(text) <= 9 and least <= int(text) <= most:
        return int(text)
    sentence = _("%(option)s must be a whole number from %(least)s to %(most)s, not “%(text)s”.")
    raise CommandError(sentence % {"option": name, "least": least, "most": most, "text": text[:40]})


def _options(format: str, text: str) -> Options:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise CommandError(
            _("%(option)s is not JSON: “%(text)s”.") % {"option": "--options", "text": text[:40]}
        ) from error
    if not isinstance(data, dict):
        sentence = _('%(option)s must be a JSON object such as {"lengths": [9, 7]}, not “%(text)s”.')
        raise CommandError(sentence % {"option": "--options", "text": text[:40]})
    return parse_options(format, {"lengths": [7]} | data)


def _printed(format: str, players: int, summary: Summary) -> dict[str, object]:
    values = asdict(summary)
    return {"format": format, "players": players, "count": summary.count} | {name: values[name] for name in PRINTED}


def _as_json(format: str, players: int, summary: Summary) -> str:
    return json.dumps(_printed(format, players, summary))


def _as_lines(format: str, players: int, summary: Summary) -> str:
    return "\n".join(
        f"{name.replace('_', ' '):16} {value}" for name, value in _printed(format, players, summary).items()
    )
