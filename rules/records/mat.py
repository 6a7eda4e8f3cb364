"""The `.mat` text of JellyFish and the programs that adopted it: gnubg, Backgammon Galaxy, Backgammon Studio.

There is no formal definition. The grammar read here is what these programs write: remarks, `n point match` (0 for a
money session), and for each game a heading with names and scores, numbered rows with a left and a right cell, and the
result in the winner's column. GNU Backgammon also calls a raccoon a beaver, and writes no take of either. eXtreme
Gammon writes `???` beside a roll after which its player gave up, others `Resigns` in a cell of its own. Where a line
has the number of a row a second time, what follows is a row more; a row may be empty.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from rules.actions import Beavered, Doubled, Dropped, Raccooned, Took
from rules.cube import TEMPLATES, CubeFault
from rules.errors import NotationError, gettext_noop
from rules.notations import read_play
from rules.position import Position
from rules.records.headings import check_game, check_length
from rules.records.record import LETTERS, Action, GameRecord, Line, Lost, MatchRecord, RecordError, Turn, Won
from rules.records.snowie import FIELDS, parse_placed
from rules.records.text import LATIN_1, decode
from rules.score import Side

MAX_BYTES: Final = 1_000_000
MAX_LINE: Final = 1_000
RIGHT_CELL: Final = 20
"""A cell that is alone in its row belongs to the right player if it starts in this column or further on."""

_TAG = re.compile(r'[;#]\s*\[([^"]*)"(.*)"\]')
_LENGTH = re.compile(r"\s*(\d{1,9}) +point +match\s*", re.IGNORECASE | re.ASCII)
_GAME = re.compile(r"\s*Game +(\d{1,9})\s*", re.IGNORECASE | re.ASCII)
_SCORE = re.compile(r": *(\d{1,9})(?= |$)", re.ASCII)
_USUAL = r"(?:[1-6][1-6]:[^:A-Z]*(?:Cannot Move *)?|Doubles => \d+ *|Takes *|Drops *)"
_ROW = re.compile(rf" *(\d{{1,6}})\)(?: +({_USUAL}) ({_USUAL})\Z)?", re.ASCII)
"""The number of a row, and its cells if they are two usual ones, as in most rows."""
_CELL_START = re.compile(r"\b(?<!\S)(?:\d+:|(?:Doubles|Takes|Drops|Beavers|Raccoons|Wins|Losses|Resigns)\b)", re.ASCII)
_DICE: Final = {f"{first}{second}:": (first, second) for first in range(1, 7) for second in range(1, 7)}
_DOUBLES = re.compile(r"Doubles *=> *(\d{1,9})", re.ASCII)
_BEAVERS = re.compile(r"(Beavers|Raccoons)(?: *=> *(\d{1,9}))?", re.ASCII)
_LEVEL = r"(?: +(?:with|by) +(?:an? +)?(?:single(?: +game)?|gammon|backgammon))?"
_RESULT = re.compile(rf"(Wins|Losses) +(\d{{1,9}}) +points?{_LEVEL}( +and +the +match)?", re.ASCII | re.IGNORECASE)
"""A result. The level in words says no more than the points and the cube, which are what is checked."""
_AGAIN = re.compile(r"(?<!\S)\d{1,6}\)", re.ASCII)
"""The number of a row that is printed in the middle of a line."""
GIVEN_UP: Final = frozenset({"????", "???"})
"""What Backgammon Studio and eXtreme Gammon write beside a roll whose player gave up: it was not played."""
_RATING = re.compile(r" *(\d{1,5}(?:\.\d{1,9})?)", re.ASCII)
_ANSWERS: Final[dict[str, Callable[[Side], Action]]] = {
    "Takes": Took,
    "Drops": Dropped,
    "Resigns": lambda side: Lost(side, 0),
}
_ILLEGAL = re.compile(r"Illegal play *\((.*)\)", re.IGNORECASE)


def loads(data: bytes) -> MatchRecord:
    """Read the match from the text, in any of the dialects; nothing in it is checked against the rules yet.

    Raises RecordError (a NotationError), with the game and the row where there is one, for anything that is not such
    a text. Never takes more than a million bytes.
    """
    text, guessed = decode(data, MAX_BYTES)
    lines = [line.rstrip() for line in text.expandtabs(8).split("\n")]
    lengths = [len(line) for line in lines]
    if max(lengths) > MAX_LINE:
        number = next(number for number, length in enumerate(lengths, 1) if length > MAX_LINE)
        template = gettext_noop("Line %(line)s is longer than %(most)s characters.")
        raise RecordError("line_too_long", template, line=number, most=MAX_LINE)
    reader = _Reader()
    if guessed:
        reader.tags[LETTERS] = LATIN_1
    for number, line in enumerate(lines, 1):
        reader.read(number, line)
    return reader.finish()


def _rated(name: str) -> tuple[str, str]:
    """Return a name and the rating that stands after its last comma; without a rating, the name as it is."""
    before, _comma, after = name.rpartition(",")
    rating = _RATING.fullmatch(after) if before else None
    return (before.rstrip(" "), rating[1]) if rating else (name, "")


@dataclass(slots=True)
class _Game:
    """A game being read; `row` is its last row so far."""

    number: int
    names: tuple[str, str] | None = None
    ratings: tuple[str, str] = ("", "")
    score: tuple[int, int] = (0, 0)
    lines: list[Line] = field(default_factory=list)
    row: int = 0


class _Reader:
    """A reader that goes line by line and knows what a line may be at each point."""

    def __init__(self) -> None:
        self.tags: dict[str, str] = {}
        self.length: int | None = None
        self.games: list[GameRecord] = []
        self.game: _Game | None = None

    def read(self, number: int, line: str) -> None:
        """Read a line whose trailing blanks have been removed."""
        numbered = _ROW.match(line)
        if numbered is not None and self.game is not None and self.game.names is not None:
            self._read_row(self.game, number, line, numbered)
        elif not line:
            return
        elif line.lstrip()[0] in ";#":
            self._read_tag(line.strip())
        elif self.length is None:
            self._read_length(number, line)
        elif (heading := _GAME.fullmatch(line)) is not None:
            self._begin_game(int(heading[1]))
        elif self.game is None:
            raise _unreadable(number, line)
        elif self.game.names is None:
            self._read_names(self.game, number, line)
        else:
            self._read_result(self.game, number, line)

    def finish(self) -> MatchRecord:
        self._end_game()
        if self.length is None:
            raise RecordError("record_no_length", gettext_noop("The record has no line “n point match”."))
        if not self.games:
            raise RecordError("record_no_games", gettext_noop("The record has no games."))
        return MatchRecord(self.length, tuple(self.games), self.tags)

    def _read_tag(self, line: str) -> None:
        found = _TAG.fullmatch(line)
        if found is None:
            return
        key = found[1].strip()
        self.tags.setdefault(key, found[2])
        if key == "Variation" and found[2].strip().lower() not in ("", "backgammon"):
            template = gettext_noop(
                "The record is of %(variation)s, not of backgammon from the usual starting position."
            )
            raise RecordError("record_variation", template, variation=found[2][:40])

    def _read_length(self, number: int, line: str) -> None:
        found = _LENGTH.fullmatch(line)
        if found is None:
            template = gettext_noop(
                "Line %(line)s is “%(text)s”. A match record in text has a line like “5 point match” there, after its "
                "remarks."
            )
            raise RecordError("line_unreadable", template, line=number, text=line.strip()[:40])
        self.length = check_length(int(found[1]))

    def _begin_game(self, number: int) -> None:
        self._end_game()
        self.game = _Game(check_game(number, self.games[-1].number if self.games else None, self.length or 0))

    def _end_game(self) -> None:
        game, self.game = self.game, None
        if game is None:
            return
        if game.names is None:
            template = gettext_noop("The game has no line with the players' names and scores.")
            raise RecordError("game_no_names", template, game=game.number)
        self.games.append(GameRecord(game.number, game.names, game.score, tuple(game.lines), game.ratings))

    def _read_names(self, game: _Game, number: int, line: str) -> None:
        scores = list(_SCORE.finditer(line))
        if len(scores) < 2 or scores[-1].end() != len(line):
            raise _unreadable(number, line, game=game.number)
        left, right = scores[0], scores[-1]
        first, second = line[: left.start()].strip(), line[left.end() : right.start()].strip()
        (left_name, left_rating), (right_name, right_rating) = _rated(first), _rated(second)
        game.names, game.ratings = (left_name, right_name), (left_rating, right_rating)
        game.score = int(left[1]), int(right[1])

    def _read_row(self, game: _Game, number: int, line: str, found: re.Match[str]) -> None:
        printed, left, right = found.groups()
        row = game.row + 1
        if int(printed) != row:
            template = gettext_noop("Row %(expected)s was expected here, not row %(number)s.")
            raise RecordError("row_number", template, game=game.number, row=row, expected=row, number=int(printed))
        game.row = row
        if right is not None and found.start(2) < RIGHT_CELL:
            left = left.rstrip()
            game.lines.append(_line(Line, (row, _left(left) or self._read_cell(Side.A, left, game, row))))
            game.lines.append(_line(Line, (row, _right(right) or self._read_cell(Side.B, right, game, row))))
            return
        begin = found.end(1) + 1
        again = _AGAIN.search(line, begin)
        if again is not None:
            self._read_cells(game, number, line[: again.start()], begin)
            game.row, begin = row + 1, again.end()
        self._read_cells(game, number, line, begin)

    def _read_cells(self, game: _Game, number: int, line: str, begin: int) -> None:
        """Read the cells of the game's present row, of which there may be none: a row may be empty."""
        cells = _cells(line, begin)
        if cells is None:
            raise _unreadable(number, line, game=game.number, row=game.row)
        for side, text in cells:
            game.lines.append(Line(game.row, self._read_cell(side, text, game, game.row)))

    def _read_result(self, game: _Game, number: int, line: str) -> None:
        """Read a line without a number, which holds nothing but results of the game."""
        row = game.row + 1
        cells = _cells(line, 0)
        if not cells or not all(_RESULT.fullmatch(text) for _, text in cells):
            raise _unreadable(number, line, game=game.number, row=row)
        game.lines += [Line(row, self._read_cell(side, text, game, row)) for side, text in cells]

    def _read_cell(self, side: Side, text: str, game: _Game, row: int) -> Action:
        """Return the action in a cell. Raises RecordError if it cannot be read."""
        action = _left(text) if side is Side.A else _right(text)
        if action is not None:
            return action
        if beaver := _BEAVERS.fullmatch(text):
            return _beaver(side, beaver, game, row)
        dice, play = _DICE.get(text[:3]), text[3:].lstrip(" ")
        if dice is None:
            template = gettext_noop("“%(text)s” is not a roll, a cube action or a result.")
            raise RecordError("cell_unreadable", template, game=game.number, row=row, text=text[:40])
        if illegal := _ILLEGAL.fullmatch(play):
            return Turn(side, dice, None, after=self._placed(side, illegal[1], game, row))
        if play.count(";") >= FIELDS - 1:
            self._placed(side, play, game, row)
            return Turn(side, dice, None)
        template = gettext_noop("The play “%(text)s” cannot be read.")
        raise RecordError("play_unreadable", template, game=game.number, row=row, text=play[:40])

    def _placed(self, side: Side, text: str, game: _Game, row: int) -> Position:
        """Return the position after an illegal play by the side, as seen from that side.

        Raises RecordError if it is from another game.
        """
        try:
            placed = parse_placed(text)
        except ValueError as error:
            template = gettext_noop("The position beside the roll is impossible.")
            raise RecordError("position_unreadable", template, game=game.number, row=row) from error
        names, score = game.names or ("", ""), game.score
        named = tuple(_rated(name)[0] for name in placed.names)
        for seen_by in Side:
            order = 1 if seen_by is Side.A else -1
            heading = named, placed.score, placed.length
            if names[0] != names[1] and heading == (names[::order], score[::order], self.length):
                return placed.position if seen_by is side else placed.position.swapped()
        template = gettext_noop("The position beside the roll does not match these players and this score.")
        raise RecordError("position_elsewhere", template, game=game.number, row=row)


def _cells(line: str, begin: int) -> list[tuple[Side, str]] | None:
    """Split a row into its cells with their sides; None if the row does not consist of at most two cells."""
    starts = [found.start() for found in _CELL_START.finditer(line, begin)]
    if line[begin : starts[0] if starts else None].strip() or len(starts) > 2:
        return None
    if not starts:
        return []
    texts = [line[start:end].strip() for start, end in zip(starts, [*starts[1:], None], strict=True)]
    if len(starts) == 2:
        return None if starts[0] >= RIGHT_CELL else [(Side.A, texts[0]), (Side.B, texts[1])]
    return [(Side.B if starts[0] >= RIGHT_CELL else Side.A, texts[0])]


@lru_cache(maxsize=1 << 13)
def _left(text: str) -> Action | None:
    """Return the action in a left cell as `_action` does. The same cells come again and again."""
    return _action(Side.A, text)


@lru_cache(maxsize=1 << 13)
def _right(text: str) -> Action | None:
    """Return the action in a right cell as `_action` does."""
    return _action(Side.B, text)


_line: Final = tuple.__new__
"""Makes a Line of its row and its action."""


def _action(side: Side, text: str) -> Action | None:
    """Return the action in a cell if its text alone is enough to understand it."""
    dice = _DICE.get(text[:3])
    if dice is not None:
        return _turn(side, dice, text[3:].lstrip(" "))
    if found := _DOUBLES.fullmatch(text):
        return Doubled(side, int(found[1]))
    if found := _RESULT.fullmatch(text):
        if found[1].lower() == "wins":
            return Won(side, int(found[2]), match=found[3] is not None)
        return Lost(side, int(found[2]))
    answer = _ANSWERS.get(text)
    return answer(side) if answer else None


def _turn(side: Side, dice: tuple[int, int], text: str) -> Turn | None:
    """Return a roll with what is written beside it; None if that is not a play."""
    if not text:
        return Turn(side, dice, None)
    try:
        return Turn(side, dice, read_play(text, side))
    except NotationError:
        if text in GIVEN_UP:
            return Turn(side, dice, None, unknown=True)
        return Turn(side, dice, ()) if text.lower() == "cannot move" else None


def _beaver(side: Side, found: re.Match[str], game: _Game, row: int) -> Beavered | Raccooned:
    """Return a beaver or, if it answers one, a raccoon; a value beside it must be twice that of the last offer."""
    offered = 0
    for line in reversed(game.lines):
        if not isinstance(line.action, Doubled | Beavered | Raccooned):
            break
        offered += 1
    first = game.lines[-offered].action if offered else None
    if found[2] and isinstance(first, Doubled) and int(found[2]) != first.value << offered:
        params = {"cube": first.value << offered - 1, "right": first.value << offered, "value": int(found[2])}
        raise RecordError("cube_value", TEMPLATES[CubeFault.CUBE_VALUE], game=game.number, row=row, **params)
    answers_beaver = offered > 0 and isinstance(game.lines[-1].action, Beavered)
    return Raccooned(side) if found[1] == "Raccoons" or answers_beaver else Beavered(side)


def _unreadable(number: int, line: str, game: int | None = None, row: int | None = None) -> RecordError:
    template = gettext_noop("Line %(line)s does not belong in a match record: “%(text)s”.")
    return RecordError("line_unreadable", template, game=game, row=row, line=number, text=line.strip()[:40])
