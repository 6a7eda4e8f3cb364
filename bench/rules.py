"""Legal plays and records per second, compared with other generators; hostile files timed against honest ones."""

import argparse
import gc
import os
import platform
import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from itertools import cycle, islice
from pathlib import Path

import bgsage
import gnubg_nn

from rules.generator import _facing, _standing
from rules.notation import _hops
from rules.perft import ROLLS
from rules.plays import Roll, legal_plays
from rules.position import BAR, START, Position, count
from rules.profiles import WBGF
from rules.records.game_replay import GameReplay
from rules.records.mat import _left, _right, loads
from rules.records.record import Line, MatchRecord, Turn
from rules.records.replay import replay, verify
from tests.rules.naive import naive_plays
from tests.rules.records.hostile import HOSTILE
from tests.rules.samples import random_play

SEED = 20240601
RECORD_ROUNDS = 9
NAIVE_EVERY = 100
"""Only one position in this many goes to the naive generator, because it is so slow."""

HONEST_BYTES = 1_000_000
HOSTILE_ROUNDS = 3
SLOWEST = 8

RECORDS = Path(__file__).parents[1] / "tests" / "data" / "records"


def main() -> None:
    parser = argparse.ArgumentParser(prog="script/bench rules", description=__doc__)
    parser.add_argument("--positions", type=int, default=10_000, help="from random games; each is given all 21 rolls")
    parser.add_argument("--rounds", type=int, default=10, help="the positions are dealt into so many rounds")
    options = parser.parse_args()
    print(machine())
    positions = list(islice(random_play(random.Random(SEED)), options.positions))
    plays = sum(len(legal_plays(position, roll, WBGF)) for position in positions for roll in ROLLS)
    print(f"{len(positions)} positions x 21 rolls, {plays} plays; medians of {options.rounds} rounds, processor time\n")
    report_generators([positions[start :: options.rounds] for start in range(options.rounds)])
    report_records()
    sys.exit(not report_hostile())


def machine() -> str:
    return f"{platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}, {sys.platform}"


def report_generators(rounds: Sequence[list[Position]]) -> None:
    """Run every generator in turn in each round, so that all of them run under the same conditions."""
    generators: dict[str, Callable[[list[Position]], float]] = {
        "legal_plays": ours,
        "legal_plays, a roll a position": ours_one_roll,
        "bgsage.possible_moves (C++)": sage,
        "gnubg_nn.moves (C)": gnubg,
        "naive": naive,
    }
    speeds: dict[str, list[float]] = {name: [] for name in generators}
    for positions in rounds:
        for name, generator in generators.items():
            speeds[name].append(generator(positions))
    anchor = speeds["bgsage.possible_moves (C++)"]
    print(f"{'generator':32} {'rolls/s':>10} {'x bgsage':>9}")
    for name, measured in speeds.items():
        ratio = statistics.median(speed / other for speed, other in zip(measured, anchor, strict=True))
        print(f"{name:32} {statistics.median(measured):>10,.0f} {ratio:>9.2f}")


def ours(positions: list[Position]) -> float:
    forget()
    began = time.process_time()
    for position in positions:
        for roll in ROLLS:
            legal_plays(position, roll, WBGF)
    return len(positions) * len(ROLLS) / (time.process_time() - began)


def ours_one_roll(positions: list[Position]) -> float:
    """Run all positions with the first roll, then all with the second, so that the previous roll is not cached."""
    took = 0.0
    for roll in ROLLS:
        forget()
        began = time.process_time()
        for position in positions:
            legal_plays(position, roll, WBGF)
        took += time.process_time() - began
    return len(positions) * len(ROLLS) / took


def sage(positions: list[Position]) -> float:
    boards = [sage_board(position) for position in positions]
    began = time.process_time()
    for board in boards:
        for high, low in ROLLS:
            bgsage.possible_moves(board, high, low)
    return len(boards) * len(ROLLS) / (time.process_time() - began)


def sage_board(position: Position) -> list[int]:
    points = [position.checkers(point) or -position.opposing(point) for point in range(1, BAR)]
    return [-count(position.theirs, BAR), *points, count(position.mine, BAR)]


def gnubg(positions: list[Position]) -> float:
    boards = [
        [[count(side, point) for point in range(1, BAR + 1)] for side in (position.theirs, position.mine)]
        for position in positions
    ]
    began = time.process_time()
    for board in boards:
        for high, low in ROLLS:
            gnubg_nn.moves(board, high, low)
    return len(boards) * len(ROLLS) / (time.process_time() - began)


def naive(positions: list[Position]) -> float:
    some = positions[::NAIVE_EVERY]
    began = time.process_time()
    for position in some:
        for roll in ROLLS:
            naive_plays(position, roll, WBGF)
    return len(some) * len(ROLLS) / (time.process_time() - began)


def rolled_positions(record: MatchRecord) -> list[tuple[Position, Roll]]:
    """Return every roll in the record with the position before it."""
    found: list[tuple[Position, Roll]] = []
    before = START

    def watch(game: GameReplay, line: Line | None) -> None:
        nonlocal before
        if line is not None and isinstance(line.action, Turn):
            found.append((before, line.action.dice))
        before = game.state.position

    replay(record, watch=watch)
    return found


def report_records() -> None:
    """Read every record once per round, with none of them cached; each is released again once it has been read.

    The anchor only generates the plays of the same rolls, which is less than to judge a record with it.
    """
    folder = Path(os.environ.get("CORPUS_DIR", RECORDS))
    texts = [path.read_bytes() for path in sorted(folder.rglob("*.mat"))]
    records = [loads(text) for text in texts]
    positions = [position for record in records for position in rolled_positions(record)]
    jobs: dict[str, Callable[[], object]] = {
        "read": lambda: [loads(text).length for text in texts],
        "replayed with all rules": lambda: [replay(record).plays for record in records],
        "read and replayed": lambda: [verify(text).plays for text in texts],
        "bgsage.possible_moves (C++)": sage_rolls(positions),
    }
    took: dict[str, list[float]] = {name: [] for name in jobs}
    gc.freeze()  # the collector has not to look through what is only held here, at whatever job it comes by
    for _ in range(RECORD_ROUNDS):
        for name, job in jobs.items():
            forget()
            began = time.process_time()
            job()
            took[name].append(time.process_time() - began)
    anchor = took["bgsage.possible_moves (C++)"]
    print(f"\n{len(texts)} records of {folder.name}, {len(positions)} rolls; medians of {RECORD_ROUNDS} rounds, each")
    print(f"from an empty memory\n{'':32} {'records/s':>10} {'rolls/s':>10} {'x bgsage':>9}")
    for name, times in took.items():
        ratio = statistics.median(other / own for own, other in zip(times, anchor, strict=True))
        median = statistics.median(times)
        print(f"{name:32} {len(texts) / median:>10,.0f} {len(positions) / median:>10,.0f} {ratio:>9.2f}")


def sage_rolls(positions: list[tuple[Position, Roll]]) -> Callable[[], object]:
    boards = [(sage_board(position), *roll) for position, roll in positions]
    return lambda: [bgsage.possible_moves(*asked) for asked in boards]


def report_hostile() -> bool:
    """Compare the slowest hostile input with a million bytes of honest records, both read and replayed.

    Whether none of them takes longer than these.
    """
    texts = [path.read_bytes() for path in sorted(RECORDS.glob("*.mat"))]
    honest = list(islice(cycle(texts), -(-HONEST_BYTES * len(texts) // sum(map(len, texts)))))
    jobs: dict[str, Sequence[bytes]] = {"honest records": honest, **{name: [data] for name, data in HOSTILE.items()}}
    took = {name: statistics.median(judging(data) for _ in range(HOSTILE_ROUNDS)) for name, data in jobs.items()}
    anchor = took["honest records"]
    print(f"\n{len(HOSTILE)} hostile files, each judged from an empty memory; medians of {HOSTILE_ROUNDS} rounds")
    print(f"{'':32} {'bytes':>10} {'ms':>8} {'x honest':>9}")
    for name in ["honest records", *sorted(HOSTILE, key=took.__getitem__)[-SLOWEST:]]:
        size = sum(map(len, jobs[name]))
        print(f"{name:32} {size:>10,} {took[name] * 1000:>8.0f} {took[name] / anchor:>9.2f}")
    slow = [name for name in HOSTILE if took[name] > anchor]
    print(f"Slower than the honest records: {', '.join(slow) or 'none'}")
    return not slow


def judging(texts: Sequence[bytes]) -> float:
    forget()
    began = time.process_time()
    for text in texts:
        verify(text)
    return time.process_time() - began


def forget() -> None:
    for remembered in (_facing, _standing, _hops, _left, _right):
        remembered.cache_clear()


if __name__ == "__main__":
    main()
