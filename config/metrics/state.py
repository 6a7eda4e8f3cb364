"""How things stand when asked: the queue, the database, the open pages. What cannot be read is left out."""

import json
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from celery import current_app
from django.conf import settings
from django.db import close_old_connections, connection
from django.utils import timezone
from prometheus_client import Metric
from prometheus_client.core import GaugeMetricFamily

from config.metrics.share import forget, lives
from tournament.backup.folder import kept_backups

logger = logging.getLogger(__name__)


def state(folder: Path) -> Iterator[Metric]:
    """Yield a gauge for each thing that can be read."""
    for read in (queues, database, backups, listeners):
        gauge = _read(read, folder)
        if gauge is not None:
            yield gauge


def queues(_folder: Path) -> Metric:
    gauge = GaugeMetricFamily("sixprime_queue_length", "Tasks that wait for a worker", labels=["queue"])
    with current_app.connection_for_read() as broker:
        channel: Any = broker.default_channel
        for queue in settings.CELERY_TASK_QUEUES:
            gauge.add_metric([queue.name], channel._size(queue.name))
    return gauge


def database(_folder: Path) -> Metric:
    gauge = GaugeMetricFamily("sixprime_database_bytes", "Size of the database")
    close_old_connections()
    if connection.vendor == "sqlite":
        files = [Path(f"{connection.settings_dict['NAME']}{end}") for end in ("", "-wal")]
        gauge.add_metric([], sum(file.stat().st_size for file in files if file.exists()))
    else:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_database_size(current_database())")
            gauge.add_metric([], cursor.fetchone()[0])
    return gauge


def backups(_folder: Path) -> Metric:
    """Say when the last backup was made, by a clock that is not ahead; nothing if there is none."""
    gauge = GaugeMetricFamily("sixprime_backup_timestamp_seconds", "When the newest backup in the folder was made")
    now = timezone.now()
    for newest in [backup for backup in kept_backups() if backup.made_at <= now][:1]:
        gauge.add_metric([], newest.made_at.timestamp())
    return gauge


def listeners(folder: Path) -> Metric:
    """Add up what the streams say; a laptop has one."""
    gauge = GaugeMetricFamily("sixprime_live_listeners", "Pages that follow the live stream")
    total = 0
    for path in folder.glob("listeners-*.json"):
        if lives(path):
            total += int(json.loads(path.read_bytes()))
        else:
            forget(path)
    gauge.add_metric([], total)
    return gauge


def _read(read: Callable[[Path], Metric], folder: Path) -> Metric | None:
    try:
        return read(folder)
    except Exception as error:  # of a broker or a database, each of its own kind
        logger.warning("not measured", extra={"what": read.__name__, "error": repr(error)})
        return None
