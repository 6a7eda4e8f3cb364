"""Why officers have ruled that matches count for a list, or do not, whatever its policy says."""

from collections.abc import Collection

from players.lists.models import OfficialList
from tournament.models import RatingRuling, RatingVerdict


def reasons_of_rulings(official_list: OfficialList, matches: Collection[int]) -> dict[int, str]:
    """Return the reasons of the rulings that stand on these matches, by match; none where the policy decides."""
    rulings = RatingRuling.objects.filter(official_list=official_list, match__in=matches).order_by("pk")
    last = {one.match_id: one for one in rulings} if matches else {}
    return {match: one.reason for match, one in last.items() if one.verdict != RatingVerdict.POLICY}
