"""Pages that follow an event, all in one process: each holds its stream, asks for its live part and reads all of it.

Nothing here but sockets and callbacks: what this process takes of the processor, the server does not have.
"""

import asyncio
import json
import re
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import quantiles
from urllib.parse import urlsplit

LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
ETAG = re.compile(rb"\r\netag: *([^\r]+)", re.IGNORECASE)
CLOSE = re.compile(rb"\r\nconnection: *close", re.IGNORECASE)
MESSAGE = re.compile(rb'"versions": "([0-9.]+)"')
AGAIN_SECONDS = 0.05
"""After which a page asks again whose question found no connection."""


@dataclass
class Heard:
    """When the pages have heard of each version of the event and had it, and how long their questions took."""

    told: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    reached: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    asked: list[float] = field(default_factory=list)
    statuses: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    bytes: int = 0
    closed: int = 0


class Asking(asyncio.Protocol):
    """A connection for one question after another; each answer is read to its end."""

    def __init__(self, answered: Callable[[bytes, int], None], lost: Callable[["Asking"], None]) -> None:
        self.answered, self.lost = answered, lost
        self.buffer = b""
        self.missing = 0
        self.head: bytes = b""
        self.size = 0

    def data_received(self, data: bytes) -> None:
        if not self.head:
            data = self.buffer + data
            end = data.find(b"\r\n\r\n")
            if end < 0:
                self.buffer = data
                return
            self.head, self.buffer = data[: end + 2], b""
            length = LENGTH.search(self.head)
            self.size = int(length[1]) if length and not self.head.startswith(b"HTTP/1.1 304") else 0
            self.missing = self.size + end + 4
        self.missing -= len(data)
        if self.missing <= 0:
            head, self.head = self.head, b""
            self.answered(head, self.size)

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost(self)


class Stream(asyncio.Protocol):
    """The live stream of a page."""

    def __init__(self, request: bytes, news: Callable[[bytes], None]) -> None:
        self.request, self.news = request, news
        self.rest = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        transport.write(self.request)  # type: ignore[attr-defined] # it can

    def data_received(self, data: bytes) -> None:
        *whole, self.rest = (self.rest + data).split(b"\n\n")
        for part in whole:
            if found := MESSAGE.search(part):
                self.news(found[1])


class Page:
    """An open page: its stream, its connection, and the ETag of what it shows; it asks as ``static/js/live.js`` does.

    It asks again at once if it has heard more in the meantime.
    """

    def __init__(self, site: str, path: str, event: int, heard: Heard) -> None:
        self.host, self.port = urlsplit(site).hostname, urlsplit(site).port
        self.heard = heard
        head = f"GET {path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\nAccept-Encoding: gzip\r\n"
        self.head = f"{head}HX-Request: true\r\nLive: {event}=".encode()
        self.etag = b""
        self.transport: asyncio.WriteTransport | None = None
        self.connection: Asking | None = None
        self.newest: bytes = b""
        self.asked: bytes = b""
        self.shown: bytes = b""
        self.began = 0.0
        self.tasks: set[asyncio.Task[None]] = set()

    async def follow(self, live: str, event: int) -> None:
        host, port = urlsplit(live).hostname, urlsplit(live).port
        request = f"GET /live/events/{event} HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode()
        await asyncio.get_running_loop().create_connection(lambda: Stream(request, self.news), host, port)

    def news(self, versions: bytes) -> None:
        before, after = (int((told or b"0").split(b".")[0]) for told in (self.newest, versions))
        self.newest = versions
        if after > before:
            self.heard.told[after].append(time.monotonic())
        if not self.asked:
            self.began = time.monotonic()
            self.ask()

    def ask(self) -> None:
        self.asked = self.newest
        if self.transport is None:
            task = asyncio.get_running_loop().create_task(self.connect())
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)
            return
        known = b"If-None-Match: " + self.etag + b"\r\n" if self.etag else b""
        self.transport.write(self.head + self.asked + b"\r\n" + known + b"\r\n")

    async def connect(self) -> None:
        while self.transport is None:
            try:
                self.transport, self.connection = await asyncio.get_running_loop().create_connection(
                    lambda: Asking(self.answered, self.lost), self.host, self.port
                )
            except OSError:
                await asyncio.sleep(AGAIN_SECONDS)
        self.ask()

    def lost(self, connection: Asking) -> None:
        if connection is not self.connection:
            return
        self.transport = self.connection = None
        if self.asked:
            self.ask()

    def answered(self, answer: bytes, size: int) -> None:
        now = time.monotonic()
        heard = self.heard
        heard.asked.append(now - self.began)
        heard.statuses[answer[9:12].decode()] += 1
        heard.bytes += size
        if found := ETAG.search(answer):
            self.etag = found[1]
        before, after = int((self.shown or b"0").split(b".")[0]), int(self.asked.split(b".")[0])
        for version in range(before + 1, after + 1) if before else [after]:
            heard.reached[version].append(now)
        self.shown, self.asked = self.asked, b""
        if CLOSE.search(answer) and self.transport is not None:
            heard.closed += 1
            self.transport.close()
            self.transport = self.connection = None
        if self.newest != self.shown:
            self.began = now
            self.ask()


async def listen(site: str, live: str, path: str, event: int, pages: int) -> None:
    heard = Heard()
    opened = [Page(site, path, event, heard) for _number in range(pages)]
    for number, page in enumerate(opened):
        await page.follow(live, event)
        if number % 50 == 49:
            await asyncio.sleep(0.05)
    while any(not page.shown for page in opened):
        await asyncio.sleep(0.05)
    first = max(heard.reached)
    await asyncio.sleep(1)
    heard.asked.clear()
    heard.statuses.clear()
    before = time.process_time()
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    used = time.process_time() - before
    asked = quantiles(heard.asked, n=100) if len(heard.asked) > 1 else [0.0] * 99
    print(
        json.dumps(
            {
                "told": {version: max(times) for version, times in heard.told.items() if version > first},
                "reached": {v: (len(times), max(times)) for v, times in heard.reached.items() if v > first},
                "asked": asked,
                "statuses": heard.statuses,
                "closed": heard.closed,
                "bytes": heard.bytes,
                "processor": used,
            }
        ),
        flush=True,
    )


class Client:
    """Asks for the whole page again and again, on one connection as long as it stays open."""

    def __init__(self, site: str, path: str, times: list[float], until: float) -> None:
        self.host, self.port = urlsplit(site).hostname, urlsplit(site).port
        self.head = f"GET {path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\nAccept-Encoding: gzip\r\n\r\n".encode()
        self.times, self.until = times, until
        self.transport: asyncio.WriteTransport | None = None
        self.began = 0.0
        self.gone = asyncio.Event()

    async def run(self) -> None:
        while (began := time.monotonic()) < self.until:
            self.gone.clear()
            try:
                self.transport, _protocol = await asyncio.get_running_loop().create_connection(
                    lambda: Asking(self.answered, lambda _gone: self.gone.set()), self.host, self.port
                )
            except OSError:
                await asyncio.sleep(AGAIN_SECONDS)
                continue
            self.began = began
            self.transport.write(self.head)
            await self.gone.wait()

    def answered(self, answer: bytes, _size: int) -> None:
        now = time.monotonic()
        self.times.append(now - self.began)
        assert self.transport is not None  # noqa: S101 - it has answered
        if now >= self.until or CLOSE.search(answer):
            self.transport.close()
            return
        self.began = now
        self.transport.write(self.head)


async def clients(site: str, path: str, count: int, seconds: float) -> None:
    """Ask for the whole page again and again, each on a connection of its own; print the times."""
    times: list[float] = []
    until = time.monotonic() + seconds
    await asyncio.gather(*(Client(site, path, times, until).run() for _number in range(count)))
    found = quantiles(times, n=100)
    print(json.dumps({"rate": len(times) / seconds, "p50": found[49], "p99": found[98]}))


if __name__ == "__main__":
    kind, *given = sys.argv[1:]
    if kind == "listen":
        asyncio.run(listen(given[0], given[1], given[2], int(given[3]), int(given[4])))
    else:
        asyncio.run(clients(given[0], given[1], int(given[2]), float(given[3])))
