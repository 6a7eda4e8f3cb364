"""The Celery application; ``celery -A config worker`` and ``celery -A config beat`` run it as processes."""

import logging.config
from hashlib import sha256
from typing import Any, cast

from celery import Celery
from celery.contrib.django.task import DjangoTask
from celery.signals import setup_logging
from django.conf import settings
from django.core.cache import cache
from kombu.exceptions import OperationalError

import config.broker  # noqa: F401 - registers the folder with Kombu
from config.steady import Steady
from tournament.beat import say_worker_works
from tournament.origin import Origin, Way, coming_from

logger = logging.getLogger(__name__)


ASKED_SECONDS = 60
"""How long nobody else asks for a task that has been asked for, unless it says otherwise; then its message is lost."""


class HealedTask(DjangoTask):
    """A task whose message may be lost: an unreachable broker is logged, and what was just committed stands.

    Rows that the task writes to a tournament's log name the task as their origin. A task that is ``once`` waits no more
    than once for the same arguments: a request for it while it waits is served by that run, and a request once it has
    begun by another. ``asked_seconds`` is how long nobody else asks for it.
    """

    once = False
    asked_seconds = ASKED_SECONDS

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        say_worker_works()
        if self.once:
            cache.delete(self._asked(args, kwargs))
        with coming_from(Origin(Way.TASK, agent=self.name)):
            return super().__call__(*args, **kwargs)

    def apply_async(self, args: Any = None, kwargs: Any = None, **options: Any) -> Any:  # type: ignore[override]
        asked = self._asked(args or (), kwargs or {}) if self.once else ""
        if asked and not cache.add(asked, True, self.asked_seconds):
            return None
        try:
            return super().apply_async(args, kwargs, **options)
        except (OperationalError, OSError) as error:  # Redis is out of reach, or the disk is full
            logger.warning("task not queued", extra={"task": self.name, "error": error})
            if asked:
                cache.delete(asked)
            return None

    def _asked(self, args: Any, kwargs: Any) -> str:
        """Return the key of the mark that the task has been asked for with these arguments."""
        return f"asked-{self.name}-{sha256(repr((tuple(args), sorted(kwargs.items()))).encode()).hexdigest()[:16]}"


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
