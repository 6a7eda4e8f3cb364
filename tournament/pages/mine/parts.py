"""What the page of an entry shows besides its matches: what matters now, and what follows from it."""

from datetime import datetime

from tournament.changes.versions import read_versions
from tournament.hall.surroundings import surroundings_of
from tournament.mine.now import now_of
from tournament.models import Entry
from tournament.pages.following import MOST_FOLLOWED
from tournament.snapshot import EventSnapshot


def parts_of(entry: Entry, snapshot: EventSnapshot, *, at: datetime) -> dict[str, object]:
    """Return the parts of the page; ``snapshot`` knows who is busy elsewhere in the hall."""
    versions = read_versions(entry.event.tournament_id)
    around = surroundings_of(entry.event.tournament, versions)
    now = now_of(snapshot, entry.pk, pauses=around.pauses, has_tables=bool(around.tables), at=at)
    others = [pk for pk in versions.running() if pk != entry.event_id][: MOST_FOLLOWED - 1]
    return {"now": now, "live_events": ",".join(map(str, [entry.event_id, *others]))}
