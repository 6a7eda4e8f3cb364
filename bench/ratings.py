"""200,000 rated matches: a replay beside a plain loop, one more event, a correction, publications, pages, standings."""

import argparse
import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import django

from tests.servers import postgres_server

PARTS = ("lists", "replay", "moves", "publications", "pages", "standings")


def main() -> None:
    parser = argparse.ArgumentParser(prog="script/bench ratings", description=__doc__)
    parser.add_argument("parts", nargs="*", help=f"of {', '.join(PARTS)}; all of them unless some are named")
    parser.add_argument("--matches", type=int, default=200_000)
    parser.add_argument("--players", type=int, default=5_000)
    parser.add_argument("--results", type=int, default=100, help="how many results wait for their standings")
    parser.add_argument("--keep", type=Path, help="a folder in which the matches are made once and found again")
    parser.add_argument("--postgres", action="store_true", help="on a real PostgreSQL instead of a file of SQLite")
    options = parser.parse_args()
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"there is no part {', '.join(sorted(unknown))}")
    with database(options.keep, postgres=options.postgres) as folder:
        measure(options, folder)


@contextmanager
def database(keep: Path | None, *, postgres: bool) -> Iterator[Path]:
    """Set Django up on a database of its own, which is gone afterwards unless it is kept."""
    with ExitStack() as stack:
        folder = keep or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="sixprime-bench-")))
        os.environ |= {"VAR_DIR": str(folder), "DJANGO_SETTINGS_MODULE": "config.settings", "DEMO": "0", "DRAND": "0"}
        for elsewhere in ("DATABASE_URL", "REDIS_URL"):
            os.environ.pop(elsewhere, None)
        if postgres:
            os.environ["DATABASE_URL"] = stack.enter_context(postgres_server())
        django.setup()
        yield folder


def measure(options: argparse.Namespace, folder: Path) -> None:
    from bench import _federation, _replay  # noqa: PLC0415 - the settings read the environment set above

    made = folder / "made"
    if options.postgres or not made.exists():
        _federation.make_history(options.matches, options.players)
        made.touch()
    print(_federation.WORDS.format(f"{options.matches:,} matches, {options.players:,} players", "CPU", "wall", ""))
    _federation.prepare()
    reports = {
        "lists": _federation.report_lists,
        "replay": _replay.report_replay,
        "moves": _federation.report_moves,
        "publications": _replay.report_publications,
        "pages": _replay.report_pages,
        "standings": lambda: _federation.report_standings(options.results),
    }
    for part in options.parts or PARTS:
        reports[part]()


if __name__ == "__main__":
    main()
