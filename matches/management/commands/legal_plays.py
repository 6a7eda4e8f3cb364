"""``manage.py legal_plays POSITION_ID ROLL``: list every legal play, and the position after it."""

import json
import re
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext
from django.utils.translation import gettext as _

from players.commands import SpokenCommand
from rules.errors import gettext_noop
from rules.ids import IdError, parse_position_id, position_id
from rules.listing import written_plays
from rules.notation import format_play
from rules.plays import Roll
from rules.profiles import DEFAULT_PROFILE, PROFILES, RuleProfile

MAX_SHOWN = 40
"""How many characters of an unreadable text are repeated."""


class Command(SpokenCommand):
    help = gettext_noop(
        "Lists the legal plays of a roll with the Position ID after each, seen by the opponent, who is then on roll."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "position", metavar="POSITION_ID", help=_("a GNU Position ID; - reads lines of POSITION_ID ROLL")
        )
        parser.add_argument("roll", metavar="ROLL", nargs="?", default="", help=_("two dice, such as 31"))
        parser.add_argument("--profile", choices=sorted(PROFILES), default=DEFAULT_PROFILE.slug)
        parser.add_argument("--json", action="store_true", help=_("one JSON object per line; implied by -"))

    def handle(self, *, position: str, roll: str, profile: str, json: bool, **options: object) -> None:
        rules = PROFILES[profile]
        if position != "-" and not json:
            self._list(position, roll, rules)
            return
        if position == "-" and roll:
            raise CommandError(gettext("With - as the position, each line of input must give its own roll."))
        any_refused = False
        for asked in _lines() if position == "-" else [(position, roll)]:
            answer = _answer(*asked, rules)
            self.stdout.write(_as_json(answer))
            self.stdout.flush()  # a program may wait for this answer before it asks again
            any_refused |= "error" in answer
        if any_refused:
            sys.exit(1)

    def _list(self, position: str, roll: str, profile: RuleProfile) -> None:
        answer = _answer(position, roll, profile)
        if "error" in answer:
            raise CommandError(str(answer["error"]))
        for play in answer["plays"]:
            self.stdout.write(f"{play['position']}  {play['play']}")


def _lines() -> Iterator[tuple[str, str]]:
    """Yield the position and the roll of each line of standard input that is not blank."""
    for line in sys.stdin.buffer:
        position, *rest = line.decode(errors="replace").split(None, 1) or [""]
        if position:
            yield position, "".join(rest).strip()


def _answer(position: str, roll: str, profile: RuleProfile) -> dict[str, Any]:
    """Return the legal plays, or the sentence that explains why there is no answer."""
    asked = {"position": position[:MAX_SHOWN], "roll": roll[:MAX_SHOWN]}
    try:
        plays = written_plays(parse_position_id(position), _parse_roll(roll), profile)
    except IdError as error:
        return {**asked, "error": gettext(error.template) % error.params}
    return {
        **asked,
        "plays": [
            {"play": format_play(written.play), "position": position_id(written.after.swapped())} for written in plays
        ],
    }


def _parse_roll(text: str) -> Roll:
    if not re.fullmatch("[1-6]{2}", text):
        raise IdError(gettext_noop("A roll is two dice, each showing 1 to 6, such as 31."))
    return int(text[0]), int(text[1])


def _as_json(answer: dict[str, Any]) -> str:
    return json.dumps(answer)
