"""A job's progress and any request to cancel it: in the cache, as a transaction shows nothing until it ends."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import TypeVar

from django.core.cache import cache

from tournament.beat import say_worker_works
from tournament.jobs.lease import LOST_SECONDS, extend
from tournament.models import Job

T = TypeVar("T")

REPORT_SECONDS = 0.1
"""How often a job reports its progress."""

EXTEND_SECONDS = LOST_SECONDS / 3
"""How often a worker extends its lease."""

CANCEL_SECONDS = 3600


class CancelledError(Exception):
    """Somebody has cancelled the job."""


class Watch:
    """Reports the progress of a job through a list of things, extends its lease, and stops it if it was cancelled."""

    def __init__(self, job: Job, *, clock: Callable[[], datetime], extends: bool) -> None:
        self.job = job
        self.clock = clock
        self.extends = extends
        self.reported_at: datetime | None = None
        self.extended_at = clock()

    def __call__(self, things: Sequence[T]) -> Iterator[T]:
        """Yield the things one by one. Raises CancelledError, or LostError if another worker has taken over the job."""
        for done, thing in enumerate(things):
            self._report(done, len(things))
            yield thing

    def _report(self, done: int, total: int) -> None:
        now = self.clock()
        if self.reported_at is not None and abs(now - self.reported_at) < timedelta(seconds=REPORT_SECONDS):
            return
        self.reported_at = now
        if cache.get(_name(self.job.pk, "cancel")):
            raise CancelledError
        cache.set(_name(self.job.pk, "progress"), (done, total), LOST_SECONDS)
        say_worker_works()
        if self.extends and abs(now - self.extended_at) >= timedelta(seconds=EXTEND_SECONDS):
            extend(self.job, at=now)
            self.extended_at = now


def progress_of(job_id: int) -> tuple[int, int] | None:
    """Return how many things are done, and out of how many; None if nothing is known."""
    progress: tuple[int, int] | None = cache.get(_name(job_id, "progress"))
    return progress


def ask_to_stop(job_id: int) -> None:
    """Ask the worker that runs the job to stop at the next thing."""
    cache.set(_name(job_id, "cancel"), True, CANCEL_SECONDS)


def forget(job_id: int) -> None:
    """Forget the progress of a job that has ended."""
    cache.delete_many([_name(job_id, "progress"), _name(job_id, "cancel")])


def _name(job_id: int, what: str) -> str:
    return f"job-{job_id}-{what}"
