"""How far a job is, and whether it is to stop: kept in the cache, as a transaction shows nothing before its end."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import TypeVar

from django.core.cache import cache

from tournament.jobs.lease import LOST_SECONDS, extend
from tournament.models import Job

T = TypeVar("T")

TOLD_SECONDS = 0.1
"""How often a job tells how far it is."""

EXTENDED_SECONDS = LOST_SECONDS / 3
"""How often a worker extends its lease."""

CANCEL_SECONDS = 3600


class CancelledError(Exception):
    """Somebody has cancelled the job."""


class Watch:
    """Tells how far a job is while it goes through things, extends its lease, and stops it once it was cancelled."""

    def __init__(self, job: Job, *, clock: Callable[[], datetime], extends: bool) -> None:
        self.job = job
        self.clock = clock
        self.extends = extends
        self.told_at: datetime | None = None
        self.extended_at = clock()

    def __call__(self, things: Sequence[T]) -> Iterator[T]:
        """The things one by one. Raises CancelledError, and LostError if another worker took over the job."""
        for done, thing in enumerate(things):
            self._tell(done, len(things))
            yield thing

    def _tell(self, done: int, total: int) -> None:
        now = self.clock()
        if self.told_at is not None and now - self.told_at < timedelta(seconds=TOLD_SECONDS):
            return
        self.told_at = now
        if cache.get(_name(self.job.pk, "cancel")):
            raise CancelledError
        cache.set(_name(self.job.pk, "progress"), (done, total), LOST_SECONDS)
        if self.extends and now - self.extended_at >= timedelta(seconds=EXTENDED_SECONDS):
            extend(self.job, at=now)
            self.extended_at = now


def progress_of(job_id: int) -> tuple[int, int] | None:
    """How many of how many are done; None when nothing is known of it."""
    progress: tuple[int, int] | None = cache.get(_name(job_id, "progress"))
    return progress


def ask_to_stop(job_id: int) -> None:
    """Stop the job at the next thing it comes to."""
    cache.set(_name(job_id, "cancel"), True, CANCEL_SECONDS)


def forget(job_id: int) -> None:
    """Forget how far a job was that has ended."""
    cache.delete_many([_name(job_id, "progress"), _name(job_id, "cancel")])


def _name(job_id: int, what: str) -> str:
    return f"job-{job_id}-{what}"
