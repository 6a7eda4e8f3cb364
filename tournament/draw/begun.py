"""Whether play in an event has begun: from then on its side pools, its lots and its prizes are closed."""

from django.db.models import Q

from matches.models import Conclusion, Ruling, Scoresheet, SheetSource
from tournament.models import Call, Event
from tournament.models.team import matches_in


def play_has_begun(event: Event) -> bool:
    """Whether a match of the event has been started, reported, entered or ruled on, or the event has ended.

    A result that was taken back counts, as everybody has seen it. A walkover because somebody is absent does not, nor
    does a void match, or one that was recalled from its table: nobody has played.
    """
    if event.finished_at is not None:
        return True
    matches = matches_in(event)
    if Call.objects.filter(match__in=matches, started_at__isnull=False, left_at__isnull=True).exists():
        return True
    known = Q(match__in=matches) | Q(match__former__stage__event=event)
    never_began = (Conclusion.WALKOVER, Conclusion.VOID)
    absences = Q(source=SheetSource.ABSENCE, conclusion__in=never_began)
    return Scoresheet.objects.filter(known).exclude(absences).exists() or Ruling.objects.filter(known).exists()
