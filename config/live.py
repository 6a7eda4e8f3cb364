"""The live stream: the current version of each event as server-sent events, outside Django's request stack.

``GET /live/events/3`` or ``/live/events/3,4`` sends ``{"event": 3, "version": 17, "standings": 16, "hall": 4}`` at once
and then at each change; ``standings`` is the version that the stored standings include, ``hall`` that of the hall that
the event is played in. A message carries no content: the page asks again for what it shows, and the answer depends on
the visitor.
"""

import asyncio
import json
import logging
import re
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from django.conf import settings

Scope = Mapping[str, Any]
Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


class Version(NamedTuple):
    """The versions of an event, of the standings stored for it, and of its hall; they only grow."""

    version: int
    standings: int
    hall: int = 0


Versions = dict[int, Version]

MAX_EVENTS = 50
PATH = re.compile(r"/live/events/(\d{1,15}(?:,\d{1,15})*)")
HEARTBEAT = 15.0  # seconds; a page that hears nothing for longer knows that the connection is dead
RETRY = 2.0  # seconds, when the database or Redis is out of reach

logger = logging.getLogger(__name__)


class Listener:
    """An open page and what has yet to be sent to it. A slow page gets only the newest version, not every one."""

    def __init__(self) -> None:
        self.pending: Versions = {}
        self.wake = asyncio.Event()

    def tell(self, event: int, version: Version) -> None:
        self.pending[event] = version
        self.wake.set()

    async def next(self, timeout: float) -> Versions:
        """Return what is new, or nothing after ``timeout`` seconds."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self.wake.wait(), timeout)
        self.wake.clear()
        news, self.pending = self.pending, {}
        return news


class Feed:
    """Reads the versions of all followed events with one query per ``interval`` seconds and tells the listeners.

    With ``redis_url`` a published change is read at once; the query remains, less often, for messages that were lost.
    """

    def __init__(self, read: Callable[[Iterable[int]], Versions], *, interval: float, redis_url: str = "") -> None:
        self._read = read
        self._interval = interval
        self._redis_url = redis_url
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="versions")
        self._listeners: defaultdict[int, set[Listener]] = defaultdict(set)
        self._versions: Versions = {}
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        self._tasks = [asyncio.create_task(self._poll())]
        if self._redis_url:
            self._tasks.append(asyncio.create_task(self._subscribe()))

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._thread.shutdown()

    async def read(self, events: Iterable[int]) -> Versions:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._read, tuple(events))

    def follow(self, events: Versions, listener: Listener) -> None:
        for event, version in events.items():
            self._listeners[event].add(listener)
            self.offer(event, version)
            listener.tell(event, self._versions[event])

    def leave(self, events: Iterable[int], listener: Listener) -> None:
        for event in events:
            self._listeners[event].discard(listener)
            if not self._listeners[event]:
                del self._listeners[event]
                self._versions.pop(event, None)

    def followed(self) -> list[int]:
        return list(self._listeners)

    def offer(self, event: int, version: Version) -> None:
        """Tell the listeners, unless they know this version or a newer one."""
        if event in self._listeners and version > self._versions.get(event, Version(0, 0)):
            self._versions[event] = version
            for listener in self._listeners[event]:
                listener.tell(event, version)

    async def refresh(self, events: Iterable[int]) -> None:
        if events := [event for event in events if event in self._listeners]:
            for event, version in (await self.read(events)).items():
                self.offer(event, version)

    async def _poll(self) -> None:
        while True:
            try:
                await self.refresh(self.followed())
            except Exception:
                logger.exception("versions not read")
                await asyncio.sleep(RETRY)
            await asyncio.sleep(self._interval)

    async def _subscribe(self) -> None:
        from redis.asyncio import Redis  # noqa: PLC0415 - memory that a laptop does not need

        reported = False
        while True:
            try:
                async with Redis.from_url(self._redis_url) as client, client.pubsub() as messages:
                    await messages.subscribe(settings.LIVE_CHANNEL)
                    reported = False
                    await self.refresh(self.followed())
                    async for message in messages.listen():
                        if message["type"] == "message":
                            await self.refresh([int(json.loads(message["data"])["event"])])
            except Exception as error:
                if not reported:
                    logger.warning("versions come by polling only", extra={"error": repr(error)})
                reported = True
            await asyncio.sleep(RETRY)


class LiveStream:
    """The ASGI application."""

    def __init__(self, feed: Feed, *, trusted_origins: Iterable[str] = (), max_listeners: int = 5000) -> None:
        self.feed = feed
        self.trusted_origins = frozenset(trusted_origins)
        self.max_listeners = max_listeners
        self.listening = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        elif scope["type"] == "http":
            await self._respond(scope, receive, send)

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        self.feed.start()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self.feed.stop()
        await send({"type": "lifespan.shutdown.complete"})

    async def _respond(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "GET":
            return await _answer(send, 405, "Only GET is answered here.", [(b"allow", b"GET")])
        if scope["path"] == "/live/healthz":
            return await _answer(send, 200, "ok")
        match = PATH.fullmatch(scope["path"])
        events = sorted({int(part) for part in match[1].split(",")}) if match else []
        cors = self._cors(scope)
        if not events or len(events) > MAX_EVENTS:
            return await _answer(send, 404, f"Follow 1 to {MAX_EVENTS} events: /live/events/3,4", cors)
        if self.listening >= self.max_listeners:
            return await _answer(send, 503, "Too many pages are following already.", [*cors, (b"retry-after", b"30")])
        versions = await self.feed.read(events)
        if unknown := [event for event in events if event not in versions]:
            return await _answer(send, 404, f"There is no event {unknown[0]}.", cors)
        self.listening += 1
        listener = Listener()
        self.feed.follow(versions, listener)
        try:
            await _stream(listener, cors, receive, send)
        finally:
            self.feed.leave(events, listener)
            self.listening -= 1

    def _cors(self, scope: Scope) -> list[tuple[bytes, bytes]]:
        """Let our own pages listen: those on the same host at any port, and those from a trusted origin."""
        headers = dict(scope["headers"])
        origin = headers.get(b"origin", b"").decode("latin-1")
        host = headers.get(b"host", b"").decode("latin-1")
        if origin not in self.trusted_origins and (not origin or _hostname(origin) != _hostname(f"//{host}")):
            return [(b"vary", b"Origin")]
        return [(b"vary", b"Origin"), (b"access-control-allow-origin", origin.encode("latin-1"))]


async def _stream(listener: Listener, cors: list[tuple[bytes, bytes]], receive: Receive, send: Send) -> None:
    headers = [
        (b"content-type", b"text/event-stream; charset=utf-8"),
        (b"cache-control", b"no-store"),
        (b"x-accel-buffering", b"no"),
        *cors,
    ]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"retry: 2000\n\n", "more_body": True})
    gone = asyncio.create_task(_disconnected(receive))
    try:
        while not gone.done():
            news = asyncio.create_task(listener.next(HEARTBEAT))
            await asyncio.wait({gone, news}, return_when=asyncio.FIRST_COMPLETED)
            if gone.done():
                news.cancel()
                break
            text = "".join(
                f"event: version\ndata: {json.dumps({'event': event, **version._asdict()})}\n\n"
                for event, version in news.result().items()
            )
            body = (text or "event: alive\ndata:\n\n").encode()
            await send({"type": "http.response.body", "body": body, "more_body": True})
    finally:
        gone.cancel()
        with suppress(asyncio.CancelledError):
            await gone


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _answer(send: Send, status: int, text: str, headers: Iterable[tuple[bytes, bytes]] = ()) -> None:
    kind = (b"content-type", b"text/plain; charset=utf-8")
    await send({"type": "http.response.start", "status": status, "headers": [kind, *headers]})
    await send({"type": "http.response.body", "body": f"{text}\n".encode()})


def _hostname(url: str) -> str | None:
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None
