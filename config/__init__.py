"""The wiring: the only package that imports all the others."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
