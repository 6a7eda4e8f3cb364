"""Events whose entries are closed for a draw with a public value."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from players.errors import Conflict, Refusal
from players.models import User
from tests.builders import AT, build_event
from tournament.draw.close_entries import close_entries
from tournament.draw.dice import type_dice
from tournament.entries.links import link_of
from tournament.models import Event, LogEntry, Tournament
from tournament.proof.drand_chains import DEFAULT

DICE = "351642135264"
RANDOMNESS = "101297f1ca7dc44ef6088d94ad5fb7ba03455dc33d53ddb412bbc4564ed986ec"
SIGNATURE = (
    "8d61d9100567de44682506aea1a7a6fa6e5491cd27a0a0ed349ef6910ac5ac20ff7bc3e09d7c046566c9f7f3c6f3b101"
    "04990e7cb424998203d8f7de586fb7fa5f60045417a432684f85093b06ca91c769f0e7ca19268375e659c2a2352b4655"
)
"""Those of round 1 of the default chain, as drand published them."""

PROOF = {"dice": DICE, "randomness": RANDOMNESS, "signature": SIGNATURE}


def build_closed(tournament: Tournament, source: str, *, name: str, at: datetime = AT, players: int = 4) -> Event:
    """Build an event with players whose entries are closed."""
    event = build_event(
        None, players=players, drawn=False, seed="", tournament=tournament, name=name, public_source=source
    )
    chain = {"chain": DEFAULT.slug} if source == "drand" else {}
    close_entries(event, **chain, by=None, at=at)
    return event


def build_closings(tournament: Tournament, director: User) -> tuple[list[Event], list[str]]:
    """Build an event of each kind, and return them with a private page for dice and one for a word.

    The round of drand has been known for years, and Open has open entries.
    """
    long_ago = datetime(2020, 8, 1, tzinfo=UTC)
    dice, words = (build_closed(tournament, source, name=source.capitalize()) for source in ("dice", "words"))
    type_dice(dice, dice=DICE, by=director, at=AT)
    events = [
        dice,
        words,
        build_closed(tournament, "drand", name="Drand", at=long_ago),
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
