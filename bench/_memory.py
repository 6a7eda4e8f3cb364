"""Memory of the whole program: what its processes hold, each shared page counted once (the kernel's PSS)."""

import re
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tests.processes import children

GOAL_MB = 400
PSS = re.compile(r"^Pss:\s+(\d+) kB", re.MULTILINE)


@dataclass(frozen=True)
class Share:
    """The memory of one process, in megabytes."""

    name: str
    megabytes: float


def shares(pid: int) -> list[Share]:
    """Return the shares of this process and all that it has started, directly or not."""
    found = []
    with suppress(FileNotFoundError, ProcessLookupError):  # it may end while we look
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
        match = PSS.search(rollup)
        found.append(Share(name_of(pid), int(match[1]) / 1024 if match else 0.0))
    for child in sorted(children(pid)):
        found += shares(child)
    return found


def name_of(pid: int) -> str:
    """Return the part of the program that the process is, from its command line."""
    words = Path(f"/proc/{pid}/cmdline").read_text().split("\0")
    return (
        words[words.index("config.serve") + 1] or "watcher"
        if "config.serve" in words
        else " ".join(words[-4:]).strip()[-40:]
    )


def total(found: list[Share]) -> float:
    return sum(share.megabytes for share in found)


def table(found: list[Share]) -> str:
    """Return the shares in lines, and their sum beside the goal."""
    lines = [f"  {share.name:40}{share.megabytes:7.0f} MB" for share in found]
    held = "held" if total(found) < GOAL_MB else "missed"
    return "\n".join([*lines, f"  {'all processes':40}{total(found):7.0f} MB   goal: under {GOAL_MB} MB: {held}"])


class Peak:
    """The most memory that the program took at any look, every few seconds in a thread of its own."""

    PAUSE_SECONDS = 5

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.most = shares(pid)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look)

    def __enter__(self) -> "Peak":
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._over.wait(self.PAUSE_SECONDS):
            self.most = max(self.most, shares(self.pid), key=total)
