"""Outages under load: what of a site is taken away for a time, and what its readers and scorers are told meanwhile."""

import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPException
from itertools import pairwise
from pathlib import Path
from random import Random

import psycopg
import redis

from bench._shapes import Shape
from bench._slips import open_database
from tests.desks import Desk, open_desk
from tests.processes import ROOT, children, wait_until

READERS, SCORERS = 4, 16
PAUSE_SECONDS = 0.1
PLAYERS = 128
FAKETIME = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"
"""Debian's package libfaketime, which gives a program another clock."""

CONFIRMED = "SELECT match_id, count(*) FROM matches_scoresheet WHERE state = 'confirmed' GROUP BY match_id"


@dataclass
class Told:
    """What readers and scorers were told, and when a page was read; times are those of ``time.monotonic``."""

    read: list[float] = field(default_factory=list)
    statuses: Counter[str] = field(default_factory=Counter)
    acknowledged: list[int] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)

    @property
    def longest(self) -> float:
        """The longest time in which nobody could read a page."""
        return max((after - before for before, after in pairwise(sorted(self.read))), default=float("inf"))


@contextmanager
def held_lock(shape: Shape) -> Iterator[None]:
    """Hold what every writer of an event needs, as a program that hangs in the middle of a write would."""
    if url := shape.site.env.get("DATABASE_URL"):
        with psycopg.connect(url) as connection:
            connection.execute("LOCK TABLE tournament_event IN ROW EXCLUSIVE MODE")
            connection.execute("SELECT 1 FROM tournament_event FOR UPDATE")
            yield
        return
    with sqlite3.connect(database_of(shape), isolation_level=None) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.execute("ROLLBACK")
    connection.close()


@contextmanager
def full_disk(shape: Shape) -> Iterator[None]:
    """Fill the disk that the data folder is on, which the benchmark has made small, to the last byte."""
    filling = database_of(shape).with_name("filling")
    with suppress(OSError), filling.open("wb", buffering=0) as file:
        while file.write(bytes(1 << 16)):
            pass
    try:
        yield
    finally:
        filling.unlink()


@contextmanager
def no_cache_folder(shape: Shape) -> Iterator[None]:
    """Take the folders of cache and queue away; files stand where they were."""
    folders = [database_of(shape).with_name(name) for name in ("cache", "queue")]
    for folder in folders:
        folder.rename(folder.with_suffix(".away"))
        folder.write_text("")
    try:
        yield
    finally:
        for folder in folders:
            folder.unlink()
            folder.with_suffix(".away").rename(folder)


@contextmanager
def clock_ahead(shape: Shape) -> Iterator[None]:
    """Run a second worker whose clock is a year ahead, and after it one two days behind: they take tasks too."""
    with _worker_at(shape, "+365d"):
        yield
    with _worker_at(shape, "-2d"):
        time.sleep(3)


@contextmanager
def _worker_at(shape: Shape, clock: str) -> Iterator[None]:
    env = shape.site.env | {"LD_PRELOAD": FAKETIME, "FAKETIME": clock}
    worker = subprocess.Popen(
        [sys.executable, "-m", "config.serve", "worker"], cwd=ROOT, env=env, stdin=subprocess.PIPE
    )
    try:
        yield
    finally:
        worker.communicate()


@contextmanager
def redis_flushed(shape: Shape) -> Iterator[None]:
    """Empty Redis again and again: caches, messages of tasks, the live feed."""
    over = threading.Event()

    def flush() -> None:
        with redis.Redis.from_url(shape.site.env["REDIS_URL"]) as server:
            while not over.wait(0.5):
                server.flushall()

    flushing = threading.Thread(target=flush)
    flushing.start()
    try:
        yield
    finally:
        over.set()
        flushing.join()


@contextmanager
def redis_hanging(shape: Shape) -> Iterator[None]:
    """Let Redis accept connections and answer nothing."""
    if shape.redis is None:
        raise ValueError("This shape has no Redis.")
    with shape.redis.hanging():
        yield


@contextmanager
def database_cut(shape: Shape) -> Iterator[None]:
    """Cut the network between the program and its database, so that nobody is told."""
    if shape.wire is None:
        raise ValueError("This shape has no network.")
    shape.wire.cut()
    try:
        yield
    finally:
        shape.wire.join()


@contextmanager
def connections_ended(shape: Shape) -> Iterator[None]:
    """End every connection to the database twice a second, as a server that is restarted does."""
    over = threading.Event()

    def end() -> None:
        with psycopg.connect(shape.site.env["DATABASE_URL"], autocommit=True) as connection:
            while not over.wait(0.5):
                connection.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                )

    ending = threading.Thread(target=end)
    ending.start()
    try:
        yield
    finally:
        over.set()
        ending.join()


@contextmanager
def processes_killed(shape: Shape) -> Iterator[None]:
    """Kill a process of the pages, the stream or the workers twice a second. What ends starts again, as by Docker."""
    if shape.federation is None:
        raise ValueError("only servers watch over processes of their own")
    federation, over = shape.federation, threading.Event()
    random = Random(1)

    def strike() -> None:
        while not over.wait(0.5):
            federation.start_ended()
            watched = sorted(pid for part in federation.parts for pid in children(part.process.pid))
            if watched:
                with suppress(ProcessLookupError):
                    os.kill(random.choice(watched), signal.SIGKILL)

    striking = threading.Thread(target=strike)
    striking.start()
    try:
        yield
    finally:
        over.set()
        striking.join()
        federation.start_ended()


Outage = Callable[[Shape], AbstractContextManager[None]]
ON_THE_LAPTOP: dict[str, Outage] = {
    "lock held": held_lock,
    "disk full": full_disk,
    "cache and queue away": no_cache_folder,
    "a worker's clock ahead": clock_ahead,
}
WITH_SERVERS: dict[str, Outage] = {
    "lock held": held_lock,
    "Redis flushed": redis_flushed,
    "Redis hangs": redis_hanging,
    "database cut off": database_cut,
    "connections ended": connections_ended,
    "processes killed": processes_killed,
}


def database_of(shape: Shape) -> Path:
    return Path(shape.site.env["VAR_DIR"], "sixprime.sqlite3")


def suffer(shape: Shape, name: str, outage: Outage, seconds: float) -> bool:
    """Let the outage last so long under load; print a line, and return whether nothing was lost or wrong."""
    desk = open_desk(shape.site, name=name, players=PLAYERS)
    told = Told()
    crew = [threading.Thread(target=read, args=(shape.webs[n % len(shape.webs)], told)) for n in range(READERS)]
    for number in range(SCORERS):
        matches = desk.matches[number::SCORERS]
        pause = (seconds + 4) / len(matches)
        crew.append(
            threading.Thread(target=enter, args=(shape.webs[number % len(shape.webs)], desk, matches, pause, told))
        )
    for thread in crew:
        thread.start()
    time.sleep(2)
    with outage(shape):
        time.sleep(seconds)
    ended = time.monotonic()
    try:
        wait_until(lambda: len(told.acknowledged) == len(desk.matches), why="all results are acknowledged", seconds=60)
    except AssertionError:
        told.statuses["never acknowledged"] += len(desk.matches) - len(told.acknowledged)
    again = time.monotonic() - ended
    told.over.set()
    for thread in crew:
        thread.join()
    return report(shape, name, told, again)


def read(web: str, told: Told) -> None:
    """Ask for the first page again and again, each time by a new connection."""
    while not told.over.wait(PAUSE_SECONDS):
        try:
            with urllib.request.urlopen(f"{web}/", timeout=60) as answer:  # noqa: S310 - http on this host
                answer.read()
            told.read.append(time.monotonic())
        except urllib.error.HTTPError as error:
            told.statuses[f"page {error.code}"] += 1
            error.close()
        except (OSError, HTTPException):
            told.statuses["page cut off"] += 1


def enter(web: str, desk: Desk, matches: tuple[int, ...], pause: float, told: Told) -> None:
    """Enter one result after another; one that was not acknowledged is sent again with its key, as a phone does."""
    for match in matches:
        key = uuid.UUID(int=match).hex
        while not told.over.is_set():
            try:
                status = desk.enter(web, match, key=key, final=(5, match % 5)).status
            except (OSError, HTTPException, ValueError):
                told.statuses["result cut off"] += 1
            else:
                if status in (200, 201):
                    told.acknowledged.append(match)
                    break
                told.statuses[f"result {status}"] += 1
            told.over.wait(0.2)
        told.over.wait(pause)


def report(shape: Shape, name: str, told: Told, again: float) -> bool:
    """Print what was acknowledged, lost, doubled, and how long nobody could read; return whether that is as it should.

    A 503 is honest, and a 409 asks to come again; any other 5xx is not.
    """
    sheets = dict(open_database(shape.site)(CONFIRMED))
    lost = [match for match in told.acknowledged if match not in sheets]
    doubled = [match for match, count in sheets.items() if count > 1]
    wrong = {
        what: n for what, n in told.statuses.items() if what == "never acknowledged" or what[-3:] in ("500", "502")
    }
    audit = shape.site.manage("audit").strip()
    print(
        f"{name:24}{len(told.acknowledged):6}{len(lost):6}{len(doubled):9}{told.longest:11.1f}{again:9.1f}   "
        f"{dict(sorted(told.statuses.items()))}{'' if audit == 'No differences.' else f'  AUDIT: {audit[:500]}'}",
        flush=True,
    )
    return not (lost or doubled or wrong) and audit == "No differences."


HEADING = f"{'outage':24}{'acked':>6}{'lost':>6}{'doubled':>9}{'unread s':>11}{'after s':>9}   told"


def on_a_small_disk(folder: Path, megabytes: int) -> AbstractContextManager[None]:
    """Return a file system of this size at the folder, which only an administrator can make."""

    @contextmanager
    def mounted() -> Iterator[None]:
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)], check=True)
        try:
            yield
        finally:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)

    return mounted()
