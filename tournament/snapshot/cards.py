"""The match card: what every page, wall and overlay shows of a match, small or large, as frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from zlib import crc32

from players.services import fold_name
from rules.score import MatchScore, Phase, Side
from tournament.snapshot.states import STATE_NAMES, MatchState
from tournament.snapshot.values import FixtureSnapshot, SeatSnapshot

CLUB_COLOURS = 12


def colour_of(club: str) -> str:
    """Return the class of a club's colour: the same on all pages; empty without a club."""
    return f"club-{crc32(fold_name(club).encode()) % CLUB_COLOURS}" if club else ""


@dataclass(frozen=True, slots=True)
class CardSide:
    """A side of a card; ``points`` are None where there are none to show, ``flag`` is the country's code."""

    label: str
    points: int | None = None
    club: str = ""
    flag: str = ""
    away: int | None = None
    is_winner: bool = False
    is_open: bool = False
    """Whether the side is not known yet, and ``label`` says where it comes from."""
    address: str = ""

    @property
    def colour(self) -> str:
        """The class of the club's colour."""
        return colour_of(self.club)


@dataclass(frozen=True, slots=True)
class Card:
    """A match as a card shows it. A match in dispute has no points: nobody is shown one claim as the score.

    ``cube`` is the value of the cube where it is known while the match is played, and ``cube_owner`` the side that has
    it, "a" or "b", or empty for the middle. ``address`` is that of the match's page.
    """

    a: CardSide
    b: CardSide
    length: int
    state: str
    round: str = ""
    event: str = ""
    table: int | None = None
    called_at: datetime | None = None
    crawford: bool = False
    post_crawford: bool = False
    cube: int | None = None
    cube_owner: str = ""
    match_id: int | None = None
    address: str = ""

    @property
    def state_name(self) -> str:
        return str(STATE_NAMES[MatchState(self.state)])

    @property
    def has_score(self) -> bool:
        return self.a.points is not None and self.b.points is not None

    @property
    def has_bars(self) -> bool:
        """Whether there is a score to draw as bars: in a match of teams the points are boards, and have none."""
        return self.has_score and self.a.away is not None

    @property
    def sides(self) -> tuple[CardSide, CardSide]:
        return self.a, self.b

    @property
    def kind(self) -> str:
        """What the looks depend on: ``live``, ``called``, ``disputed``, ``done`` or ``open``."""
        return _KINDS.get(self.state, "open")


_OVER = (
    MatchState.CONFIRMED,
    MatchState.CORRECTED,
    MatchState.LOCKED,
    MatchState.FORFEIT,
    MatchState.WALKOVER,
    MatchState.SETTLED,
)
_KINDS: dict[str, str] = {
    MatchState.PLAYING: "live",
    MatchState.REPORTED: "live",
    MatchState.CALLED: "called",
    MatchState.DISPUTED: "disputed",
    **dict.fromkeys(_OVER, "done"),
}


def card_of(fixture: FixtureSnapshot, *, round: str = "", event: str = "", address: str = "") -> Card:
    """Return the card of the fixture; ``round`` and ``event`` are the names to show on it."""
    state, call, score = fixture.status, fixture.call, fixture.score
    shown = None if state is MatchState.DISPUTED else score
    return Card(
        a=_side(fixture.a, shown, Side.A, is_hidden=state is MatchState.DISPUTED),
        b=_side(fixture.b, shown, Side.B, is_hidden=state is MatchState.DISPUTED),
        length=fixture.length,
        state=state.value,
        round=round,
        event=event,
        table=call.table if call is not None else None,
        called_at=call.called_at if call is not None else None,
        crawford=shown is not None and shown.is_crawford,
        post_crawford=shown is not None and shown.phase is Phase.AFTER,
        match_id=fixture.match_id,
        address=address,
    )


def _side(seat: SeatSnapshot, score: MatchScore | None, side: Side, *, is_hidden: bool) -> CardSide:
    entry = seat.entry
    return CardSide(
        label=seat.label,
        points=None if is_hidden else seat.points,
        club=entry.club if entry is not None else "",
        flag=entry.country if entry is not None else "",
        away=score.away(side) if score is not None and score.length else None,
        is_winner=seat.is_winner,
        is_open=entry is None,
    )
