"""The changes by hand that hold in a stage, as formats take them into account."""

from datetime import datetime

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet, prefetch_related_objects

from tournament.formats.moves import Move
from tournament.models import HandChange, Stage


def with_moves(stages: QuerySet[Stage]) -> list[Stage]:
    """Load the stages with their changes by hand, in a further query only if there are any."""
    changes = HandChange.objects.filter(stage=OuterRef("pk"), ended_at=None)
    loaded = list(stages.annotate(has_moves=Exists(changes)))
    prefetch_related_objects([stage for stage in loaded if stage.has_moves], "hand_changes")
    return loaded


def moves_at(moment: datetime) -> Prefetch:
    """Prefetch the changes that held at that moment."""
    held = HandChange.objects.filter(Q(ended_at=None) | Q(ended_at__gt=moment), at__lte=moment)
    return Prefetch("hand_changes", held, to_attr="moves_then")


def moves_of(stage: Stage) -> tuple[Move, ...]:
    """Return the stage's changes in their order; reads them as :func:`with_moves` or :func:`moves_at` loaded them."""
    if hasattr(stage, "moves_then"):
        return tuple(change.move for change in stage.moves_then)
    if not getattr(stage, "has_moves", True):
        return ()
    return tuple(change.move for change in stage.hand_changes.all() if change.ended_at is None)
