"""The closings of an event as everybody may see them: what is known, and what is awaited."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from tournament.draw.drand import CHAINS, HOSTS
from tournament.models import Closing, Event


@dataclass(frozen=True, slots=True)
class Word:
    number: int
    word: str


@dataclass(frozen=True, slots=True)
class ClosingView:
    """A closing without what is not public yet: the dice of the first person stay hidden until they are repeated.

    ``first`` is the user who typed the dice in first, empty while nobody has. ``round_at`` and ``round_address`` are
    those of its round of drand. It ``is_used`` if its stage has been drawn.
    """

    number: int
    stage: int
    source: str
    digest: str
    closed_at: datetime
    first: str
    drand_chain: str
    drand_round: int | None
    round_at: datetime | None
    round_address: str
    signature: str
    words: tuple[Word, ...]
    value: str
    known_at: datetime | None
    voided_at: datetime | None
    void_reason: str
    is_used: bool


def closings_of(event: Event) -> Sequence[ClosingView]:
    """Return the event's closings in order, in three queries at most."""
    closings = list(event.closings.select_related("dice_by").prefetch_related("words").order_by("number"))
    drawn = set(event.stages.exclude(drawn_at=None).values_list("number", flat=True)) if closings else set()
    return [_view(closing, drawn) for closing in closings]


def _view(closing: Closing, drawn: set[int]) -> ClosingView:
    chain, round = CHAINS.get(closing.drand_chain), closing.drand_round
    return ClosingView(
        number=closing.number,
        stage=closing.stage,
        source=closing.source,
        digest=closing.digest,
        closed_at=closing.closed_at,
        first=(closing.dice_by.get_username() if closing.dice_by else "–") if closing.dice else "",
        drand_chain=closing.drand_chain,
        drand_round=round,
        round_at=chain.time_of(round) if chain and round else None,
        round_address=f"https://{HOSTS[0]}{chain.path_of(round)}" if chain and round else "",
        signature=closing.signature,
        words=tuple(Word(given.number, given.word) for given in closing.words.all()),
        value=closing.value,
        known_at=closing.known_at,
        voided_at=closing.voided_at,
        void_reason=closing.void_reason,
        is_used=closing.voided_at is None and closing.stage in drawn,
    )
