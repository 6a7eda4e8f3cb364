"""The live stream as an ASGI application, driven by its protocol; the versions come from a dict."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from threading import Semaphore
from typing import Any

import pytest
from django.db import OperationalError

from config import live
from config.live import Feed, LiveStream
from tests.processes import PATIENCE_SECONDS
from tournament.changes.topics import Versions


class Database:
    """Versions that a test changes, and a list of the reads; with ``permits``, a read waits for a permit."""

    def __init__(self, versions: dict[str, Versions]) -> None:
        self.versions = versions
        self.reads: list[tuple[str, ...]] = []
        self.permits: Semaphore | None = None
        self.stamp, self.looks = 1, 0

    def look(self) -> int:
        self.looks += 1
        return self.stamp

    async def looked(self, times: int) -> None:
        """Wait until the feed has looked so many times more."""
        seen = self.looks
        async with asyncio.timeout(PATIENCE_SECONDS):
            while self.looks < seen + times:
                await asyncio.sleep(0.001)

    def read(self, topics: Iterable[str]) -> dict[str, Versions]:
        self.reads.append(tuple(topics))
        if self.permits is not None:
            self.permits.acquire(timeout=PATIENCE_SECONDS)
        return {topic: self.versions[topic] for topic in topics if topic in self.versions}


class Visitor:
    """One request and its answer so far."""

    def __init__(self, app: LiveStream, path: str, *, method: str = "GET", **headers: str) -> None:
        self.sent: list[dict[str, Any]] = []
        self.arrived = asyncio.Event()
        self.leaving = asyncio.Event()
        raw = [(name.encode(), value.encode()) for name, value in headers.items()]
        scope = {"type": "http", "method": method, "path": path, "headers": raw}
        self.task = asyncio.create_task(app(scope, self._receive, self._send))

    async def _receive(self) -> dict[str, Any]:
        await self.leaving.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: dict[str, Any]) -> None:
        self.sent.append(message)
        self.arrived.set()

    @property
    def text(self) -> str:
        return b"".join(message.get("body", b"") for message in self.sent).decode()

    @property
    def news(self) -> list[dict[str, str]]:
        lines = [line.removeprefix("data: ") for line in self.text.splitlines() if line.startswith("data: ")]
        return [json.loads(line) for line in lines]

    @property
    def headers(self) -> dict[bytes, bytes]:
        return dict(self.sent[0]["headers"])

    async def until(self, condition: Callable[["Visitor"], bool]) -> None:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not condition(self):
                self.arrived.clear()
                await self.arrived.wait()

    async def leave(self) -> None:
        self.leaving.set()
        await self.task


def carry_out(run: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run it in a thread of its own: Playwright leaves an event loop in the main one."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(run())).result()


def served(
    versions: dict[str, Versions],
    story: Callable[[LiveStream, Database], Awaitable[None]],
    *,
    looks: bool = False,
    settle: float = 0.0,
    **options: Any,
) -> None:
    """Run ``story`` against an application whose database has ``versions``."""

    async def run() -> None:
        database = Database(versions)
        look = database.look if looks else lambda: None
        app = LiveStream(Feed(database.read, look=look, settle=settle, interval=0.01), **options)
        app.feed.start()
        try:
            await story(app, database)
        finally:
            await app.feed.stop()

    carry_out(run)


def test_listener_gets_the_present_version_at_once() -> None:
    async def story(app: LiveStream, database: Database) -> None:
        visitor = Visitor(app, "/live/events/3")
        await visitor.until(lambda v: len(v.news) == 1)
        await visitor.leave()
        assert visitor.sent[0]["status"] == 200
        assert visitor.headers[b"content-type"] == b"text/event-stream; charset=utf-8"
        assert visitor.news == [{"topic": "3", "versions": "17.16.4"}]

    served({"3": (17, 16, 4)}, story)


def test_listener_gets_each_change_once() -> None:
    async def story(app: LiveStream, database: Database) -> None:
        visitor = Visitor(app, "/live/events/3")
        await visitor.until(lambda v: len(v.news) == 1)
        database.versions["3"] = (2, 1)
        await visitor.until(lambda v: len(v.news) == 2)
        database.versions["3"] = (2, 2)
        await visitor.until(lambda v: len(v.news) == 3)
        seen = len(database.reads)
        while len(database.reads) < seen + 3:
            await asyncio.sleep(0)
        await visitor.leave()
        assert [n["versions"] for n in visitor.news] == ["1.1", "2.1", "2.2"]

    served({"3": (1, 1)}, story)


def test_listener_can_follow_several_events_and_hears_of_no_other() -> None:
    async def story(app: LiveStream, database: Database) -> None:
        visitor = Visitor(app, "/live/events/4,3")
        await visitor.until(lambda v: len(v.news) == 2)
        database.versions["5"] = (9, 9)
        database.versions["4"] = (2, 0)
        await visitor.until(lambda v: len(v.news) == 3)
        await visitor.leave()
        assert [n["topic"] for n in visitor.news] == ["3", "4", "4"]

    served({"3": (1, 0), "4": (1, 0), "5": (1, 0)}, story)


def test_many_listeners_cost_one_query() -> None:
    async def story(app: LiveStream, database: Database) -> None:
        visitors = [Visitor(app, "/live/events/3") for _ in range(200)]
        for visitor in visitors:
            await visitor.until(lambda v: len(v.news) == 1)
        database.permits = Semaphore(0)
        database.reads.clear()
        database.versions["3"] = (2, 0)
        database.permits.release()
        for visitor in visitors:
            await visitor.until(lambda v: len(v.news) == 2)
        permits, database.permits = database.permits, None
        permits.release()
        assert set(database.reads) == {("3",)}
        for visitor in visitors:
            await visitor.leave()

    served({"3": (1, 0)}, story)


def test_versions_are_read_only_when_something_was_written_or_a_topic_is_new() -> None:
    async def story(app: LiveStream, database: Database) -> None:
        visitor = Visitor(app, "/live/events/3")
        await visitor.until(lambda v: len(v.news) == 1)
        await database.looked(3)
        seen = len(database.reads)
        database.versions["3"] = (2, 0)
        await database.looked(3)
        assert len(database.reads) == seen
        database.stamp += 1
        await visitor.until(lambda v: len(v.news) == 2)
        await database.looked(3)
        seen = len(database.reads)
        database.versions["3"] = (3, 0)
        other = Visitor(app, "/live/events/4")
        await visitor.until(lambda v: len(v.news) == 3)
        await database.looked(3)
        assert database.reads[seen:] == [("4",), ("3", "4")]
        await visitor.leave()
        await other.leave()

    served({"3": (1, 0), "4": (1, 0)}, story, looks=True)


def test_changes_that_follow_one_another_closely_are_one_piece_of_news() -> None:
    async def story(app: LiveStream, database: Database) -> None:
        visitor = Visitor(app, "/live/events/3")
        await visitor.until(lambda v: len(v.news) == 1)
        await database.looked(3)
        database.versions["3"], database.stamp = (2, 1), 2
        await database.looked(1)
        database.versions["3"], database.stamp = (2, 2), 3
        await visitor.until(lambda v: len(v.news) == 2)
        await database.looked(3)
        await visitor.leave()
        assert [n["versions"] for n in visitor.news] == ["1.1", "2.2"]

    served({"3": (1, 1)}, story, looks=True, settle=0.5)


def test_listener_that_leaves_is_forgotten() -> None:
    async def story(app: LiveStream, database: Database) -> None:
        first, second = Visitor(app, "/live/events/3"), Visitor(app, "/live/events/3,4")
        await first.until(lambda v: len(v.news) == 1)
        await second.until(lambda v: len(v.news) == 2)
        await second.leave()
        assert app.feed.followed() == ["3"]
        await first.leave()
        assert app.feed.followed() == []
        assert app.listening == 0

    served({"3": (1, 0), "4": (1, 0)}, story)


def test_what_is_deleted_is_followed_no_longer() -> None:
    """The stream of a page ends with the last of its topics: the page asks again, and says what is there no more."""

    async def story(app: LiveStream, database: Database) -> None:
        both, one = Visitor(app, "/live/events/3,4"), Visitor(app, "/live/events/4")
        await both.until(lambda v: len(v.news) == 2)
        await one.until(lambda v: len(v.news) == 1)
        del database.versions["4"]
        await one.task
        assert one.text.endswith('event: gone\ndata: {"topic": "4"}\n\n')
        assert one.sent[-1]["more_body"] is False
        database.versions["3"] = (2, 0)
        await both.until(lambda v: len(v.news) == 4)
        assert both.news[2:] == [{"topic": "4"}, {"topic": "3", "versions": "2.0"}]
        assert app.feed.followed() == ["3"]
        again = Visitor(app, "/live/events/3,4")
        await again.until(lambda v: len(v.news) == 1)
        del database.versions["3"]
        await both.task
        await again.task
        assert (app.feed.followed(), app.listening) == ([], 0)

    served({"3": (1, 0), "4": (1, 0)}, story)


def test_silence_is_broken_by_a_heartbeat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "HEARTBEAT", 0.01)

    async def story(app: LiveStream, database: Database) -> None:
        visitor = Visitor(app, "/live/events/3")
        await visitor.until(lambda v: v.text.count("event: alive\ndata:\n\n") >= 2)
        await visitor.leave()
        assert len(visitor.news) == 1

    served({"3": (1, 0)}, story)


def test_a_database_that_fails_for_a_while_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "RETRY", 0.01)

    async def story(app: LiveStream, database: Database) -> None:
        visitor = Visitor(app, "/live/events/3")
        await visitor.until(lambda v: len(v.news) == 1)
        versions, database.versions = database.versions, None
        seen = len(database.reads)
        while len(database.reads) < seen + 3:
            await asyncio.sleep(0)
        database.versions = versions | {"3": (2, 0)}
        await visitor.until(lambda v: len(v.news) == 2)
        await visitor.leave()

    served({"3": (1, 0)}, story)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/live/events/99", 404),
        ("GET", "/live/events/98,99", 404),
        ("GET", "/live/events/", 404),
        ("GET", "/live/events/x", 404),
        ("GET", "/live/events/3,", 404),
        ("GET", "/live/events/-3", 404),
        ("GET", "/live/events/" + "9" * 30, 404),
        ("GET", "/live/events/" + ",".join(str(n) for n in range(1, 60)), 404),
        ("GET", "/", 404),
        ("POST", "/live/events/3", 405),
        ("GET", "/live/healthz", 200),
    ],
)
def test_other_requests_are_answered_and_ended(method: str, path: str, status: int) -> None:
    async def story(app: LiveStream, database: Database) -> None:
        visitor = Visitor(app, path, method=method)
        await visitor.task
        assert visitor.sent[0]["status"] == status
        assert app.listening == 0

    served(
        {str(event): (1, 0) for event in range(1, 60)} if "," in path and "99" not in path else {"3": (1, 0)},
        story,
    )


def test_a_listener_is_asked_to_come_back_while_the_database_is_away() -> None:
    def away(topics: Iterable[str]) -> dict[str, Versions]:
        raise OperationalError("connection refused")

    async def run() -> None:
        feed = Feed(away, interval=0.001)
        visitor = Visitor(LiveStream(feed), "/live/events/1")
        await visitor.task
        start = visitor.sent[0]
        assert (start["status"], dict(start["headers"])[b"retry-after"]) == (503, b"10")
        await feed.stop()

    carry_out(run)


def test_too_many_listeners_are_asked_to_come_back() -> None:
    async def story(app: LiveStream, database: Database) -> None:
        first = Visitor(app, "/live/events/3")
        await first.until(lambda v: len(v.news) == 1)
        second = Visitor(app, "/live/events/3")
        await second.task
        assert second.sent[0]["status"] == 503
        assert second.headers[b"retry-after"] == b"30"
        await first.leave()
        third = Visitor(app, "/live/events/3")
        await third.until(lambda v: len(v.news) == 1)
        await third.leave()

    served({"3": (1, 0)}, story, max_listeners=1)


@pytest.mark.parametrize(
    ("origin", "allowed"),
    [
        ("http://192.168.1.20:8000", True),
        ("https://play.example.org", True),
        ("http://elsewhere.example:8000", False),
        ("null", False),
        ("http://[", False),
    ],
)
def test_only_our_own_pages_may_listen(origin: str, allowed: bool) -> None:
    async def story(app: LiveStream, database: Database) -> None:
        visitor = Visitor(app, "/live/events/3", origin=origin, host="192.168.1.20:8001")
        await visitor.until(lambda v: len(v.news) == 1)
        await visitor.leave()
        expected = origin.encode() if allowed else None
        assert visitor.headers.get(b"access-control-allow-origin") == expected
        assert visitor.headers[b"vary"] == b"Origin"

    served({"3": (1, 0)}, story, trusted_origins=["https://play.example.org"])
