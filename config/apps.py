"""The wiring as an app, so that every process that uses the models can ask for tasks."""

from django.apps import AppConfig


class Wiring(AppConfig):
    name = "config"

    def ready(self) -> None:
        """Load the Celery application, which makes itself the one that tasks are asked of."""
        import config.celery  # noqa: F401, PLC0415 - the apps must be ready
