"""Mutated files through every importer: each is read, or refused in the importer's own words; nothing else."""

import argparse
import os
import subprocess
import sys

from bench._servers import database_env
from tests.processes import ROOT


def main() -> None:
    parser = argparse.ArgumentParser(prog="script/bench importers", description=__doc__)
    parser.add_argument("--files", type=int, default=100_000, help="in all, the same number for each importer")
    parser.add_argument("--seed", type=int, default=16)
    options = parser.parse_args()
    with database_env(postgres=False) as env:
        given = [str(options.files), str(options.seed)]
        done = subprocess.run([sys.executable, "-m", "bench._importers", *given], cwd=ROOT, env=os.environ | env)
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
