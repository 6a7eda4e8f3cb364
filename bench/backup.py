"""Backup and restore of a full demo, and of it with a long history of matches: seconds, and the size of the file."""

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench._servers import database_env
from tests.processes import ROOT, environment

HISTORY = "from bench._federation import make_history; make_history({matches}, {players})"
ROW = "{:34} {:>12} {:>12}   {}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="script/bench backup", description=__doc__)
    parser.add_argument("--matches", type=int, default=50_000, help="of the history, each in three to five games")
    parser.add_argument("--players", type=int, default=2_000)
    parser.add_argument("--postgres", action="store_true", help="back up a real PostgreSQL; the restore is into SQLite")
    options = parser.parse_args()
    print(ROW.format("", "processor", "wall", ""))
    with database_env(postgres=options.postgres) as env:
        run(env, "migrate", "--verbosity", "0")
        run(env, "demo", "--seed", "1")
        tell("a command that does nothing (anchor)", *run(env, "shell", "--command", "pass"))
        there_and_back(env, "full demo")
        run(env, "shell", "--command", HISTORY.format(matches=options.matches, players=options.players))
        run(env, "rate", "fibs")
        there_and_back(env, f"and {options.matches:,} matches")


def there_and_back(env: dict[str, str], what: str) -> None:
    """Back up, and restore into an empty installation, which is then audited."""
    with tempfile.TemporaryDirectory(prefix="sixprime-bench-") as folder:
        file = Path(folder, "backup.zip")
        seconds = run(env, "backup", str(file))
        tell(f"{what}: backup", *seconds, f"{file.stat().st_size / 1e6:.1f} MB")
        other = environment(VAR_DIR=Path(folder, "var"), DJANGO_SETTINGS_MODULE="config.settings")
        tell(f"{what}: restore", *run(other, "restore", str(file), "--any-key", "--no-audit"))
        tell(f"{what}: audit of it", *run(other, "audit"))


def run(env: dict[str, str], *arguments: str) -> tuple[float, float]:
    """Run the command of ``manage.py``; return the seconds that it took of processor, and by the clock."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run([sys.executable, "manage.py", *arguments], cwd=ROOT, env=env, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return used, time.perf_counter() - began


def tell(what: str, processor: float, wall: float, note: str = "") -> None:
    print(ROW.format(what, f"{processor:.1f} s", f"{wall:.1f} s", note), flush=True)


if __name__ == "__main__":
    main()
