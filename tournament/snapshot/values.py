"""The displayed parts of an event: entries, score sheets, seats, boards and fixtures, as frozen values."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum

from django.utils.translation import gettext as _

from matches.models import Conclusion
from rules.score import MatchScore, Side
from rules.sheet import GameResult, Terms
from tournament.formats.plan import Bye, LoserOf, LoserOfRound, WinnerOf, parse_feed
from tournament.formats.rate_points import lower_rates
from tournament.formats.unplayed import UnplayedRule
from tournament.snapshot.states import MatchState


class FixtureState(StrEnum):
    WAITING = "waiting"
    READY = "ready"
    LIVE = "live"
    DONE = "done"
    BYE = "bye"


@dataclass(frozen=True, slots=True)
class MemberSnapshot:
    """A member of a team; a member whose board number exceeds the event's boards is a reserve."""

    board: int
    player_id: int
    name: str
    club: str
    country: str


@dataclass(frozen=True, slots=True)
class EntrySnapshot:
    """An entry; ``members`` are a team's members in board order, and empty for a player or a pair."""

    id: int
    number: int
    seed: int | None
    player_id: int
    partner_id: int | None
    reentry: int
    name: str
    family: str
    presence: tuple[int, ...]
    club: str
    country: str
    waiting: bool
    checked_in: bool
    left_kind: str
    left_reason: str
    left_main_only: bool
    bye_taken: int
    home_evening: int | None = None
    members: tuple[MemberSnapshot, ...] = ()
    link_epoch: int = 1

    @property
    def is_out(self) -> bool:
        """Whether the entry misses rounds or has left, and has not returned."""
        return len(self.presence) % 2 == 0 or self.has_left

    @property
    def sought(self) -> str:
        """The names by which a search finds the entry: its own, and those of a team's members."""
        return " ".join((self.name, *(member.name for member in self.members)))

    @property
    def has_left(self) -> bool:
        """Whether the entry has withdrawn, failed to appear or been disqualified."""
        return bool(self.left_kind)


@dataclass(frozen=True, slots=True)
class SheetSnapshot:
    """A score sheet under its ``terms``; ``scores[0]`` is the score before game 1, ``scores[g]`` before game g + 1.

    ``score`` is where the match stands, an award included; ``played_score`` leaves out the points that were awarded.
    A sheet that ``is_final`` decides the match, also where it is void and nobody has won.
    """

    number: int
    terms: Terms
    games: tuple[GameResult, ...]
    scores: tuple[MatchScore, ...]
    score: MatchScore
    played_score: MatchScore
    is_final_only: bool
    conclusion: Conclusion
    awarded_to: Side | None
    by: str
    at: datetime
    played_at: datetime

    @property
    def is_final(self) -> bool:
        return self.score.over or self.conclusion is Conclusion.VOID


@dataclass(frozen=True, slots=True)
class SeatSnapshot:
    """A side of a fixture: its entry, or the feed it waits for ("winner:M1-1", "bye").

    ``points`` are those won in play, and before the first game those that a ruling gave.
    """

    entry: EntrySnapshot | None
    feed: str
    points: int | None
    is_winner: bool

    @property
    def is_bye(self) -> bool:
        return self.entry is None and self.feed == "bye"

    @property
    def label(self) -> str:
        """The entry's name, or a description of where it will come from."""
        return self.entry.name if self.entry is not None else self.feed_in_words

    @property
    def feed_in_words(self) -> str:
        """A description of where the entry comes from: the winner or loser of a match or round, or a bye."""
        match parse_feed(self.feed):
            case WinnerOf(key):
                return _("Winner of %(key)s") % {"key": key}
            case LoserOf(key):
                return _("Loser of %(key)s") % {"key": key}
            case LoserOfRound(round):
                return _("Loser of round %(round)s") % {"round": round}
            case Bye():
                return _("Bye")
        return ""


@dataclass(frozen=True, slots=True)
class ReportSnapshot:
    """An unconfirmed report; ``side`` is A or B, or empty for a scorer's report."""

    side: str
    is_disputed: bool
    sheet: SheetSnapshot


@dataclass(frozen=True, slots=True)
class CallSnapshot:
    """The table to which a match has been called, and when play began there, if it has.

    ``table`` is None if its players were called by name, in a hall without numbered tables.
    """

    table: int | None
    called_at: datetime
    started_at: datetime | None

    def minutes_waited(self, at: datetime) -> int | None:
        """Return the full minutes since the call; None once play has begun."""
        if self.started_at is not None:
            return None
        return max(int((at - self.called_at).total_seconds()) // 60, 0)


@dataclass(frozen=True, slots=True)
class Wait:
    """The player for whom a ready match waits, called ``name``, who is busy with the match at ``place`` of ``event``.

    ``table`` is where they sit; None if they sit at no numbered table. While that match ``is_only_called``, nobody has
    said that they play. ``others`` are the other players for whom the match waits too.
    """

    player_id: int
    name: str
    place: str
    event: str
    event_id: int
    table: int | None
    is_only_called: bool = False
    others: tuple[Wait, ...] = ()

    @property
    def sentence(self) -> str:
        """The people who are busy, with what and where."""
        words = {"player": self.name, "key": self.place, "event": self.event, "table": self.table}
        if self.is_only_called:
            if self.table is None:
                return _("%(player)s has been called for %(key)s of %(event)s.") % words
            return _("%(player)s has been called to table %(table)s for %(key)s of %(event)s.") % words
        if self.table is None:
            return _("%(player)s is playing %(key)s of %(event)s.") % words
        return _("%(player)s is playing %(key)s of %(event)s at table %(table)s.") % words


@dataclass(frozen=True, slots=True)
class Clock:
    """A clock with ``minutes`` for each point of a match, and a ``delay`` in seconds before each play."""

    minutes: int
    delay: int

    def time_for(self, length: int) -> int:
        """Return each side's minutes for a match of this length."""
        return self.minutes * length


@dataclass(frozen=True, slots=True)
class BoardSeatSnapshot:
    """A side of a board; ``points`` are as in :class:`SeatSnapshot`."""

    player_id: int
    label: str
    points: int | None
    is_winner: bool


@dataclass(frozen=True, slots=True)
class BoardSnapshot:
    """One match between two teams; ``score``, ``status`` and ``reports`` are as in :class:`FixtureSnapshot`."""

    number: int
    length: int
    a: BoardSeatSnapshot
    b: BoardSeatSnapshot
    state: FixtureState
    match_id: int
    score: MatchScore
    sheet: SheetSnapshot | None
    call: CallSnapshot | None
    status: MatchState
    reports: tuple[ReportSnapshot, ...]
    waits_for: Wait | None = None
    """As in :class:`FixtureSnapshot`."""

    @property
    def has_sheet(self) -> bool:
        """Whether a result has been entered or reported."""
        return self.sheet is not None or bool(self.reports)

    @property
    def is_crawford(self) -> bool:
        """Whether the game being played, or next to be played, is the Crawford game."""
        return self.score.is_crawford


@dataclass(frozen=True, slots=True)
class FixtureSnapshot:
    """A published pairing. ``state`` is its own state in the draw, ``status`` that of its match as readers see it.

    Two teams meet on ``boards``, and their points are the boards they won; ``match_id``, ``score``, ``sheet`` and
    ``reports`` belong to players or pairs. A match of teams is disputed once a board is, and reported once every board
    only waits for its confirmation. ``score`` is that of the current sheet, else of the newest report, and the
    opening score while claims are in dispute. ``advanced`` is the entry that advances by ruling, whatever the score
    says.
    """

    key: str
    bracket: str
    round: int
    number: int
    length: int
    a: SeatSnapshot
    b: SeatSnapshot
    state: FixtureState
    match_id: int | None
    score: MatchScore | None
    sheet: SheetSnapshot | None
    call: CallSnapshot | None
    why: str
    status: MatchState
    boards: tuple[BoardSnapshot, ...] = ()
    reports: tuple[ReportSnapshot, ...] = ()
    advanced: EntrySnapshot | None = None
    is_by_hand: bool = False
    """Whether the director has changed it, which ``why`` tells."""

    rates: tuple[int, int] | None = None
    """The error rates of both sides in thousandths, where the lower one is a second win and they are known."""
    is_rate_open: bool = False
    """Whether the match has been played, and only its error rates are missing."""
    deadline: date | None = None
    """The last day on which it may be played, if its round has dates or it is a challenge."""
    is_extended: bool = False
    """Whether that is not the last day of its round or challenge, because somebody has moved its deadline."""
    unplayed: UnplayedRule = field(default_factory=UnplayedRule)
    """What becomes of it if nobody begins it by then."""
    plays_on: date | None = None
    """Side A's home evening in that round, if there is one."""
    waits_for: Wait | None = None
    """The busy player for whom it waits, as far as the hall was asked; between teams, once every board waits."""

    @property
    def waits(self) -> tuple[Wait, ...]:
        """The busy players for whom it or its boards wait, each once."""
        waits = [self.waits_for, *(board.waits_for for board in self.boards)]
        return tuple(dict.fromkeys(wait for wait in waits if wait is not None))

    @property
    def decided_on(self) -> date | None:
        """The first day on which the rule of its stage decides it, if nobody has begun it by then."""
        return self.unplayed.decided_on(self.deadline) if self.deadline is not None else None

    def is_overdue(self, today: date) -> bool:
        """Whether its deadline has passed and the match is not over."""
        open_still = self.state not in (FixtureState.DONE, FixtureState.BYE)
        return open_still and self.deadline is not None and self.deadline < today

    @property
    def is_called(self) -> bool:
        """Whether it, or one of its boards, has been called and is not over."""
        return self.call is not None or any(board.call is not None for board in self.boards)

    @property
    def is_void(self) -> bool:
        """Whether neither side came, so that nobody has won."""
        return self.status is MatchState.VOID

    @property
    def is_drawn(self) -> bool:
        """Whether two teams have shared the boards, so that each has half a win."""
        is_over = self.state is FixtureState.DONE and bool(self.boards) and not self.is_void
        return is_over and not (self.a.is_winner or self.b.is_winner)

    @property
    def lower_rates(self) -> tuple[int, ...]:
        """The entries with a second win for the lower error rate."""
        if self.a.entry is None or self.b.entry is None:
            return ()
        return lower_rates(self.a.entry.id, self.b.entry.id, self.rates)

    @property
    def names(self) -> tuple[str, ...]:
        """The names that readers might search for here: those of the entries, and of the players at team boards."""
        sitting = (seat.label for board in self.boards for seat in (board.a, board.b))
        return (self.a.label, self.b.label, *sitting)

    @property
    def has_sheet(self) -> bool:
        """Whether a result has been entered or reported."""
        return self.sheet is not None or bool(self.reports)

    @property
    def entry_ids(self) -> frozenset[int]:
        return frozenset(seat.entry.id for seat in (self.a, self.b) if seat.entry)

    @property
    def is_crawford(self) -> bool:
        """Whether the game being played, or next to be played, is the Crawford game."""
        return self.score is not None and self.score.is_crawford
