"""What workers do for people who wait: the kinds of jobs, and how far one is."""

import io
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import TypeVar

from django.core.cache import cache
from django.urls import reverse
from django.utils.translation import gettext_noop

from matches.import_records import import_record
from tournament.entries.lists import EntryLine, line_from
from tournament.entries.services import add_entries
from tournament.models import Job

T = TypeVar("T")

Said = tuple[str, dict[str, object]]
"""A sentence to be translated, and what stands in it."""

TOLD_SECONDS = 0.1
MOST_AT_ONCE = 200
"""Lines of a list that are entered while its sender waits; more are a job."""

LOST_SECONDS = 30
"""After so long without news a job that runs is taken for lost, and begins anew."""


class CancelledError(Exception):
    """Somebody does not want the job any more."""


class Watch:
    """Tells how far a job is while it goes through things, and stops it once it was cancelled."""

    def __init__(self, job_id: int) -> None:
        self.job_id = job_id
        self.told = 0.0

    def __call__(self, things: Sequence[T]) -> Iterator[T]:
        """The things one by one. Raises CancelledError."""
        for done, thing in enumerate(things):
            self._tell(done, len(things))
            yield thing

    def _tell(self, done: int, total: int) -> None:
        now = time.monotonic()
        if now - self.told < TOLD_SECONDS:
            return
        self.told = now
        if cache.get(_name(self.job_id, "cancel")):
            raise CancelledError
        cache.set(_name(self.job_id, "progress"), (done, total), LOST_SECONDS)


def progress_of(job_id: int) -> tuple[int, int] | None:
    """How many of how many are done; None when nothing is known of it."""
    progress: tuple[int, int] | None = cache.get(_name(job_id, "progress"))
    return progress


def claim(job_id: int) -> bool:
    """Whether the job is the caller's to run: nobody else has it, or who had it is gone."""
    return cache.add(_name(job_id, "progress"), (0, 0), LOST_SECONDS)


def release(job_id: int) -> None:
    """Whoever claimed the job has no more to do with it."""
    cache.delete_many([_name(job_id, "progress"), _name(job_id, "cancel")])


def ask_to_stop(job_id: int) -> None:
    """The job that somebody is at stops at the next thing it comes to."""
    cache.set(_name(job_id, "cancel"), True, 3600)


def _name(job_id: int, what: str) -> str:
    return f"job-{job_id}-{what}"


@dataclass(frozen=True, slots=True)
class Kind:
    """``run`` does the work, in one transaction if it is all or nothing; ``page`` is where its fruits are seen."""

    name: str
    all_or_nothing: bool
    run: Callable[[Job, Watch, datetime], Said]
    page: Callable[[Job], str]


def _enter_list(job: Job, watch: Watch, at: datetime) -> Said:
    if job.event is None:
        raise ValueError("A list is entered in an event.")
    lines = [line_from(line) for line in job.given["lines"]]
    entered = add_entries(job.event, lines=lines, by=job.by, at=at, watch=watch)
    return gettext_noop("%(count)s entered."), {"count": len(entered)}


def given_lines(lines: Sequence[EntryLine]) -> dict[str, object]:
    """A list of entries as a job is given it."""
    return {"lines": [asdict(line) for line in lines]}


def _import_records(job: Job, watch: Watch, at: datetime) -> Said:
    verdicts: Counter[str] = Counter()
    with zipfile.ZipFile(io.BytesIO(bytes(job.data))) as files:
        for name in watch(files.namelist()):
            imported = import_record(files.read(name), name=name, at=at)
            verdicts["known" if imported.known else imported.record.verdict] += 1
    told: dict[str, object] = {
        verdict: verdicts[verdict] for verdict in ("proved", "incomplete", "quarantined", "refused", "known")
    }
    return gettext_noop(
        "%(proved)s proved, %(incomplete)s incomplete, %(quarantined)s quarantined, %(refused)s refused, "
        "%(known)s known before."
    ), told


def _entries_page(job: Job) -> str:
    return reverse("entries", args=[job.event.tournament.slug, job.event.slug]) if job.event else reverse("home")


JOBS: dict[str, Kind] = {
    "entries": Kind(gettext_noop("Entering a list"), True, _enter_list, _entries_page),
    "records": Kind(gettext_noop("Importing match records"), False, _import_records, lambda job: reverse("records")),
}
