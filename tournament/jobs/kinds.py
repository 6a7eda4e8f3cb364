"""The kinds of jobs: what workers do for people who are waiting."""

import io
import zipfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from django.db import transaction
from django.urls import reverse
from django.utils.translation import gettext_noop

from matches.import_records import batches, import_batch
from matches.models import Verdict
from matches.tasks import rate
from players.ratings import RATINGS
from players.registry.roles import require_importer
from tournament.entries.imports import import_entries
from tournament.entries.lists import EntryLine, line_from
from tournament.entries.services import add_entries
from tournament.jobs.exports import make_export
from tournament.jobs.watch import Watch
from tournament.models import ExportProfile, Job

Outcome = tuple[str, dict[str, object]]
"""A sentence to be translated, and what stands in it."""

RECORDS_AT_ONCE = 50
"""How many records are stored at once: far fewer than take as long as a lease."""
MOST_AT_ONCE = 200
"""The longest list that is entered at once, while the sender waits; a longer one becomes a job."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of job. ``run`` does the work, in one transaction if it is all or nothing; ``page`` shows the result."""

    name: str
    all_or_nothing: bool
    run: Callable[[Job, Watch, datetime], Outcome]
    page: Callable[[Job], str]


def _enter_list(job: Job, watch: Watch, at: datetime) -> Outcome:
    if job.event is None:
        raise ValueError("A list is entered in an event.")
    lines = [line_from(line) for line in job.given["lines"]]
    entered = add_entries(job.event, lines=lines, by=job.by, at=at, watch=watch)
    return gettext_noop("Entries added: %(count)s."), {"count": len(entered)}


def _import_list(job: Job, watch: Watch, at: datetime) -> Outcome:
    if job.event is None:
        raise ValueError("A list is entered in an event.")
    lines = [line_from(line) for line in job.given["lines"]]
    entered = import_entries(job.event, lines=lines, digest=job.given["digest"], by=job.by, at=at, watch=watch)
    return gettext_noop("Entries added: %(count)s."), {"count": len(entered)}


def given_lines(lines: Sequence[EntryLine]) -> dict[str, object]:
    """Return a list of entries in the form in which a job stores it."""
    return {"lines": [asdict(line) for line in lines]}


def _import_records(job: Job, watch: Watch, at: datetime) -> Outcome:
    verdicts: Counter[str] = Counter()
    known: list[dict[str, object]] = []
    with zipfile.ZipFile(io.BytesIO(bytes(job.data))) as files:
        read = ((name, files.read(name)) for name in watch(files.namelist()))
        for batch in batches(read, most=RECORDS_AT_ONCE):
            with transaction.atomic():
                require_importer(job.by)
                done = import_batch(batch, at=at)
            for (name, _data), imported in zip(batch, done, strict=True):
                verdicts["known" if imported.known else imported.record.verdict] += 1
                if imported.known:
                    known.append({"name": name, "record": imported.record.pk})
    if verdicts[Verdict.PROVED]:
        for system in RATINGS:
            rate.delay(system)
    told: dict[str, object] = {
        verdict: verdicts[verdict] for verdict in ("proved", "incomplete", "quarantined", "refused", "known")
    }
    told["known_files"] = known
    return gettext_noop(
        "%(proved)s proved, %(incomplete)s incomplete, %(quarantined)s quarantined, %(refused)s refused, %(known)s "
        "already known."
    ), told


def _entries_page(job: Job) -> str:
    return reverse("entries", args=[job.event.tournament.slug, job.event.slug]) if job.event else reverse("home")


def _exports_page(job: Job) -> str:
    profile = ExportProfile.objects.select_related("federation").filter(pk=job.given["profile"]).first()
    if profile is None:
        return reverse("federations")
    return reverse("exports", args=[profile.federation.code]) if profile.federation else reverse("my-exports")


JOBS: dict[str, Kind] = {
    "entries": Kind(gettext_noop("Entering a list"), True, _enter_list, _entries_page),
    "import": Kind(gettext_noop("Importing a list"), True, _import_list, _entries_page),
    "records": Kind(gettext_noop("Importing match records"), False, _import_records, lambda job: reverse("records")),
    "export": Kind(gettext_noop("Making an export"), False, make_export, _exports_page),
}
