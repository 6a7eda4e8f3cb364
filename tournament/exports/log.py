"""The log as a table for other programs."""

import json
from collections.abc import Iterable

from tournament.exports.formats import Export
from tournament.log.words import tell
from tournament.models import LogEntry

COLUMNS = ("at", "by", "way", "address", "agent", "event", "verb", "sentence", "reason", "detail")


def log_table(rows: Iterable[LogEntry]) -> Export:
    """Export the rows: the sentence in the reader's language, and the full detail as JSON."""
    return Export(
        "log-1",
        COLUMNS,
        tuple(
            (
                entry.at,
                entry.actor.username if entry.actor else "",
                entry.way,
                entry.address or "",
                entry.agent,
                entry.event.slug if entry.event else "",
                entry.verb,
                tell(entry),
                str(entry.detail.get("reason", "")),
                json.dumps(entry.detail, ensure_ascii=False, sort_keys=True),
            )
            for entry in rows
        ),
    )
