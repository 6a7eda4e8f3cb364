"""The live stream: the current versions of each topic as server-sent events, outside Django's request stack.

``GET /live/events/3`` or ``/live/events/3,t5,all`` sends ``{"topic": "3", "versions": "17.16.4"}`` at once and then at
each change, and ``event: gone`` when the topic is deleted. The topics and what their versions count are in
:mod:`tournament.changes.topics`. A message carries no content: the page asks again for what it shows, and the answer
depends on the visitor.
"""

import asyncio
import json
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db import DatabaseError

from config.metrics.share import Note
from tournament.changes.topics import MAX_TOPICS, TOPIC, Versions, written

Scope = Mapping[str, Any]
Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

PATH = "/live/events/"
HEARTBEAT = 15.0  # seconds; a page that hears nothing for longer knows that the connection is dead
RETRY = 2.0  # seconds, when the database or Redis is out of reach
NOTED = 2.0  # seconds, between two times that the number of listeners is noted
ALIVE = b"event: alive\ndata:\n\n"

logger = logging.getLogger(__name__)


class Listener:
    """An open page and what has yet to be sent to it. A slow page gets only the newest versions, not every one."""

    def __init__(self) -> None:
        self.pending: dict[str, bytes] = {}
        self.topics: set[str] = set()
        self.wake = asyncio.Event()

    def tell(self, topic: str, message: bytes) -> None:
        self.pending[topic] = message
        self.wake.set()

    async def next(self, timeout: float) -> bytes:
        """Return what is new, or nothing after ``timeout`` seconds or when somebody else has set ``wake``."""
        timer = asyncio.get_running_loop().call_later(timeout, self.wake.set)
        try:
            await self.wake.wait()
        finally:
            timer.cancel()
        self.wake.clear()
        news, self.pending = self.pending, {}
        return b"".join(news.values())


def message_of(topic: str, versions: Versions) -> bytes:
    """Return the message, which is the same for every page that follows the topic."""
    return f"event: version\ndata: {json.dumps({'topic': topic, 'versions': written(versions)})}\n\n".encode()


def gone_message(topic: str) -> bytes:
    """Return what the pages are told last that follow the topic: it has been deleted."""
    return f"event: gone\ndata: {json.dumps({'topic': topic})}\n\n".encode()


class Feed:
    """Reads the versions of all followed topics with one query for each kind per ``interval`` seconds, tells listeners.

    ``look`` says in less than that whether there is anything to read: it returns something else as soon as anything was
    written, or None if it does not know. Then the versions are read ``settle`` seconds later, so that a result and the
    standings that follow it are one piece of news: each makes every page ask. With ``redis_url`` a published change is
    read at once; the query remains, less often, for messages that were lost.
    """

    def __init__(
        self,
        read: Callable[[Iterable[str]], dict[str, Versions]],
        *,
        interval: float,
        look: Callable[[], object] = lambda: None,
        settle: float = 0.0,
        redis_url: str = "",
    ) -> None:
        self._read, self._look = read, look
        self._interval, self._settle = interval, settle
        self._redis_url = redis_url
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="versions")
        self._listeners: defaultdict[str, set[Listener]] = defaultdict(set)
        self._versions: dict[str, Versions] = {}
        self._joined = 0
        """How often a topic has been followed that nobody followed before."""
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

    async def read(self, topics: Iterable[str]) -> dict[str, Versions]:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._read, tuple(topics))

    def known(self, topics: Iterable[str]) -> dict[str, Versions] | None:
        """Return the versions if others follow all these topics already, as they were at the last reading."""
        found = {topic: self._versions[topic] for topic in topics if topic in self._versions}
        return found if len(found) == len(list(topics)) else None

    def follow(self, topics: dict[str, Versions], listener: Listener) -> None:
        for topic, versions in topics.items():
            self._joined += topic not in self._listeners
            self._listeners[topic].add(listener)
            listener.topics.add(topic)
            self.offer(topic, versions)
            listener.tell(topic, message_of(topic, self._versions[topic]))

    def leave(self, topics: Iterable[str], listener: Listener) -> None:
        """Let the listener follow these no longer; a stream that follows nothing ends."""
        for topic in tuple(topics):
            listener.topics.discard(topic)
            self._listeners[topic].discard(listener)
            if not self._listeners[topic]:
                del self._listeners[topic]
                self._versions.pop(topic, None)
        listener.wake.set()

    def followed(self) -> list[str]:
        return list(self._listeners)

    def offer(self, topic: str, versions: Versions) -> None:
        """Tell the listeners, unless they know these versions or newer ones."""
        if topic in self._listeners and versions > self._versions.get(topic, ()):
            self._versions[topic] = versions
            message = message_of(topic, versions)
            for listener in self._listeners[topic]:
                listener.tell(topic, message)

    async def refresh(self, topics: Iterable[str]) -> None:
        if topics := [topic for topic in topics if topic in self._listeners]:
            found = await self.read(topics)
            for topic, versions in found.items():
                self.offer(topic, versions)
            for gone in set(topics) - found.keys():
                for listener in tuple(self._listeners.get(gone, ())):
                    listener.tell(gone, gone_message(gone))
                    self.leave([gone], listener)

    async def _poll(self) -> None:
        seen: tuple[object, int] | None = None
        while True:
            try:
                stamp = await asyncio.get_running_loop().run_in_executor(self._thread, self._look)
                now = (stamp, self._joined)
                if stamp is None or now != seen:
                    if stamp is not None and self._settle:
                        await asyncio.sleep(self._settle)
                    await self.refresh(self.followed())
                    seen = now
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
                            await self.refresh(json.loads(message["data"])["topics"])
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
        self._note: Note | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        elif scope["type"] == "http":
            await self._respond(scope, receive, send)

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        self.feed.start()
        noting = asyncio.create_task(self._note_listeners())
        await send({"type": "lifespan.startup.complete"})
        await receive()
        noting.cancel()
        await self.feed.stop()
        await send({"type": "lifespan.shutdown.complete"})

    async def _note_listeners(self) -> None:
        """Tell the processes that answer ``/metrics`` how many listen, unless the disk is full."""
        noted = -1
        while True:
            if noted != self.listening:
                with suppress(OSError):
                    self._note = self._note or Note(settings.VAR_DIR / "metrics", "listeners")
                    self._note.write(self.listening)
                    noted = self.listening
            await asyncio.sleep(NOTED)

    async def _respond(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "GET":
            return await _answer(send, 405, "Only GET is answered here.", [(b"allow", b"GET")])
        if scope["path"] == "/live/healthz":
            return await _answer(send, 200, "ok")
        topics = topics_of(scope["path"])
        cors = self._cors(scope)
        if not topics or len(topics) > MAX_TOPICS:
            return await _answer(send, 404, f"Follow 1 to {MAX_TOPICS} topics: {PATH}3,t5,all,ratings", cors)
        if self.listening >= self.max_listeners:
            return await _answer(send, 503, "Too many pages are following already.", [*cors, (b"retry-after", b"30")])
        try:
            versions = self.feed.known(topics) or await self.feed.read(topics)
        except DatabaseError:
            return await _answer(send, 503, "The database cannot be reached.", [*cors, (b"retry-after", b"10")])
        if not versions:
            return await _answer(send, 404, f"There is no {topics[0]} to follow.", cors)
        self.listening += 1
        listener = Listener()
        self.feed.follow(versions, listener)
        try:
            await _stream(listener, cors, receive, send)
        finally:
            self.feed.leave(listener.topics, listener)
            self.listening -= 1

    def _cors(self, scope: Scope) -> list[tuple[bytes, bytes]]:
        """Let our own pages listen: those on the same host at any port, and those from a trusted origin."""
        headers = dict(scope["headers"])
        origin = headers.get(b"origin", b"").decode("latin-1")
        host = headers.get(b"host", b"").decode("latin-1")
        if origin not in self.trusted_origins and (not origin or _hostname(origin) != _hostname(f"//{host}")):
            return [(b"vary", b"Origin")]
        return [(b"vary", b"Origin"), (b"access-control-allow-origin", origin.encode("latin-1"))]


def topics_of(path: str) -> list[str]:
    """Return the topics that the address names; none if it names anything else."""
    topics = path.removeprefix(PATH).split(",") if path.startswith(PATH) else []
    if not all(TOPIC.fullmatch(topic) for topic in topics):
        return []
    # 03 is the event 3.
    return sorted({str(int(topic)) if topic.isdecimal() else topic for topic in topics})


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
    gone.add_done_callback(lambda _task: listener.wake.set())
    try:
        while True:
            news = await listener.next(HEARTBEAT)
            if gone.done():
                break
            await send({"type": "http.response.body", "body": news or ALIVE, "more_body": bool(listener.topics)})
            if not listener.topics:
                break
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
