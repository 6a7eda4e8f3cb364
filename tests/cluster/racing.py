"""Two who use one record at the same moment, in threads with connections of their own, run in a process of the site."""

import json
import uuid
from collections.abc import Callable
from threading import Event as Signal
from threading import Thread

from django.db import connection, transaction

from matches.accept_records import accept_record
from matches.acceptance import Acceptance
from matches.evidence import Evidence
from matches.import_records import import_record
from matches.models import Match
from players.errors import Refusal
from players.models import Player
from players.services import create_player
from rules.score import Side
from tests.builders import AT, build_director, build_event, fixture_of
from tournament.results.evidence import attach_record

HELD_SECONDS = 0.5
"""How long the first one waits with its commit for the second one, who waits for the commit."""

PLAYED = """\
3 point match

 Game 1
 {left} : 0                        {right} : 0
  1) 31: 8/5 6/5                 63: 24/21 21/15
  2)                             Losses 1 point
      Wins 1 point

 Game 2
 {left} : 1                        {right} : 0
  1) 31: 8/5 6/5                 63: 24/21 21/15
  2)                             Losses 2 points
      Wins 2 points and the match
"""


class Race:
    """A record of a match of two new players, quarantined if it is ``doubtful``, and a match of an event to attach it
    to; each way to use it says how that ended.
    """

    def __init__(self, *, doubtful: bool) -> None:
        self.left, self.right = (f"{side} {uuid.uuid4().hex[:12]}" for side in ("Ann", "Bo"))
        self.data = PLAYED.format(left=self.left, right=self.right).encode()
        event = build_event(build_director(uuid.uuid4().hex), players=4, lengths=(3,))
        self.match = fixture_of(event, "M1-1").match
        self.people: tuple[int | None, int | None] = (None, None)
        if doubtful:
            bos = [create_player(name=self.right, at=AT) for _each in range(2)]
            self.record = import_record(self.data, name="one.mat", at=AT).record
            Player.objects.filter(pk=bos[1].pk).delete()

    def imported(self, more: bytes = b"") -> str:
        done = import_record(self.data + more, name="one.mat", at=AT)
        code = (done.record.finding or {}).get("code", "")
        return f"{'known' if done.known else done.record.verdict} {code}".strip()

    def imported_anew(self) -> str:
        return self.imported(b"\n")

    def imported_of_another_match(self) -> str:
        self.data = self.data.replace(b"63: 24/21 21/15", b"63: 24/18 24/21")
        return self.imported()

    def accepted(self) -> str:
        accept_record(self.record, known={}, reason="They say so.", players=self.people, by=None, at=AT)
        return "accepted"

    def attached(self) -> str:
        attach_record(self.match, self.data, name="one.mat", left=Side.A, by=None, at=AT)
        return "attached"


def race(first: str, second: str, *, doubtful: bool = False) -> None:
    """Print how both ended, the second of whom begins while the first has not committed yet; and what is stored then.

    That is the number of matches of the record, how often it is attached, and how many players have its names.
    """
    run = Race(doubtful=doubtful)
    done, ended = Signal(), Signal()
    outcomes = ["", ""]

    def lead() -> None:
        with transaction.atomic():
            outcomes[0] = outcome_of(getattr(run, first))
            done.set()
            ended.wait(HELD_SECONDS)

    def follow() -> None:
        done.wait()
        outcomes[1] = outcome_of(getattr(run, second))
        ended.set()

    threads = [Thread(target=closing(act)) for act in (lead, follow)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    made = Match.objects.filter(side_a__name=run.left, side_b__name=run.right)
    stored = {
        "matches": made.count(),
        "accepted": Acceptance.objects.filter(match__in=made).count(),
        "attached": Evidence.objects.filter(match=run.match).count(),
        "players": Player.objects.filter(name__in=(run.left, run.right)).count(),
    }
    print(json.dumps({"outcomes": outcomes, **stored}))  # noqa: T201 - for the test


def outcome_of(act: Callable[[], str]) -> str:
    try:
        return act()
    except Refusal as refusal:
        return refusal.code


def closing(act: Callable[[], None]) -> Callable[[], None]:
    """Return the act of a thread, whose connection is closed at its end."""

    def closed() -> None:
        try:
            act()
        finally:
            connection.close()

    return closed
