"""One Celery worker and its clock in their own process, for one machine."""

import logging
import os
import signal
from typing import Any

from celery.beat import EmbeddedService
from django.conf import settings

from config.celery import app
from config.metrics.begin import take_part
from config.warm import settle
from config.watched import READY, tell_watcher

BEHIND = 5
"""How far the worker stands behind the pages when the processor is busy: people wait for pages."""

logger = logging.getLogger(__name__)


def work() -> None:
    """Run one task at a time, from all queues in turn, until SIGTERM; the task in hand is finished first.

    What was queued when a worker was killed is found again by ``heal``, which runs at the start and then by the clock.
    """
    worker: Any = app.WorkController(
        hostname="worker@localhost",
        pool="threads",
        concurrency=1,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    )
    clock: Any = EmbeddedService(app, thread=True, scheduler_cls=settings.CELERY_BEAT_SCHEDULER)
    signal.signal(signal.SIGTERM, _stop)
    clock.start()
    for entry in settings.CELERY_BEAT_SCHEDULE.values():
        app.send_task(str(entry["task"]))
    take_part()
    settle()
    os.nice(BEHIND)
    logger.debug("worker started")
    tell_watcher(READY)
    try:
        worker.start()
    finally:
        clock.stop()
        logger.debug("worker stopped")


def _stop(_number: int, _frame: object) -> None:
    raise SystemExit(0)
