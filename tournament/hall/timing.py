"""The breaks of a hall, and the pace of play learnt from the matches finished there."""

from django.db.models import QuerySet
from django.db.models.functions import Coalesce

from matches.models import SheetState
from players.statements import Statement
from tournament.draw.calls import calls_in
from tournament.models import Break, CallEnding, Tournament
from tournament.rehearsal.pace import Pace, Pause, Timed, learn_pace

PACE_FROM = 200
"""The number of latest matches from which the pace of the hall is learnt."""


def pauses_of(tournament: Tournament) -> tuple[Pause, ...]:
    """Return the tournament's breaks in order."""
    return tuple(Pause(*row) for row in _PAUSES.rows(tournament.pk))


def pace_of(tournament: Tournament) -> Pace:
    """Return the hall's pace of play, learnt from the matches last finished there."""
    return learn_pace(
        Timed(length, int((left - began).total_seconds())) for length, began, left in _TIMED.rows(tournament.pk)
    )


def _timed(tournament: int) -> QuerySet:
    ended = calls_in(tournament).filter(
        ending=CallEnding.DONE,
        left_at__isnull=False,
        match__sheets__state=SheetState.CONFIRMED,
        match__sheets__conclusion="played",
    )
    last = ended.order_by("-left_at").annotate(began_at=Coalesce("started_at", "called_at"))
    return last.values_list("match__length", "began_at", "left_at")[:PACE_FROM]


_TIMED = Statement(_timed)
_PAUSES = Statement(
    lambda tournament: (
        Break.objects.filter(tournament=tournament).order_by("starts_at").values_list("name", "starts_at", "ends_at")
    )
)
