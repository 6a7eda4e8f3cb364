"""The writer of `.mat` text, in words and columns that GNU Backgammon reads too."""

from itertools import groupby

from rules.actions import Beavered, Doubled, Dropped, Raccooned, Took
from rules.cube import CENTRED, Cube
from rules.errors import gettext_noop
from rules.notation import Style, format_play
from rules.position import Position
from rules.records.mat import loads
from rules.records.record import GameRecord, Line, Lost, MatchRecord, RecordError, SetUp, Turn, Won
from rules.records.snowie import Placed, format_placed
from rules.score import Side

GNUBG = Style(bar="25", off="0", stars=True, counts=False)
LEFT = 27
"""The width of a left cell."""
NAME = 30
"""The width of the left name with its score."""
OFFERS = (Doubled, Beavered, Raccooned)
MOST_VALUE = 999_999_999
"""The largest cube value that is read: nine digits."""


def dumps(record: MatchRecord) -> bytes:
    """Write the record as `.mat` text in UTF-8, which `rules.records.mat.loads` reads back to the same record.

    Which game is the Crawford game is not written: the format has no word for it, and GNU Backgammon reads no remark
    that the rule was off. Raises RecordError for a record that the format cannot hold, such as one with a position set
    up by hand.
    """
    data = written(record).encode()
    _check(record, data)
    return data


def written(record: MatchRecord) -> str:
    """Return the record as text, without asking whether it reads back to the same."""
    lines = [f'; [{key} "{value}"]' for key, value in record.tags.items()]
    lines += ["", f" {record.length} point match"] if lines else [f" {record.length} point match"]
    for game in record.games:
        lines += ["", f" Game {game.number}", _heading(game), *_rows(record, game)]
    return "".join(f"{line}\n" for line in lines)


def _check(record: MatchRecord, data: bytes) -> None:
    """Stop if the text reads back as another match, as it may with a name like `Bob : 3`."""
    try:
        copy = loads(data)
    except RecordError as error:
        template = gettext_noop("The record cannot be written as .mat text.")
        finding = error.finding
        raise RecordError("record_not_writable", template, game=finding.game, row=finding.row) from error
    if (copy.length, copy.tags) != (record.length, dict(record.tags)):
        raise RecordError("record_not_writable", gettext_noop("The remarks cannot be written as .mat text."))
    for before, after in zip(record.games, copy.games, strict=True):
        if (before.names, before.score, before.ratings, before.lines) != (
            after.names,
            after.score,
            after.ratings,
            after.lines,
        ):
            template = gettext_noop("The game cannot be written as .mat text.")
            raise RecordError("record_not_writable", template, game=before.number)


def _heading(game: GameRecord) -> str:
    named = [f"{name},{rating}" if rating else name for name, rating in zip(game.names, game.ratings, strict=True)]
    return f" {f'{named[0]} : {game.score[0]}':<{NAME}} {named[1]} : {game.score[1]}"


def _rows(record: MatchRecord, game: GameRecord) -> list[str]:
    """Return the rows of a game; the last, if it holds nothing but results, becomes lines without a number.

    A left cell that is alone in its row, or empty, is padded to full width: after a shorter row GNU Backgammon reads
    the right cell of the row before once more.
    """
    lines: list[str] = []
    last = 0
    writer = _Cells(record, game)
    for row, group in groupby(game.lines, key=lambda line: line.row):
        cells = [(line.action, *writer.cell(line)) for line in group]
        if row == game.lines[-1].row and all(isinstance(action, Won | Lost) for action, _, _ in cells):
            lines += [f"{empty:3}) {'':{LEFT}} " for empty in range(last + 1, row)]
            lines += [f"{' ' * (6 if side is Side.A else LEFT + 7)}{text}" for _, side, text in cells]
        elif len(cells) == 1:
            _, side, text = cells[0]
            lines.append(f"{row:3}) {text:<{LEFT}} " if side is Side.A else f"{row:3}) {'':{LEFT}} {text}")
        else:
            (_, _, left), (_, _, right) = cells[0], cells[1]
            lines.append(f"{row:3}) {left:<{LEFT}} {right}")
        last = row
    return lines


class _Cells:
    """The text of each cell of a game, in order.

    Keeps track of the cube, which a position line includes, and of the doubles, beavers and raccoons not yet answered.
    """

    def __init__(self, record: MatchRecord, game: GameRecord) -> None:
        self.record = record
        self.game = game
        self.cube: Cube = CENTRED
        self.offers: list[Doubled | Beavered | Raccooned] = []

    def cell(self, line: Line) -> tuple[Side, str]:
        """Return the side and the text of the next action of the game."""
        cell = self._cell(line)
        self.offers = [*self.offers, line.action] if isinstance(line.action, OFFERS) else []
        return cell

    def _cell(self, line: Line) -> tuple[Side, str]:
        action = line.action
        match action:
            case Turn():
                return action.side, self._turn(action)
            case Doubled():
                return action.side, f" Doubles => {action.value}"
            case Took():
                self.cube = self.cube.taken(action.side)
                return action.side, " Takes"
            case Dropped():
                return action.side, " Drops"
            case Beavered() | Raccooned():
                return action.side, self._beaver(action)
            case Won():
                ending = " and the match" if action.match else ""
                return action.side, f" Wins {action.points} point{'' if action.points == 1 else 's'}{ending}"
            case Lost(points=0):
                return action.side, " Resigns"
            case Lost():
                return action.side, f" Losses {action.points} point{'' if action.points == 1 else 's'}"
            case SetUp():
                template = gettext_noop("A position set up by hand cannot be written as .mat text.")
                raise RecordError("record_not_writable", template, game=self.game.number, row=line.row)

    def _beaver(self, action: Beavered | Raccooned) -> str:
        """Write a beaver or raccoon as GNU Backgammon does, with its value; a raccoon by name where that is unclear."""
        first = self.offers[0] if self.offers else None
        answers_beaver = bool(self.offers) and isinstance(self.offers[-1], Beavered)
        word = " Raccoons" if isinstance(action, Raccooned) and not answers_beaver else " Beavers"
        value = first.value << len(self.offers) if isinstance(first, Doubled) else None
        return word if value is None or value > MOST_VALUE else f"{word} => {value}"

    def _turn(self, turn: Turn) -> str:
        first, second = turn.dice
        return f"{first}{second}: {self._play(turn)}".rstrip()

    def _play(self, turn: Turn) -> str:
        if turn.after is not None:
            return f"Illegal play ({self._placed(turn, turn.after)})"
        if turn.unknown:
            return "????"
        if turn.play is None:
            return ""
        return format_play(turn.play, GNUBG) or "Cannot Move"

    def _placed(self, turn: Turn, after: Position) -> str:
        """Write the position after an illegal play, seen by the opponent, whose turn it is; without the next roll."""
        on_roll = turn.side.other
        order = 1 if on_roll is Side.A else -1
        names, score = self.game.names[::order], self.game.score[::order]
        owner = 0 if self.cube.owner is None else 1 if self.cube.owner is on_roll else -1
        placed = Placed(
            length=self.record.length,
            flag=1 if on_roll is Side.A else 0,
            names=(names[0], names[1]),
            score=(score[0], score[1]),
            position=after.swapped(),
            cube=self.cube.value,
            owner=owner,
        )
        return format_placed(placed)
