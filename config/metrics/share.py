"""The counts of all processes together: each writes its own to a file, and whoever is asked adds the files up.

The client library has its own way, files that are mapped into memory; there, a full disk ends the process that counts.
Here it loses counts and nothing else. What ended processes have counted is kept in one file, so that a sum never falls
while the site runs.
"""

import atexit
import fcntl
import json
import os
import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry  # the live stream, which only writes a note, does not load it


SECONDS = 5.0
"""Between two times that a process writes what it has counted."""

Key = tuple[str, tuple[tuple[str, str], ...]]
Counts = dict[Key, float]
ENDED = "ended.json"


class Note:
    """A file of this process, whole at any moment, and a lock by which others know that the process lives."""

    def __init__(self, folder: Path, kind: str) -> None:
        """Raises OSError."""
        folder.mkdir(parents=True, exist_ok=True)
        host = re.sub(r"\W", "", socket.gethostname())
        self.path = folder / f"{kind}-{host}-{os.getpid()}.json"
        self._lock = os.open(self.path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def write(self, told: object) -> None:
        """Raises OSError."""
        _write(self.path, told)


class Share:
    """What this process has counted, told to the others, and what all of them have."""

    def __init__(self, folder: Path, registry: "CollectorRegistry", *, seconds: float = SECONDS) -> None:
        self._folder, self._registry, self._seconds = folder, registry, seconds
        self._starting = threading.Lock()
        self._pid = 0
        self.is_told = False
        """Whether this process tells the others; the site's own processes do."""
        self._changed = threading.Event()
        self._note: Note | None = None

    def changed(self) -> None:
        """Let the others know soon; the first time in a process, also in a copy of one, a thread begins to tell."""
        if not self.is_told:
            return
        if self._pid != os.getpid():
            self._begin()
        self._changed.set()

    def counts(self) -> Counts:
        """Return the sums over all processes, those included that have ended."""
        sums = own_counts(self._registry)
        with suppress(OSError):
            self._fold_ended()
        own = self._note.path if self._note is not None and self._pid == os.getpid() else None
        for path in self._folder.glob("counts-*.json"):
            if path != own:
                _add(sums, _read(path))
        _add(sums, _read(self._folder / ENDED))
        return sums

    def write(self) -> None:
        """Write what was counted since, unless the disk is full or read-only."""
        with suppress(OSError):
            if self._note is None:
                self._note = Note(self._folder, "counts")
            self._note.write(_rows(own_counts(self._registry)))

    def _begin(self) -> None:
        with self._starting:
            if self._pid == os.getpid():
                return
            self._note, self._changed = None, threading.Event()
            self._pid = os.getpid()
            threading.Thread(target=self._tell, name="counts", daemon=True).start()
            atexit.register(self.write)

    def _tell(self) -> None:
        while True:
            self._changed.wait()
            self._changed.clear()
            self.write()
            time.sleep(self._seconds)

    def _fold_ended(self) -> None:
        with _locked(self._folder / "ended.lock"):
            ended = [path for path in self._folder.glob("counts-*.json") if not lives(path)]
            if not ended:
                return
            sums = _read(self._folder / ENDED)
            for path in ended:
                _add(sums, _read(path))
            _write(self._folder / ENDED, _rows(sums))
            for path in ended:
                forget(path)


def lives(path: Path) -> bool:
    """Whether the process that writes this file lives; it holds the lock until it ends, however it ends."""
    try:
        with _locked(path.with_suffix(".lock"), wait=False):
            return False
    except BlockingIOError:
        return True


def forget(path: Path) -> None:
    """Remove the file of a process that has ended."""
    path.unlink(missing_ok=True)
    path.with_suffix(".lock").unlink(missing_ok=True)


def own_counts(registry: "CollectorRegistry") -> Counts:
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in registry.collect()
        for sample in family.samples
    }


@contextmanager
def _locked(path: Path, *, wait: bool = True) -> Iterator[None]:
    """Raises BlockingIOError if another process holds the lock and this one does not wait."""
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(file)


def _add(sums: Counts, more: Counts) -> None:
    for key, value in more.items():
        sums[key] = sums.get(key, 0.0) + value


def _rows(counts: Counts) -> list[object]:
    return [[name, labels, value] for (name, labels), value in counts.items()]


def _read(path: Path) -> Counts:
    """Return what a process has told; nothing if it has told nothing, or nothing that can be read."""
    try:
        rows = json.loads(path.read_bytes())
        return {(name, tuple((label, text) for label, text in labels)): float(value) for name, labels, value in rows}
    except (OSError, ValueError, TypeError):
        return {}


def _write(path: Path, told: object) -> None:
    draft = path.with_suffix(".draft")
    draft.write_text(json.dumps(told))
    draft.rename(path)
