"""Events whose entries are closed for a draw with a public value."""

from datetime import UTC, datetime

from tests.builders import AT, build_event
from tournament.draw.close_entries import close_entries
from tournament.draw.drand import DEFAULT
from tournament.models import Event, Tournament

DICE = "351642135264"
RANDOMNESS = "101297f1ca7dc44ef6088d94ad5fb7ba03455dc33d53ddb412bbc4564ed986ec"
SIGNATURE = (
    "8d61d9100567de44682506aea1a7a6fa6e5491cd27a0a0ed349ef6910ac5ac20ff7bc3e09d7c046566c9f7f3c6f3b101"
    "04990e7cb424998203d8f7de586fb7fa5f60045417a432684f85093b06ca91c769f0e7ca19268375e659c2a2352b4655"
)
"""Those of round 1 of the default chain, as drand published them."""


def build_closed(tournament: Tournament, source: str, *, name: str, at: datetime = AT, players: int = 4) -> Event:
    """Build an event with players whose entries are closed."""
    event = build_event(
        None, players=players, drawn=False, seed="", tournament=tournament, name=name, public_source=source
    )
    chain = {"chain": DEFAULT.slug} if source == "drand" else {}
    close_entries(event, **chain, by=None, at=at)
    return event


def build_closings(tournament: Tournament) -> list[Event]:
    """Build an event of each kind; the round of drand has been known for years, and Open has open entries."""
    long_ago = datetime(2020, 8, 1, tzinfo=UTC)
    return [
        build_closed(tournament, "dice", name="Dice"),
        build_closed(tournament, "words", name="Words"),
        build_closed(tournament, "drand", name="Drand", at=long_ago),
        build_event(None, players=4, drawn=False, tournament=tournament, name="Open", public_source="dice"),
    ]
