"""The backups that the program makes by itself: when one is due, one at a time, and what came of it.

What is due follows from the folder and from the rows of :class:`~tournament.models.backup.BackupRun`, so that a message
that is lost, or comes twice, changes nothing.
"""

import fcntl
import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from players.errors import Refused
from players.models import User
from tournament.backup.folder import Kept, kept_backups, name_at, superfluous
from tournament.backup.make import make_backup
from tournament.models import BackupRun
from tournament.models.witness import witnessed
from tournament.work import ask_on_commit

HOUR = 4
"""The hour of the hall's day at which backups are due: the last players have gone home."""

LATE = timedelta(days=2)
"""How old the newest backup may be before people are warned."""

AGAIN_AFTER = timedelta(hours=1)
"""How long nothing is tried after a failure, unless somebody asks."""

MOST_RUNS = 20
MOST_REASON = 300

logger = logging.getLogger(__name__)


def ask_for_backup(*, by: User, at: datetime) -> BackupRun:
    """Ask for a backup now; one request that waits is enough."""
    waiting = BackupRun.objects.filter(begun_at=None).first()
    run = waiting or BackupRun.objects.create(by=by, asked_at=at)
    ask_on_commit("back_up")
    return run


def back_up(*, clock: Callable[[], datetime]) -> bool:
    """Make the backup that is due or was asked for, and give up what the rotation does not keep.

    Whether there is a new backup. A failure is stored and logged. Nothing happens while another worker is at it.
    """
    try:
        with _alone() as alone:
            if not alone:
                return False
            run = _next_run(clock())
            return run is not None and _run(run, clock)
    except OSError as error:  # the folder cannot be made or written to
        run = _next_run(clock())
        if run is not None:
            _end(run, at=clock(), reason=_("%(file)s cannot be written: %(reason)s.") % _said(error))
        return False


def is_due(kept: list[Kept], *, at: datetime) -> bool:
    """Whether the newest backup is of an earlier turn than this moment; those dated later than now do not count."""
    if not settings.BACKUP_HOURS:
        return False
    return all(_turn(backup.made_at) < _turn(at) for backup in kept if backup.made_at <= at)


def is_late(kept: list[Kept], *, at: datetime) -> bool:
    """Whether the newest backup is so old, or missing for so long, that somebody should look.

    Not if none is to be made here.
    """
    if not settings.BACKUP_HOURS:
        return False
    newest = max((backup.made_at for backup in kept if backup.made_at <= at), default=None)
    if newest is not None:
        return at - newest > LATE
    # Without any backup, as old as the first account is.
    first = User.objects.order_by("date_joined").values_list("date_joined", flat=True).first()
    return first is not None and at - first > LATE


def _turn(at: datetime) -> int:
    """Return the number of the turn in which this moment is: a turn begins at four o'clock in the hall."""
    local = timezone.localtime(at)
    hours = local.toordinal() * 24 + local.hour - HOUR
    return hours // settings.BACKUP_HOURS


def _next_run(at: datetime) -> BackupRun | None:
    """Return the run that was asked for, or a new one if it is time; None if there is nothing to do."""
    left = BackupRun.objects.filter(ended_at=None, begun_at__isnull=False)
    left.update(ended_at=F("begun_at"), reason=_("The program was ended meanwhile."))
    asked = BackupRun.objects.filter(ended_at=None).order_by("pk").first()
    if asked is not None:
        return asked
    if not is_due(kept_backups(), at=at) or not User.objects.exists():
        return None
    if BackupRun.objects.filter(ended_at__gt=at - AGAIN_AFTER, ended_at__lte=at).exclude(reason="").exists():
        return None
    return BackupRun.objects.create(asked_at=at)


def _run(run: BackupRun, clock: Callable[[], datetime]) -> bool:
    run.begun_at = clock()
    run.save(update_fields=["begun_at"])
    path = Path(settings.BACKUP_DIR, name_at(run.begun_at))
    try:
        make_backup(path, at=run.begun_at)
        _end(run, at=clock(), path=path)
    except Refused as refusal:
        _end(run, at=clock(), reason=str(refusal))
        return False
    except Exception as error:
        _end(run, at=clock(), reason=f"{type(error).__name__}: {error}")
        raise
    for backup in superfluous(kept_backups(), at=run.begun_at, certain=witnessed(run.begun_at)):
        backup.path.unlink(missing_ok=True)
    return True


def _end(run: BackupRun, *, at: datetime, path: Path | None = None, reason: str = "") -> None:
    run.begun_at, run.ended_at, run.reason = run.begun_at or at, at, reason[:MOST_REASON]
    if path is not None:
        run.name, run.bytes = path.name, path.stat().st_size
    run.save()
    log = logger.warning if reason else logger.info
    log("backup", extra={"file": run.name, "bytes": run.bytes, "reason": run.reason})
    kept = BackupRun.objects.order_by("-pk").values_list("pk", flat=True)[:MOST_RUNS]
    BackupRun.objects.filter(pk__lt=min(kept)).delete()


@contextmanager
def _alone() -> Iterator[bool]:
    """Whether no other process on this machine makes a backup; none can begin meanwhile. Raises OSError.

    The system lets go of the lock when the process ends, however it ends.
    """
    folder = Path(settings.BACKUP_DIR)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        for left in folder.glob(".sixprime-*.draft"):
            left.unlink(missing_ok=True)
        yield True
    finally:
        os.close(lock)


def _said(error: OSError) -> dict[str, object]:
    return {"file": error.filename or settings.BACKUP_DIR, "reason": error.strerror or error}
