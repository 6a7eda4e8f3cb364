"""The writer of SGF that GNU Backgammon loads."""

import re
from collections import Counter
from typing import Final

from rules.actions import Beavered, Doubled, Dropped, Raccooned, Took
from rules.errors import gettext_noop
from rules.notation import Play
from rules.position import BAR, CHECKERS, OFF, Position
from rules.records.record import GameRecord, Line, Lost, MatchRecord, RecordError, SetUp, Turn, Won
from rules.records.sgf import LETTERS_OF, MOST_TAKES, TAGS, loads
from rules.records.sgf_tree import escaped, written
from rules.score import Level, Side

Written = dict[str, tuple[str, ...]]

_DATE = re.compile(r"(\d{4})\.(\d\d)\.(\d\d)", re.ASCII)
_PLAIN = re.compile(r"\S(?:.*\S)?")
_RULES: Final = frozenset({"Crawford", "CubeLimit", "Jacoby"})


def dumps(record: MatchRecord) -> bytes:
    """Write the record as a collection of SGF games in UTF-8; `rules.records.sgf.loads` reads the same match back.

    A record that was read from SGF comes back the same. Of other records the games do: SGF does not mark hits, has
    one result for each game and rows of its own. Remarks without a property of their own go in the comment of the first
    game. Raises RecordError for a record that the format cannot hold.
    """
    crawford_due = record.crawford and record.length > 1
    trees = []
    for index, game in enumerate(record.games):
        crawford = crawford_due and _is_crawford(record, game, first=index == 0)
        crawford_due = crawford_due and max(game.score) < record.length - 1
        nodes = [_root(record, game, crawford=crawford, first=index == 0), *_nodes(game)]
        trees.append("(" + "\n".join(written(node) for node in nodes) + ")\n")
    data = "".join(trees).encode()
    _check(record, data)
    return data


def _check(record: MatchRecord, data: bytes) -> None:
    """Stop if the text reads back as another match, as it may with a name that ends with a blank."""
    copy = loads(data)
    template = gettext_noop("The remarks cannot be written as SGF.")
    if {**copy.tags, **dict.fromkeys(_RULES)} != {**record.tags, **dict.fromkeys(_RULES)}:
        raise RecordError("record_not_writable", template)
    for before, after in zip(record.games, copy.games, strict=True):
        if (before.names, before.score, before.ratings) != (after.names, after.score, after.ratings):
            template = gettext_noop("The heading of the game cannot be written as SGF.")
            raise RecordError("record_not_writable", template, game=before.number)


def _is_crawford(record: MatchRecord, game: GameRecord, *, first: bool) -> bool:
    """Whether this is the Crawford game, given that none before it was; a double in a first game rules it out."""
    if game.crawford is not None:
        return game.crawford
    if max(game.score) != record.length - 1:
        return False
    return not (first and any(isinstance(line.action, Doubled) for line in game.lines))


def _root(record: MatchRecord, game: GameRecord, *, crawford: bool, first: bool) -> Written:
    a, b = game.score
    node: Written = {
        "FF": ("4",),
        "GM": ("6",),
        "CA": ("UTF-8",),
        "AP": ("Sixprime",),
        "MI": (f"length:{record.length}", f"game:{game.number - 1}", f"ws:{a}", f"bs:{b}"),
        "PW": (escaped(game.names[0]),),
        "PB": (escaped(game.names[1]),),
    }
    for name, rating in zip(("WR", "BR"), game.ratings, strict=True):
        if rating:
            node[name] = (escaped(rating),)
    if first:
        node |= _remarks(record)
    rules = [
        *(["Crawford"] if record.crawford else []),
        *(["CrawfordGame"] if crawford else []),
        *(["Jacoby"] if record.jacoby and not record.length else []),
        *(["NoCube"] if record.tags.get("CubeLimit", "").strip() == "1" else []),
    ]
    if rules:
        node["RU"] = (":".join(rules),)
    if result := _result(record, game):
        node["RE"] = (result,)
    return node


def _remarks(record: MatchRecord) -> Written:
    """Return the remarks as properties of the first root node; those without one are lines of its comment."""
    node: Written = {}
    left = dict(record.tags)
    if date := _DATE.fullmatch(left.get("EventDate", "")):
        node["DT"] = ("-".join(date.groups()),)
        del left["EventDate"]
    for name, key in TAGS.items():
        if _PLAIN.fullmatch(left.get(key, "")):
            node[name] = (escaped(left.pop(key)),)
    if left:
        node["GC"] = (escaped("\n".join(f'[{key} "{value}"]' for key, value in left.items())),)
    return node


def _result(record: MatchRecord, game: GameRecord) -> str | None:
    """Return the recorded result in the form of RE; R marks a game that neither a drop nor the last checker ended.

    GNU Backgammon takes the level of a resignation from the points: where a record gives only those that were still
    needed, all that the game was worth are written.
    """
    printed = [line.action for line in game.lines if isinstance(line.action, Won | Lost)]
    if not printed:
        return None
    winners = {action.side if isinstance(action, Won) else action.side.other for action in printed}
    points = {action.points for action in printed}
    if len(winners) > 1 or len(points) > 1:
        template = gettext_noop("The record gives several results for the game, but SGF allows only one.")
        raise RecordError("record_not_writable", template, game=game.number)
    winner, won = winners.pop(), points.pop()
    if _ended(game):
        return f"{LETTERS_OF[winner]}+{won}"
    away = record.length - game.score[0 if winner is Side.A else 1]
    cube = 2 ** min(sum(isinstance(line.action, Took) for line in game.lines), MOST_TAKES)
    worth = cube * -(-won // cube)
    if record.length and won in (away, record.length) and worth <= cube * Level.BACKGAMMON:
        won = worth
    return f"{LETTERS_OF[winner]}+{won}R"


def _ended(game: GameRecord) -> bool:
    """Whether a drop or the fifteenth checker off ended the game."""
    off: Counter[Side] = Counter()
    for line in game.lines:
        match line.action:
            case Dropped():
                return True
            case Turn(side=side, after=Position() as after):
                off[side] = after.checkers(OFF)
            case Turn(side=side, play=play):
                off[side] += sum(hop.end == OFF for hop in play or ())
    return CHECKERS in off.values()


def _nodes(game: GameRecord) -> list[Written]:
    nodes: list[Written] = []
    lines = [line for line in game.lines if not isinstance(line.action, Won | Lost)]
    for index, line in enumerate(lines):
        following = lines[index + 1].action if index + 1 < len(lines) else None
        nodes += _node(game, line, goes_on=following is not None and not isinstance(following, SetUp))
        if isinstance(line.action, Beavered | Raccooned) and isinstance(following, Turn):
            nodes.append({LETTERS_OF[line.action.side.other]: ("take",)})
    return nodes


def _node(game: GameRecord, line: Line, *, goes_on: bool) -> list[Written]:
    """Return the nodes of one action. A roll with nothing beside it is a dance if the game goes on after it."""
    match line.action:
        case Turn() as turn:
            return _turn(game, line.row, turn, goes_on=goes_on)
        case Doubled(side=side) | Beavered(side=side) | Raccooned(side=side):
            return [{LETTERS_OF[side]: ("double",)}]
        case Took(side=side):
            return [{LETTERS_OF[side]: ("take",)}]
        case Dropped(side=side):
            return [{LETTERS_OF[side]: ("drop",)}]
        case SetUp(properties=properties):
            return [dict(properties)]
        case _:
            return []


def _turn(game: GameRecord, row: int, turn: Turn, *, goes_on: bool) -> list[Written]:
    letter, dice = LETTERS_OF[turn.side], f"{turn.dice[0]}{turn.dice[1]}"
    rolled: Written = {"PL": (letter,), "DI": (dice,)}
    if turn.unknown:
        return [{**rolled, "C": ("????",)}]
    if turn.after is not None:
        return [rolled, _position(game, row, turn.side, turn.after)]
    if turn.play is None and not goes_on:
        return [rolled]
    return [{letter: (dice + _play(turn.side, turn.play or ()),)}]


def _play(side: Side, play: Play) -> str:
    return "".join(_letter(hop.start, side) + _letter(hop.end, side) for hop in play)


def _letter(point: int, side: Side) -> str:
    if point in (BAR, OFF):
        return "y" if point == BAR else "z"
    return chr(ord("a") + point - 1) if side is Side.A else chr(ord("x") - point + 1)


def _position(game: GameRecord, row: int, mover: Side, after: Position) -> Written:
    """Return the position after the mover's illegal play, with the opponent on roll."""
    by_side = {mover: after, mover.other: after.swapped()}
    stones = {
        side: tuple(_letter(point, side) for point in range(1, BAR + 1) for _ in range(position.checkers(point)))
        for side, position in by_side.items()
    }
    if not all(stones.values()):
        template = gettext_noop("An illegal play that ends the game cannot be written as SGF.")
        raise RecordError("record_not_writable", template, game=game.number, row=row)
    return {"PL": (LETTERS_OF[mover.other],), "AE": ("a:y",), "AW": stones[Side.A], "AB": stones[Side.B]}
