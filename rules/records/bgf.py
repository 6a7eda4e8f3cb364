"""BGBlitz's binary `.bgf`: what its games say, as our own values, so that the rules judge every play.

The file is a line of JSON and the match in SMILE, packed; `gvformat` unpacks both. Green is side A. Of a double and its
answer the first of two entries says all; a dance has its dice where another turn has its steps. Written after what
`gvformat` reads of such files: none that BGBlitz itself wrote has been tried.
"""

import re
import zlib
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from typing import Any, Final

from gvformat.bgf import _SmileDecoder

from rules.actions import Doubled, Dropped, Took
from rules.errors import gettext_noop
from rules.notation import Hop
from rules.position import BAR, OFF
from rules.records.headings import check_game, check_length
from rules.records.record import Action, GameRecord, MatchRecord, RecordError, SetUp, Turn, Won, number_rows
from rules.score import Side

MAX_BYTES: Final = 4_000_000
MAX_UNPACKED: Final = 20_000_000
MOST_TAKES: Final = 30
MOST_NUMBER: Final = 11
"""The bytes of the longest number in SMILE."""
BEGINS = re.compile(rb"\s*\{[^\n]{0,1000}\}\s*\n(?:\x1f\x8b|\x78[\x01\x9c\xda]|:\)\n)")
"""How such a file begins: a line of JSON, and after it what is packed or SMILE."""

_WINDOW: Final = 47
"""What zlib takes for: unpack gzip or zlib, whichever it is."""
_SIDES: Final = {-1: Side.A, 1: Side.B}
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]+")
_USUAL = [*{24: 2, 13: 5, 8: 3, 6: 5}.items()]

Entry = dict[str, Any]


class _DamagedError(Exception):
    """The file says something that no such file says."""


class _Smile(_SmileDecoder):  # type: ignore[misc]
    """The decoder of `gvformat`, with numbers of as many bytes as the format gives them: longer ones take for ever."""

    def _vint(self) -> int:
        if not any(byte & 0x80 for byte in self.buf[self.pos : self.pos + MOST_NUMBER]):
            raise _DamagedError
        return int(super()._vint())


def loads(data: bytes) -> MatchRecord:
    """Read the match; nothing in it is checked against the rules yet, and analyses are ignored.

    Raises RecordError for anything else, for more than four million bytes and for more than twenty when unpacked.
    """
    if len(data) > MAX_BYTES:
        template = gettext_noop("A match record may have at most %(most)s MB; this one has more.")
        raise RecordError("record_too_large", template, most=MAX_BYTES // 1_000_000)
    try:
        return _match(_unpacked(data))
    except (_DamagedError, ValueError, LookupError, EOFError, AssertionError, RecursionError, zlib.error) as error:
        if isinstance(error, RecordError):
            raise
        template = gettext_noop(
            "The file is damaged: it begins like a record of %(program)s, but the rest cannot be read. Save the match "
            "there again."
        )
        raise RecordError("record_damaged", template, program="BGBlitz") from None


def _unpacked(data: bytes) -> Entry:
    packed = data.split(b"\n", 1)[1]
    if not packed.startswith(b":)\n"):
        unpacker = zlib.decompressobj(_WINDOW)
        packed = unpacker.decompress(packed, MAX_UNPACKED + 1)
        if not unpacker.eof and len(packed) <= MAX_UNPACKED:
            raise _DamagedError
    if len(packed) > MAX_UNPACKED:
        template = gettext_noop("The file unpacks to more than %(most)s bytes, too many for a match.")
        raise RecordError("record_too_large", template, most=MAX_UNPACKED)
    if not packed.startswith(b":)\n"):
        raise _DamagedError  # such as a file that is packed twice
    return _object(_Smile(packed).decode())


def _match(match: Entry) -> MatchRecord:
    length = check_length(max(_number(match, "matchlen"), 0))
    names = _text(match.get("nameGreen")), _text(match.get("nameRed"))
    listed = [_object(game) for game in _list(match.get("games"))]
    if not listed:
        raise RecordError("record_no_games", gettext_noop("The record has no games."))
    finals = _number(match, "finalGreen"), _number(match, "finalRed")
    scores = [(_number(game, "scoreGreen"), _number(game, "scoreRed")) for game in listed]
    games = []
    for index, (game, score, after) in enumerate(zip(listed, scores, [*scores[1:], finals], strict=True)):
        number = check_game(index + 1, index or None, length)
        actions = list(_Game(number).read(game))
        if won := _result(game, score, after):
            actions.append((won.side, won))
        crawford = bool(game.get("isCrawford")) if length and match.get("useCrawford") else None
        games.append(GameRecord(number, names, score, number_rows(actions), crawford=crawford))
    return MatchRecord(length, tuple(games), _remarks(match, length))


def _result(game: Entry, before: tuple[int, int], after: tuple[int, int]) -> Won | None:
    """Return who won the game, by the score after it; None if that is the score before it."""
    gained = after[0] - before[0], after[1] - before[1]
    if max(gained) <= 0:
        return None
    points = _number(game, "wonPoints")
    return Won(Side.A if gained[0] > 0 else Side.B, points if points > 0 else max(gained))


def _remarks(match: Entry, length: int) -> dict[str, str]:
    tags = {"Event": _text(match.get("event")), "Site": _text(match.get("site"))}
    tags = {key: value for key, value in tags.items() if value}
    for form in ("%b %d, %Y", "%Y.%m.%d", "%Y-%m-%d"):
        with suppress(ValueError):
            date = datetime.strptime(_text(match.get("date")), form)  # noqa: DTZ007 - a day, in no zone
            tags["EventDate"] = f"{date:%Y.%m.%d}"
    if not length:
        tags["Jacoby"] = "On" if match.get("useJacoby") else "Off"
        tags["Beaver"] = "On" if match.get("useBeaver") else "Off"
    elif not match.get("useCrawford"):
        tags["Crawford"] = "Off"
    return tags


class _Game:
    """A game being read; it counts the takes, as an entry does not say what the cube is turned to."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.takes = 0

    def read(self, game: Entry) -> Iterator[tuple[Side | None, Action]]:
        """Yield the actions with their sides."""
        initial = _object(game.get("initial") or {})
        if not _begins_as_usual(initial):
            yield None, SetUp(())
        entries = iter([_object(entry) for entry in _list(game.get("moves"))])
        for entry in entries:
            steps = [*_numbers(entry.get("from")), -1], [*_numbers(entry.get("to")), -1]
            decision = _object(_object(entry.get("equity") or {}).get("cubeDecision") or {})
            if steps[0][0] != -1:
                turn = _turn(entry, *steps)
                yield turn.side, turn
            elif decision.get("hasDoubled"):
                side = _side(entry)
                yield side, Doubled(side, 2 << self.takes)
                if next(entries, None) is not None:
                    yield side.other, self._answer(side.other, taken=bool(decision.get("hasAccepted")))

    def _answer(self, side: Side, *, taken: bool) -> Took | Dropped:
        if not taken:
            return Dropped(side)
        self.takes += 1
        if self.takes > MOST_TAKES:
            template = gettext_noop("The cube is turned more than %(most)s times, which does not happen in a match.")
            raise RecordError("cube_implausible", template, game=self.number, most=MOST_TAKES)
        return Took(side)


def _turn(entry: Entry, starts: list[int], ends: list[int]) -> Turn:
    if entry.get("dancingEquity") is not None:
        return Turn(_side(entry), _roll(starts[0], ends[0]), ())
    hops = []
    for start, end in zip(starts, ends, strict=False):
        if start == -1:
            break
        if not (OFF < start <= BAR and end < start):
            raise _DamagedError
        hops.append(Hop(start, max(end, OFF)))
    return Turn(_side(entry), _roll(_number(entry, "red"), _number(entry, "green")), tuple(hops))


def _begins_as_usual(initial: Entry) -> bool:
    """Whether a game begins with the usual position and the cube in the middle at 1, or does not say how."""
    points = _numbers(initial.get("points"))[:26]
    usual = [0] * 26
    for point, count in _USUAL:
        usual[point - 1] -= count
        usual[24 - point] += count
    return (not points or points == usual) and initial.get("cube", 1) in (0, 1)


def _roll(first: int, second: int) -> tuple[int, int]:
    if not (1 <= first <= 6 and 1 <= second <= 6):
        raise _DamagedError
    return first, second


def _side(entry: Entry) -> Side:
    return _SIDES[_number(entry, "player")]


def _number(entry: Entry, key: str) -> int:
    number = entry.get(key, 0)
    if type(number) is not int or abs(number) >= 10**9:
        raise _DamagedError
    return number


def _numbers(value: object) -> list[int]:
    numbers = _list(value)
    if not all(type(number) is int for number in numbers):
        raise _DamagedError
    return numbers


def _list(value: object) -> list[Any]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise _DamagedError
    return value


def _object(value: object) -> Entry:
    if not isinstance(value, dict):
        raise _DamagedError
    return value


def _text(value: object) -> str:
    return _CONTROL.sub(" ", value).strip() if isinstance(value, str) else ""
