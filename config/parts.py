"""What each process does: preparation, then the pages (WSGI), the live stream (ASGI) and, without Redis, the worker."""

import os
import resource

from django.conf import settings

from config.copies import Copies
from config.watched import STOP_SECONDS, die_with_watcher, end_with_watcher

# ruff: noqa: PLC0415 - each process loads only what its own part needs

THREADS = 4
"""How many requests a process of the pages answers at once."""

LISTENERS = 64
"""How many it takes in at once: most of these wait, for what clients send or for their turn to be answered."""


def prepare_data() -> None:
    from config.prepare import prepare

    prepare()


def serve_pages() -> None:
    from granian.constants import HTTPModes, Interfaces

    from config.connections import Shares, Spreading
    from config.server import serve
    from config.wsgi import serving

    shares = Shares(settings.PAGE_PROCESSES)
    place = Copies(settings.PAGE_PROCESSES, "page server").keep()
    if place is None:
        return
    serve(
        serving(lambda answering: Spreading(answering, shares, place, threads=THREADS)),
        interface=Interfaces.WSGI,
        http=HTTPModes.http1,  # a body of HTTP/2 that its sender gives up is waited for without end
        blocking_threads=LISTENERS,
        backpressure=8192,  # counts connections, and those stay open: with fewer, new ones would wait for half a minute
        workers_kill_timeout=STOP_SECONDS - 2,
    )


def serve_stream() -> None:
    from granian.constants import Interfaces

    from config.asgi import application
    from config.server import serve

    serve(
        application,
        interface=Interfaces.ASGI,
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
    die_with_watcher()
    if name != "page server":  # it has no thread before its copies part from it, and looks there itself
        end_with_watcher()
    if name != "preparation":
        from config.sqlite.base import never_make_files

        never_make_files()
    PARTS[name]()
