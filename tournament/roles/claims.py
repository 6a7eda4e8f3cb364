"""What the sides claim of a match in dispute is told to those who settle it; to all others once it has been settled.

Here is decided whose match that is; pages, API, histories and feeds ask. The two players see both claims on their own
pages, and the reason of an objection is never told to anybody else.
"""

from collections.abc import Collection, Iterable

from django.contrib.auth.models import AnonymousUser

from matches.models import Match, Scoresheet, SheetState
from players.models import User
from tournament.models.team import event_of
from tournament.roles.permissions import actions_of

SETTLES = "settle_report"
"""The action of those who settle disputes."""


def sees_claims(allowed: Collection[str]) -> bool:
    """Whether a reader with these actions in the event is told what is claimed of its disputed matches, and why."""
    return SETTLES in allowed


def withholds(sheets: Iterable[Scoresheet], allowed: Collection[str]) -> bool:
    """Whether the score sheets of a match, of which these are those of now, are withheld from such a reader: all."""
    return not sees_claims(allowed) and any(sheet.state == SheetState.DISPUTED for sheet in sheets)


def withholds_from(user: User | AnonymousUser, match: Match, sheets: Iterable[Scoresheet]) -> bool:
    """Do as :func:`withholds` does for this user; that takes queries only for a match in dispute."""
    if not withholds(sheets, ()):
        return False
    event = event_of(match) if user.is_authenticated else None
    return event is None or not sees_claims(actions_of(user, event))


def disputed_among(matches: Iterable[int]) -> frozenset[int]:
    """Return the matches in dispute among these, given by id, in one query; without any in none."""
    asked = frozenset(matches)
    if not asked:
        return asked
    found = Scoresheet.objects.filter(match__in=asked, state=SheetState.DISPUTED)
    return frozenset(found.values_list("match_id", flat=True))
