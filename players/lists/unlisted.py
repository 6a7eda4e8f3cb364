"""Why somebody who has a rating does not stand on a list."""

from collections.abc import Collection
from datetime import date

from django.db.models import Max

from players.lists.facts import Known
from players.lists.models import OfficialList
from players.lists.values import Criteria, Provisional
from players.models import Membership

CHUNK = 900


def why_unlisted(known: Known | None, criteria: Criteria, *, is_provisional: bool) -> str:
    """Return the code of what keeps somebody off a list on which they do not stand, in the order of the criteria."""
    if known is None:
        return "unknown"
    if criteria.members and not known.member:
        return "not_member"
    if criteria.nation and known.nation != criteria.nation:
        return "nation"
    if criteria.club and known.club_id != criteria.club:
        return "club"
    if is_provisional and criteria.provisional is Provisional.LEFT_OUT:
        return "provisional"
    return "inactive"


def memberships_ended(official_list: OfficialList, players: Collection[int], day: date) -> dict[int, date]:
    """Return the last day of the latest membership of each of these players that had ended by the day."""
    if official_list.federation is None:
        return {}
    found, ids = dict[int, date](), sorted(players)
    for place in range(0, len(ids), CHUNK):
        rows = Membership.objects.filter(
            federation=official_list.federation, player__in=ids[place : place + CHUNK], ends__lt=day
        ).exclude(kind=Membership.Kind.GUEST)
        found |= dict(rows.values("player").annotate(last=Max("ends")).values_list("player", "last"))
    return found
