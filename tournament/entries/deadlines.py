"""Deadlines extended and offers noted by a private link, which must be valid under the lock of the event.

``entry`` is always the entry as it was when its link was read.
"""

from collections.abc import Sequence
from datetime import date, datetime

from django.db import transaction

from matches.models import Match
from tournament.entries.report import lock_side
from tournament.models import Entry, Offer
from tournament.results.deadlines import extend_deadline, offer_to_play


@transaction.atomic
def extend_by_link(entry: Entry, match: Match, *, at: datetime) -> None:
    """Extend the deadline for the entry.

    Raises as :func:`tournament.entries.report.lock_side` and :func:`tournament.results.deadlines.extend_deadline` do.
    """
    extend_deadline(match, side=lock_side(entry, match, at), at=at)


@transaction.atomic
def offer_by_link(entry: Entry, match: Match, *, days: Sequence[date], at: datetime) -> Offer:
    """Note the entry's offer to play on these days, or with none that its opponent does not answer.

    Raises as :func:`tournament.entries.report.lock_side` and :func:`tournament.results.deadlines.offer_to_play` do.
    """
    return offer_to_play(match, side=lock_side(entry, match, at), days=days, at=at)
