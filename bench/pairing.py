"""Swiss pairings: speed beside py4swiss on the same crosstables, large fields, and costs beside the least possible."""

import argparse
import os
import platform
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from py4swiss.engines import DutchEngine
from py4swiss.trf import TrfParser

from tests.tournament.formats.pairing_oracle import after_rounds, best_of_all_pairs, cost_of
from tournament.formats.pairing import Contender, Within, pair_round

SEED = 20240601
PLAYED, ROUNDS = 4, 9
RATIOS = {16: 0, 64: 1, 256: 0, 512: 50}
LARGE = {1000: 0.3, 4000: 3.0}
MEGABYTES = 200
REFERENCES = """Measured elsewhere, on two cores of a shared 2-core Xeon (round 5 of 9), as a reference:
  bbpPairings 6.0.0 (C++, whole process)    64: 0.02 s   512: 5.1 s   1000: 39 s    2000: 386 s
  py4swiss 0.3.1 (whole process)            64: 0.7 s    512: 8.0 s
  swisspair 0.2.1 (C++, no clubs)           64: 0.008 s  512: 0.01 s  1000: 0.014 s 4000: 0.054 s
  rustworkx, all pairs, random costs        64: 0.005 s  512: 0.79 s  1000: 9.8 s   2000: 96 s"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="script/bench pairing", description=__doc__)
    parser.add_argument(
        "--states", type=int, default=300, help="random states of up to 300 players for the dense solve"
    )
    parser.add_argument("--large", type=int, help="only pair this many players, and print seconds and megabytes")
    options = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    if options.large:
        pair_large(options.large)
        return
    print(f"Python {platform.python_version()}, {platform.machine()}, one core; seconds of its time")
    failed = [compare_engines(count, least) for count, least in RATIOS.items()]
    failed += [check_large(count, seconds) for count, seconds in LARGE.items()]
    failed.append(compare_optima(options.states))
    print(REFERENCES)
    sys.exit(any(failed))


def seconds(call: Callable[[], object], times: int) -> float:
    """Return the median of the processor time that ``call`` takes."""
    taken = []
    for _ in range(times):
        pair_round.cache_clear()
        began = time.process_time()
        call()
        taken.append(time.process_time() - began)
    return statistics.median(taken)


def compare_engines(count: int, least: float) -> bool:
    """Let both engines pair the same round 5; True if ours is not at least ``least`` times as fast."""
    players, trf = crosstable(count)
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "crosstable.trf"
        path.write_text(trf, encoding="utf-8")
        parsed = TrfParser.parse(path, strict=True)
    ours = seconds(lambda: pair_round(players, Within.SLIDE), 9)
    theirs = seconds(lambda: DutchEngine.generate_pairings(parsed), 5 if count <= 64 else 1)
    ratio = theirs / ours
    verdict = "" if ratio >= least else f"  SLOWER than {least} times"
    print(
        f"{count:>5} players: {ours:.4f}, py4swiss (Dutch) {theirs:.4f}: {ratio:.0f} times as fast{verdict}", flush=True
    )
    return bool(verdict)


def crosstable(count: int) -> tuple[tuple[Contender, ...], str]:
    """Return a field after four rounds, for us and as a chess tournament report file with balanced colours."""
    rng = random.Random(SEED)
    score, balance, last = [0] * count, [0] * count, [""] * count
    met: list[list[int]] = [[] for _ in range(count)]
    lines: list[list[str]] = [[] for _ in range(count)]

    def players() -> tuple[Contender, ...]:
        return tuple(Contender(id, score[id], id, met=tuple(met[id])) for id in range(count))

    for _ in range(PLAYED):
        for a, b in pair_round(players(), Within.SLIDE).pairs:
            white, black = sorted((a, b), key=lambda id: (balance[id], last[id] == "w", id))
            winner = rng.choice((a, b))
            score[winner] += 1
            for id, other, colour in ((white, black, "w"), (black, white, "b")):
                met[id].append(other)
                last[id] = colour
                balance[id] += 1 if colour == "w" else -1
                lines[id].append(f"{other + 1:>6} {colour} {int(id == winner)}"[-10:].rjust(10))
    text = [f"XXR {ROUNDS}", "XXC white1"]
    for id in range(count):
        name, points = f"Player {id + 1}", f"{score[id]}.0"
        head = f"001 {id + 1:>4}      {name:<33} {2800 - id // 4:>4} {'':3} {'':11} {'':10} {points:>4} {id + 1:>4}"
        text.append(head + "".join(lines[id]))
    return players(), "\n".join(text) + "\n"


def pair_large(count: int) -> None:
    """Print the seconds taken by default and with clubs of eight kept apart, and the peak memory in megabytes."""
    rng = random.Random(SEED)
    plain = after_rounds_plain(count, rng)
    clubs = [f"club {rng.randrange(count // 8)}" for _ in range(count)]
    apart = tuple(Contender(p.id, p.score, p.rank, p.byes, p.met, p.persons, (clubs[p.id],)) for p in plain)
    taken = [seconds(lambda: pair_round(players, Within.NEIGHBOURS), 3) for players in (plain, apart)]  # noqa: B023
    print(*taken, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def after_rounds_plain(count: int, rng: random.Random) -> tuple[Contender, ...]:
    """Return a field after four rounds with random results, paired as a Swiss pairs by default."""
    score, met = [0] * count, [[] for _ in range(count)]
    for number in range(PLAYED + 1):
        ranks = list(range(count))
        rng.shuffle(ranks)
        players = tuple(
            Contender(id, score[id], ranks[id], met=tuple(met[id]), persons=frozenset({id})) for id in range(count)
        )
        if number < PLAYED:
            for a, b in pair_round(players, Within.NEIGHBOURS).pairs:
                met[a].append(b)
                met[b].append(a)
                score[rng.choice((a, b))] += 1
    return players


def check_large(count: int, most: float) -> bool:
    """Whether pairing this many players, in a process of its own, takes too long or too much memory."""
    command = [sys.executable, "-m", "bench.pairing", "--large", str(count)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    plain, apart, megabytes = map(float, output.split())
    verdict = "" if max(plain, apart) <= most and megabytes <= MEGABYTES else f"  MORE than {most} s or {MEGABYTES} MB"
    print(
        f"{count:>5} players: {plain:.3f}; clubs of eight kept apart {apart:.3f}; {megabytes:.0f} MB{verdict}",
        flush=True,
    )
    return bool(verdict)


def compare_optima(states: int) -> bool:
    """Whether our pairing of any of these random states costs more than the best of all possible pairings."""
    rng = random.Random(SEED)
    dearer = 0
    for _ in range(states):
        within = rng.choice(list(Within))
        players = after_rounds(rng.randrange(16, 301), rng.randrange(12), within, rng, luck=rng.choice((0, 30, 100)))
        ours, best = cost_of(players, within, pair_round(players, within)), best_of_all_pairs(players, within)
        if ours != best:
            dearer += 1
            print(f"{len(players)} players: {ours} instead of {best}", flush=True)
    print(f"{states} random states of 16 to 300 players: {dearer} cost more than the best of all pairs")
    return bool(dearer)


if __name__ == "__main__":
    main()
