"""200,000 rated matches: what one more event costs, what a correction moves, and how long standings wait meanwhile."""

import argparse
import os
import shutil
import tempfile
from pathlib import Path

import django


def main() -> None:
    parser = argparse.ArgumentParser(prog="script/bench ratings", description=__doc__)
    parser.add_argument("--matches", type=int, default=200_000)
    parser.add_argument("--players", type=int, default=5_000)
    parser.add_argument("--results", type=int, default=100, help="how many results wait for their standings")
    parser.add_argument("--keep", type=Path, help="a folder in which the matches are made once and found again")
    options = parser.parse_args()
    folder = options.keep or Path(tempfile.mkdtemp(prefix="sixprime-bench-"))
    os.environ |= {"VAR_DIR": str(folder), "DJANGO_SETTINGS_MODULE": "config.settings", "DEMO": "0", "DRAND": "0"}
    for elsewhere in ("DATABASE_URL", "REDIS_URL"):
        os.environ.pop(elsewhere, None)
    django.setup()
    from bench import _federation  # noqa: PLC0415 - the settings read the environment set above

    try:
        if not (folder / "made").exists():
            _federation.make_history(options.matches, options.players)
            (folder / "made").touch()
        print(_federation.WORDS.format(f"{options.matches:,} matches, {options.players:,} players", "CPU", "wall", ""))
        _federation.report_lists()
        _federation.report_moves()
        _federation.report_standings(options.results)
    finally:
        if options.keep is None:
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
