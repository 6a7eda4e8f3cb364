"""Faults under load: kills of everything; what was acknowledged, lost, doubled, and how long nobody was served."""

import argparse
import sys

from bench._kills import kills


def main() -> None:
    parser = argparse.ArgumentParser(prog="script/bench faults", description=__doc__)
    parser.add_argument("--seconds", type=float, default=600, help="of kills")
    parser.add_argument("--kills", type=int, default=100, help="with -9, of any process of the program")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    sys.exit(0 if kills(options.seconds, options.kills, seed=options.seed) else 1)


if __name__ == "__main__":
    main()
