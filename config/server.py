"""Granian in the process that calls it, with no other process that only watches it."""

import atexit
import os
import sys
from typing import Any, NoReturn

from django.conf import settings
from granian._granian import SocketHolder
from granian.constants import SSLProtocols
from granian.server.mt import MTServer

from config.listening import stop_listening
from config.ports import BACKLOG, handed_port
from config.watched import READY, tell_watcher


class InProcess(MTServer):
    """Granian's server whose workers are threads, with one worker, whose Python code runs as anywhere else.

    Granian itself starts it only where Python has no global lock. Elsewhere it makes a copy of the process for each
    worker and waits for the copies, which is a process more that holds tens of megabytes for nothing.
    """

    def _check_gil(self) -> None:
        """Accept the lock: one worker has it to itself."""

    def _init_shared_socket(self) -> None:
        """Take connections from the open port that the watcher handed down."""
        self._shd: Any = SocketHolder(handed_port(), False, BACKLOG)  # type: ignore[call-arg] # its types are not known
        self._sfd: Any = handed_port()

    def _spawn_workers(self, *args: Any) -> None:
        super()._spawn_workers(*args)
        tell_watcher(READY)

    def _stop_workers(self) -> None:
        """Let the worker finish what it does; what takes longer than the timeout ends with the process.

        A connection that it took a moment ago, and of which the request is still to come, would be cut otherwise.
        """
        stop_listening(handed_port())
        for worker in self.wrks:
            worker.terminate()
            worker.join(self.workers_kill_timeout)
        if any(worker.inner.is_alive() for worker in self.wrks):
            os._exit(0)


def serve(application: Any, **terms: Any) -> NoReturn:
    """Serve the application in this process until a signal comes, in the main thread; then the process ends.

    ``terms`` are Granian's. Its threads may still be about to call Python, which aborts a process that is taking its
    interpreter apart, so that is left out.
    """
    if settings.TLS:
        terms["ssl_cert"], terms["ssl_key"] = settings.TLS
        terms["ssl_protocol_min"] = SSLProtocols.tls12  # phones from before 2019
    server = InProcess("", workers=1, websockets=False, log_level="error", **terms)  # type: ignore[arg-type]
    server.serve(target_loader=lambda _name: application)
    atexit._run_exitfuncs()
    sys.stdout.flush()
    os._exit(0)
