"""The values in a draw file, ``draw.json``: all that is needed to make the draws of an event again.

Entrants are named by the number of their entry. Times are text in ISO 8601, in UTC; they decide nothing that is drawn.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tournament.formats.lots import Urn
from tournament.formats.moves import Move

VERSION = 1
"""The value of ``sixprime_draw_file``: a file with another one is not read."""

MOST_CLOSINGS = 100
"""The most closings of entries that an event may have and that a file is read with."""


@dataclass(frozen=True, slots=True)
class FileChain:
    """A hash chain: its number in the event, its public end and how many links it has."""

    number: int
    anchor: str
    length: int
    made_at: str


@dataclass(frozen=True, slots=True)
class FilePublicValue:
    """A value that nobody could choose: its source, and the digest of the document that was closed before it was known.

    ``number`` counts the closings of the event. ``value`` is empty while it is not known; ``voided_at`` says that it no
    longer counts, and ``void_reason`` why. ``dice`` is what two people typed in: ``first``, then ``second``, with
    nothing but the private link of that player if it was ``by_link``. ``words`` are those of the entries by number, and
    ``drand_round`` is the round of the beacon ``drand_chain`` that was named when entries closed, with its
    ``signature`` in hex.
    """

    number: int
    stage: int
    source: str
    digest: str
    closed_at: str
    value: str = ""
    known_at: str | None = None
    voided_at: str | None = None
    void_reason: str = ""
    dice: str = ""
    first: str = ""
    second: str = ""
    by_link: bool = False
    words: tuple[tuple[int, str], ...] = ()
    drand_chain: str = ""
    drand_round: int | None = None
    signature: str = ""


@dataclass(frozen=True, slots=True)
class FileUrn:
    """An urn that was opened: ``number`` is that of its link in the chain."""

    chain: int
    number: int
    link: str
    stage: int
    scope: str
    public_value: str
    digest: str
    document: str
    opened_at: str
    cancelled_at: str | None = None

    @property
    def place(self) -> tuple[int, int]:
        """The chain and the number of its link, as draws name it."""
        return self.chain, self.number

    @property
    def urn(self) -> Urn:
        """The urn as formats ask it for lots."""
        return Urn(self.link, self.public_value, self.digest)


@dataclass(frozen=True, slots=True)
class FileEntrant:
    """An entrant as it was drawn; the fields are those of :class:`tournament.formats.plan.Entrant`.

    ``persons`` are numbers that mean nothing outside this file: two entrants who share one share a person.
    """

    number: int
    name: str
    seed: int | None = None
    club: str = ""
    country: str = ""
    family: str = ""
    persons: tuple[int, ...] = ()
    rating: int | None = None
    lives: int = 1
    presence: tuple[int, ...] = (1,)
    members: tuple[str, ...] = ()
    bye_taken: int = 0


@dataclass(frozen=True, slots=True)
class FileResult:
    """What was known of a pairing: its winner and loser by number; ``winner`` is None for a result taken back.

    ``winner_rated`` and ``loser_rated`` say who had a second win for the lower error rate. Of a drawn or void match the
    two are named in any order.
    """

    key: str
    winner: int | None
    loser: int | None
    is_void: bool = False
    is_drawn: bool = False
    winner_rated: bool = False
    loser_rated: bool = False


@dataclass(frozen=True, slots=True)
class FileEarlier:
    """A match of an earlier stage that counts in this one, as in :class:`FileResult`."""

    winner: int
    loser: int
    is_drawn: bool = False
    winner_rated: bool = False
    loser_rated: bool = False


@dataclass(frozen=True, slots=True)
class FilePairing:
    """A published pairing; a side is the number of an entrant, or None where it was not known yet or is a bye."""

    key: str
    bracket: str
    round: int
    number: int
    length: int
    a: int | None
    b: int | None
    feed_a: str = ""
    feed_b: str = ""


@dataclass(frozen=True, slots=True)
class FileStep:
    """What was published at one moment, and what was known then.

    ``round`` is 0 where everything is planned at once. ``entrants`` are None if they are those of the step before;
    their order is that of entry. ``results`` are those that came since the step before. The pairings of all steps
    before this one stand. ``earlier`` and ``earlier_byes`` are what counts from earlier stages. ``challenges`` are
    those of a ladder that stand: number, challenger and challenged. ``paired_at`` is when the pairings of a round were
    made that stand; empty where it is not known.
    """

    at: str
    round: int
    entrants: tuple[FileEntrant, ...] | None
    results: tuple[FileResult, ...]
    earlier: tuple[FileEarlier, ...]
    earlier_byes: tuple[tuple[int, int], ...]
    pairings: tuple[FilePairing, ...]
    challenges: tuple[tuple[int, int, int], ...] = ()
    paired_at: str = ""


@dataclass(frozen=True, slots=True)
class FileDraw:
    """One draw of a stage, step by step; a cancelled one stays in the file.

    ``edition`` is that of the rules by which it was drawn (:mod:`tournament.formats.editions`). ``links`` are the chain
    and number of each link that it used. ``seed`` is that of a draw made before there were lots, and empty otherwise.
    ``moves`` are the director's changes by hand that stand; in them too, entrants are named by number.
    """

    stage: int
    format: str
    edition: int
    options: Mapping[str, object]
    seed: str
    drawn_at: str
    cancelled_at: str | None
    links: tuple[tuple[int, int], ...]
    steps: tuple[FileStep, ...]
    moves: tuple[Move, ...] = ()


@dataclass(frozen=True, slots=True)
class DrawFile:
    """All draws of an event, cancelled ones included, with the chains and urns from which their lots come."""

    tournament: str
    event: str
    name: str
    chains: tuple[FileChain, ...]
    public: tuple[FilePublicValue, ...]
    urns: tuple[FileUrn, ...]
    draws: tuple[FileDraw, ...]
