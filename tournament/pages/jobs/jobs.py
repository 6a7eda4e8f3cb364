"""Watching and cancelling jobs, work that takes longer than a moment; and importing match records."""

import io
import zipfile

from django.contrib.auth.decorators import login_required
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from players.errors import Forbidden, Refusal
from rules.records.formats import FORMATS, MAX_BYTES
from tournament.jobs.kinds import JOBS
from tournament.jobs.services import cancel_job, start_job
from tournament.jobs.watch import progress_of
from tournament.models import Job
from tournament.roles.permissions import require_signed_in

MAX_UPLOAD = 20_000_000
MAX_FILES = 2000


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
    if not user.is_superuser:
        raise Forbidden("not_an_officer", _("Only the operator of this site may import match records."))
    data = _packed(request.FILES.getlist("files"))
    return redirect(start_job("records", given={}, data=data, by=user, at=timezone.now()))


def _packed(uploads: list[UploadedFile]) -> bytes:
    """Pack the records into one zip file. Raises Refusal for none, too many or an unreadable zip file."""
    packed = io.BytesIO()
    room = MAX_UPLOAD
    names: set[str] = set()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as files:
        for upload in uploads:
            for name, data in _records_of(upload, room):
                room -= len(data)
                if room < 0 or len(names) == MAX_FILES:
                    raise _too_much()
                while name in names:
                    name = f"_{name}"
                names.add(name)
                files.writestr(name, data)
    if not names:
        raise Refusal("no_records", _("Choose match records: .mat or .sgf files, or a .zip of them."))
    return packed.getvalue()


def _records_of(upload: UploadedFile, room: int) -> list[tuple[str, bytes]]:
    name = str(upload.name)
    if (upload.size or 0) > room:
        raise _too_much()
    if not name.lower().endswith(".zip"):
        return [(name, upload.read(MAX_BYTES + 1))] if _is_record(name) else []
    try:
        with zipfile.ZipFile(io.BytesIO(upload.read())) as files:
            inside = [each for each in files.infolist() if _is_record(each.filename)]
            if len(inside) > MAX_FILES or sum(each.file_size for each in inside) > room:
                raise _too_much()
            return [(each.filename, _bounded(files, each)) for each in inside]
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError) as error:
        raise Refusal("zip_unreadable", _("“%(name)s” cannot be read as a zip file.") % {"name": name}) from error


def _bounded(files: zipfile.ZipFile, each: zipfile.ZipInfo) -> bytes:
    """Read no more than the size the file declares, however much it would unpack to."""
    with files.open(each) as opened:
        return opened.read(min(each.file_size, MAX_BYTES + 1))


def _is_record(name: str) -> bool:
    return name.rpartition(".")[2].lower() in FORMATS


def _too_much() -> Refusal:
    return Refusal(
        "records_too_many",
        _("At most %(files)s records and %(size)s MB can be imported at once.")
        % {"files": MAX_FILES, "size": MAX_UPLOAD // 1_000_000},
    )
