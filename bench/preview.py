"""What the preview of a correction costs while a large event is played, as a multiple of a bare transaction."""

import argparse
import json
import subprocess
import sys
from statistics import median, quantiles

from bench._servers import database_env
from tests.processes import ROOT

GOAL_MS = 100
"""Within how many milliseconds 99 % of the previews are to be answered."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="script/bench preview", description=__doc__)
    parser.add_argument("--players", type=int, nargs="+", default=[128])
    parser.add_argument("--runs", type=int, default=3, help="of which the medians are printed")
    parser.add_argument("--postgres", action="store_true", help="on a real PostgreSQL instead of a file of SQLite")
    parser.add_argument("--undone", action="store_true", help="each repair made and undone, as the tests compare it")
    options = parser.parse_args()
    where = "PostgreSQL, without the server's processor time" if options.postgres else "SQLite"
    print(f"Previews of random corrections over the day of a consolation event, on {where} (goal: p99 {GOAL_MS} ms)")
    print(f"{'players':>7}{'previews':>9}  {'':10}{'p50 ms':>8}{'p99 ms':>8}{'max ms':>8}{'bare ms':>8}{'p50 x':>7}")
    for players in options.players:
        runs = [play(players, seed, options) for seed in range(options.runs)]
        for kind in ("processor", "wall"):
            lines = zip(*(figures(took[kind], median(took["bare"])) for took in runs), strict=True)
            p50, p99, most, bare, times = map(median, lines)
            count = len(runs[0][kind])
            print(f"{players:7}{count:9}  {kind:10}{p50:8.1f}{p99:8.1f}{most:8.1f}{bare:8.2f}{times:7.1f}", flush=True)


def figures(seconds: list[float], bare: float) -> tuple[float, ...]:
    p50, p99 = median(seconds), quantiles(seconds, n=100, method="inclusive")[98]
    return 1000 * p50, 1000 * p99, 1000 * max(seconds), 1000 * bare, p50 / bare


def play(players: int, seed: int, options: argparse.Namespace) -> dict[str, list[float]]:
    """Play one event in a process of its own, with a database of its own."""
    with database_env(postgres=options.postgres) as env:
        command = [
            sys.executable,
            "-m",
            "bench._previews",
            str(players),
            str(seed),
            *(["--undone"] if options.undone else []),
        ]
        done = subprocess.run(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


if __name__ == "__main__":
    main()
