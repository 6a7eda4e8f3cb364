"""Legal plays and records a second, each a ratio to other generators in the same run."""

import argparse
import os
import platform
import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path

import bgsage
import gnubg_nn

from rules.generator import _facing, _standing
from rules.notation import _hops
from rules.perft import ROLLS
from rules.plays import legal_plays
from rules.position import BAR, Position, count
from rules.profiles import WBGF
from rules.records.mat import loads
from rules.records.replay import replay
from tests.rules.naive import naive_plays
from tests.rules.samples import random_play

SEED = 20240601
NAIVE_EVERY = 100
"""The naive generator is given one position in so many: it is that slow."""

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


def machine() -> str:
    return f"{platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}, {sys.platform}"


def report_generators(rounds: Sequence[list[Position]]) -> None:
    """One generator after the other has its turn in each round, so that all see the same machine."""
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
    """All positions with the first roll, then all with the second: nothing is left in memory of the roll before."""
    took = 0.0
    for roll in ROLLS:
        forget()
        began = time.process_time()
        for position in positions:
            legal_plays(position, roll, WBGF)
        took += time.process_time() - began
    return len(positions) * len(ROLLS) / took


def sage(positions: list[Position]) -> float:
    boards = [
        [-count(position.theirs, BAR)]
        + [position.checkers(point) or -position.opposing(point) for point in range(1, BAR)]
        + [count(position.mine, BAR)]
        for position in positions
    ]
    began = time.process_time()
    for board in boards:
        for high, low in ROLLS:
            bgsage.possible_moves(board, high, low)
    return len(boards) * len(ROLLS) / (time.process_time() - began)


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


def report_records() -> None:
    """Every record once, from a memory that knows none of them."""
    folder = Path(os.environ.get("CORPUS_DIR", RECORDS))
    texts = [path.read_bytes() for path in sorted(folder.rglob("*.mat"))]
    reading, replaying, rolls = [], [], 0
    for _ in range(5):
        forget()
        began = time.process_time()
        records = [loads(text) for text in texts]
        read = time.process_time()
        rolls = sum(replay(record).plays for record in records)
        reading.append(read - began)
        replaying.append(time.process_time() - read)
    both = [sum(times) for times in zip(reading, replaying, strict=True)]
    print(f"\n{len(texts)} records of {folder.name}, {rolls} rolls; medians of {len(both)}, each from an empty memory")
    print(f"{'':32} {'records/s':>10} {'rolls/s':>10}")
    for name, times in (("read", reading), ("replayed with all rules", replaying), ("both", both)):
        took = statistics.median(times)
        print(f"{name:32} {len(texts) / took:>10,.0f} {rolls / took:>10,.0f}")


def forget() -> None:
    for remembered in (_facing, _standing, _hops):
        remembered.cache_clear()


if __name__ == "__main__":
    main()
