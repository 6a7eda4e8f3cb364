"""The deadlines of single matches, compared with the log."""

from collections.abc import Iterator

from matches.audit import Difference
from tournament.audit.audited import Audited
from tournament.formats import FORMATS
from tournament.formats.unplayed import UNPLAYED
from tournament.models import LogEntry

DEADLINE_VERBS = ("move_deadline", "extend_deadline", "restore_deadline")


def check_deadlines(audited: Audited) -> Iterator[Difference]:
    """Check that every deadline that was moved or extended is the one that the log told last of its match."""
    if UNPLAYED not in FORMATS[audited.stage.format].fields:
        return
    rows = LogEntry.objects.filter(event=audited.event, verb__in=("import_event", *DEADLINE_VERBS)).order_by("id")
    logged: dict[int, tuple[int, str | None]] = {}
    for at, (verb, detail) in enumerate(rows.values_list("verb", "detail")):
        if verb == "import_event":
            logged |= {one["match"]: (at, one["play_by"]) for one in detail.get("deadlines", ())}
        else:
            logged[detail["match"]] = at, detail["after"]["play_by"]
    for fixture in audited.fixtures:
        told = [logged[match.pk] for match in fixture.matches.values() if match.pk in logged]
        stored, last = fixture.play_by.isoformat() if fixture.play_by else None, max(told)[1] if told else None
        if stored != last:
            yield Difference(
                "deadlines", f"{audited.place} {fixture.key}", "deadline", stored or "none", last or "none"
            )
