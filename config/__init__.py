"""The wiring; the only package that knows all apps."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
