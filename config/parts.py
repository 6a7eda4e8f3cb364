"""What each process does: preparation, then the pages (WSGI), the live stream (ASGI) and, without Redis, the worker."""

import os
import resource
import signal
import threading

from django.conf import settings

# ruff: noqa: PLC0415 - each process loads only what its own part needs

THREADS = 4
"""How many requests a process of the pages answers at once."""

STOP_SECONDS = 10
"""How long a part may take to stop; then it is killed."""


def prepare_data() -> None:
    from config.prepare import prepare

    prepare()


def serve_pages() -> None:
    from granian.constants import Interfaces

    from config.connections import Shares, Spreading
    from config.server import serve
    from config.wsgi import application

    shares = Shares(settings.PAGE_PROCESSES)
    place = _share_the_work(settings.PAGE_PROCESSES)
    serve(
        Spreading(application, shares, place, threads=THREADS),
        address=settings.HOST,
        port=settings.PORT,
        interface=Interfaces.WSGI,
        blocking_threads=THREADS,
        backlog=4096,
        backpressure=8192,  # counts connections, and those stay open: with fewer, new ones would wait for half a minute
        workers_kill_timeout=STOP_SECONDS - 2,
    )


def serve_stream() -> None:
    from granian.constants import Interfaces

    from config.asgi import application
    from config.server import serve

    serve(
        application,
        address=settings.HOST,
        port=settings.LIVE_PORT,
        interface=Interfaces.ASGI,
        backlog=4096,
        backpressure=8192,  # a listener is a request that does not end
        workers_kill_timeout=1,  # listeners do not leave by themselves; their pages connect again
    )


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
    threading.Thread(target=_end_with_watcher, daemon=True).start()
    PARTS[name]()


def _share_the_work(processes: int) -> int:
    """Go on in so many processes: this one and copies of it, with which it shares what is loaded. All end together.

    Returns the place of each among them.
    """
    copies = []
    for number in range(1, processes):
        pid = os.fork()
        if not pid:
            threading.Thread(target=_end_with_watcher, daemon=True).start()
            return number
        copies.append(pid)
    for pid in copies:
        threading.Thread(target=_end_with_copy, args=(pid,), daemon=True).start()
    return 0


def _end_with_watcher() -> None:
    """End with the process that started this one, which holds a pipe to standard input open and never writes to it."""
    while os.read(0, 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


def _end_with_copy(pid: int) -> None:
    os.waitpid(pid, 0)
    os.kill(os.getpid(), signal.SIGTERM)
