"""The director called by a private link, which must be valid under the lock of the event."""

from datetime import datetime

from django.db import transaction

from matches.models import Match
from tournament.entries.report import lock_side
from tournament.hall.director_calls import call_director
from tournament.models import DirectorCall, Entry


@transaction.atomic
def call_director_by_link(entry: Entry, match: Match, *, at: datetime) -> DirectorCall:
    """Call the director to the entry's match; ``entry`` is as it was when its link was read.

    Raises LinkEnded for a link that is valid no more, Conflict if the match is between others, and as
    :func:`tournament.hall.director_calls.call_director` does.
    """
    lock_side(entry, match, at)
    return call_director(match, entry=entry, by=None, at=at)
