"""Challenges made and withdrawn by a private link, which must be valid under the lock of the event.

``entry`` is always the entry as it was when its link was read.
"""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from players.errors import Conflict
from tournament.draw.challenges import PEOPLE, challenge, ladder_in_play, withdraw_challenge
from tournament.entries.links import Link, require_open
from tournament.entries.services import lock_entry
from tournament.models import Challenge, Entry


@transaction.atomic
def challenge_by_link(entry: Entry, *, challenged: int, at: datetime) -> Challenge:
    """Challenge the entry with this id.

    Raises LinkEnded for a link that is valid no more, and as :func:`tournament.draw.challenges.challenge` does.
    """
    event, current, at = lock_entry(entry, at)
    require_open(Link(entry.pk, entry.link_epoch), current)
    other = event.entries.filter(pk=challenged).select_related("player", "partner").first()
    if other is None:
        raise Conflict("entry_gone", _("This entry has already been removed."))
    return challenge(event, challenger=current, challenged=other, by=None, at=at)


@transaction.atomic
def withdraw_by_link(entry: Entry, *, number: int, at: datetime) -> Challenge:
    """Withdraw the entry's own challenge.

    Raises LinkEnded for a link that is valid no more, Conflict for a challenge that somebody else made, and as
    :func:`tournament.draw.challenges.withdraw_challenge` does.
    """
    event, current, at = lock_entry(entry, at)
    require_open(Link(entry.pk, entry.link_epoch), current)
    found = Challenge.objects.filter(stage=ladder_in_play(event), number=number, challenger=current)
    made = found.select_related(*PEOPLE, "stage__event__tournament").first()
    if made is None:
        raise Conflict("challenge_of_others", _("Only the player who made a challenge can withdraw it."))
    return withdraw_challenge(made, by=None, at=at)
