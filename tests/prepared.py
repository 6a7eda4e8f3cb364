"""The data folder of a new site: one process of a run prepares it from nothing, and every site begins with a copy."""

import fcntl
import shutil
from collections.abc import Callable
from pathlib import Path

DATABASE = "sixprime.sqlite3"
STATIC = "static"

_shared: list[Path] = []


def share_prepared(folder: Path) -> None:
    """Let sites begin with a copy from now on; all processes of a run name the same folder for it."""
    folder.mkdir(exist_ok=True)
    _shared[:] = [folder]


def copy_prepared(folder: Path, prepare: Callable[[Path], None]) -> None:
    """Give a new site its tables, with nothing in them, and its static files; its secret key and the rest are its own.

    The first process that needs them calls ``prepare`` with an empty folder, and the others wait for it. Does nothing
    where nothing is shared, as in benchmarks.
    """
    for shared in _shared:
        made = _made_in(shared, prepare)
        folder.mkdir(parents=True)
        shutil.copy2(made / DATABASE, folder / DATABASE)
        shutil.copytree(made / STATIC, folder / STATIC)


def _made_in(shared: Path, prepare: Callable[[Path], None]) -> Path:
    made, making = shared / "made", shared / "making"
    with (shared / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            shutil.rmtree(making, ignore_errors=True)  # of one that was interrupted
            prepare(making)
            making.rename(made)
    return made
