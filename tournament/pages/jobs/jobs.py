"""Watching and cancelling jobs, work that takes longer than a moment; and importing match records."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from players.registry.roles import require_importer
from tournament.jobs.kinds import JOBS
from tournament.jobs.packing import pack_records, unreadable
from tournament.jobs.services import cancel_job, start_job
from tournament.jobs.watch import progress_of
from tournament.models import Job
from tournament.roles.permissions import require_signed_in


def find_job(request: HttpRequest, job_id: int) -> Job:
    """Find the job for the user, who must have started it. Raises Http404."""
    job = Job.objects.select_related("event__tournament").filter(pk=job_id, by=request.user.pk).first()
    if job is None:
        raise Http404
    return job


@require_safe
@login_required
def job(request: HttpRequest, job_id: int) -> HttpResponse:
    """Show the job's progress; a page that asks again gets only that."""
    found = find_job(request, job_id)
    kind = JOBS[found.kind]
    context = {"job": found, "name": kind.name, "page": kind.page(found), "progress": progress_of(found.pk)}
    context["broken"] = [unreadable(name) for name in found.given.get("broken", [])]
    context["known"] = found.outcome.get("params", {}).get("known_files", [])
    alone = "HX-Request" in request.headers
    return render(request, "tournament/jobs/_job.html" if alone else "tournament/jobs/job.html", context)


@require_POST
@login_required
def cancel(request: HttpRequest, job_id: int) -> HttpResponse:
    found = cancel_job(find_job(request, job_id), at=timezone.now())
    return redirect(found)


@require_POST
@login_required
def import_records(request: HttpRequest) -> HttpResponse:
    """Have a worker import match records, supplied singly or in a zip file."""
    user = require_signed_in(request.user)
    require_importer(user)
    pack = pack_records((str(upload.name), upload) for upload in request.FILES.getlist("files"))
    given: dict[str, object] = {"broken": pack.broken}
    return redirect(start_job("records", given=given, data=pack.data, by=user, at=timezone.now()))
