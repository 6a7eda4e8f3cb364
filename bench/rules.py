"""Legal plays and records per second, each as a ratio to other generators in the same run."""

import argparse
import gc
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
from rules.plays import Roll, legal_plays
from rules.position import BAR, START, Position, count
from rules.profiles import WBGF
from rules.records.game_replay import GameReplay
from rules.records.mat import _action, loads
from rules.records.record import Line, MatchRecord, Turn
from rules.records.replay import replay, verify
from tests.rules.naive import naive_plays
from tests.rules.samples import random_play

SEED = 20240601
RECORD_ROUNDS = 9
NAIVE_EVERY = 100
"""The naive generator gets only one position in this many: it is that slow."""

RECORDS = Path(__file__).parents[1] / "tests" / "data" / "records"


def main() -> None:
    parser = argparse.ArgumentParser(prog="script/bench rules", description=__doc__)
    parser.add_argument(
        "--positions", type=int, default=10_000, help="positions from random games; each gets all 21 rolls"
    )
    parser.add_argument("--rounds", type=int, default=10, help="how many rounds the positions are dealt into")
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
    """Give each generator its turn in every round, so that all see the same machine."""
    generators: dict[str, Callable[[list[Position]], float]] = {
        "legal_plays": ours,
        "legal_plays, one roll per position": ours_one_roll,
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
    """Yield all positions with the first roll, then all with the second, so that no cache helps from roll to roll."""
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
    """Return every roll of the record with the position in which it was made."""
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
    """Read every record once per round, with empty caches, and drop each record after it was read.

    The anchor only generates the plays of the same rolls, which is less work than judging a record.
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
    gc.freeze()  # so that the garbage collector does not search what is only held here, during one job or another
    for _ in range(RECORD_ROUNDS):
        for name, job in jobs.items():
            forget()
            began = time.process_time()
            job()
            took[name].append(time.process_time() - began)
    anchor = took["bgsage.possible_moves (C++)"]
    print(f"\n{len(texts)} records of {folder.name}, {len(positions)} rolls; medians of {RECORD_ROUNDS} rounds, each")
    print(f"with empty caches\n{'':32} {'records/s':>10} {'rolls/s':>10} {'x bgsage':>9}")
    for name, times in took.items():
        ratio = statistics.median(other / own for own, other in zip(times, anchor, strict=True))
        median = statistics.median(times)
        print(f"{name:32} {len(texts) / median:>10,.0f} {len(positions) / median:>10,.0f} {ratio:>9.2f}")


def sage_rolls(positions: list[tuple[Position, Roll]]) -> Callable[[], object]:
    boards = [(sage_board(position), *roll) for position, roll in positions]
    return lambda: [bgsage.possible_moves(*asked) for asked in boards]


def forget() -> None:
    for remembered in (_facing, _standing, _hops, _action):
        remembered.cache_clear()


if __name__ == "__main__":
    main()
