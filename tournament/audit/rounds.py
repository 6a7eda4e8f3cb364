"""Rounds of drand: the signature of each is one that only drand can make."""

from collections.abc import Iterator

from matches.audit import Difference
from tournament.models import Event, PublicSource
from tournament.proof.drand import is_signed


def check_rounds(event: Event) -> Iterator[Difference]:
    """Check the signature of every round of drand that the event has; each takes a quarter of a second.

    Reads ``event.tournament``; needs no lock, as a value never changes.
    """
    for closing in event.closings.filter(source=PublicSource.DRAND).exclude(value="").order_by("number"):
        place = f"{event.tournament.slug}/{event.slug} closing {closing.number}"
        round = closing.drand_round or 0
        if not is_signed(round, closing.signature):
            yield Difference("rounds", place, f"signature of round {round}", closing.signature, "drand's signature")
