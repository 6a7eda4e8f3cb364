"""Match records imported into an empty database: how many a second of processor, and what reading alone takes."""

import argparse
import os
import subprocess
import sys

from bench._servers import database_env
from tests.processes import ROOT


def main() -> None:
    parser = argparse.ArgumentParser(prog="script/bench records", description=__doc__)
    parser.add_argument("--copies", type=int, default=4, help="each record so many times, each of other players")
    parser.add_argument("--rounds", type=int, default=3, help="each into a database of its own")
    parser.add_argument("--postgres", action="store_true", help="into PostgreSQL; its own processes are not counted")
    options = parser.parse_args()
    for _round in range(options.rounds):
        with database_env(postgres=options.postgres) as env:
            given = [sys.executable, "-m", "bench._records", str(options.copies)]
            done = subprocess.run(given, cwd=ROOT, env=os.environ | env)
        if done.returncode:
            sys.exit(done.returncode)


if __name__ == "__main__":
    main()
