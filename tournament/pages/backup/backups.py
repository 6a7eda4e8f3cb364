"""The backups that the program keeps: when the last one was made, one more now, and a copy to take away."""

import shlex
import sys
from pathlib import Path

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from players.errors import Forbidden
from players.models import User
from tournament.backup.folder import Kept, kept_backups
from tournament.backup.keep import ask_for_backup, is_late
from tournament.backup.keys import key_file
from tournament.models import BackupRun
from tournament.roles.permissions import require_signed_in
from tournament.sign_in.people import WHO_IS_ONE


def require_operator(request: HttpRequest) -> User:
    """Return the user, who must be an administrator of this site. Raises Forbidden."""
    user = require_signed_in(request.user)
    if not user.is_superuser:
        only = _("Only an administrator of this site may see and make backups.")
        raise Forbidden("not_an_officer", f"{only} {WHO_IS_ONE}")
    return user


@require_safe
@login_required
def backups(request: HttpRequest) -> HttpResponse:
    """Show the backups; a page that waits for one asks again for their list alone."""
    require_operator(request)
    kept, at = kept_backups(), timezone.now()
    newest = next((backup for backup in kept if backup.made_at <= at), None)
    ended = BackupRun.objects.exclude(ended_at=None).first()
    context = {
        "kept": kept,
        "newest": newest,
        "restore": restore_command(newest),
        "late": is_late(kept, at=at),
        "running": BackupRun.objects.filter(ended_at=None).order_by("pk").first(),
        "failed": ended if ended and ended.reason else None,
        "folder": settings.BACKUP_DIR,
        "hours": settings.BACKUP_HOURS,
        "key_file": key_file(),
    }
    alone = "HX-Request" in request.headers
    return render(request, "tournament/backup/_backups.html" if alone else "tournament/backup/backups.html", context)


def restore_command(newest: Kept | None) -> str:
    """Return the command that restores the newest backup, as it is typed in the folder of the program."""
    home, python = Path(sys.prefix), "python"
    if home.is_relative_to(settings.BASE_DIR):
        python = str(home.relative_to(settings.BASE_DIR) / "bin" / "python")
    file = newest.path if newest else Path(settings.BACKUP_DIR, "FILE")
    words = [python, "manage.py", "restore", str(file)]
    key = key_file()
    return shlex.join(words if key is None else [*words, "--secret-key", str(key)])


@require_POST
@login_required
def back_up_now(request: HttpRequest) -> HttpResponse:
    ask_for_backup(by=require_operator(request), at=timezone.now())
    return redirect("backups")


@require_safe
@login_required
def backup_file(request: HttpRequest, name: str) -> HttpResponse | FileResponse:
    """Send a backup. Its name is compared with those in the folder, and opens nothing else."""
    require_operator(request)
    found = next((backup for backup in kept_backups() if backup.path.name == name), None)
    try:
        if found is not None:
            return FileResponse(
                found.path.open("rb"), as_attachment=True, filename=name, content_type="application/zip"
            )
    except FileNotFoundError:
        pass  # given up by the rotation just now
    raise Http404
