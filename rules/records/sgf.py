"""GNU Backgammon's SGF: a collection of games, White (side A) first, with the match in each game's root node.

Source: red-bean.com, "SGF FF[4] - Backgammon", and what GNU Backgammon writes: a resignation is the R of RE, a roll
that was not played is PL with DI, a dance is a roll without moves, and an illegal play that was accepted is such a roll
followed by the position.
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from rules.actions import Beavered, Doubled, Dropped, Raccooned, Took
from rules.errors import gettext_noop
from rules.notation import MOST_HOPS, Hop
from rules.position import BAR, OFF, Position
from rules.records.headings import check_game, check_length
from rules.records.record import (
    LETTERS,
    Action,
    GameRecord,
    MatchRecord,
    RecordError,
    SetUp,
    Turn,
    Won,
    number_rows,
)
from rules.records.sgf_tree import Node, main_lines, unescaped, unescaped_lines
from rules.records.text import LATIN_1, decode
from rules.score import Side

MAX_BYTES: Final = 4_000_000
"""The size limit: with an analysis, a long match is a hundred times as long as its `.mat`."""

MAX_NAME: Final = 1_000
"""The longest name or rating, as long as a line of a `.mat` record."""

MOST_TAKES: Final = 30
"""The most takes accepted in one game."""

CHARSETS: Final[dict[str, str]] = {
    "utf-8": "utf-8-sig",
    "us-ascii": "ascii",
    "iso-8859-1": "latin-1",
    "iso-8859-2": "iso-8859-2",
    "iso-8859-15": "iso-8859-15",
    "windows-1250": "windows-1250",
    "windows-1252": "windows-1252",
}
"""The encodings that a file may declare."""

TAGS: Final = {"EV": "Event", "RO": "Round", "PC": "Site", "AN": "Transcriber"}
"""The properties of the first root node that are remarks of a `.mat` record."""

SIDES: Final = {"W": Side.A, "B": Side.B}
LETTERS_OF: Final = {side: letter for letter, side in SIDES.items()}

_ROOT: Final = frozenset({"GM", "CA", "MI", "PW", "PB", "WR", "BR", "DT", "GC", "RU", "RE", *TAGS})
_ORDER: Final = ("PL", "AE", "AW", "AB", "CV", "CP", "CO", "DI")
"""Set-up properties in the order in which GNU Backgammon must read them: it takes them one after the other."""
_SET_UP: Final = frozenset(_ORDER)
_ACTED: Final = frozenset({"W", "B", "C"})

_CHARSET = re.compile(rb"(?<![A-Z])CA\s*\[([^\]]*)\]")
_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)", re.ASCII)
_REMARK = re.compile(r'\[([^"]*)"(.*)"\]')
_RESULT = re.compile(r"([WB])\+(\d{1,9})(?:R|Resign)?", re.ASCII)
_NO_RESULT = frozenset({"", "0", "?", "draw", "void"})
_MOVE = re.compile(r"([1-6])([1-6])((?:[a-y][a-xz])*)", re.ASCII)
_INFO: Final = frozenset({"length", "game", "ws", "bs"})
_NUMBER = re.compile(r"\d{1,9}", re.ASCII)
_DICE = re.compile(r"([1-6])([1-6])", re.ASCII)
_ALL = "a:y"


def loads(data: bytes) -> MatchRecord:
    """Read the match from a collection of games; nothing in it is checked against the rules yet.

    Raises RecordError, with the game and the row where there is one, for anything else. Never takes more than four
    million bytes. Comments and analyses are ignored.
    """
    declared = _CHARSET.search(data[:MAX_BYTES])
    charset = declared[1].decode("ascii", "replace").strip().lower() if declared else None
    if charset is not None and charset not in CHARSETS:
        template = gettext_noop("The record is in %(encoding)s, which cannot be read. Convert it to UTF-8.")
        raise RecordError("record_encoding", template, encoding=unescaped(charset[:40]))
    text, guessed = decode(data, MAX_BYTES, CHARSETS[charset] if charset else None)
    lines = main_lines(text, _ROOT | _SET_UP | _ACTED)
    if not lines:
        raise RecordError("record_no_games", gettext_noop("The record has no games."))
    games: list[GameRecord] = []
    tags: dict[str, str] = {}
    if guessed or (charset is None and not text.isascii()):
        tags[LETTERS] = LATIN_1 if guessed else "UTF-8"
    lengths = set()
    for nodes in lines:
        game = _Game(nodes, games[-1].number + 1 if games else None, charset)
        lengths.add(game.length)
        games.append(game.record())
        for key, value in game.remarks():
            tags.setdefault(key, value)
    if len(lengths) > 1:
        template = gettext_noop("The games in the record are from matches of different lengths.")
        raise RecordError("record_length", template, game=len(games))
    rules = {word for nodes in lines for word in _words(nodes[0])}
    length = lengths.pop()
    if length:
        _tag_rule(tags, "Crawford", off="Crawford" not in rules, word="Off", other="On")
    else:
        tags["Jacoby"] = "On" if "Jacoby" in rules else "Off"
    _tag_rule(tags, "CubeLimit", off="NoCube" in rules, word="1", other="1024")
    return MatchRecord(length, tuple(games), tags)


def _tag_rule(tags: dict[str, str], key: str, *, off: bool, word: str, other: str) -> None:
    """Make the remark agree with the rules property, which is the one that counts."""
    tagged_off = tags.get(key, other).strip().lower() == word.lower()
    if off != tagged_off:
        tags[key] = word if off else other


def _words(root: Node) -> list[str]:
    return [word.strip() for value in root.get("RU", ()) for word in unescaped(value).split(":")]


class _Game:
    """One game of a collection, read from its nodes."""

    def __init__(self, nodes: list[Node], number: int | None, charset: str | None) -> None:
        self.root, *self.nodes = nodes
        info = dict(map(_info, self.root.get("MI", ())))
        self.number = info.get("game", (number or 1) - 1) + 1
        self.length = info.get("length", -1)
        self.score = info.get("ws", 0), info.get("bs", 0)
        self.actions: list[tuple[Side | None, Action]] = []
        self.cube = 1
        self.offered_by: Side | None = None
        self._check_root(number, charset)

    def _check_root(self, number: int | None, charset: str | None) -> None:
        if self.root.keys() & SIDES.keys():
            template = gettext_noop("A node in the record contains more than one action.")
            raise RecordError("node_unclear", template, game=self.number)
        if max(len(self._root_text(name)) for name in ("PW", "PB", "WR", "BR")) > MAX_NAME:
            template = gettext_noop("A player's name or rating is longer than %(most)s characters.")
            raise RecordError("name_too_long", template, game=self.number, most=MAX_NAME)
        if self._root_text("GM") != "6":
            template = gettext_noop("The file is not a record of backgammon.")
            raise RecordError("record_variation", template, game=number)
        if (self._root_text("CA").lower() or charset) != charset:
            template = gettext_noop("The games in the record are in different encodings.")
            raise RecordError("record_encoding", template, game=self.number)
        variation = {"nackgammon", "hypergammon1", "hypergammon2", "hypergammon3"} & {
            word.lower() for word in _words(self.root)
        }
        if variation:
            template = gettext_noop(
                "The record is of %(variation)s, not of backgammon from the usual starting position."
            )
            raise RecordError("record_variation", template, variation=min(variation))
        if self.length < 0:
            template = gettext_noop("The record does not say how many points were needed to win.")
            raise RecordError("record_no_length", template, game=number)
        check_game(self.number, None if number is None else number - 1, check_length(self.length))

    def _root_text(self, name: str) -> str:
        return unescaped((*self.root.get(name, ()), "")[0]).strip()

    def remarks(self) -> Iterator[tuple[str, str]]:
        """Yield the remarks of a `.mat` record that the root node has, and those that its comment quotes."""
        for name, key in TAGS.items():
            if name in self.root:
                yield key, self._root_text(name)
        if found := _DATE.fullmatch(self._root_text("DT")):
            yield "EventDate", ".".join(found.groups())
        for value in self.root.get("GC", ()):
            for line in unescaped_lines(value):
                if found := _REMARK.fullmatch(line.strip()):
                    yield found[1].strip(), found[2]

    def record(self) -> GameRecord:
        """Return the game with its actions in rows, the result in the winner's cell."""
        if set_up := _SET_UP & self.root.keys():
            self.actions.append((None, self._set_up(self.root, set_up)))
        for node in self.nodes:
            self._read(node)
        if won := self._result():
            self.actions.append((won.side, won))
        words = _words(self.root)
        return GameRecord(
            number=self.number,
            names=(self._root_text("PW"), self._root_text("PB")),
            score=self.score,
            lines=number_rows(self.actions),
            ratings=(self._root_text("WR"), self._root_text("BR")),
            crawford="CrawfordGame" in words if "Crawford" in words else None,
        )

    def _result(self) -> Won | None:
        result = self._root_text("RE")
        if result.lower() in _NO_RESULT:
            return None
        found = _RESULT.fullmatch(result)
        if found is None or not self.actions:
            template = gettext_noop("The result “%(text)s” cannot be read.")
            raise RecordError("result_unreadable", template, game=self.number, text=result[:40])
        return Won(SIDES[found[1]], int(found[2]))

    def _row(self, side: Side | None = None) -> int:
        """Return the row of the next action, which is this side's."""
        return number_rows([*self.actions, (side, SetUp(()))])[-1].row

    def _read(self, node: Node) -> None:
        moved = [side for name, side in SIDES.items() if name in node]
        set_up = _SET_UP & node.keys()
        if not moved and not set_up:
            return
        if len(moved) > 1 or (moved and set_up):
            template = gettext_noop("A node in the record contains more than one action.")
            raise RecordError("node_unclear", template, game=self.number, row=self._row())
        if moved:
            self._add(self._moved(moved[0], node["W" if moved[0] is Side.A else "B"]))
        elif set_up == {"PL", "DI"} and (rolled := self._rolled(node)) is not None:
            self._add(rolled)
        elif (after := self._accepted(node, set_up)) is not None:
            self.actions[-1] = after.side, after
        else:
            self.actions.append((None, self._set_up(node, set_up)))

    def _add(self, action: Turn | Doubled | Beavered | Raccooned | Took | Dropped) -> None:
        """Add what happened next. A roll without a play, if the game goes on after it, was a dance.

        Where the same roll follows with its play, it was only noted before it was played. Playing on takes a beaver.
        """
        offered = self.actions[-1][1] if self.actions else None
        if isinstance(action, Turn) and isinstance(offered, Beavered | Raccooned):
            taker = offered.side.other
            self._double_cube(taker)
            self.offered_by = None
            self.actions.append((taker, Took(taker)))
        last = self._waiting()
        if last is not None and not last.unknown:
            self.actions.pop()
            same = isinstance(action, Turn) and action.side is last.side and sorted(action.dice) == sorted(last.dice)
            if not same:
                self.actions.append((last.side, last._replace(play=())))
        self.actions.append((action.side, action))

    def _waiting(self) -> Turn | None:
        """Return the most recently noted roll, if nothing has been done with it."""
        last = self.actions[-1][1] if self.actions else None
        return last if isinstance(last, Turn) and last.play is None and last.after is None else None

    def _moved(self, side: Side, values: tuple[str, ...]) -> Turn | Doubled | Beavered | Raccooned | Took | Dropped:
        action = values[0].strip() if len(values) == 1 else ""
        if action == "double":
            if self.offered_by is side.other:
                self._double_cube(side)
                self.offered_by = side
                beavered = isinstance(self.actions[-1][1], Beavered)
                return Raccooned(side) if beavered else Beavered(side)
            self.offered_by = side
            return Doubled(side, self.cube * 2)
        if action == "take":
            self._double_cube(side)
            self.offered_by = None
            return Took(side)
        if action == "drop":
            return Dropped(side)
        found = _MOVE.fullmatch(action)
        letters = found[3] if found else ""
        hops = [
            Hop(_point(start, side), _point(end, side)) for start, end in zip(letters[::2], letters[1::2], strict=True)
        ]
        if found is None or len(hops) > MOST_HOPS or any(hop.end >= hop.start for hop in hops):
            template = gettext_noop("The play “%(text)s” cannot be read.")
            row, text = self._row(side), unescaped("".join(values)[:40])
            raise RecordError("play_unreadable", template, game=self.number, row=row, text=text)
        return Turn(side, (int(found[1]), int(found[2])), tuple(hops))

    def _double_cube(self, side: Side) -> None:
        self.cube *= 2
        if self.cube > 2**MOST_TAKES:
            template = gettext_noop("The cube is turned more than %(most)s times, which does not happen in a match.")
            raise RecordError("cube_implausible", template, game=self.number, row=self._row(side), most=MOST_TAKES)

    def _rolled(self, node: Node) -> Turn | None:
        """Return a roll that is noted without a play."""
        player, dice = node["PL"], _DICE.fullmatch("".join(node["DI"]).strip())
        if dice is None or player[0] not in SIDES or len(player) > 1:
            return None
        unknown = node.get("C") == ("????",)
        return Turn(SIDES[player[0]], (int(dice[1]), int(dice[2])), None, unknown)

    def _accepted(self, node: Node, set_up: frozenset[str]) -> Turn | None:
        """Return the illegal play that a position after an unplayed roll stands for; None if it stands for none."""
        last = self._waiting()
        if last is None or last.unknown:
            return None
        if not {"AE", "AW", "AB"} <= set_up <= {"AE", "AW", "AB", "PL"} or node["AE"] != (_ALL,):
            return None
        if set_up & {"PL"} and node["PL"] != (LETTERS_OF[last.side.other],):
            return None
        try:
            after = Position.of(_checkers(node["AW"], Side.A), _checkers(node["AB"], Side.B))
        except ValueError:
            return None
        return last._replace(after=after if last.side is Side.A else after.swapped())

    def _set_up(self, node: Node, names: frozenset[str]) -> SetUp:
        return SetUp(tuple((name, node[name]) for name in _ORDER if name in names))


def placed_by_hand(position: Position) -> SetUp:
    """Return what puts the checkers where side A sees them, as a program does whose user edits the board."""
    stones = {
        "AW": [_letter_of(point) for point in range(1, BAR) for _ in range(position.checkers(point))],
        "AB": [_letter_of(point) for point in range(1, BAR) for _ in range(position.opposing(point))],
    }
    stones["AW"] += ["y"] * position.checkers(BAR)
    stones["AB"] += ["y"] * position.swapped().checkers(BAR)
    placed = tuple((name, tuple(letters)) for name, letters in stones.items() if letters)
    return SetUp((("AE", (_ALL,)), *placed))


def _letter_of(point: int) -> str:
    """Return the letter of White's point 1 to 24."""
    return chr(ord("a") + point - 1)


def _info(value: str) -> tuple[str, int]:
    """Read one value of MI; anything other than length, game and score is ignored."""
    name, _, number = value.partition(":")
    if name.strip() not in _INFO:
        return "", 0
    if _NUMBER.fullmatch(number.strip()) is None:
        template = gettext_noop("“%(text)s” is neither a length nor a number of points or games.")
        raise RecordError("match_unreadable", template, text=unescaped(value[:40]))
    return name.strip(), int(number)


def _point(letter: str, side: Side) -> int:
    """Return the side's own point; White counts from a, Black from x; y is the bar and z is off."""
    if letter in "yz":
        return BAR if letter == "y" else OFF
    return ord(letter) - ord("a") + 1 if side is Side.A else ord("x") - ord(letter) + 1


def _checkers(values: tuple[str, ...], side: Side) -> dict[int, int]:
    """Count the checkers on a side's own points; a point is named once for each checker on it.

    Raises ValueError for anything else.
    """
    if any(len(value) != 1 or not "a" <= value <= "y" for value in values):
        raise ValueError("A point is a letter from a to y.")
    return Counter(_point(value, side) for value in values)
