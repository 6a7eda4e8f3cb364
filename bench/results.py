"""What a result costs in events of each size, as a multiple of a bare transaction of seven such statements."""

import argparse
import json
import subprocess
import sys
from collections import defaultdict
from statistics import median, quantiles

from bench._servers import database_env
from tests.processes import ROOT

GOAL = 10
"""How many bare transactions a result of the smallest event may cost at most."""

GROWTH = 1.5
"""How many times as much it may cost in the largest event."""

NAMES = {"service": "to the commit", "request": "whole request"}


def main() -> None:
    parser = argparse.ArgumentParser(prog="script/bench results", description=__doc__)
    parser.add_argument("--players", type=int, nargs="+", default=[128, 512, 1024])
    parser.add_argument("--runs", type=int, default=3, help="of which the medians are printed")
    parser.add_argument("--results", type=int, default=10**6, help="that are entered at most; the others are left out")
    parser.add_argument("--postgres", action="store_true", help="on a real PostgreSQL instead of a file of SQLite")
    options = parser.parse_args()
    print(f"Processor time of a result on {'PostgreSQL, without the server' if options.postgres else 'SQLite'}")
    print(f"{'players':>7}{'fixtures':>9}  {'':14}{'results':>8}{'p50 ms':>8}{'p90 ms':>8}{'bare ms':>8}{'p50 x':>7}")
    costs = {players: measure(players, options) for players in options.players}
    first, last = (costs[players]["service"] for players in (min(costs), max(costs)))
    print(f"\nAt {min(costs)} players {first[1]:.1f} bare transactions (goal: at most {GOAL}).")
    print(f"At {max(costs)} players {last[0] / first[0]:.2f} times as much (goal: at most {GROWTH}).")


def measure(players: int, options: argparse.Namespace) -> dict[str, tuple[float, float]]:
    """Play such events, print what their results took, and return the median's milliseconds and multiple of bare."""
    runs: dict[str, list[tuple[float, float, float, float]]] = defaultdict(list)
    for seed in range(options.runs):
        took = play(players, seed, options)
        bare = median(took["bare"])
        for way in NAMES:
            runs[way].append((median(took[way]), quantiles(took[way], n=10)[8], bare, median(took[way]) / bare))
    found = {}
    for way, name in NAMES.items():
        p50, p90, bare, times = (median(values) for values in zip(*runs[way], strict=True))
        figures = f"{len(took[way]):8}{1000 * p50:8.1f}{1000 * p90:8.1f}{1000 * bare:8.2f}{times:7.1f}"
        print(f"{players:7}{int(took['fixtures'][0]):9}  {name:14}{figures}", flush=True)
        found[way] = 1000 * p50, times
    return found


def play(players: int, seed: int, options: argparse.Namespace) -> dict[str, list[float]]:
    """Play one event in a process of its own, with a database of its own."""
    with database_env(postgres=options.postgres) as env:
        command = [sys.executable, "-m", "bench._event", str(players), str(seed), str(options.results)]
        done = subprocess.run(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


if __name__ == "__main__":
    main()
