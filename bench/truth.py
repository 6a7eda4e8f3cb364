"""Legal plays against GNU Backgammon's generator on a million positions and rolls: 0 may differ."""

import argparse
import os
import random
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from rules.perft import ROLLS
from rules.plays import judge_play, legal_plays
from rules.position import START, Position
from rules.profiles import WBGF
from rules.records.mat import loads
from rules.records.record import MatchRecord, RecordError, Turn
from tests.rules.oracle import gnubg_keys, keys
from tests.rules.samples import KINDS

SEED = 20240601
SHOWN = 5


def main() -> None:
    parser = argparse.ArgumentParser(prog="script/bench truth", description=__doc__)
    parser.add_argument("--pairs", type=int, default=1_000_000, help="positions and rolls to compare, at least")
    options = parser.parse_args()
    compared, different = 0, 0
    kinds = {name: kind(random.Random(SEED)) for name, kind in KINDS.items()}
    recorded = list(recorded_positions())
    compared, different = compare("records", iter(recorded)) if recorded else (0, 0)
    each = -(-(options.pairs - compared) // len(kinds) // len(ROLLS)) + 1
    for name, positions in kinds.items():
        more, wrong = compare(name, islice(positions, max(each, 0)))
        compared, different = compared + more, different + wrong
    print(f"{'all':16} {compared:>10,} compared, {different} different")
    sys.exit(1 if different or compared < options.pairs else 0)


def compare(name: str, positions: Iterator[Position]) -> tuple[int, int]:
    """How many pairs were compared, and how many differ; the first of those are shown."""
    began = time.perf_counter()
    compared = different = plays = 0
    for position in positions:
        for roll in ROLLS:
            ours = keys(legal_plays(position, roll, WBGF))
            theirs = gnubg_keys(position, roll)
            compared, plays = compared + 1, plays + len(theirs)
            if ours != theirs:
                different += 1
                if different <= SHOWN:
                    print(f"{position} {roll}: {len(ours)} plays, not {len(theirs)}")
    took = time.perf_counter() - began
    print(f"{name:16} {compared:>10,} compared, {different} different, {plays:,} plays, {took:.0f} s", flush=True)
    return compared, different


def recorded_positions() -> Iterator[Position]:
    """The distinct positions of the records in CORPUS_DIR."""
    if "CORPUS_DIR" not in os.environ:
        return
    seen: set[Position] = set()
    for path in sorted(Path(os.environ["CORPUS_DIR"]).rglob("*.mat")):
        try:
            seen.update(positions_of(loads(path.read_bytes())))
        except RecordError:
            continue
    yield from sorted(seen)


def positions_of(record: MatchRecord) -> Iterator[Position]:
    """Each position that a play of the record begins with, as far as the plays are legal."""
    for game in record.games:
        position = START
        for line in game.lines:
            if not isinstance(line.action, Turn):
                continue
            yield position
            try:
                after = judge_play(position, line.action.dice, line.action.play or (), WBGF)
            except ValueError:
                break
            position = after.swapped()


if __name__ == "__main__":
    main()
