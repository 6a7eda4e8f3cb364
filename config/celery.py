"""The Celery application; ``celery -A config worker`` and ``celery -A config beat`` run it as processes."""

import logging.config
from typing import Any

from celery import Celery
from celery.contrib.django.task import DjangoTask
from celery.signals import setup_logging
from django.conf import settings
from kombu.exceptions import OperationalError

import config.broker  # noqa: F401 - registers the folder with Kombu
from tournament.origin import Origin, Way, coming_from

logger = logging.getLogger(__name__)


class HealedTask(DjangoTask):
    """A task whose message may be lost: an unreachable broker is logged, and what was just committed stands.

    Rows that the task writes to a tournament's log name the task as their origin.
    """

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        with coming_from(Origin(Way.TASK, agent=self.name)):
            return super().__call__(*args, **kwargs)

    def apply_async(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().apply_async(*args, **kwargs)
        except (OperationalError, OSError) as error:  # Redis is out of reach, or the disk is full
            logger.warning("task not queued", extra={"task": self.name, "error": error})
            return None


app: Celery = Celery("sixprime", task_cls=HealedTask)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
# Otherwise only the importing thread would know the application, and the threads of requests could queue nothing.
app.set_default()


@setup_logging.connect
def _log_as_django_does(**kwargs: Any) -> None:
    logging.config.dictConfig(settings.LOGGING)
