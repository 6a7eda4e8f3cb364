"""The text of a record, read in the plainest way: with its own patterns, and nothing of `rules`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

LEFT, RIGHT = 0, 1
"""The sides: the left column of a `.mat` text, White in SGF; and the other."""

RIGHT_FROM = 20
"""The column of a `.mat` text from which a lone cell is the right one."""

Hop = tuple[int, int, bool]
"""Start and end in the mover's own numbering (bar 25, off 0), and whether a hit is marked at the end."""

_CELL = re.compile(r"(?<!\S)(?=[1-6]{2}:|Doubles|Takes|Drops|Beavers|Wins|Losses)")
_MOVE = re.compile(r"(bar|\d+)((?:/(?:off|\d+)\*?)+)(?:\((\d)\))?")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_POINTS = (
    dict(zip(_LETTERS, [*range(1, 26), 0], strict=True)),
    dict(zip(_LETTERS, [*range(24, 0, -1), 25, 0], strict=True)),
)
"""The points that SGF's letters stand for on either side."""
_NODE = re.compile(r";([WB])\[(\w+)\]|;PL\[([WB])\]DI\[(\d\d)\]")


class Untrue(Exception):  # noqa: N818
    """A record that cannot have happened as written: `game` and `row` are the first place where that shows.

    `begins_elsewhere` if that is its first heading: accepting that start reveals the error later or never.
    """

    def __init__(
        self, why: str, game: int | None = None, row: int | None = None, *, begins_elsewhere: bool = False
    ) -> None:
        super().__init__(why)
        self.why, self.game, self.row, self.begins_elsewhere = why, game, row, begins_elsewhere


@dataclass(frozen=True)
class Step:
    """One step in a record. `play` is None where a roll has none; `number` is a cube or points, if given."""

    row: int
    side: int
    word: str
    dice: tuple[int, int] = (0, 0)
    play: tuple[Hop, ...] | None = None
    number: int | None = None
    match: bool = False


@dataclass(frozen=True)
class PlainGame:
    """One game: its number, the names and the score in its heading, and its steps.

    `crawford` is None if the text does not say whether this is the Crawford game.
    """

    number: int
    names: tuple[str, str]
    score: tuple[int, int]
    steps: tuple[Step, ...]
    crawford: bool | None = None


@dataclass(frozen=True)
class PlainMatch:
    """A match to `length`, with or without the Crawford rule; `players` are the names in the remarks at the top."""

    length: int
    crawford: bool
    players: tuple[str, ...]
    games: tuple[PlainGame, ...]


def read(text: str) -> PlainMatch:
    """Read a text, `.mat` or SGF. Raises Untrue for numbers out of sequence, and for unknown words."""
    match = _read_sgf(text) if text.startswith("(") else _read_mat(text)
    for game in match.games:
        if game.number > 2 * match.length - 1:
            raise Untrue("more games than the length allows", game.number)
    return match


def _read_mat(text: str) -> PlainMatch:
    heading, *parts = re.split(r"(?m)^ *Game +(\d+) *$", text)
    length = re.search(r"(?m)^ *(\d+) point match *$", heading)
    if length is None:
        raise Untrue("no length")
    games: list[PlainGame] = []
    for number, body in zip(map(int, parts[::2]), parts[1::2], strict=True):
        if games and number != games[-1].number + 1:
            raise Untrue("games out of order", games[-1].number + 1)
        lines = [line for line in body.split("\n") if line.strip() and not line.startswith(";")]
        found = re.fullmatch(r" *(.*?) *: (\d+) +(\S.*?)? *: (\d+) *", lines[0])
        if found is None:
            raise Untrue("no heading", number)
        names, score = (found[1], found[3] or ""), (int(found[2]), int(found[4]))
        games.append(PlainGame(number, names, score, tuple(_rows(number, lines[1:]))))
    players = () if "[Transcriber " in heading else tuple(re.findall(r'\[Player [12] "(.*)"\]', heading))
    return PlainMatch(int(length[1]), '[Crawford "Off"]' not in heading, players, tuple(games))


def _rows(game: int, lines: list[str]) -> Iterator[Step]:
    row = 0
    for line in lines:
        numbered = re.match(r" *(\d+)\)", line)
        if numbered and int(numbered[1]) != row + 1:
            raise Untrue("rows out of order", game, row + 1)
        begin = numbered.end() if numbered else 0
        starts = [found.start() for found in _CELL.finditer(line, begin)]
        two_on_the_right = len(starts) == 2 and starts[0] >= RIGHT_FROM
        if line[begin : (starts or [len(line)])[0]].strip() or len(starts) > 2 or two_on_the_right:
            raise Untrue("no cells", game, row + 1)
        for place, start in enumerate(starts):
            side = RIGHT if place or start >= RIGHT_FROM else LEFT
            yield _step(game, row + 1, side, line[start : (starts[place + 1 :] or [len(line)])[0]].strip())
        row += 1 if numbered else 0


def _step(game: int, row: int, side: int, cell: str) -> Step:
    if found := re.fullmatch(r"([1-6])([1-6]):(.*)", cell):
        dice, written = (int(found[1]), int(found[2])), found[3].strip()
        if written in ("", "????", "???"):
            return Step(row, side, "roll", dice, None)
        play = () if written == "Cannot Move" else _hops(written)
        if play is None:
            raise Untrue("a play that cannot be read", game, row)
        return Step(row, side, "roll", dice, play)
    if found := re.fullmatch(r"Doubles => (\d+)", cell):
        return Step(row, side, "double", number=int(found[1]))
    if found := re.fullmatch(r"(Wins|Losses) (\d+) points?( and the match)?", cell):
        return Step(row, side, found[1].lower(), number=int(found[2]), match=bool(found[3]))
    if cell in ("Takes", "Drops"):
        return Step(row, side, cell.lower()[:-1])
    raise Untrue("a cell that says nothing", game, row)


@lru_cache(maxsize=1 << 12)
def _hops(text: str) -> tuple[Hop, ...] | None:
    """Return the hops of a play, with a hop to each stop; None if it cannot be read."""
    play: list[Hop] = []
    for word in text.split():
        found = _MOVE.fullmatch(word)
        if found is None:
            return None
        start = 25 if found[1] == "bar" else int(found[1])
        chain: list[Hop] = []
        for stop in found[2].split("/")[1:]:
            end = 0 if stop.startswith("off") else int(stop.rstrip("*"))
            chain.append((start, end, stop.endswith("*")))
            start = end
        play += chain * int(found[3] or 1)
    return tuple(play)


def _read_sgf(text: str) -> PlainMatch:
    games: list[PlainGame] = []
    lengths, rules = set(), set[str]()
    for body in re.split(r"(?=\(;FF)", text)[1:]:
        root = body.split("\n;")[0]
        info = {name: int(number) for name, number in re.findall(r"\[(length|game|ws|bs):(\d+)\]", root)}
        words = set("".join(re.findall(r"RU\[([\w:]*)\]", root)).split(":"))
        number = info["game"] + 1
        names = "".join(re.findall(r"PW\[(.*?)\]", root)), "".join(re.findall(r"PB\[(.*?)\]", root))
        if number > 2 * info["length"] - 1:
            raise Untrue("more games than the length allows", number)
        if games and number != games[-1].number + 1:
            raise Untrue("games out of order", games[-1].number + 1)
        steps = tuple(_steps(body, re.search(r"RE\[([WB])\+(\d+)R?\]", root)))
        games.append(PlainGame(number, names, (info["ws"], info["bs"]), steps, "CrawfordGame" in words))
        lengths.add(info["length"])
        rules |= words
    if len(lengths) != 1:
        raise Untrue("several lengths", games[-1].number)
    return PlainMatch(lengths.pop(), "Crawford" in rules, (), tuple(games))


def _steps(body: str, result: re.Match[str] | None) -> Iterator[Step]:
    row, taken = 0, True
    found = [(match[1] or match[3], match[2] or f"{match[4]}?") for match in _NODE.finditer(body)]
    for letter, action in [*found, *([(result[1], f"wins {result[2]}")] if result else [])]:
        side = "WB".index(letter)
        row += 1 if taken or side == LEFT else 0
        taken = side == RIGHT
        if action in ("double", "take", "drop"):
            yield Step(row, side, action)
        elif action.startswith("wins"):
            yield Step(row, side, "wins", number=int(action[5:]))
        else:
            yield _move(row, side, action)


def _move(row: int, side: int, action: str) -> Step:
    dice = int(action[0]), int(action[1])
    if action[2:] == "?":
        return Step(row, side, "roll", dice, None)
    ends = [_POINTS[side][letter] for letter in action[2:]]
    hops = zip(ends[::2], ends[1::2], strict=True)
    return Step(row, side, "roll", dice, tuple((start, end, False) for start, end in hops))
