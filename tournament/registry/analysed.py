"""The matches whose error rates are known, as the titles of a federation count them."""

from collections.abc import Collection
from decimal import Decimal

from django.db.models import Q
from django.utils import timezone

from matches.models import Conclusion, Scoresheet, SheetState
from players.models import Federation
from players.performance.matches import AnalysedMatch
from tournament.models import Event, Sanction

PATHS = ("match__fixture__stage", "match__board__fixture__stage")
"""From a sheet to the stage that its match belongs to, alone or as one of the boards."""
NEVER_BEGAN = (Conclusion.WALKOVER, Conclusion.VOID)


def analysed_matches(federation: Federation, players: Collection[int] | None = None) -> dict[int, list[AnalysedMatch]]:
    """Return the analysed matches of these people, or of everybody, by id, in a fixed number of queries.

    Error rates count in a stage whose draw was made knowing that they do: that announces its matches. A match is
    approved if its event is, for a list of the federation: also one that was approved later, and none whose approval
    was withdrawn. It has a clock if its event says so. Its day is that of its result.
    """
    standing = Sanction.objects.filter(official_list__federation=federation, withdrawn_at=None)
    sanctioned = set(standing.values_list("event", flat=True))
    found: dict[int, list[AnalysedMatch]] = {}
    for path in PATHS:
        sheets = Scoresheet.objects.filter(
            state=SheetState.CONFIRMED,
            match__rate_a__isnull=False,
            match__partner_a__isnull=True,
            **{f"{path}__event__in": Event.objects.all()},
        ).exclude(conclusion__in=NEVER_BEGAN)
        if players is not None:
            sheets = sheets.filter(Q(match__side_a__in=players) | Q(match__side_b__in=players))
        columns = ("match", "match__length", "played_at", "match__side_a", "match__rate_a", "match__side_b")
        of_stage = (f"{path}__drawn_at", f"{path}__event", f"{path}__event__clock_minutes")
        for row in sheets.values_list(*columns, "match__rate_b", *of_stage):
            match, length, at, side_a, rate_a, side_b, rate_b, drawn_at, event, minutes = row
            for player, rate in ((side_a, rate_a), (side_b, rate_b)):
                if players is None or player in players:
                    one = AnalysedMatch(
                        match=match,
                        length=length,
                        begun_at=timezone.localtime(at),
                        announced_at=drawn_at,
                        pr=Decimal(rate).scaleb(-3),
                        clocked=minutes is not None,
                        approved=event in sanctioned,
                    )
                    found.setdefault(player, []).append(one)
    return found
