"""Writers of several processes on one SQLite file: transactions a second, and whether any of them waits for long."""

import argparse
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

from bench._figures import at
from bench._servers import database_env
from tests.processes import ROOT, manage


def main() -> None:
    parser = argparse.ArgumentParser(prog="script/bench writers", description=__doc__)
    parser.add_argument("--processes", type=int, default=4)
    parser.add_argument("--threads", type=int, default=4, help="of each process")
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--inside", type=float, default=4, help="milliseconds of processor time in a transaction")
    parser.add_argument("--outside", type=float, default=4, help="milliseconds of processor time between two")
    options = parser.parse_args()
    with database_env(postgres=False) as env:
        manage("migrate", "--verbosity", "0", env=env)
        given = [
            str(value) for value in (options.threads, options.seconds, options.inside / 1000, options.outside / 1000)
        ]
        with ExitStack() as stack:
            said = measure([stack.enter_context(started(env, given)) for _each in range(options.processes)])
    writers = [took for one in said for took in one["took"]]
    everything = [seconds for took in writers for seconds in took]
    counts = [len(took) for took in writers]
    processor = 1000 * sum(one["processor"] for one in said) / len(everything)
    figures = ", ".join(
        f"{name} {at(everything, percent):.1f}" for name, percent in (("p50", 50), ("p99", 99), ("max", 100))
    )
    print(
        f"{len(everything) / options.seconds:.1f} transactions a second; {figures} ms; {processor:.1f} ms of processor"
    )
    print(f"Each of {len(counts)} writers had its turn {min(counts)} to {max(counts)} times.")


def started(env: dict[str, str], given: list[str]) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "bench._writer", *given]
    return subprocess.Popen(command, cwd=ROOT, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def measure(processes: list[subprocess.Popen[str]]) -> list[dict[str, Any]]:
    """Let the processes begin as soon as all are ready; return what each says at the end."""
    for process in processes:
        if process.stdout is None or process.stdout.readline() != "ready\n":
            raise AssertionError("A process of writers did not start.")
    with ThreadPoolExecutor(len(processes)) as pool:
        return [json.loads(said) for said, _ in pool.map(lambda process: process.communicate("\n"), processes)]


if __name__ == "__main__":
    main()
