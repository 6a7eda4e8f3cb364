"""Pages that follow an event, all in one process: each holds its stream, asks for its live part and reads all of it."""

import asyncio
import json
import re
import sys
import time
from collections import defaultdict
from dataclasses import dataclass, field
from statistics import quantiles
from urllib.parse import urlsplit

LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
ETAG = re.compile(rb"\r\netag: *([^\r]+)", re.IGNORECASE)
CLOSE = re.compile(rb"\r\nconnection: *close", re.IGNORECASE)
MESSAGE = re.compile(rb'"versions": "([0-9.]+)"')


@dataclass
class Heard:
    """When the pages have had each version of the event, and how long their questions took."""

    reached: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    asked: list[float] = field(default_factory=list)
    statuses: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    bytes: int = 0
    closed: int = 0


class Asking(asyncio.Protocol):
    """A connection on which a page asks for its live part, one question after another."""

    def __init__(self) -> None:
        self.buffer = bytearray()
        self.answer: asyncio.Future[tuple[bytes, int]] | None = None
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport  # type: ignore[assignment] # it is one

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        end = self.buffer.find(b"\r\n\r\n")
        if end < 0:
            return
        head = bytes(self.buffer[: end + 2])
        length = LENGTH.search(head)
        size = int(length[1]) if length and not head.startswith(b"HTTP/1.1 304") else 0
        if len(self.buffer) >= end + 4 + size:
            self.buffer.clear()
            if self.answer is not None and not self.answer.done():
                self.answer.set_result((head, size))

    def connection_lost(self, exc: Exception | None) -> None:
        self.transport = None
        if self.answer is not None and not self.answer.done():
            self.answer.set_exception(ConnectionResetError())


class Page:
    """An open page: its stream, its connection, and the ETag of what it shows."""

    def __init__(self, site: str, path: str, heard: Heard) -> None:
        self.host, self.port = urlsplit(site).hostname, urlsplit(site).port
        self.path, self.heard = path, heard
        self.etag = b""
        self.asking: Asking | None = None
        self.newest: bytes = b""
        self.shown: bytes = b""
        self.news = asyncio.Event()

    async def follow(self, live: str, event: int) -> None:
        host, port = urlsplit(live).hostname, urlsplit(live).port
        reader, writer = await asyncio.open_connection(host, port)
        writer.write(f"GET /live/events/{event} HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
        while line := await reader.readline():
            if found := MESSAGE.search(line):
                self.newest = found[1]
                self.news.set()

    async def show(self, event: int) -> None:
        """Ask for the live part after each piece of news, as ``static/js/live.js`` does."""
        while True:
            await self.news.wait()
            self.news.clear()
            versions = self.newest
            began = time.monotonic()
            while True:
                try:
                    await self.ask(event, versions)
                    break
                except (ConnectionError, OSError):
                    self.asking = None
            now = time.monotonic()
            self.heard.asked.append(now - began)
            before, after = int((self.shown or b"0").split(b".")[0]), int(versions.split(b".")[0])
            for version in range(before + 1, after + 1) if before else [after]:
                self.heard.reached[version].append(now)
            self.shown = versions

    async def ask(self, event: int, versions: bytes) -> None:
        if self.asking is None or self.asking.transport is None:
            _transport, self.asking = await asyncio.get_running_loop().create_connection(Asking, self.host, self.port)
        asking = self.asking
        assert asking.transport is not None  # noqa: S101 - it has just been made
        asking.answer = asyncio.get_running_loop().create_future()
        known = b"If-None-Match: " + self.etag + b"\r\n" if self.etag else b""
        head = f"GET {self.path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\nAccept-Encoding: gzip\r\n"
        head += f"HX-Request: true\r\nLive: {event}="
        asking.transport.write(head.encode() + versions + b"\r\n" + known + b"\r\n")
        answer, size = await asking.answer
        self.heard.statuses[answer[9:12].decode()] += 1
        self.heard.bytes += size
        if found := ETAG.search(answer):
            self.etag = found[1]
        if CLOSE.search(answer):
            self.heard.closed += 1
            asking.transport.close()
            self.asking = None


async def listen(site: str, live: str, path: str, event: int, pages: int) -> None:
    heard = Heard()
    opened = [Page(site, path, heard) for _number in range(pages)]
    tasks = []
    for number, page in enumerate(opened):
        tasks += [asyncio.create_task(page.follow(live, event)), asyncio.create_task(page.show(event))]
        if number % 50 == 49:
            await asyncio.sleep(0.1)
    while any(not page.shown for page in opened):
        await asyncio.sleep(0.05)
    first = max(heard.reached)
    await asyncio.sleep(1)
    heard.asked.clear()
    heard.statuses.clear()
    print("ready", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    used = time.process_time()
    reached = {version: (len(times), max(times)) for version, times in heard.reached.items() if version > first}
    asked = quantiles(heard.asked, n=100) if len(heard.asked) > 1 else [0.0] * 99
    print(
        json.dumps(
            {
                "reached": reached,
                "asked": asked,
                "statuses": heard.statuses,
                "closed": heard.closed,
                "bytes": heard.bytes,
                "processor": used,
            }
        ),
        flush=True,
    )
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def clients(site: str, path: str, count: int, seconds: float) -> None:
    """Ask for the whole page again and again, each on a connection of its own; print the times."""
    host, port = urlsplit(site).hostname, urlsplit(site).port
    times: list[float] = []
    until = time.monotonic() + seconds
    head = f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nAccept-Encoding: gzip\r\n\r\n".encode()

    async def client() -> None:
        asking = None
        while time.monotonic() < until:
            began = time.monotonic()
            try:
                if asking is None or asking.transport is None:
                    _transport, asking = await asyncio.get_running_loop().create_connection(Asking, host, port)
                asking.answer = asyncio.get_running_loop().create_future()
                asking.transport.write(head)
                answer, _size = await asking.answer
            except (ConnectionError, OSError):
                asking = None
                continue
            times.append(time.monotonic() - began)
            if CLOSE.search(answer):
                asking.transport.close()
                asking = None

    await asyncio.gather(*(client() for _number in range(count)))
    print(
        json.dumps(
            {"rate": len(times) / seconds, "p50": quantiles(times, n=100)[49], "p99": quantiles(times, n=100)[98]}
        )
    )


if __name__ == "__main__":
    kind, *given = sys.argv[1:]
    if kind == "listen":
        asyncio.run(listen(given[0], given[1], given[2], int(given[3]), int(given[4])))
    else:
        asyncio.run(clients(given[0], given[1], int(given[2]), float(given[3])))
