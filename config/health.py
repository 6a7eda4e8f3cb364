"""Whether this process lives, and whether the whole is ready: for proxies, containers, and the start script."""

import shutil
import tempfile
from collections.abc import Callable

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections
from django.http import HttpRequest, HttpResponse, JsonResponse

from config.sqlite.base import DatabaseWrapper
from players.outages import outage_of
from tournament.beat import is_worker_heard
from tournament.pages.health import read_troubles

LEAST_BYTES = 16 * 1024 * 1024
"""So much room the database needs for its next writes."""

OK, AWAY, FULL, SILENT, LOCKED, FAILING = "ok", "away", "full", "silent", "locked", "failing"
NONE = "none"
"""There is nothing of the kind here, and nothing is missed."""

Check = Callable[[], str]


def healthz(request: HttpRequest) -> HttpResponse:
    """Answer ``ok``: this process lives, whatever is away that it needs."""
    return HttpResponse("ok\n", content_type="text/plain", headers={"Cache-Control": "no-store"})


def readyz(request: HttpRequest) -> HttpResponse:
    """Answer with the state of each part; 503 if one of them cannot serve. Says nothing of where they are."""
    states = {name: check() for name, check in CHECKS.items()}
    ready = all(state in (OK, NONE) for state in states.values())
    answer = JsonResponse({"ready": ready, **states}, status=200 if ready else 503)
    answer["Cache-Control"] = "no-store"
    if not ready:
        answer["Retry-After"] = "10"
    return answer


def database_state() -> str:
    """Read a row, and ask SQLite whether somebody could write.

    A file that was taken away is made anew by SQLite, without tables; connections that are open still read the old one.
    """
    connection = connections[DEFAULT_DB_ALIAS]
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM django_migrations LIMIT 1")
        if isinstance(connection, DatabaseWrapper):
            return AWAY if connection.has_lost_its_file() else _LOCK.state(can_write=connection.can_write())
    except DatabaseError as error:
        connection.close_if_unusable_or_obsolete()
        refusal = outage_of(error)
        return refusal.code.removeprefix("database_") if refusal else AWAY
    return OK


class Lock:
    """The lock of the writers, as this process has seen it: one probe that fails may have met a long writer."""

    def __init__(self) -> None:
        self._failed = 0

    def state(self, *, can_write: bool) -> str:
        self._failed = 0 if can_write else self._failed + 1
        return LOCKED if self._failed >= TRIES else OK


TRIES = 2
"""After so many probes in a row that met the lock nobody can write."""

_LOCK = Lock()


def disk_state() -> str:
    """Write a few bytes where the data is."""
    try:
        if shutil.disk_usage(settings.VAR_DIR).free < LEAST_BYTES:
            return FULL
        with tempfile.TemporaryFile(dir=settings.VAR_DIR) as file:
            file.write(b"\0" * 4096)
    except OSError as error:
        refusal = outage_of(error)
        return FULL if refusal and refusal.code == "disk_full" else AWAY
    return OK


def queue_state() -> str:
    if not settings.REDIS_URL:
        return folder_state()
    from redis import Redis, RedisError  # noqa: PLC0415 - memory that a laptop does not need

    try:
        with Redis.from_url(settings.REDIS_URL, socket_connect_timeout=1, socket_timeout=1) as client:
            client.ping()
    except (RedisError, OSError):
        return AWAY
    return OK


def folder_state() -> str:
    """Write a file that no worker takes for a message."""
    try:
        with tempfile.TemporaryFile(dir=settings.QUEUE_DIR) as file:
            file.write(b"\0")
    except OSError as error:
        refusal = outage_of(error)
        return FULL if refusal and refusal.code == "disk_full" else AWAY
    return OK


def worker_state() -> str:
    """Whether a worker was heard of lately, and goes on: one that keeps ending is heard of each time it starts."""
    if "worker" in read_troubles():
        return FAILING
    if is_worker_heard():
        return OK
    return SILENT if settings.WORKER or settings.REDIS_URL else NONE


CHECKS: dict[str, Check] = {
    "database": database_state,
    "disk": disk_state,
    "queue": queue_state,
    "worker": worker_state,
}
