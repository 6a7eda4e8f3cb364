"""The Celery application; ``celery -A config worker`` and ``celery -A config beat`` run it as processes."""

import logging.config
import os
from functools import partial
from typing import Any

from celery import Celery
from celery.contrib.django.task import DjangoTask
from celery.signals import setup_logging
from django.db import transaction

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


class HealedTask(DjangoTask):
    """A task whose message may be lost: a broker out of reach is logged and never fails what was just committed."""

    def delay_on_commit(self, *args: Any, **kwargs: Any) -> None:
        transaction.on_commit(partial(self.delay, *args, **kwargs), robust=True)

    def apply_async_on_commit(self, *args: Any, **kwargs: Any) -> None:
        transaction.on_commit(partial(self.apply_async, *args, **kwargs), robust=True)


app = Celery("sixprime", task_cls=HealedTask)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
# Without this only the importing thread would know the application, and a request's thread would queue nowhere.
app.set_default()


@setup_logging.connect
def _log_as_django_does(**kwargs: Any) -> None:
    from django.conf import settings

    logging.config.dictConfig(settings.LOGGING)
