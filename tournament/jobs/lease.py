"""Which worker holds a job, and until when: a column of its row.

The row decides, not the cache: of two workers that claim a job at the same moment, the database lets one through; and a
worker that was taken for lost finds out before it stores the outcome.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet

from tournament.models import Job, JobState

LOST_SECONDS = 30
"""How long a worker may be silent before another takes over its job."""


class LostError(Exception):
    """The worker was silent for too long, and the job is no longer its own."""


def claim(job: Job, *, at: datetime) -> bool:
    """Claim the job; False if another worker holds it.

    A job that has ended cannot be claimed either.
    """
    with transaction.atomic():
        # A locked row is being claimed, or is in the transaction of the worker that holds the job (see locked).
        free = Job.objects.select_for_update(skip_locked=True).filter(pk=job.pk, state__in=Job.OPEN)
        if free.exclude(is_leased(at)).values_list("pk").first() is None:
            return False
        job.state, job.leased_until = JobState.RUNNING, _until(at)
        job.save(update_fields=["state", "leased_until"])
    return True


def is_leased(at: datetime) -> Q:
    """Say which jobs a worker holds: not those until a time that no worker could have said but by another clock."""
    return Q(leased_until__gt=at, leased_until__lte=_until(at))


def extend(job: Job, *, at: datetime) -> None:
    """Extend the lease of the worker that claimed the job. Raises LostError."""
    until = _until(at)
    if not held(job).update(leased_until=until):
        raise LostError
    job.leased_until = until


@contextmanager
def locked(job: Job) -> Iterator[None]:
    """Hold the job for one transaction, however long it takes. Raises LostError.

    Nobody would see the lease extended before the transaction ends, so the row is locked instead. SQLite locks no rows,
    but has only one write transaction at a time.
    """
    with transaction.atomic():
        if held(job).select_for_update().values_list("pk").first() is None:
            raise LostError
        yield


def held(job: Job) -> QuerySet[Job]:
    """Return the row of the job if the worker that claimed it still holds it, and nothing otherwise."""
    return Job.objects.filter(pk=job.pk, leased_until=job.leased_until)


def _until(at: datetime) -> datetime:
    return at + timedelta(seconds=LOST_SECONDS)
