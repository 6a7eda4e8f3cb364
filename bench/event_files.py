"""Mutated event files through the import: each is refused with place and reason, or imported; nothing else."""

import argparse
import os
import subprocess
import sys

from bench._servers import database_env
from tests.processes import ROOT


def main() -> None:
    parser = argparse.ArgumentParser(prog="script/bench event_files", description=__doc__)
    parser.add_argument("--files", type=int, default=10_000, help="in all, the same number for each event")
    parser.add_argument("--seed", type=int, default=17)
    options = parser.parse_args()
    with database_env(postgres=False) as env:
        given = [str(options.files), str(options.seed)]
        done = subprocess.run([sys.executable, "-m", "bench._event_files", *given], cwd=ROOT, env=os.environ | env)
    sys.exit(done.returncode)


if __name__ == "__main__":
    main()
