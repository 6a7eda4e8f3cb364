"""The folder with the backups that the program makes by itself: which are there, and which of them are kept."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from django.conf import settings

NAME = re.compile(r"sixprime-(\d{8}T\d{6})Z\.zip", re.ASCII)
STAMP = "%Y%m%dT%H%M%S"

DAYS, WEEKS, MONTHS = 7, 4, 12
"""The last backup is kept of so many days, weeks and months in which there was one."""

ALL_OF = timedelta(days=2)
"""How long every backup is kept: somebody may have asked for one before a difficult correction."""


@dataclass(frozen=True, slots=True, order=True)
class Kept:
    """A backup in the folder. When it was made stands in its name: copying a file changes its date."""

    made_at: datetime
    path: Path
    bytes: int


def name_at(at: datetime) -> str:
    """Return the name of a backup that is made at this moment."""
    return f"sixprime-{at.astimezone(UTC):{STAMP}}Z.zip"


def kept_backups() -> list[Kept]:
    """Return the backups in the folder, the newest first."""
    found = []
    for path in Path(settings.BACKUP_DIR).glob("sixprime-*Z.zip"):
        match = NAME.fullmatch(path.name)
        try:
            if match:
                at = datetime.strptime(match[1], STAMP).replace(tzinfo=UTC)
                found.append(Kept(at, path, path.stat().st_size))
        except (OSError, ValueError):
            continue  # removed just now, or the name of no moment
    return sorted(found, reverse=True)


def superfluous(backups: Sequence[Kept], *, at: datetime, certain: datetime | None = None) -> list[Kept]:
    """Return those of the backups that the rotation gives up; the newest stays always.

    Of a backup that a wrong clock has dated later than now nothing is known, so it stays too, and counts for nothing.
    What the rotation keeps at a moment that is ``certain`` stays as well, so that those that are dated by a clock that
    is ahead push out none of the others.
    """
    keep = _kept(backups, at) | (_kept(backups, certain) if certain is not None else set())
    return sorted((backup for backup in backups if backup.made_at <= at and backup not in keep), reverse=True)


def _kept(backups: Sequence[Kept], at: datetime) -> set[Kept]:
    past = sorted((backup for backup in backups if backup.made_at <= at), reverse=True)
    keep = {backup for backup in past if at - backup.made_at < ALL_OF} | set(past[:1])
    for most, period in ((DAYS, "%G-%j"), (WEEKS, "%G-%V"), (MONTHS, "%Y-%m")):
        last: dict[str, Kept] = {}
        for backup in past:
            last.setdefault(f"{backup.made_at.astimezone():{period}}", backup)
        keep.update(list(last.values())[:most])
    return keep
