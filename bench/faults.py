"""Faults under load: kills of everything and outages of each kind; what was acknowledged, lost, doubled, refused."""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from subprocess import CalledProcessError

from bench._kills import kills
from bench._outages import FAKETIME, HEADING, ON_THE_LAPTOP, WITH_SERVERS, Outage, on_a_small_disk, suffer
from bench._shapes import Shape, federation, laptop


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
        with possible_here(ON_THE_LAPTOP, megabytes=96) as (folder, tried), laptop(2, VAR_DIR=folder / "var") as shape:
            good &= outages(shape, "SQLite, two page processes", tried, options.outage)
    if "servers" in parts:
        with possible_here(WITH_SERVERS, megabytes=512) as (folder, tried), federation(folder) as shape:
            good &= outages(shape, "PostgreSQL, Redis, two web processes", tried, options.outage)
    sys.exit(0 if good else 1)


@contextmanager
def possible_here(tried: dict[str, Outage], *, megabytes: int) -> Iterator[tuple[Path, dict[str, Outage]]]:
    """Yield a folder, on a small disk if one can be made, and what can be tried on this machine.

    A small disk needs the administrator of the machine, another clock a library.
    """
    tried = dict(tried)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="sixprime-bench-")))
        try:
            stack.enter_context(on_a_small_disk(folder, megabytes))
        except (OSError, CalledProcessError) as error:
            print(f"No small disk ({error}): it is not filled.")
            del tried["disk full"]
        if not Path(FAKETIME).exists():
            print("libfaketime is not installed: no other clock.")
            del tried["a worker's clock ahead"]
        yield folder, tried


def outages(shape: Shape, what: str, tried: dict[str, Outage], seconds: float) -> bool:
    print(f"\n{what}, each outage {seconds:g} s\n{HEADING}")
    outcomes = [suffer(shape, name, outage, seconds) for name, outage in tried.items()]
    return all(outcomes)


if __name__ == "__main__":
    main()
