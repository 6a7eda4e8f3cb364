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
from tests.federation import program, service
from tests.processes import ROOT, Running, answers, children, wait_until
from tests.servers import start_postgres_again

READERS, MATCHES_OF_A_SCORER = 4, 4
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
def meanwhile(act: Callable[[], object], *, pause: float = 0.5) -> Iterator[None]:
    """Do this twice a second, in a thread of its own, and let it come to an end."""
    over = threading.Event()

    def again_and_again() -> None:
        while not over.wait(pause):
            act()

    acting = threading.Thread(target=again_and_again)
    acting.start()
    try:
        yield
    finally:
        over.set()
        acting.join()


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
    """Fill the disk on which all data is, and which the benchmark has made small, to the last byte.

    PostgreSQL finds no room for its log either, at which it ends; it is started again, as by Docker.
    """
    filling = database_of(shape).with_name("filling")
    with suppress(OSError), filling.open("wb", buffering=0) as file:
        while file.write(bytes(1 << 16)):
            pass
    url = shape.site.env.get("DATABASE_URL")
    if not url:
        try:
            yield
        finally:
            filling.unlink()
        return
    with suppress(psycopg.Error), psycopg.connect(url, autocommit=True) as connection:
        connection.execute("SELECT pg_switch_wal()")
    try:
        with meanwhile(lambda: start_postgres_again(url)):
            yield
    finally:
        filling.unlink()
        wait_until(lambda: start_postgres_again(url), why="PostgreSQL runs again")


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
    command = [sys.executable, "-m", "config.serve", "worker"]
    if shape.federation:
        command = program([*service("worker"), "--hostname", f"clock{clock}@localhost"])
    env = shape.site.env | {"LD_PRELOAD": FAKETIME, "FAKETIME": clock, "ACCESS_LOG": "1"}
    log = database_of(shape).with_name(f"clock{clock}.log")
    with log.open("wb") as file:
        worker = subprocess.Popen(command, cwd=ROOT, env=env, stdin=subprocess.PIPE, stdout=file, stderr=file)
    try:
        Running(worker, log).says("outcome=done")
        yield
    finally:
        worker.terminate()
        worker.communicate()


@contextmanager
def redis_flushed(shape: Shape) -> Iterator[None]:
    """Empty Redis again and again: caches, messages of tasks, the live feed."""
    with redis.Redis.from_url(shape.site.env["REDIS_URL"]) as server, meanwhile(server.flushall):
        yield


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
    others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
    with (
        psycopg.connect(shape.site.env["DATABASE_URL"], autocommit=True) as connection,
        meanwhile(lambda: connection.execute(others)),
    ):
        yield


@contextmanager
def processes_killed(shape: Shape) -> Iterator[None]:
    """Kill a process of the pages, the stream or the workers twice a second. What ends starts again, as by Docker."""
    federation, random = shape.federation, Random(1)

    def strike() -> None:
        if federation:
            federation.start_ended()
            watched = [pid for part in federation.parts for pid in children(part.process.pid)]
        else:
            parts = children(shape.site.running.process.pid)
            watched = [*parts, *(pid for part in parts for pid in children(part))]
        if watched:
            with suppress(ProcessLookupError):
                os.kill(random.choice(sorted(watched)), signal.SIGKILL)

    def is_whole() -> bool:
        if federation:
            federation.start_ended()
        return all(answers(f"{web}/healthz") for web in shape.webs)

    with meanwhile(strike):
        yield
    wait_until(is_whole, why="all servers of pages answer again")


Outage = Callable[[Shape], AbstractContextManager[None]]
ON_THE_LAPTOP: dict[str, Outage] = {
    "lock held": held_lock,
    "disk full": full_disk,
    "cache and queue away": no_cache_folder,
    "a worker's clock ahead": clock_ahead,
    "processes killed": processes_killed,
}
WITH_SERVERS: dict[str, Outage] = {
    "lock held": held_lock,
    "disk full": full_disk,
    "a worker's clock ahead": clock_ahead,
    "Redis flushed": redis_flushed,
    "Redis hangs": redis_hanging,
    "database cut off": database_cut,
    "connections ended": connections_ended,
    "processes killed": processes_killed,
}


def database_of(shape: Shape) -> Path:
    return Path(shape.site.env["VAR_DIR"], "sixprime.sqlite3")


def suffer(shape: Shape, name: str, outage: Outage, seconds: float, *, players: int = PLAYERS) -> bool:
    """Let the outage last so long under load; print a line, and return whether nothing was lost or wrong."""
    desk = open_desk(shape.site, name=name, players=players)
    scorers = len(desk.matches) // MATCHES_OF_A_SCORER
    told = Told()
    crew = [threading.Thread(target=read, args=(shape.webs[n % len(shape.webs)], told)) for n in range(READERS)]
    for number in range(scorers):
        matches = desk.matches[number::scorers]
        pause = (seconds + 4) / len(matches)
        crew.append(
            threading.Thread(target=enter, args=(shape.webs[number % len(shape.webs)], desk, matches, pause, told))
        )
    for thread in crew:
        thread.start()
    try:
        time.sleep(2)
        with outage(shape):
            time.sleep(seconds)
        ended = time.monotonic()
        with suppress(AssertionError):
            wait_until(
                lambda: len(told.acknowledged) == len(desk.matches), why="all results are acknowledged", seconds=60
            )
        again = time.monotonic() - ended
    finally:
        told.over.set()
        for thread in crew:
            thread.join()
    if missing := len(desk.matches) - len(told.acknowledged):
        told.statuses["never acknowledged"] = missing
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
    wrong = [
        what for what in told.statuses if what == "never acknowledged" or (what[-3:-2] == "5" and what[-3:] != "503")
    ]
    audit = audited(shape)
    print(
        f"{name:24}{len(told.acknowledged):6}{len(lost):6}{len(doubled):9}{told.longest:11.1f}{again:9.1f}   "
        f"{dict(sorted(told.statuses.items()))}{'' if audit == 'No differences.' else f'  AUDIT: {audit[:500]}'}",
        flush=True,
    )
    return not (lost or doubled or wrong) and audit == "No differences."


def audited(shape: Shape) -> str:
    """Return what the audit says once nothing is being computed any more, which may take a minute after an outage."""
    said = ""

    def is_settled() -> bool:
        nonlocal said
        try:
            said = shape.site.manage("audit").strip()
        except AssertionError as error:  # it found differences
            said = str(error)
        return "are being computed" not in said

    with suppress(AssertionError):
        wait_until(is_settled, why="nothing is being computed", seconds=90)
    return said


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
