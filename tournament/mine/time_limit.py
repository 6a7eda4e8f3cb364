"""When a report of a match becomes the result because nobody has objected."""

from datetime import datetime

from matches.history import load_history
from matches.models import Match
from matches.side_sheets import confirmed_by
from tournament.snapshot import BoardSnapshot, EventSnapshot, FixtureSnapshot


def counts_at(snapshot: EventSnapshot, match: FixtureSnapshot | BoardSnapshot) -> datetime | None:
    """Return when a report counts by itself, as the score keeper says; None if none does, without a query."""
    minutes = snapshot.confirm_minutes
    is_told = match.match_id is not None and any(report.sheet.score.over for report in match.reports)
    if minutes is None or not is_told or snapshot.finished_at is not None:
        return None
    return confirmed_by(load_history(Match.objects.get(pk=match.match_id or 0)), minutes)
