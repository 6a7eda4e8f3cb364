"""Events whose entries are closed for a draw with a public value."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from players.errors import Conflict, Refusal
from players.models import User
from tests.builders import AT, build_event
from tournament.draw.close_entries import close_entries
from tournament.draw.dice import type_dice
from tournament.entries.links import link_of
from tournament.models import Event, LogEntry, Tournament
from tournament.proof.drand import time_of

DICE = "351642135264"
ROUND = 1000
RANDOMNESS = "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd"
SIGNATURE = "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39"
"""Those of round 1000 of quicknet, as drand published them."""

LONG_AGO = time_of(ROUND) - timedelta(minutes=2)
"""When that round could be named."""

PROOF = {"dice": DICE, "randomness": RANDOMNESS, "signature": SIGNATURE}


def build_closed(tournament: Tournament, source: str, *, name: str, at: datetime = AT, players: int = 4) -> Event:
    """Build an event with players whose entries are closed, for drand just before its round 1000."""
    event = build_event(
        None, players=players, drawn=False, seed="", tournament=tournament, name=name, public_source=source
    )
    if source == "drand":
        close_entries(event, round=ROUND, by=None, at=LONG_AGO)
    else:
        close_entries(event, by=None, at=at)
    return event


def build_closings(tournament: Tournament, director: User) -> tuple[list[Event], list[str]]:
    """Build an event of each kind, and return them with a private page for dice and one for a word.

    The round of drand has been known for years, and Open has open entries.
    """
    dice, words = (build_closed(tournament, source, name=source.capitalize()) for source in ("dice", "words"))
    type_dice(dice, dice=DICE, by=director, at=AT)
    events = [
        dice,
        words,
        build_closed(tournament, "drand", name="Drand"),
        build_event(None, players=4, drawn=False, tournament=tournament, name="Open", public_source="dice"),
    ]
    return events, [link_of(event.entries.all()[0]) for event in (dice, words)]


def code_of(error: pytest.ExceptionInfo) -> str:
    return error.value.code


def refused(code: str, service: Callable[..., object], *args: object, **kwargs: object) -> None:
    """Check that the service says no with this code, and leaves no row of the log."""
    rows = LogEntry.objects.count()
    with pytest.raises((Refusal, Conflict)) as error:
        service(*args, **kwargs)
    assert (code_of(error), LogEntry.objects.count()) == (code, rows)
