"""Jobs are started, run by a worker, and cancelled; one that was lost is begun anew."""

from contextlib import nullcontext
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import get_language, gettext_noop, override

from players.errors import Refusal
from players.models import User
from tournament.jobs.kinds import JOBS, CancelledError, Watch, ask_to_stop, claim, progress_of, release
from tournament.models import Event, Job, JobState
from tournament.work import ask_on_commit


@transaction.atomic
def start_job(
    kind: str, *, event: Event | None = None, given: dict[str, object], data: bytes = b"", by: User, at: datetime
) -> Job:
    """A worker does the job as soon as one is free."""
    job = Job.objects.create(
        kind=kind, event=event, given=given, data=data, by=by, created_at=at, language=get_language()
    )
    ask_on_commit("run", job.pk)
    return job


def cancel_job(job: Job, *, at: datetime) -> Job:
    """The job stops as soon as it can; what it did so far is undone where it is all or nothing, and else stands."""
    Job.objects.filter(pk=job.pk, state=JobState.WAITING).update(state=JobState.CANCELLED, ended_at=at)
    job.refresh_from_db()
    if job.state == JobState.RUNNING:
        ask_to_stop(job.pk)
    return job


def run_job(job_id: int, *, at: datetime) -> None:
    """The job is done, refused or cancelled. One that ended, or that somebody is at, is left alone."""
    if not claim(job_id):
        return
    try:
        job = Job.objects.select_related("event__tournament", "by").filter(pk=job_id, state__in=Job.OPEN).first()
        if job is not None and Job.objects.filter(pk=job_id, state__in=Job.OPEN).update(state=JobState.RUNNING):
            _run(job, at)
    finally:
        release(job_id)


def _run(job: Job, at: datetime) -> None:
    kind = JOBS[job.kind]
    try:
        # What is all or nothing is done and known to be done in the same moment, so that it is never done twice.
        with override(job.language), transaction.atomic() if kind.all_or_nothing else nullcontext():
            _end(job, JobState.DONE, *kind.run(job, Watch(job.pk), at), at=at)
    except Refusal as refusal:
        _end(job, JobState.REFUSED, gettext_noop("%(reason)s"), {"reason": str(refusal)}, at=at)
    except CancelledError:
        _end(job, JobState.CANCELLED, gettext_noop("Cancelled."), {}, at=at)


def _end(job: Job, state: JobState, template: str, params: dict[str, object], *, at: datetime) -> None:
    said = {"template": template, "params": params}
    Job.objects.filter(pk=job.pk).update(state=state, said=said, ended_at=max(at, job.created_at), data=b"")


def lost_job_ids(*, at: datetime) -> list[int]:
    """Jobs that ought to be at work and that nobody is at."""
    due = Job.objects.filter(state__in=Job.OPEN, created_at__lt=at - timedelta(seconds=5))
    return [pk for pk in due.values_list("pk", flat=True) if progress_of(pk) is None]
