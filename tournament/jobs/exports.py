"""Exports that a worker makes and keeps: asked for by those who keep them, or due by the calendar."""

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from players.errors import Refusal
from players.models import User
from players.registry.public_names import hold_names, version_of_names
from players.webhooks.outbox import tell
from tournament.exports.keepers import keeper_of, locked, require_keeper
from tournament.exports.layout import Line, LongTable, write_long
from tournament.exports.profiles import file_name, open_table, period_before
from tournament.jobs.watch import Watch
from tournament.models import ExportProfile, Job, KeptExport

KEPT = timedelta(days=60)
"""How long a file is kept."""
MOST_BYTES = 100_000_000


def check_export(profile: ExportProfile, *, first: date, last: date, by: User) -> dict[str, object]:
    """Return what a job is given to make this file. Raises Forbidden, and Refusal for days that cannot be."""
    require_keeper(by, keeper_of(profile))
    open_table(profile, first=first, last=last)
    return given_export(profile, first, last)


def given_export(profile: ExportProfile, first: date, last: date) -> dict[str, object]:
    return {"profile": profile.pk, "first": first.isoformat(), "last": last.isoformat()}


def make_export(job: Job, watch: Watch, at: datetime) -> tuple[str, dict[str, object]]:
    """Write the file and keep it; a job that is run again finds the file that it made. Raises Refused."""
    profiles = ExportProfile.objects.select_related(
        "federation", "organiser", "official_list__federation", "scheduled_by"
    )
    profile = profiles.filter(pk=job.given["profile"]).first()
    if profile is None:
        raise Refusal("profile_gone", _("This export profile has been removed."))
    require_keeper(job.by, keeper_of(profile))
    first, last = date.fromisoformat(job.given["first"]), date.fromisoformat(job.given["last"])
    version = version_of_names()
    table, layout = open_table(profile, first=first, last=last)
    counted = _Counted(table)
    digest, packer, packed, size = sha256(), zlib.compressobj(), bytearray(), 0
    for piece in write_long(counted.table, layout, each=watch):
        digest.update(piece)
        size += len(piece)
        if size > MOST_BYTES:
            raise Refusal("export_too_large", _("This file would be too large: ask for fewer days."))
        packed += packer.compress(piece)
    packed += packer.flush()
    with transaction.atomic():
        # Somebody's name may have been taken back after the file had it.
        is_current = hold_names() == version
        locked(keeper_of(profile))
        kept, is_new = KeptExport.objects.get_or_create(
            job=job,
            defaults={
                "federation": profile.federation,
                "organiser": profile.organiser,
                "profile": profile,
                "name": file_name(profile, last),
                "format": profile.format,
                "first": first,
                "last": last,
                "rows": counted.lines,
                "size": size,
                "sha256": digest.hexdigest(),
                "data": bytes(packed) if is_current else None,
                "made_at": at,
                "by": job.by,
            },
        )
        if is_new and profile.federation is not None:
            told = {"profile": profile.name, "kind": profile.kind, "sha256": kept.sha256, "rows": kept.rows}
            tell(profile.federation, "export.made", {"export": kept.pk, **told}, at=at)
    return gettext_noop("Lines: %(count)s."), {"count": kept.rows}


class _Counted:
    """A table that counts the lines that have been read of it."""

    def __init__(self, table: LongTable) -> None:
        self.lines = 0
        self.table = replace(table, lines_of=lambda part: self._count(table.lines_of(part)))

    def _count(self, lines: Iterable[Line]) -> Iterable[Line]:
        for line in lines:
            self.lines += 1
            yield line


def file_of(kept: KeptExport) -> bytes:
    """Return the kept file. Raises Refusal once it has been emptied."""
    if kept.data is None:
        raise Refusal(
            "export_emptied", _("A name in the registry has been taken back since: have the file made again.")
        )
    return zlib.decompress(bytes(kept.data))


@transaction.atomic
def due_exports(*, at: datetime) -> Sequence[tuple[User, dict[str, Any]]]:
    """Return what is due by the calendar, each with the user on whose behalf, and note that it has been asked for.

    A day, week or month is asked for once, also after days in which no worker was at work; only the latest is.
    """
    today = timezone.localtime(at).date()
    due = []
    scheduled = ExportProfile.objects.exclude(every="").exclude(scheduled_by=None)
    for profile in scheduled.select_for_update(of=("self",)).select_related("scheduled_by"):
        first, last = period_before(profile.every, today)
        if profile.asked_until is None or last <= profile.asked_until or profile.scheduled_by is None:
            continue
        profile.asked_until = last
        profile.save(update_fields=["asked_until"])
        due.append((profile.scheduled_by, given_export(profile, first, last)))
    return due


def forget_exports(*, at: datetime) -> None:
    """Delete the files whose time is over."""
    KeptExport.objects.filter(made_at__lt=at - KEPT).delete()
