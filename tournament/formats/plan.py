"""The values that make up a draw: what a format may look at, and the pairings that it plans."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from rules.errors import gettext_noop
from tournament.formats.challenge import Challenge
from tournament.formats.editions import EDITION
from tournament.formats.errors import PlanError
from tournament.formats.lots import Lots
from tournament.formats.moves import Move
from tournament.formats.options import Options

if TYPE_CHECKING:
    from tournament.formats.advance import Advanced


@dataclass(frozen=True, slots=True)
class Reason:
    """The reason for a pairing, a bye or a placing, in one sentence that players understand."""

    code: str
    template: str
    params: tuple[tuple[str, str | int], ...] = ()

    @property
    def text(self) -> str:
        """The sentence in English."""
        return self.template % dict(self.params)

    def as_dict(self) -> dict[str, object]:
        """Return code, template and params, ready for JSON; the template is translated where it is shown."""
        return {"code": self.code, "template": self.template, "params": dict(self.params)}


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player, pair or team in the draw; ``id`` is the entry's id, ``seed`` the rank in a seeded draw (1 is best).

    ``persons`` are the ids of the players behind it: two entrants who share one never meet. ``family`` is any word that
    the director gave to those who are to be kept apart in round 1. ``rating`` is in hundredths. ``lives`` are what an
    earlier stage left. ``bye_taken`` is the number of the first-round pairing whose bye the entrant took after the
    draw, 0 for those who were drawn.

    ``presence`` holds the rounds from which the entrant is in, out, in again, ...: (1,) is there from the first round
    to the last, (3, 5, 8) came late for round 3, missed rounds 5 to 7 and is back. ``members`` are the names of those
    in a team, in the order of the boards and then the reserves. ``number`` is that of the entry in its event, by which
    lots are drawn on every machine alike.
    """

    id: int
    name: str
    seed: int | None = None
    club: str = ""
    country: str = ""
    family: str = ""
    persons: frozenset[int] = frozenset()
    rating: int | None = None
    lives: int = 1
    presence: tuple[int, ...] = (1,)
    members: tuple[str, ...] = ()
    bye_taken: int = 0
    number: int = 0

    @property
    def lot_name(self) -> str:
        """The name for which this entrant's lots are drawn: the number of the entry, or else its id."""
        return str(self.number or self.id)

    def plays_in(self, round: int) -> bool:
        """Whether the entrant is present in ``round``, counted from 1."""
        return sum(mark <= round for mark in self.presence) % 2 == 1


@dataclass(frozen=True, slots=True)
class Bye:
    """An empty seat: the other side goes through, or is free this round, without a match."""


@dataclass(frozen=True, slots=True)
class WinnerOf:
    """The winner of the pairing ``key``."""

    key: str


@dataclass(frozen=True, slots=True)
class LoserOf:
    """The loser of the pairing ``key``."""

    key: str


@dataclass(frozen=True, slots=True)
class LoserOfRound:
    """One of the losers of main round ``round``, who are placed together when it is over."""

    round: int


Seat = Entrant | Bye | WinnerOf | LoserOf | LoserOfRound


def seated(seat: Seat) -> int | None:
    """Return the id of the entrant in ``seat``; None if there is no entrant in it."""
    return seat.id if isinstance(seat, Entrant) else None


def feed_of(seat: Seat) -> str:
    """Return where ``seat`` is filled from, as text: ``bye``, ``winner:M1-1``, ``loser:M1-1``; empty for an entrant.

    ``round:2`` is a loser of main round 2, who will be placed when that round is over.
    """
    match seat:
        case Bye():
            return "bye"
        case WinnerOf(key):
            return f"winner:{key}"
        case LoserOf(key):
            return f"loser:{key}"
        case LoserOfRound(round):
            return f"round:{round}"
        case Entrant():
            return ""


@lru_cache(maxsize=10_000)
def parse_feed(text: str) -> Bye | WinnerOf | LoserOf | LoserOfRound | None:
    """Return the seat that :func:`feed_of` wrote as ``text``; None for an entrant, which is not a feed.

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
    if kind == "round" and key.isascii() and key.isdigit() and not key.startswith("0"):
        return LoserOfRound(int(key))
    raise PlanError("feed_unreadable", gettext_noop("“%(feed)s” does not say what fills a seat."), feed=text)


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two seats that are to meet, now or once earlier pairings are decided.

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
        """Whether this pairing has no match because one side is a bye."""
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
    """The winner and loser of a decided pairing, by entry id; if it ``is_void``, neither of the two has won.

    Nor has either if it ``is_drawn``: two teams have shared the boards, and each has half a win. ``lower_rates`` are
    those who have a second win for the lower error rate: nobody, one, or both with equal rates.
    """

    winner: int
    loser: int
    is_void: bool = False
    is_drawn: bool = False
    lower_rates: tuple[int, ...] = ()

    @property
    def half_wins(self) -> tuple[int, int]:
        """What the match is worth to ``winner`` and ``loser``, in half wins."""
        won, lost = (0, 0) if self.is_void else (1, 1) if self.is_drawn else (2, 0)
        return won + 2 * (self.winner in self.lower_rates), lost + 2 * (self.loser in self.lower_rates)


@dataclass(frozen=True, slots=True)
class Published:
    """A pairing that has been published: its key and its sides' entry ids; ``b`` is None for a bye."""

    key: str
    a: int
    b: int | None


@dataclass(frozen=True, slots=True)
class Draw:
    """Everything that a format may look at.

    ``outcomes`` are the confirmed results by pairing key. ``lots`` decide where chance does; without them ``seed``
    does, as in simulations and in draws published before there were lots. The order of ``entrants`` does not matter:
    the same ids with the same lots are drawn alike. ``published`` are the pairings that stand whatever the results say,
    because play in their round has begun: a format that pairs by results keeps them and pairs the rest again.
    ``earlier`` are the matches of earlier stages that count here, ``earlier_byes`` how many byes there counted as wins.
    ``edition`` is that of the rules by which the draw was made (``tournament.formats.editions``). ``moves`` are the
    director's changes by hand, in their order (``tournament.formats.hand``). ``challenges`` are what a ladder is paired
    by.
    """

    entrants: tuple[Entrant, ...]
    options: Options
    outcomes: Mapping[str, Outcome] = field(default_factory=dict)
    seed: str = ""
    published: tuple[Published, ...] = ()
    earlier: tuple[Outcome, ...] = ()
    earlier_byes: Mapping[int, int] = field(default_factory=dict)
    lots: Lots | None = None
    edition: int = EDITION
    moves: tuple[Move, ...] = ()
    challenges: tuple[Challenge, ...] = ()


@dataclass(frozen=True, slots=True)
class Placing:
    """The best and worst places still open to an entrant; once settled, they differ only if the place is shared.

    ``why`` says how the place was won, where the format can say it in a sentence.
    """

    entrant: int
    place: int
    place_to: int
    why: Reason | None = None


@dataclass(frozen=True, slots=True)
class Section:
    """A separate ranking within a draw: a consolation or a group.

    ``bracket`` is that of its pairings. ``placings`` is None where its ``entrants`` are ranked by record, counting the
    matches of that bracket.
    """

    bracket: str
    title: Reason
    entrants: tuple[int, ...]
    placings: tuple[Placing, ...] | None


@dataclass(frozen=True, slots=True)
class Plan:
    """All pairings that should exist now, from round 1 on and from top to bottom.

    Pairings whose entrants are not known yet have :class:`WinnerOf` or :class:`LoserOf` seats. Byes are pairings with a
    :class:`Bye` seat, decided without a match. ``placings`` is None where the format ranks by record (wins, then
    tie-breaks). ``stale`` are the keys of outcomes that were not used, because the two whom they name do not, or do not
    yet, sit there: these fall when an earlier result is corrected. ``sections`` are the rankings besides the one of the
    whole field. ``free_wins`` says for whom byes count as wins, and how many. ``lives`` are those left where a number
    of losses puts entrants out. With ``groups`` the sections are groups, and the same number qualify from each. A
    plan that is ``scheduled`` has all matches from the draw, to be played one after the other; in any other one nobody
    has two open matches at once. ``notes`` are what a director should know before this is published, such as a rematch
    that could not be avoided. ``refused`` are the entrants who came after the draw and could not be taken in, with the
    reason; ``takes_entries`` says whether more can come, where entries stay open. ``run`` is the knockout that
    :func:`tournament.formats.advance.follow` can take further, where the pairings are those of its run.
    """

    pairings: tuple[Pairing, ...]
    placings: tuple[Placing, ...] | None
    finished: bool
    stale: tuple[str, ...] = ()
    sections: tuple[Section, ...] = ()
    free_wins: Mapping[int, int] = field(default_factory=dict)
    lives: Mapping[int, int] = field(default_factory=dict)
    groups: bool = False
    scheduled: bool = False
    notes: tuple[Reason, ...] = ()
    refused: Mapping[int, Reason] = field(default_factory=dict)
    takes_entries: bool = True
    run: Advanced | None = field(default=None, compare=False, repr=False)

    @property
    def winners(self) -> tuple[int, ...]:
        """Return the ids of the entrants placed first; none before the draw is finished, or in a ranking by record."""
        if not self.finished or self.placings is None:
            return ()
        return tuple(placing.entrant for placing in self.placings if placing.place == 1)
