"""Faults under load: kills of everything and outages of each kind; what was acknowledged, lost, doubled, refused."""

import argparse
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from bench._kills import kills
from bench._outages import FAKETIME, HEADING, ON_THE_LAPTOP, WITH_SERVERS, Outage, on_a_small_disk, suffer
from bench._shapes import Shape, federation, laptop

DISK_MEGABYTES = 96


def main() -> None:
    parser = argparse.ArgumentParser(prog="script/bench faults", description=__doc__)
    parser.add_argument("parts", nargs="*", help="kills, laptop, servers; all by default")
    parser.add_argument("--seconds", type=float, default=600, help="of kills")
    parser.add_argument("--kills", type=int, default=100, help="with -9, of any process of the program")
    parser.add_argument("--outage", type=float, default=8, help="seconds of each outage")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    parts = options.parts or ["kills", "laptop", "servers"]
    good = True
    if "kills" in parts:
        good &= kills(options.seconds, options.kills, seed=options.seed)
    if "laptop" in parts:
        good &= outages_of_laptop(options.outage)
    if "servers" in parts:
        with federation() as shape:
            good &= outages(shape, "PostgreSQL, Redis, two web processes", WITH_SERVERS, options.outage)
    sys.exit(0 if good else 1)


def outages_of_laptop(seconds: float) -> bool:
    """Try out what can be tried on this machine: a small disk needs its administrator, another clock a library."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="sixprime-bench-")))
        tried = dict(ON_THE_LAPTOP)
        try:
            stack.enter_context(on_a_small_disk(folder, DISK_MEGABYTES))
        except (OSError, ValueError) as error:
            print(f"No small disk ({error}): it is not filled.")
            del tried["disk full"]
        if not Path(FAKETIME).exists():
            print("libfaketime is not installed: no other clock.")
            del tried["a worker's clock ahead"]
        shape = stack.enter_context(laptop(2, VAR_DIR=folder / "var"))
        return outages(shape, "SQLite, two page processes", tried, seconds)


def outages(shape: Shape, what: str, tried: dict[str, Outage], seconds: float) -> bool:
    print(f"\n{what}, each outage {seconds:g} s\n{HEADING}")
    outcomes = [suffer(shape, name, outage, seconds) for name, outage in tried.items()]
    return all(outcomes)


if __name__ == "__main__":
    main()
