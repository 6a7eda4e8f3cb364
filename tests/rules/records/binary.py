"""Writers of the binary formats that are only read: eXtreme Gammon's `.xg` and BGBlitz's `.bgf`, as far as is read."""

import gzip
import json
import struct
import zlib

from rules.actions import Doubled, Dropped, Took
from rules.plays import judge_play
from rules.position import BAR, START, Position
from rules.profiles import WBGF
from rules.records.record import MatchRecord, Turn, Won
from rules.records.replay import replay
from rules.score import Side

SIGNS = {Side.A: 1, Side.B: -1}
ANSWERS = {Dropped: 0, Took: 1}


def xg_of(record: MatchRecord, *, candidates: bool = True) -> bytes:
    """Write the record as eXtreme Gammon does, player 1 being side A, with or without an analysis."""
    records = [_heading(record)]
    for game, score in zip(record.games, _scores(record), strict=True):
        crawford = game.number == _crawford_game(record)
        records.append(_record(1, (12, "<ii", game.score), (20, "<?", (crawford,)), (48, "<i", (game.number,))))
        records += _moves(game, candidates=candidates)
        won = [line.action for line in game.lines if isinstance(line.action, Won)]
        if won:
            points = SIGNS[won[0].side], won[0].points, 0
            records.append(_record(4, (12, "<ii", score), (24, "<iii", points)))
    head = b"RGMH" + struct.pack("<IIIII", 1, 8232, 0, 0, 0)
    return head.ljust(8232, b"\0") + zlib.compress(b"".join(records))


def _heading(record: MatchRecord) -> bytes:
    left, right = (name.encode("utf-16-le") + b"\0\0" for name in record.names)
    money = record.length == 0
    return _record(
        0,
        (92, "<i", (99_999 if money else record.length,)),
        (100, "<???", (record.crawford, bool(record.jacoby), record.beavers)),
        (128, "<d", (45_969.5,)),
        (880, f"<{len(left)}s", (left,)),
        (1138, f"<{len(right)}s", (right,)),
    )


def _record(kind, *fields):
    data = bytearray(2560)
    data[8] = kind
    for at, form, values in fields:
        struct.pack_into(form, data, at, *values)
    return bytes(data)


def _scores(record):
    games = replay(record).games
    score, scores = [0, 0], []
    for game in games:
        score[0 if game.winner is Side.A else 1] += game.points
        scores.append(tuple(score))
    return [*scores, *[tuple(score)] * (len(record.games) - len(scores))]


def _crawford_game(record):
    """Return the number of the Crawford game; None if there is none."""
    at = [game.number for game in record.games if record.crawford and max(game.score) == record.length - 1]
    return min(at, default=None)


def _moves(game, *, candidates):
    position, log, records = START, 0, []
    lines = [line.action for line in game.lines]
    for index, action in enumerate(lines):
        following = lines[index + 1] if index + 1 < len(lines) else None
        if isinstance(action, Doubled):
            answer = ANSWERS.get(type(following), -1)
            records.append(_record(2, (12, "<iii", (SIGNS[action.side], 1, answer)), (32, "<i", (log,))))
            log += answer == 1
        elif isinstance(action, Turn):
            mine = position if action.side is Side.A else position.swapped()
            after = judge_play(mine, action.dice, action.play, WBGF) if action.play else mine
            records.append(_move(action, position, after, candidates=candidates))
            position = after if action.side is Side.A else after.swapped()
    return records


def _move(turn, position: Position, after: Position, *, candidates):
    fields = [
        (9, "<26b", _points(position)),
        (35, "<26b", _points(after)),
        (64, "<i", (SIGNS[turn.side],)),
        (100, "<ii", turn.dice),
    ]
    if candidates:
        steps = [value for hop in turn.play or () for value in (hop.start - 1, hop.end - 1)]
        steps = [*steps, *[-1] * 8][:8]
        fields += [(120, "<i", (1,)), (192, "<26b", _points(after)), (1024, "<8b", steps)]
    return _record(3, *fields)


def _points(position: Position):
    theirs = position.swapped()
    points = [position.checkers(point) - position.opposing(point) for point in range(1, BAR)]
    return [-theirs.checkers(BAR), *points, position.checkers(BAR)]


def bgf_of(record: MatchRecord) -> bytes:
    """Write the record as BGBlitz does, green being side A."""
    scores = _scores(record)
    match = {
        "matchlen": record.length,
        "nameGreen": record.names[0],
        "nameRed": record.names[1],
        "date": "Nov 2, 2025",
        "finalGreen": scores[-1][0],
        "finalRed": scores[-1][1],
        "useCrawford": record.crawford,
        "games": [
            {
                "scoreGreen": game.score[0],
                "scoreRed": game.score[1],
                "isCrawford": game.number == _crawford_game(record),
                "wonPoints": next((line.action.points for line in game.lines if isinstance(line.action, Won)), 0),
                "moves": [entry for line in game.lines for entry in _entry(line.action, game)],
            }
            for game in record.games
        ],
    }
    head = json.dumps({"version": "0.00011825", "compression": "gzip", "encoding": "smile"}).encode()
    return head + b"\n" + gzip.compress(b":)\n\x01" + _smile(match))


def _entry(action, game):
    if isinstance(action, Turn):
        if action.unknown:
            return []
        if not action.play:
            dance = {"from": [action.dice[0], -1, -1, -1], "to": [action.dice[1], -1, -1, -1], "dancingEquity": 0}
            return [{"player": -SIGNS[action.side], **dance}]
        hops = [*action.play, *[None] * 4][:4]
        steps = {
            "from": [-1 if hop is None else hop.start for hop in hops],
            "to": [-1 if hop is None else hop.end for hop in hops],
        }
        return [{"player": -SIGNS[action.side], "red": action.dice[0], "green": action.dice[1], **steps}]
    if isinstance(action, Doubled):
        actions = [line.action for line in game.lines]
        taken = isinstance(actions[actions.index(action) + 1], Took)
        decision = {"cubeDecision": {"hasDoubled": True, "hasAccepted": taken}}
        return [{"player": -SIGNS[action.side], "from": [-1] * 4, "to": [-1] * 4, "equity": decision}]
    if isinstance(action, Took | Dropped):
        return [{"player": -SIGNS[action.side], "from": [-1] * 4, "to": [-1] * 4, "equity": {}}]
    return []


def _smile(value):
    """Encode a value in SMILE without shared names."""
    if value is None or isinstance(value, bool):
        return {None: b"\x21", False: b"\x22", True: b"\x23"}[value]
    if isinstance(value, int):
        return b"\x24" + _vint((value << 1) ^ (value >> 63))
    if isinstance(value, str):
        return b"\x20" if not value else b"\xe4" + value.encode() + b"\xfc"
    if isinstance(value, list):
        return b"\xf8" + b"".join(map(_smile, value)) + b"\xf9"
    return b"\xfa" + b"".join(_key(key) + _smile(each) for key, each in value.items()) + b"\xfb"


def _key(key):
    return bytes([0x80 | len(key) - 1]) + key.encode()


def _vint(number):
    last, number = 0x80 | number & 0x3F, number >> 6
    groups = []
    while number:
        groups.insert(0, number & 0x7F)
        number >>= 7
    return bytes([*groups, last])
