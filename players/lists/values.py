"""What an official list is made of: counted matches, standings, criteria and lines. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import NamedTuple

from players.ratings import Rating

Peaks = tuple[tuple[int, float], ...]
"""Ratings that no later one has reached, the highest first, each with the number of matches it came after."""


class Counted(NamedTuple):
    """A match that a list counts: ids of match, winner and loser, its length, and when it ended, as ISO 8601 in UTC.

    ``weight`` is how much it counts, in hundredths. ``guest`` is empty, or says which side has a fixed rating that the
    match does not move: ``w1500`` the winner, ``l1500`` the loser.
    """

    match: int
    at: str
    winner: int
    loser: int
    length: int
    weight: int = 100
    guest: str = ""

    @property
    def place(self) -> tuple[str, int]:
        """The place in the order of rating: by time, then by match."""
        return self.at, self.match


class Start(NamedTuple):
    """What a player had on the official list that this one goes on from."""

    value: float
    experience: int


class Effect(NamedTuple):
    """A counted match with the ratings of winner and loser before and after it."""

    counted: Counted
    winner_before: float
    winner_after: float
    loser_before: float
    loser_after: float


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a player stands on a list: the rating, the end of their last match, and what a class is found from.

    ``last_played`` is empty for a player who has a start value alone.
    """

    rating: Rating
    last_played: str = ""
    peaks: Peaks = ()


class Provisional(StrEnum):
    """What becomes of players below the experience that a list asks for."""

    LEFT_OUT = "left_out"
    BY_NAME = "by_name"
    BY_RATING = "by_rating"


@dataclass(frozen=True, slots=True)
class Criteria:
    """Who stands on a list, and in which class.

    A player stands on it who is a member (with ``members``), plays for ``nation`` and ``club`` (an id) where they are
    given, and has played within ``active_months`` of the day of the list or since ``active_since``. Below
    ``experience`` they are provisional. ``classes`` are names with the rating from which each begins, the highest
    first. A class goes by the highest rating after one of the last ``class_matches``; a player who has risen stays
    there for ``class_months``. 0 and "" ask for nothing.
    """

    experience: int = 0
    active_months: int = 0
    active_since: str = ""
    members: bool = False
    nation: str = ""
    club: int = 0
    provisional: Provisional = Provisional.BY_RATING
    classes: tuple[tuple[str, int], ...] = ()
    class_matches: int = 0
    class_months: int = 0


@dataclass(frozen=True, slots=True)
class Facts:
    """What a list knows of a player on the day of its memberships; ``commitment`` is that of :func:`commit`.

    A list names nobody: names stand beside it, and go when a person is deleted.
    """

    member: bool = False
    nation: str = ""
    club: int = 0
    commitment: str = ""
    order: str = ""
    """The key by which provisional players sort; no part of the document."""


@dataclass(frozen=True, slots=True)
class Held:
    """A player's class, and the last day on which they cannot fall out of it; no day if they have not risen."""

    name: str
    until: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a publication. Equal values share the places from ``rank`` to ``rank_to``; both are 0 if provisional.

    ``delta`` is the change since the publication before, and None for a player who was not on it.
    """

    player: int
    rank: int
    rank_to: int
    value: str
    delta: str | None
    experience: int
    matches: int
    wins: int
    last_played: str
    provisional: bool
    class_name: str


@dataclass(frozen=True, slots=True)
class Correction:
    """A match that was counted otherwise than it is now, or not at all, in a list that has been published."""

    match: int
    was: Counted | None
    now: Counted | None
    why: str

    @property
    def kind(self) -> str:
        if self.was is None:
            return "added"
        return "removed" if self.now is None else "changed"

    @property
    def place(self) -> tuple[str, int]:
        """The first place in the order of rating that it touches."""
        return min(one.place for one in (self.was, self.now) if one is not None)


@dataclass(frozen=True, slots=True)
class Before:
    """What the publication before says: its number and digest, each line's value, and all classes."""

    number: int = 0
    sha256: str = ""
    values: Mapping[int, str] = field(default_factory=dict)
    held: Mapping[int, Held] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Base:
    """The standings that a run begins with: those after publication ``number``, or nobody's with 0."""

    number: int = 0
    sha256: str = ""
    standings: Mapping[int, Standing] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Head:
    """What is known of a publication before anything is counted.

    ``starts`` are the start values of players who have no standing in the base. ``places`` is the number of decimal
    places that the list shows. ``engine`` is that of :mod:`players.lists.run`, and ``zone`` the name of the time zone
    whose days are meant; the first engine has none.
    """

    engine: int
    zone: str

    slug: str
    name: str
    federation: str
    number: int
    as_of: date
    matches_until: str
    memberships_until: date
    kind: str
    parameters: Mapping[str, str | int]
    places: int
    criteria: Criteria
    base: Base
    before: Before
    starts: Mapping[int, Start] = field(default_factory=dict)
    corrections: tuple[Correction, ...] = ()


@dataclass(frozen=True, slots=True)
class ListFinding:
    """Something in a file that is wrong: a code, and the sentence ``template % params``."""

    code: str
    template: str
    params: Mapping[str, str | int] = field(default_factory=dict)
