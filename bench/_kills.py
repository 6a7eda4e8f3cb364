"""Killing the parts of a laptop's site at random, under light load, while a loop does what systemd would."""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
import uuid
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPException
from itertools import pairwise
from pathlib import Path
from random import Random

from bench._slips import open_database
from tests.desks import Desk, open_desk
from tests.processes import ROOT, Running, Site, children, end_with_us, environment, free_port, shell, wait_until

TARGETS = ("page process", "page server", "live stream", "worker", "watcher")
RUNNING = "Stop with Ctrl-C."
RESTART_SECONDS = 1.0
"""As in script/sixprime.service."""

MOST_SECONDS = 1.0
READERS, PAUSE_SECONDS = 4, 0.1
CONFIRMED = "SELECT match_id, count(*) FROM matches_scoresheet WHERE state = 'confirmed' GROUP BY match_id"


class Restarted:
    """``python -m config.serve``, started again whenever it ends."""

    def __init__(self, env: dict[str, str], log: Path) -> None:
        self.env, self.log = env, log
        self.starts = 0
        self.over = threading.Event()
        self.process = self._start()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()

    def is_running(self) -> bool:
        """Whether the last start has come to its end, so that all parts serve."""
        return self.process.poll() is None and self.log.read_text().count(RUNNING) >= self.starts

    def stop(self) -> None:
        self.over.set()
        self._thread.join()
        self.process.terminate()
        self.process.wait()

    def _start(self) -> subprocess.Popen[bytes]:
        with self.log.open("ab") as file:
            process = subprocess.Popen(
                [sys.executable, "-m", "config.serve"],
                cwd=ROOT,
                env=self.env,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=file,
                start_new_session=True,
                preexec_fn=end_with_us,
            )
        self.starts += 1
        return process

    def _watch(self) -> None:
        while not self.over.wait(0.05):
            if self.process.poll() is not None and not self.over.wait(RESTART_SECONDS):
                self.starts -= self.log.read_text().count(RUNNING) < self.starts  # it never came so far
                self.process = self._start()


@dataclass
class Seen:
    """What readers and the scorer have met, and what was killed when; times are those of ``time.monotonic``."""

    answered: list[float] = field(default_factory=list)
    cut: list[float] = field(default_factory=list)
    refused: list[float] = field(default_factory=list)
    kills: list[tuple[str, float]] = field(default_factory=list)
    absences: list[tuple[float, float]] = field(default_factory=list)
    """From each kill of the watcher until all parts served again."""
    acknowledged: list[int] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)

    def gaps(self) -> tuple[float, float]:
        """Return the longest time without an answer: while a watcher lived, and while there was none."""
        ends = sorted(self.answered)
        with_watcher = without = 0.0
        for began, ended in pairwise(ends):
            if any(began < back and gone < ended for gone, back in self.absences):
                without = max(without, ended - began)
            else:
                with_watcher = max(with_watcher, ended - began)
        return with_watcher, without


@contextmanager
def restarted_site() -> Iterator[tuple[Site, Restarted]]:
    with tempfile.TemporaryDirectory(prefix="sixprime-bench-") as folder:
        port, live_port = free_port(), free_port()
        given = {"VAR_DIR": f"{folder}/var", "HOST": "127.0.0.1", "PORT": port, "LIVE_PORT": live_port}
        env = environment(**given, DEMO=0, PAGE_PROCESSES=2)
        program = Restarted(env, Path(folder, "log"))
        try:
            wait_until(program.is_running, why="the site runs")
            running = Running(program.process, program.log)
            with shell(env) as own:
                yield Site(f"http://127.0.0.1:{port}", f"http://127.0.0.1:{live_port}", env, running, own), program
        finally:
            program.stop()


def kills(seconds: float, count: int, *, seed: int = 1) -> bool:
    """Kill parts so often in so many seconds; print what came of it, and return whether the goals are met."""
    seen = Seen()
    with restarted_site() as (site, program):
        desk = open_desk(site, name="Kills", players=256)
        crew = [threading.Thread(target=read, args=(site.url, seen)) for _each in range(READERS)]
        crew.append(threading.Thread(target=enter, args=(site.url, desk, seconds / len(desk.matches), seen)))
        for thread in crew:
            thread.start()
        began = time.monotonic()
        random = Random(seed)
        for number in range(1, count + 1):
            time.sleep(max(0.0, began + number * seconds / (count + 1) - time.monotonic()))
            kill(random.choice(TARGETS), program, random, seen)
        time.sleep(max(0.0, began + seconds - time.monotonic()))
        wait_until(lambda: answers_soon(seen), why="the site answers again, with nobody's help")
        seen.over.set()
        for thread in crew:
            thread.join()
        sheets = dict(open_database(site)(CONFIRMED))
        audit = site.manage("audit").strip()
    return report(seen, sheets, audit)


def kill(target: str, program: Restarted, random: Random, seen: Seen) -> None:
    """Kill one process of this kind as soon as there is one."""
    pid = wait_until(lambda: find(target, program.process.pid, random), why=f"there is a {target}")
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
        seen.kills.append((target, time.monotonic()))
    if target == "watcher":
        program.process.wait()
        threading.Thread(target=note_absence, args=(program, seen)).start()


def note_absence(program: Restarted, seen: Seen) -> None:
    gone = time.monotonic()
    wait_until(lambda: program.process.poll() is None and program.is_running(), why="the watcher is back")
    seen.absences.append((gone, time.monotonic()))


def find(target: str, watcher: int, random: Random) -> int:
    """Return one of these processes, or 0 if there is none."""
    if target == "watcher":
        return watcher
    name = "page server" if target == "page process" else target
    parts = [pid for pid in children(watcher) if name in words(pid)]
    if target == "page process":
        copies = [pid for part in parts for pid in children(part)] or [pid for pid in parts if len(parts) > 1]
        return random.choice(sorted(copies)) if copies else 0
    return max(parts, default=0)


def words(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().split("\0")
    except OSError:
        return []


def read(url: str, seen: Seen) -> None:
    """Ask for the first page again and again, each time by a new connection."""
    while not seen.over.wait(PAUSE_SECONDS):
        try:
            with urllib.request.urlopen(f"{url}/", timeout=60) as answer:  # noqa: S310 - http on this host
                answer.read()
            seen.answered.append(time.monotonic())
        except (OSError, HTTPException) as error:
            is_refused = "refused" in str(error)
            (seen.refused if is_refused else seen.cut).append(time.monotonic())


def enter(url: str, desk: Desk, pause: float, seen: Seen) -> None:
    """Enter one result after another; one that was not acknowledged is sent again with its key, as a phone does."""
    for number, match in enumerate(desk.matches):
        key = uuid.UUID(int=number + 1).hex
        while not seen.over.is_set():
            with suppress(OSError, HTTPException, ValueError):
                if desk.enter(url, match, key=key, final=(5, number % 5)).status in (200, 201):
                    seen.acknowledged.append(match)
                    break
            seen.over.wait(0.2)
        if seen.over.wait(pause * 0.8):
            return


def answers_soon(seen: Seen) -> bool:
    return bool(seen.answered) and time.monotonic() - seen.answered[-1] < MOST_SECONDS


def report(seen: Seen, sheets: dict[int, int], audit: str) -> bool:
    with_watcher, without = seen.gaps()
    lost = [match for match in seen.acknowledged if match not in sheets]
    doubled = [match for match, count in sheets.items() if count > 1]
    killed = Counter(target for target, _at in seen.kills)
    print(f"{len(seen.kills)} kills: {', '.join(f'{target} {killed[target]}' for target in TARGETS)}.")
    print(
        f"{len(seen.answered)} pages; {len(seen.cut)} cut off by a kill, "
        f"{len(seen.refused)} refused, all of them without a watcher: {_are_without(seen.refused, seen)}."
    )
    print(f"Longest without an answer while the watcher lived: {with_watcher:.2f} s (goal: under {MOST_SECONDS:.0f}).")
    print(f"Longest without an answer after a kill of the watcher: {without:.2f} s.")
    print(f"Results: {len(seen.acknowledged)} acknowledged, {len(lost)} lost, {len(doubled)} doubled. Audit: {audit}")
    good = with_watcher < MOST_SECONDS and not lost and not doubled and audit == "No differences."
    return good and _are_without(seen.refused, seen)


def _are_without(moments: list[float], seen: Seen) -> bool:
    return all(any(gone - 0.1 <= at <= back for gone, back in seen.absences) for at in moments)
