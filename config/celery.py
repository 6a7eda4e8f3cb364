"""The Celery application; ``celery -A config worker`` and ``celery -A config beat`` run it as processes."""

import logging.config
import time
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import Any, cast

from celery import Celery
from celery.contrib.django.task import DjangoTask
from celery.signals import setup_logging, worker_init
from django.conf import settings
from django.core.cache import cache
from kombu.exceptions import OperationalError

import config.broker  # noqa: F401 - registers the folder with Kombu
from config.metrics.begin import take_part
from config.metrics.instruments import task_ended
from config.steady import Steady
from config.trace import HEADER, belonging_to, current_request_id, new_request_id
from tournament.beat import say_worker_works
from tournament.origin import Origin, Way, coming_from

logger = logging.getLogger(__name__)
access = logging.getLogger("config.access")


ASKED_SECONDS = 60
"""How long nobody else asks for a task that has been asked for, unless it says otherwise; then its message is lost."""


class HealedTask(DjangoTask):
    """A task whose message may be lost: an unreachable broker is logged, and what was just committed stands.

    Rows that the task writes to a tournament's log name the task as their origin, and the lines that it logs belong to
    the request that asked for it. A task that is ``once`` waits no more than once for the same arguments: a request for
    it while it waits is served by that run, and a request once it has begun by another. ``asked_seconds`` is how long
    nobody else asks for it.
    """

    once = False
    asked_seconds = ASKED_SECONDS

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        say_worker_works()
        if self.once:
            cache.delete(self._asked(args, kwargs))
        asked_by = (self.request.headers or {}).get(HEADER) or self.request.get(HEADER) or new_request_id()
        with belonging_to(asked_by), coming_from(Origin(Way.TASK, agent=self.name)), _noted(self.name):
            return super().__call__(*args, **kwargs)

    def apply_async(self, args: Any = None, kwargs: Any = None, **options: Any) -> Any:  # type: ignore[override]
        asked = self._asked(args or (), kwargs or {}) if self.once else ""
        if asked and not cache.add(asked, True, self.asked_seconds):
            return None
        try:
            headers = {HEADER: current_request_id()} | (options.pop("headers", None) or {})
            return super().apply_async(args, kwargs, headers=headers, **options)
        except (OperationalError, OSError) as error:  # Redis is out of reach, or the disk is full
            logger.warning("task not queued", extra={"task": self.name, "error": error})
            if asked:
                cache.delete(asked)
            return None

    def _asked(self, args: Any, kwargs: Any) -> str:
        """Return the key of the mark that the task has been asked for with these arguments."""
        return f"asked-{self.name}-{sha256(repr((tuple(args), sorted(kwargs.items()))).encode()).hexdigest()[:16]}"


@contextmanager
def _noted(name: str) -> Iterator[None]:
    """Count the task when it ends, and how; with an access log it has a line there."""
    began, outcome = time.perf_counter(), "failed"
    try:
        yield
        outcome = "done"
    finally:
        seconds = time.perf_counter() - began
        task_ended(name, outcome, seconds)
        if settings.ACCESS_LOG:
            access.info("task", extra={"task": name, "outcome": outcome, "ms": round(seconds * 1000, 1)})


app: Celery = Celery("sixprime", task_cls=HealedTask)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.conf.beat_schedule = {
    name: entry | {"schedule": Steady(cast("float", entry["schedule"]))}
    for name, entry in settings.CELERY_BEAT_SCHEDULE.items()
}
# Otherwise only the importing thread would know the application, and the threads of requests could queue nothing.
app.set_default()


@setup_logging.connect
def _log_as_django_does(**kwargs: Any) -> None:
    logging.config.dictConfig(settings.LOGGING)


@worker_init.connect
def _count(**kwargs: Any) -> None:
    take_part()
