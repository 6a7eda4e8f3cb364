"""What each process does: preparation, then the pages (WSGI), the live stream (ASGI) and, without Redis, the worker."""

import os
import resource
import signal
import threading
from wsgiref.types import WSGIApplication

from django.conf import settings

# ruff: noqa: PLC0415 - each process loads only what its own part needs

STOP_SECONDS = 10
"""How long a part may take to stop; then it is killed."""


def prepare_data() -> None:
    from config.prepare import prepare

    prepare()


def serve_pages() -> None:
    from granian import Granian
    from granian.constants import Interfaces
    from granian.http import HTTP1Settings

    # Loaded before the processes that serve are copies of this one, so that they share the memory.
    import config.wsgi  # noqa: F401

    Granian(
        "config.wsgi:application",
        address=settings.HOST,
        port=settings.PORT,
        interface=Interfaces.WSGI,
        workers=settings.PAGE_PROCESSES,
        # Connections that stay open gather at one of the processes; a new one goes to whichever is free.
        http1_settings=HTTP1Settings(keep_alive=False),
        blocking_threads=4,
        websockets=False,
        log_level="warning",  # type: ignore[arg-type]
        workers_kill_timeout=STOP_SECONDS - 2,
    ).serve(target_loader=load_pages)


def load_pages(_target: str) -> WSGIApplication:
    """Return the application that serves the pages. Until it is ready, a signal ends the process at once."""
    # Granian makes this process a copy of its own, whose answer to the signal would be to wait for itself.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    from config.wsgi import application

    return application


def serve_stream() -> None:
    from granian import Granian
    from granian.constants import Interfaces

    import config.asgi  # noqa: F401 - shared with the process that serves

    Granian(
        "config.asgi:application",
        address=settings.HOST,
        port=settings.LIVE_PORT,
        interface=Interfaces.ASGI,
        backlog=4096,
        backpressure=8192,  # a listener is a request that does not end
        websockets=False,
        log_level="error",  # type: ignore[arg-type]
        workers_kill_timeout=1,  # listeners do not leave by themselves; their pages connect again
    ).serve()


def serve_worker() -> None:
    os.environ.setdefault("CELERY_SKIP_CHECKS", "1")  # they would load every page into a process that shows none
    import django

    django.setup()
    from config.worker import work

    work()


PARTS = {"preparation": prepare_data, "page server": serve_pages, "live stream": serve_stream, "worker": serve_worker}


def run_part(name: str) -> None:
    """Run the named part in this process, until it is told to stop or the process that started it is gone."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard if hard != resource.RLIM_INFINITY else max(soft, 65536), hard))
    threading.Thread(target=_end_with_parent, daemon=True).start()
    PARTS[name]()


def _end_with_parent() -> None:
    """End with the process that started this one, which holds a pipe to standard input open and never writes to it."""
    while os.read(0, 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
