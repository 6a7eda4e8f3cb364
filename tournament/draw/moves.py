"""The changes by hand that hold in a stage, as formats take them into account."""

from datetime import datetime

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet, prefetch_related_objects

from tournament.formats.moves import Move
from tournament.models import Event, HandChange, Stage


def with_moves(stages: QuerySet[Stage]) -> list[Stage]:
    """Load the stages with their changes by hand, in a further query only if there are any."""
    return _loaded(stages, HandChange.objects.filter(ended_at=None))


def with_moves_at(stages: QuerySet[Stage], moment: datetime) -> list[Stage]:
    """Load the stages with the changes that held at that moment, as :func:`with_moves` does."""
    return _loaded(stages, _held_at(moment))


def changes_held(event: Event, stage: int, moment: datetime | None = None) -> QuerySet[HandChange]:
    """Return the changes that hold in the stage of this number, or that held at ``moment``, with their players."""
    held = HandChange.objects.filter(ended_at=None) if moment is None else _held_at(moment)
    people = [f"entry_{side}__{person}" for side in "ab" for person in ("player", "partner")]
    return held.filter(stage__event=event, stage__number=stage).select_related(*people)


def _held_at(moment: datetime) -> QuerySet[HandChange]:
    return HandChange.objects.filter(Q(ended_at=None) | Q(ended_at__gt=moment), at__lte=moment)


def _loaded(stages: QuerySet[Stage], held: QuerySet[HandChange]) -> list[Stage]:
    loaded: list[Stage] = []
    changed: list[Stage] = []
    for stage in stages.annotate(has_moves=Exists(held.filter(stage=OuterRef("pk")))):
        loaded.append(stage)
        if stage.has_moves:
            changed.append(stage)
        else:
            stage.held_moves = []  # type: ignore[attr-defined]
    prefetch_related_objects(changed, Prefetch("hand_changes", held, to_attr="held_moves"))
    return loaded


def moves_of(stage: Stage) -> tuple[Move, ...]:
    """Return the changes that hold in the stage, in their order; loaded here if they have not been yet."""
    held = getattr(stage, "held_moves", None)
    return tuple(change.move for change in (stage.hand_changes.filter(ended_at=None) if held is None else held))
