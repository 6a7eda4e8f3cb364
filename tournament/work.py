"""Asks a worker for a task by its name, so that no room has to import the tasks that use it."""

from functools import partial

from celery import current_app
from django.db import transaction


def ask(task: str, *args: object) -> None:
    """The named task of :mod:`tournament.tasks` is queued with these arguments. Raises KeyError for an unknown one."""
    current_app.tasks[f"tournament.tasks.{task}"].delay(*args)


def ask_on_commit(task: str, *args: object) -> None:
    """As :func:`ask`, once the transaction is committed; a queue that cannot be reached fails nothing else."""
    transaction.on_commit(partial(ask, task, *args), robust=True)
