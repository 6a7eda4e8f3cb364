"""eXtreme Gammon's binary `.xg`: what its records say, as our own values, so that the rules judge every play.

`gvformat` reads the fields of a record. It is asked for one record at a time, as it unfolds every candidate of an
analysis. Of a play it gives the position before and after, seen by player 1 and by the player who moved, and the steps
of the candidate that was played; the steps are taken only if they lead to that position.
"""

import re
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from gvformat.xg import read_xg

from rules.actions import Beavered, Doubled, Dropped, Took
from rules.errors import gettext_noop
from rules.listing import written_plays
from rules.notation import Hop, Play
from rules.plays import judge_play, must_pass
from rules.position import BAR, OFF, START, Position
from rules.profiles import WBGF
from rules.records.headings import check_game, check_length
from rules.records.record import Action, GameRecord, MatchRecord, RecordError, Turn, Won, number_rows
from rules.records.sgf import placed_by_hand
from rules.score import Side

MAX_BYTES: Final = 4_000_000
MAX_UNPACKED: Final = 20_000_000
"""The size limit once it is unpacked: some eight thousand records, more than ten long matches have."""
MAGIC: Final = b"RGMH"

_HEADER: Final = 8232
"""The bytes before the picture, which come before the packed records."""
_PICTURE_AT: Final = 20
_RECORD: Final = 2560
_MONEY: Final = 99_999
"""The length that stands for a money session, or more."""
_MOST_CUBE: Final = 30
_EPOCH: Final = datetime(1899, 12, 30, tzinfo=UTC)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]+")
_SIDES: Final = {1: Side.A, -1: Side.B}

_ANSWERS: Final[dict[int, Callable[[Side], Took | Dropped | Beavered]]] = {0: Dropped, 1: Took, 2: Beavered}

Fields = Mapping[str, Any]


def loads(data: bytes) -> MatchRecord:
    """Read the match; player 1 is side A. Nothing in it is checked against the rules yet; analyses are ignored.

    Raises RecordError for anything else, for more than four million bytes and for more than twenty when unpacked.
    """
    if len(data) > MAX_BYTES:
        template = gettext_noop("A match record may have at most %(most)s MB; this one has more.")
        raise RecordError("record_too_large", template, most=MAX_BYTES // 1_000_000)
    heading: Fields | None = None
    games: list[_Game] = []
    for kind, fields in _records(_unpacked(data)):
        if kind == "header_match":
            heading = fields if heading is None else heading
        elif kind == "header_game" and heading is not None:
            games.append(_Game(fields, heading, games[-1].number if games else None))
        elif games:
            games[-1].read(kind, fields)
    if heading is None or not games:
        raise RecordError("record_no_games", gettext_noop("The record has no games."))
    length = _length(heading)
    return MatchRecord(length, tuple(game.record() for game in games), _remarks(heading, length))


def _unpacked(data: bytes) -> bytes:
    """Return the records one after the other. Raises RecordError for other bytes, and for too many."""
    try:
        (picture,) = struct.unpack_from("<I", data, _PICTURE_AT)
        unpacker = zlib.decompressobj()
        unpacked = unpacker.decompress(data[_HEADER + picture :], MAX_UNPACKED + 1)
    except (struct.error, zlib.error):
        raise _damaged() from None
    if len(unpacked) > MAX_UNPACKED:
        template = gettext_noop("The file unpacks to more than %(most)s bytes, too many for a match.")
        raise RecordError("record_too_large", template, most=MAX_UNPACKED)
    if not unpacker.eof:
        raise _damaged()
    return unpacked


def _records(unpacked: bytes) -> Iterator[tuple[str, Fields]]:
    head = MAGIC.ljust(_HEADER, b"\0")
    for at in range(0, len(unpacked) - _RECORD + 1, _RECORD):
        try:
            yield from read_xg(head + zlib.compress(unpacked[at : at + _RECORD], 0))
        except (ValueError, LookupError, struct.error):
            raise _damaged() from None


def _damaged() -> RecordError:
    template = gettext_noop(
        "The file is damaged: it begins like a record of %(program)s, but the rest cannot be read. Save the match "
        "there again."
    )
    return RecordError("record_damaged", template, program="eXtreme Gammon")


def _length(heading: Fields) -> int:
    length = heading["match_length"]
    return 0 if length >= _MONEY or length < 1 else check_length(length)


def _remarks(heading: Fields, length: int) -> dict[str, str]:
    tags = {"Event": _text(heading["event"]), "Site": _text(heading["location"])}
    tags = {key: value for key, value in tags.items() if value}
    with suppress(ValueError, OverflowError):
        tags["EventDate"] = f"{_EPOCH + timedelta(days=heading['date']):%Y.%m.%d}"
    if not length:
        tags |= {"Jacoby": _switch(heading["jacoby"]), "Beaver": _switch(heading["beaver"])}
    elif not heading["crawford"]:
        tags["Crawford"] = "Off"
    return tags


def _switch(on: bool) -> str:
    return "On" if on else "Off"


def _text(text: str) -> str:
    return _CONTROL.sub(" ", text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")).strip()


class _Game:
    """A game being read: its actions so far, and the position that the next play must begin at, seen by side A."""

    def __init__(self, fields: Fields, heading: Fields, before: int | None) -> None:
        self.fields = fields
        self.names = _text(heading["player1"]), _text(heading["player2"])
        length = _length(heading)
        self.number = check_game(fields["game_number"], before, length)
        self.crawford = bool(fields["is_crawford"]) if length and heading["crawford"] else None
        self.position = START
        self.actions: list[tuple[Side | None, Action]] = []

    def record(self) -> GameRecord:
        return GameRecord(
            number=self.number,
            names=self.names,
            score=(max(self.fields["score1"], 0), max(self.fields["score2"], 0)),
            lines=number_rows(self.actions),
            crawford=self.crawford,
        )

    def read(self, kind: str, fields: Fields) -> None:
        """Read a record of the game that is not its heading."""
        if kind == "move":
            self._read_move(fields)
        elif kind == "cube" and fields["doubled"] == 1:
            self._read_double(fields)
        elif kind == "footer_game" and fields["winner"] in _SIDES and fields["points"] > 0:
            self._add(Won(_SIDES[fields["winner"]], fields["points"]))

    def _add(self, action: Turn | Doubled | Beavered | Took | Dropped | Won) -> None:
        self.actions.append((action.side, action))

    def _side(self, number: int) -> Side:
        if number not in _SIDES:
            raise _damaged()
        return _SIDES[number]

    def _read_double(self, fields: Fields) -> None:
        side, log = self._side(fields["actif"]), abs(fields["cube_b"])
        if log >= _MOST_CUBE:
            template = gettext_noop("The cube is turned more than %(most)s times, which does not happen in a match.")
            raise RecordError("cube_implausible", template, game=self.number, most=_MOST_CUBE)
        self._add(Doubled(side, 2 << log))
        answer = _ANSWERS.get(fields["take"])
        if answer is not None:
            self._add(answer(side.other))

    def _read_move(self, fields: Fields) -> None:
        first, second = fields["dice"]
        if not (1 <= first <= 6 and 1 <= second <= 6):
            return  # a turn that was begun and not rolled
        side = self._side(fields["actifp"])
        before = self._seen(_position(fields["pos_before"]), side)
        if before != self._seen(self.position, side):
            self.actions.append((None, placed_by_hand(before if side is Side.A else before.swapped())))
        after = _position(fields["pos_after"])
        self.position = self._seen(after, side)
        self._add(_turn(side, (first, second), before, after, fields["candidates"]))

    def _seen(self, position: Position, side: Side) -> Position:
        """Turn a position that one side sees into what the other sees, if the side is B."""
        return position if side is Side.A else position.swapped()


def _position(points: list[int]) -> Position:
    """Return a position as its player sees it: points 1 to 24, the bar behind them; the opponent's are below 0."""
    mine = {point: count for point, count in enumerate(points) if count > 0 and point}
    theirs = {BAR - point: -count for point, count in enumerate(points) if count < 0 and point < BAR}
    try:
        return Position.of(mine, theirs)
    except ValueError:
        raise RecordError("position_unreadable", gettext_noop("The position beside the roll is impossible.")) from None


def _turn(side: Side, dice: tuple[int, int], before: Position, after: Position, candidates: list[Fields]) -> Turn:
    """Return the turn that leads from one position to the other, both seen by its player."""
    if after == before:
        return Turn(side, dice, () if must_pass(before, dice, WBGF) else None)
    for candidate in candidates:
        play = _steps(candidate["moves"]) if candidate["is_played"] else ()
        if play and _leads(before, dice, play, after):
            return Turn(side, dice, play)
    for written in written_plays(before, dice, WBGF):
        if written.after == after:
            return Turn(side, dice, written.play)
    return Turn(side, dice, None, after=after)


def _steps(moves: list[int]) -> Play:
    """Return steps that are counted from 0, with 24 for the bar and less than 0 for off."""
    hops = []
    for start, end in zip(moves[::2], moves[1::2], strict=False):
        if not 0 <= start < BAR or end >= start:
            break
        hops.append(Hop(start + 1, max(end + 1, OFF)))
    return tuple(hops)


def _leads(before: Position, dice: tuple[int, int], play: Play, after: Position) -> bool:
    try:
        return judge_play(before, dice, play, WBGF) == after
    except ValueError:
        return False
