"""Readers, all in one process: each keeps its connection and looks at its pages again and again."""

import asyncio
import json
import sys
import time
from collections import Counter
from random import Random
from statistics import quantiles
from urllib.parse import urlsplit

from bench._listeners import AGAIN_SECONDS, CLOSE, ETAG, Asking

REST_SECONDS = (2.0, 10.0)
"""How long a reader looks at a page before asking again."""


class Reader:
    """A phone that asks for its pages in turn, with the ETag of what it has."""

    def __init__(self, site: str, paths: list[str], random: Random) -> None:
        self.host, self.port = urlsplit(site).hostname, urlsplit(site).port
        self.paths, self.random = paths, random
        self.etags: dict[str, bytes] = {}
        self.times: list[float] = []
        self.statuses: Counter[str] = Counter()
        self.answer: asyncio.Future[bytes] | None = None
        self.transport: asyncio.WriteTransport | None = None

    async def read(self, over: asyncio.Event) -> None:
        """Look at one page after another until it is over."""
        await asyncio.sleep(self.random.uniform(0, REST_SECONDS[1]))
        while not over.is_set():
            path = self.random.choice(self.paths)
            began = time.monotonic()
            head = await self.ask(path)
            self.times.append(time.monotonic() - began)
            self.statuses[head[9:12].decode()] += 1
            if found := ETAG.search(head):
                self.etags[path] = found[1]
            if CLOSE.search(head) and self.transport:
                self.transport.close()
                self.transport = None
            await asyncio.sleep(self.random.uniform(*REST_SECONDS))

    async def ask(self, path: str) -> bytes:
        """Return the head of the answer; ask again over a new connection as long as none comes."""
        known = self.etags.get(path)
        request = f"GET {path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\nAccept-Encoding: gzip\r\n".encode()
        request += (b"If-None-Match: " + known + b"\r\n" if known else b"") + b"\r\n"
        while True:
            self.answer = asyncio.get_running_loop().create_future()
            try:
                if self.transport is None:
                    self.transport, _protocol = await asyncio.get_running_loop().create_connection(
                        lambda: Asking(self.answered, self.lost), self.host, self.port
                    )
                self.transport.write(request)
                return await self.answer
            except OSError:
                self.statuses["lost"] += 1
                self.transport = None
                await asyncio.sleep(AGAIN_SECONDS)

    def answered(self, head: bytes, _size: int) -> None:
        if self.answer and not self.answer.done():
            self.answer.set_result(head)

    def lost(self, _connection: Asking) -> None:
        self.transport = None
        if self.answer and not self.answer.done():
            self.answer.set_exception(ConnectionResetError())


async def read(sites: list[str], paths: list[str], count: int) -> None:
    """Let the readers read until standard input ends; print how long each answer took, and the statuses.

    They read for themselves until the first two answers are there: a short evening does not begin before.
    """
    over = asyncio.Event()
    readers = [Reader(sites[number % len(sites)], paths, Random(number)) for number in range(count)]
    tasks = [asyncio.create_task(reader.read(over)) for reader in readers]
    while sum(len(one.times) for one in readers) < 2 and not any(task.done() for task in tasks):
        await asyncio.sleep(AGAIN_SECONDS)
    print("ready", flush=True)
    began = time.monotonic()
    await asyncio.to_thread(sys.stdin.read)
    seconds = time.monotonic() - began
    over.set()
    for task in tasks:
        task.cancel()
    done = await asyncio.gather(*tasks, return_exceptions=True)
    times = [took for reader in readers for took in reader.times]
    cuts = quantiles(times, n=100, method="inclusive")
    print(
        json.dumps(
            {
                "rate": len(times) / seconds,
                "p50": cuts[49],
                "p99": cuts[98],
                "most": max(times),
                "statuses": sum((reader.statuses for reader in readers), Counter()),
                "errors": [repr(error) for error in done if not isinstance(error, asyncio.CancelledError) and error],
            }
        ),
        flush=True,
    )


if __name__ == "__main__":
    addresses, pages, number = sys.argv[1:]
    asyncio.run(read(addresses.split(","), pages.split(","), int(number)))
