"""What the slips of a hall say, read from the database beside the site, so that reading costs its processes nothing."""

import sqlite3
import threading
import time
from collections.abc import Callable
from pathlib import Path
from queue import Queue
from typing import Any

import psycopg

from tests.processes import Site

OPEN = """
SELECT f.match_id, m.length FROM tournament_fixture f
JOIN tournament_stage s ON s.id = f.stage_id JOIN matches_match m ON m.id = f.match_id
LEFT JOIN matches_scoresheet c ON c.match_id = m.id AND c.state = 'confirmed'
WHERE s.event_id = {event} AND c.id IS NULL ORDER BY f.id
"""
VERSIONS = """
SELECT e.version, s.standings_version FROM tournament_event e
JOIN tournament_stage s ON s.event_id = e.id WHERE e.id = {event}
"""
HAND_OUT_SECONDS = 0.01

Rows = list[tuple[Any, ...]]


def open_database(site: Site) -> Callable[[str], Rows]:
    """Return a function that reads rows from the site's database, for the thread that calls this."""
    if url := site.env.get("DATABASE_URL"):
        connection = psycopg.connect(url, autocommit=True)
        return lambda query: connection.execute(query).fetchall()
    path = Path(site.env["VAR_DIR"], "sixprime.sqlite3")
    file = sqlite3.connect(f"file:{path}?mode=ro", uri=True, isolation_level=None)
    return lambda query: file.execute(query).fetchall()


class Slips:
    """The matches that can be played, each handed out once, as soon as both players are known."""

    def __init__(self, site: Site, event: int) -> None:
        self.site, self.event = site, event
        self.waiting: Queue[tuple[int, int] | None] = Queue()
        self.given = 0
        self.done = 0
        self.over = threading.Event()
        self._lock = threading.Lock()

    def hand_out(self, scorers: int, most: int) -> None:
        """Hand out matches until the event is over or ``most`` are given; then send the scorers home."""
        read, seen = open_database(self.site), set[int]()
        while not self.over.is_set():
            done = self.done
            fresh = [row for row in read(OPEN.format(event=self.event)) if row[0] not in seen][: most - len(seen)]
            for match, length in fresh:
                seen.add(match)
                self.waiting.put((match, length))
            if not fresh and done == len(seen):
                break
            time.sleep(HAND_OUT_SECONDS)
        for _each in range(scorers):
            self.waiting.put(None)

    def finish(self) -> None:
        with self._lock:
            self.done += 1


class Watch:
    """When each version of the event was first seen, and when its standings were stored."""

    def __init__(self, site: Site, event: int, pause: float) -> None:
        self.site, self.event, self.pause = site, event, pause
        self.committed: dict[int, float] = {}
        self.stored: dict[int, float] = {}
        self.over = threading.Event()

    def look(self) -> None:
        """Look until it is over and the standings have come."""
        read = open_database(self.site)
        until = None
        while until is None or time.monotonic() < until:
            [(version, standings)] = read(VERSIONS.format(event=self.event))
            now = time.perf_counter()
            self.committed.setdefault(version, now)
            self.stored.setdefault(standings, now)
            if self.over.is_set():
                until = until or time.monotonic() + 30
                if version == standings:
                    return
            time.sleep(self.pause)

    def lags(self) -> list[float]:
        """Return the seconds from each version that was seen to the first standings that include it."""
        found = []
        for version, began in sorted(self.committed.items())[1:]:
            ends = [at for standings, at in self.stored.items() if standings >= version]
            found.append(min(ends) - began if ends else float("inf"))
        return found
