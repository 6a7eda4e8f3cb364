"""``python -m config.replica``: the pages as one of several servers behind a proxy, each of which may be replaced.

A server that is told to stop first says at ``/healthz`` that it leaves, and serves on. The proxy asks there every
second, and sends no more to it; only then does it close its port and finish what it has in hand. Without the wait, a
connection that has been made but not yet taken would be lost with the port.
"""

import argparse
import os
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

from granian.constants import HTTPModes, Interfaces
from granian.server.mp import MPServer

from config.leaving import MARK
from config.parts import LISTENERS

LEAVING_SECONDS = 3.0
"""Longer than a proxy takes to ask twice (``health_interval`` in the Caddyfile)."""
STOP_SECONDS = 20
"""How long requests in hand may take; less than the ``stop_grace_period`` of docker-compose.yml, with what is above."""


class Replica(MPServer):
    """Granian's server, which leaves before it stops."""

    def signal_handler_interrupt(self, *args: Any, **more: Any) -> None:
        Path(os.environ[MARK]).touch()
        threading.Timer(LEAVING_SECONDS, super().signal_handler_interrupt).start()


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m config.replica")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="sixprime-") as folder:
        os.environ[MARK] = str(Path(folder) / "leaving")
        Replica(
            "config.wsgi:serving",
            factory=True,
            address=given.host,
            port=given.port,
            interface=Interfaces.WSGI,
            http=HTTPModes.http1,  # as the laptop does (config/parts.py)
            workers=given.workers,
            blocking_threads=LISTENERS,
            backlog=4096,
            backpressure=8192,
            respawn_failed_workers=True,
            workers_kill_timeout=STOP_SECONDS,
            websockets=False,
        ).serve()


if __name__ == "__main__":
    main(sys.argv[1:])
