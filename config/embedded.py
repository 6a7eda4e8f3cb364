"""One Celery worker and its clock as threads of the web process, for a laptop without Redis."""

import logging
import threading
from multiprocessing.util import Finalize
from typing import Any

from celery.beat import EmbeddedService
from django.conf import settings

from config.celery import app

logger = logging.getLogger(__name__)


class EmbeddedWorker:
    """A worker that takes one task at a time, beside the requests of this process.

    The broker is this process's memory: what is queued when it stops is found again by ``heal``,
    which runs at the start and then by the clock.
    """

    def __init__(self) -> None:
        self.worker: Any = app.WorkController(
            hostname="embedded@localhost",
            pool="threads",
            concurrency=1,
            without_gossip=True,
            without_mingle=True,
            without_heartbeat=True,
        )
        self.beat: Any = EmbeddedService(app, thread=True, scheduler_cls=settings.CELERY_BEAT_SCHEDULER)
        self.thread = threading.Thread(target=self._run, name="celery-worker", daemon=True)

    def start(self) -> None:
        self.thread.start()
        self.beat.start()
        for entry in settings.CELERY_BEAT_SCHEDULE.values():
            app.send_task(str(entry["task"]))
        logger.debug("embedded worker started")

    def stop(self) -> None:
        """The task in hand is finished, then the threads end."""
        self.beat.stop()
        if self.thread.is_alive():
            self.worker.stop(exitcode=0)
        logger.debug("embedded worker stopped")

    def _run(self) -> None:
        try:
            self.worker.start()
        except Exception:
            logger.exception("embedded worker failed")


def start() -> EmbeddedWorker:
    embedded = EmbeddedWorker()
    embedded.start()
    # atexit is not run in a server's worker process that was forked; this is, and in any other process too.
    Finalize(None, embedded.stop, exitpriority=10)
    return embedded
