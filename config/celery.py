"""The Celery application; ``celery -A config worker`` and ``celery -A config beat`` run it as processes."""

import logging.config
import os
from typing import Any

from celery import Celery
from celery.signals import setup_logging

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


app = Celery("sixprime")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
# Without this only the importing thread would know the application, and a request's thread would queue nowhere.
app.set_default()


@setup_logging.connect
def _log_as_django_does(**kwargs: Any) -> None:
    from django.conf import settings

    logging.config.dictConfig(settings.LOGGING)
