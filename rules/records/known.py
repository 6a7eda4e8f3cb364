"""What is known of a record beyond what it says: from the caller, or from how programs head their records."""

import re
from dataclasses import dataclass, replace
from typing import Final

from rules.errors import Finding, Severity, gettext_noop
from rules.records.headings import MAX_LENGTH
from rules.records.record import LETTERS, GameRecord, Line, MatchRecord, RecordError, Won
from rules.score import Side

UNLIMITED: Final = frozenset({8, 16})
"""Lengths that Backgammon Galaxy heads the export of a single unlimited game with; hardly any match has them."""
GALAXYS_UNLIMITED: Final = 17
"""Another such length, which matches have too."""


@dataclass(frozen=True, slots=True)
class Known:
    """What the caller knows: the score at which the record begins, the length, the names, side A's first.

    Each is None where the record itself is to be believed; a length of 0 is a money session. `gave_up` is the side that
    gave up the game of which the record does not tell who did.
    """

    start: tuple[int, int] | None = None
    length: int | None = None
    names: tuple[str, str] | None = None
    gave_up: Side | None = None

    def applied(self, record: MatchRecord) -> MatchRecord:
        """Return the record with the length and the names that are known."""
        if self.length is not None:
            record = replace(record, length=self.length)
        if self.names is None:
            return record
        games = tuple(replace(game, names=self.names) for game in record.games)
        tags = {key: value for key, value in record.tags.items() if key not in _OF_NAMES}
        return replace(record, games=games, tags=tags)


NOTHING: Final = Known()


def parse_known(*, start: str = "", length: str = "", names: tuple[str, str] = ("", ""), gave_up: str = "") -> Known:
    """Read what somebody says of a record: a start such as `1-0`, a length, both names, the column of the player who
    gave up, `left` or `right`; empty where they do not say.

    Raises RecordError, whose finding says what was expected.
    """
    points = _START.fullmatch(start.strip())
    if start.strip() and points is None:
        raise RecordError("known_start", gettext_noop("A score is two numbers of points, such as 1-0."))
    if length.strip() and not _LENGTH.fullmatch(length.strip()):
        template = gettext_noop("A length is a number of points up to %(most)s; 0 stands for money play.")
        raise RecordError("known_length", template, most=MAX_LENGTH)
    if gave_up.strip() and gave_up.strip() not in COLUMNS:
        raise RecordError("known_gave_up", gettext_noop("The player who gave up is in the left or the right column."))
    left, right = (" ".join(name.split()) for name in names)
    if (left or right) and (not (left and right) or left == right or max(len(left), len(right)) > MAX_NAME):
        template = gettext_noop(
            "Give the names of both players, that of the left column first: two names, and not the same twice."
        )
        raise RecordError("known_names", template)
    return Known(
        start=(int(points[1]), int(points[2])) if points else None,
        length=int(length) if length.strip() else None,
        names=(left, right) if left else None,
        gave_up=COLUMNS.get(gave_up.strip()),
    )


COLUMNS: Final = {"left": Side.A, "right": Side.B}
"""The sides by their columns."""

_START = re.compile(r"(\d{1,3})\s*[-\u2013:]\s*(\d{1,3})", re.ASCII)
_LENGTH = re.compile(r"\d{1,3}", re.ASCII)
MAX_NAME: Final = 80
"""The longest name, as long as that of a player may be."""

_OF_NAMES: Final = frozenset({LETTERS, "Player 1", "Player 2"})


def as_single_game(record: MatchRecord) -> tuple[MatchRecord, Finding] | None:
    """Return a single game that is headed as a match as the money session that it is, and a note of that.

    None for any other record. Backgammon Galaxy exports unlimited games so: one game from 0-0, and no more.
    """
    first = record.games[0]
    unlimited = record.length in UNLIMITED or (
        record.length == GALAXYS_UNLIMITED and "galaxy" in record.tags.get("Site", "").lower()
    )
    if len(record.games) > 1 or (first.number, first.score) != (1, (0, 0)) or not unlimited:
        return None
    template = gettext_noop(
        "The record is headed as a match to %(length)s, but it is a single game, as Backgammon Galaxy exports an "
        "unlimited one: it counts as money play, not as a match, and is not rated."
    )
    note = Finding("single_game", Severity.WARNING, None, None, template, {"length": record.length}, "record")
    return replace(record, length=0, games=(_unmatched(first),)), note


def _unmatched(game: GameRecord) -> GameRecord:
    """Return the game without the word that it won the match."""
    return replace(game, lines=tuple(_line(line) for line in game.lines), crawford=None)


def _line(line: Line) -> Line:
    action = line.action
    return Line(line.row, Won(action.side, action.points)) if isinstance(action, Won) else line
