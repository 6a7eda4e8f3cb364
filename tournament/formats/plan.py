"""The values that a draw is made of, and the :class:`Format` that turns entrants and outcomes into pairings.

A format is a pure function: the same :class:`Draw` always gives the same :class:`Plan`. Starting, advancing,
correcting and auditing an event are the same call with other outcomes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar, Protocol

from rules.errors import gettext_noop

MAX_LENGTH = 99
MAX_LENGTHS = 16


class PlanError(ValueError):
    """A draw that cannot be planned; ``code`` is stable, ``template % params`` is the English sentence."""

    def __init__(self, code: str, template: str, **params: str | int) -> None:
        super().__init__(template % params)
        self.code = code
        self.template = template
        self.params: Mapping[str, str | int] = params


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a pairing, a bye or a placing is as it is, in one sentence a player understands."""

    code: str
    template: str
    params: tuple[tuple[str, str | int], ...] = ()

    @property
    def text(self) -> str:
        """The sentence in English."""
        return self.template % dict(self.params)

    def as_dict(self) -> dict[str, object]:
        """Code, template and params, ready for JSON; whoever shows it translates the template."""
        return {"code": self.code, "template": self.template, "params": dict(self.params)}


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player or pair in the draw; ``id`` is the entry's id, ``seed`` the rank a seeded draw goes by (1 is best)."""

    id: int
    name: str
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class Bye:
    """Nobody sits here: the other side goes on, or is free this round, without a match."""


@dataclass(frozen=True, slots=True)
class WinnerOf:
    """Whoever wins the pairing ``key``."""

    key: str


@dataclass(frozen=True, slots=True)
class LoserOf:
    """Whoever loses the pairing ``key``."""

    key: str


Seat = Entrant | Bye | WinnerOf | LoserOf


def feed_of(seat: Seat) -> str:
    """Where ``seat`` is filled from, as text: ``bye``, ``winner:M1-1``, ``loser:M1-1``; empty for an entrant."""
    match seat:
        case Bye():
            return "bye"
        case WinnerOf(key):
            return f"winner:{key}"
        case LoserOf(key):
            return f"loser:{key}"
        case Entrant():
            return ""


def parse_feed(text: str) -> Bye | WinnerOf | LoserOf | None:
    """The seat that :func:`feed_of` wrote as ``text``; None for an entrant, who is no feed.

    Raises PlanError (``feed_unreadable``) for any other text.
    """
    if text == "":
        return None
    if text == "bye":
        return Bye()
    kind, _, key = text.partition(":")
    if key and kind == "winner":
        return WinnerOf(key)
    if key and kind == "loser":
        return LoserOf(key)
    raise PlanError("feed_unreadable", gettext_noop("“%(feed)s” does not say where a seat is filled from."), feed=text)


@dataclass(frozen=True, slots=True)
class Pairing:
    """Who ought to meet, or will once earlier pairings are decided.

    ``key`` is stable for the life of the draw. ``round`` and ``number`` count from 1, ``number`` from top to bottom.
    ``feed_a`` and ``feed_b`` say where the seats come from, also after the entrant sits there (see :func:`feed_of`).
    """

    key: str
    bracket: str
    round: int
    number: int
    a: Seat
    b: Seat
    length: int
    feed_a: str
    feed_b: str
    why: Reason

    @property
    def is_bye(self) -> bool:
        """Whether no match belongs to this pairing because one side is a bye."""
        return isinstance(self.a, Bye) or isinstance(self.b, Bye)

    @property
    def is_ready(self) -> bool:
        """Whether both entrants are known, so that the match can be played."""
        return isinstance(self.a, Entrant) and isinstance(self.b, Entrant)

    @property
    def entrant_ids(self) -> frozenset[int]:
        """The entrants known to sit here: none, one or two."""
        return frozenset(seat.id for seat in (self.a, self.b) if isinstance(seat, Entrant))


@dataclass(frozen=True, slots=True)
class Outcome:
    """Who won a decided pairing and who lost it, by entry id."""

    winner: int
    loser: int


class Seeding(StrEnum):
    """How the lines of a draw are filled."""

    RANDOM = "random"
    SEEDED = "seeded"


@dataclass(frozen=True, slots=True)
class Options:
    """What the director chose for a stage.

    ``lengths`` is read from the final backwards: the first is the final, the second the semifinals, the last holds
    for all earlier rounds. A format without a final uses the first for every match.
    """

    lengths: tuple[int, ...]
    seeding: Seeding = Seeding.RANDOM

    @classmethod
    def parse(cls, data: Mapping[str, object]) -> Options:
        """The options in ``data``, which may be any JSON object.

        ``lengths`` is required, ``seeding`` is random when absent. Raises PlanError for anything else.
        """
        for name in data:
            if name not in ("lengths", "seeding"):
                raise PlanError("option_unknown", gettext_noop("There is no option “%(option)s”."), option=str(name))
        return cls(lengths=_parse_lengths(data.get("lengths")), seeding=_parse_seeding(data))

    def as_dict(self) -> dict[str, object]:
        """These options as a JSON object; :meth:`parse` reads it back."""
        return {"lengths": list(self.lengths), "seeding": str(self.seeding)}

    def length(self, rounds_to_final: int) -> int:
        """The match length of a round: 0 is the final, 1 the semifinals, and so on backwards."""
        return self.lengths[min(rounds_to_final, len(self.lengths) - 1)]


def _parse_lengths(value: object) -> tuple[int, ...]:
    if not isinstance(value, list | tuple) or not 1 <= len(value) <= MAX_LENGTHS:
        raise PlanError(
            "lengths_not_a_list",
            gettext_noop("The match lengths must be a list of 1 to %(most)s numbers, the final first."),
            most=MAX_LENGTHS,
        )
    for length in value:
        if type(length) is not int or not 1 <= length <= MAX_LENGTH:
            raise PlanError(
                "length_out_of_range",
                gettext_noop("A match length must be a whole number from 1 to %(most)s, not “%(length)s”."),
                most=MAX_LENGTH,
                length=str(length)[:40],
            )
    return tuple(value)


def _parse_seeding(data: Mapping[str, object]) -> Seeding:
    value = data.get("seeding", Seeding.RANDOM)
    if not isinstance(value, str) or value not in tuple(Seeding):
        raise PlanError(
            "seeding_unknown",
            gettext_noop("The seeding must be “random” or “seeded”, not “%(seeding)s”."),
            seeding=str(value)[:40],
        )
    return Seeding(value)


@dataclass(frozen=True, slots=True)
class Draw:
    """All that a format may look at.

    ``outcomes`` are the confirmed results by pairing key; ``seed`` is the seed of the random draw. The order of
    ``entrants`` does not matter: the same ids with the same seed are drawn alike.
    """

    entrants: tuple[Entrant, ...]
    options: Options
    outcomes: Mapping[str, Outcome] = field(default_factory=dict)
    seed: str = ""


@dataclass(frozen=True, slots=True)
class Placing:
    """The best and the worst place still open to an entrant; both ends of a shared place once he is out."""

    entrant: int
    place: int
    place_to: int


@dataclass(frozen=True, slots=True)
class Plan:
    """All pairings that ought to exist now, from round 1 on and from top to bottom.

    Pairings whose entrants are not known yet have :class:`WinnerOf` or :class:`LoserOf` seats. Byes are pairings with
    a :class:`Bye` seat, decided without a match. ``placings`` is None where the format ranks by record (wins, then
    tie-breaks). ``stale`` are the keys of outcomes that were not used, because the two whom they name do not, or do
    not yet, sit there: what falls when an earlier result is corrected.
    """

    pairings: tuple[Pairing, ...]
    placings: tuple[Placing, ...] | None
    finished: bool
    stale: tuple[str, ...] = ()

    @property
    def winners(self) -> tuple[int, ...]:
        """The ids of those placed first; empty until the draw is finished, or where it ranks by record."""
        if not self.finished or self.placings is None:
            return ()
        return tuple(placing.entrant for placing in self.placings if placing.place == 1)


class Format(Protocol):
    """One way to draw an event; ``tournament.formats.FORMATS`` lists them."""

    slug: ClassVar[str]
    name: ClassVar[str]
    description: ClassVar[str]
    min_entrants: ClassVar[int]
    max_entrants: ClassVar[int]

    def plan(self, draw: Draw) -> Plan:
        """The pairings that ought to exist, given who entered and what is decided.

        Raises PlanError for a field, options or outcomes that cannot belong to this draw.
        """
        ...
