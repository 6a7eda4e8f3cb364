"""eXtreme Gammon's `.xg` and BGBlitz's `.bgf`: the same match as the text of it, judged by the same rules."""

import gzip
import random
import zlib
from dataclasses import replace
from pathlib import Path

import pytest

from rules.position import START
from rules.records import bgf, mat, xg
from rules.records.formats import READERS, detect, loads
from rules.records.record import RecordError, SetUp, Turn
from rules.records.replay import Verdict, replay, verify
from rules.score import Side
from tests.rules.records.binary import bgf_of, xg_of

RECORDS = Path(__file__).parents[2] / "data" / "records"
NAMES = ["galaxy-5pt.mat", "gnubg-7pt-backgammon.mat", "studio-5pt.mat"]
WRITERS = {
    "xg": xg_of,
    "xg without an analysis": lambda record: xg_of(record, candidates=False),
    "bgf": bgf_of,
}


def outcome(judged):
    return judged.verdict, judged.length, judged.names, judged.games, judged.score, judged.both_moved


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("writer", WRITERS.values(), ids=WRITERS.keys())
def test_a_binary_record_is_judged_as_its_text_is(writer, name):
    record = mat.loads((RECORDS / name).read_bytes())
    data = writer(record)
    assert detect(data) in (READERS["xg"], READERS["bgf"])
    assert outcome(verify(data)) == outcome(replay(record))


@pytest.mark.parametrize("writer", WRITERS.values(), ids=WRITERS.keys())
def test_another_die_in_a_binary_record_is_found_where_it_stands(writer):
    record = mat.loads((RECORDS / "gnubg-3pt.mat").read_bytes())
    game = record.games[-1]
    at = next(index for index, line in enumerate(game.lines) if isinstance(line.action, Turn) and index > 6)
    turn = game.lines[at].action
    dice = next((face, turn.dice[1]) for face in range(1, 7) if face not in turn.dice)
    lines = (*game.lines[:at], game.lines[at]._replace(action=turn._replace(dice=dice)), *game.lines[at + 1 :])
    changed = replace(record, games=(*record.games[:-1], replace(game, lines=lines)))
    if writer is bgf_of:
        judged = verify(writer(changed))
        assert (judged.verdict, judged.finding.game) == (Verdict.REFUSED, 2)
    else:
        data = bytearray(zlib.decompress(writer(record)[8232:]))
        entries = [start for start in range(0, len(data), 2560) if data[start + 8] == 3]
        data[entries[5] + 100] = 7 - data[entries[5] + 100]
        judged = verify(writer(record)[:8232] + zlib.compress(bytes(data)))
        assert (judged.verdict, judged.finding.code, judged.finding.game) == (Verdict.QUARANTINED, "illegal_play", 2)


def test_a_board_that_was_edited_in_xg_is_a_position_set_up_by_hand():
    record = mat.loads((RECORDS / "gnubg-3pt.mat").read_bytes())
    head, data = xg_of(record)[:8232], bytearray(zlib.decompress(xg_of(record)[8232:]))
    second = [start for start in range(0, len(data), 2560) if data[start + 8] == 3][1]
    data[second + 9 + 24], data[second + 9 + 23] = 1, data[second + 9 + 23] + 1
    read = xg.loads(head + zlib.compress(bytes(data)))
    assert any(isinstance(line.action, SetUp) for line in read.games[0].lines)
    assert replay(read).finding.code == "set_up"


def test_a_money_session_of_xg_says_what_was_agreed():
    record = mat.loads((RECORDS / "money" / "gnubg-money.mat").read_bytes())
    first = replace(record, games=record.games[:1])
    read = loads(xg_of(first))
    assert (read.length, read.jacoby, read.beavers) == (0, bool(first.jacoby), first.beavers)
    assert read.tags["EventDate"] == "2025.11.08"


@pytest.mark.parametrize("writer", [xg_of, bgf_of])
def test_damaged_binary_records_are_refused_or_read_and_raise_nothing_else(writer):
    rng = random.Random(18)
    data = writer(mat.loads((RECORDS / "gnubg-3pt.mat").read_bytes()))
    reader = xg.loads if writer is xg_of else bgf.loads
    cut = 8232 if writer is xg_of else data.index(b"\n") + 1
    unpacked = zlib.decompress(data[cut:], 47)
    for _ in range(12):
        damaged = bytearray(unpacked[: rng.choice([len(unpacked), rng.randrange(len(unpacked))])])
        for _ in range(rng.randrange(1, 8)):
            damaged[rng.randrange(len(damaged) or 1) : rng.randrange(len(damaged) or 1)] = rng.randbytes(1)
        judged = verify(data[:cut] + zlib.compress(bytes(damaged)), reader=reader)
        assert judged.finding is None or "\n" not in judged.finding.message


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"RGMH", "record_damaged"),
        (b"RGMH" + bytes(9000), "record_damaged"),
        (b"RGMH".ljust(8232, b"\0") + zlib.compress(bytes(21_000_000)), "record_too_large"),
        (b"RGMH".ljust(8232, b"\0") + zlib.compress(b"\x09" * 2560), "record_no_games"),
        (b"RGMH" + bytes(4_000_000), "record_too_large"),
        (b'{"a":1}\n\x1f\x8b' + bytes(50), "record_damaged"),
        (b'{"a":1}\n' + zlib.compress(bytes(21_000_000)), "record_too_large"),
        (b'{"a":1}\n:)\n\x01' + b"\xf8" * 100_000, "record_damaged"),
        (b'{"a":1}\n:)\n\x01\xfa\x84gamesx', "record_damaged"),
    ],
)
def test_hostile_binary_records_are_refused(data, code):
    judged = verify(data)
    assert (judged.verdict, judged.finding.code) == (Verdict.REFUSED, code)


def test_the_position_of_xg_is_the_usual_one_for_both_players():
    assert xg._position([0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0]) == START
    read = loads(xg_of(mat.loads((RECORDS / "galaxy-5pt.mat").read_bytes())))
    assert {line.action.side for line in read.games[0].lines} == {Side.A, Side.B}


@pytest.mark.parametrize(
    "hostile",
    [
        b"{}\n" + gzip.compress(gzip.compress(b":)\n\x00" + bytes(1000))),
        b"{}\n" + gzip.compress(b":)\n\x00\x24\x01" + bytes(3_000_000)),
        b"{}\n" + gzip.compress(b":)\n\x00\xc1" + bytes(1000))[:-9],
    ],
    ids=["packed twice", "a number without an end", "cut off"],
)
def test_a_bgf_that_would_take_for_ever_is_damaged(hostile):
    with pytest.raises(RecordError) as refused:
        bgf.loads(hostile)
    assert refused.value.finding.code == "record_damaged"
