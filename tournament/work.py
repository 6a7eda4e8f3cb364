"""Ask a worker for a task by its name, so that no room has to import the tasks that call it."""

from functools import partial

from celery import current_app
from django.db import transaction


def ask(task: str, *args: object) -> None:
    """Queue the task of :mod:`tournament.tasks` that has this name. Raises KeyError if there is none."""
    current_app.tasks[f"tournament.tasks.{task}"].delay(*args)


def ask_on_commit(task: str, *args: object) -> None:
    """Queue the task once the transaction is committed; a failure to queue it affects nothing else."""
    transaction.on_commit(partial(ask, task, *args), robust=True)
