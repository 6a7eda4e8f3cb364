"""Starting, running and cancelling jobs; a job whose worker is gone is started again."""

import logging
from collections.abc import Callable
from contextlib import nullcontext
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q
from django.utils.translation import get_language, gettext_noop, override

from players.errors import Refused
from players.models import User
from tournament.jobs.exports import due_exports
from tournament.jobs.kinds import JOBS
from tournament.jobs.lease import LostError, claim, held, is_leased, locked
from tournament.jobs.watch import CancelledError, Watch, ask_to_stop, forget
from tournament.models import Event, Job, JobState
from tournament.work import ask_on_commit

DUE_SECONDS = 5
"""How long a job may wait for a worker before its message is taken for lost."""

logger = logging.getLogger(__name__)


@transaction.atomic
def start_job(
    kind: str, *, event: Event | None = None, given: dict[str, object], data: bytes = b"", by: User, at: datetime
) -> Job:
    """Start the job; a worker runs it as soon as one is free."""
    job = Job.objects.create(
        kind=kind, event=event, given=given, data=data, by=by, created_at=at, language=get_language()
    )
    ask_on_commit("run", job.pk)
    return job


@transaction.atomic
def start_due_exports(*, at: datetime) -> None:
    """Start a job for each export that is due by the calendar."""
    for by, given in due_exports(at=at):
        start_job("export", given=given, by=by, at=at)


def cancel_job(job: Job, *, at: datetime) -> Job:
    """Cancel the job: at once if it is waiting, or as soon as its worker notices if it is running.

    Its work so far is undone if it is all or nothing, and stands otherwise.
    """
    # A running job hears of it first: on SQLite, its transaction may be the one that the next line waits for.
    ask_to_stop(job.pk)
    Job.objects.filter(pk=job.pk, state=JobState.WAITING).update(state=JobState.CANCELLED, ended_at=at)
    job.refresh_from_db()
    return job


def run_job(job_id: int, *, clock: Callable[[], datetime]) -> bool:
    """Run the job until it is done, refused or cancelled; False if another worker holds it, or it has ended."""
    job = Job.objects.select_related("event__tournament", "by").filter(pk=job_id).first()
    if job is None or not claim(job, at=clock()):
        return False
    try:
        _run(job, clock)
    except LostError:
        logger.warning("job lost to another worker", extra={"job": job_id})
        return False
    forget(job_id)
    return True


def _run(job: Job, clock: Callable[[], datetime]) -> None:
    kind = JOBS[job.kind]
    watch = Watch(job, clock=clock, extends=not kind.all_or_nothing)
    try:
        # All or nothing includes the state: what is done is known to be done, so that it is never done twice.
        with override(job.language), locked(job) if kind.all_or_nothing else nullcontext():
            _end(job, JobState.DONE, *kind.run(job, watch, clock()), at=clock())
    except Refused as refusal:
        _end(job, JobState.REFUSED, gettext_noop("%(reason)s"), {"reason": str(refusal)}, at=clock())
    except CancelledError:
        _end(job, JobState.CANCELLED, gettext_noop("Cancelled."), {}, at=clock())


def _end(job: Job, state: JobState, template: str, params: dict[str, object], *, at: datetime) -> None:
    ended = {"state": state, "ended_at": max(at, job.created_at), "leased_until": None, "data": b""}
    if not held(job).update(**ended, outcome={"template": template, "params": params}):
        raise LostError


def lost_job_ids(*, at: datetime) -> list[int]:
    """Return the jobs that should be running but that no worker holds.

    A worker in a long transaction cannot extend its lease, so its job is among them; but nobody can claim it.
    """
    long_ago = Q(created_at__lt=at - timedelta(seconds=DUE_SECONDS)) | Q(created_at__gt=at)  # by a clock that was ahead
    due = Job.objects.filter(long_ago, state__in=Job.OPEN)
    return list(due.exclude(is_leased(at)).values_list("pk", flat=True))
