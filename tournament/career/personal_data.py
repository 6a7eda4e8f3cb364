"""Everything that is kept about a player, as JSON, field by field."""

from collections.abc import Collection
from typing import Any

from django.apps import apps
from django.db.models import Model, Q, QuerySet
from django.db.models.fields.json import JSONField
from django.utils import timezone

from players.models import Player
from tournament.career.fates import OF_ENTRY, OF_PLAYER, WITHHELD
from tournament.models import Entry, LogEntry

OF_SENDER = {"address", "agent"}

Rows = dict[str, list[dict[str, Any]]]


def export_person(player: Player) -> dict[str, Any]:
    """Return what is kept about the player: their row and its duplicates, all rows that point at them or at their
    entries, and the rows of the log that name them. Keys and links are left out, and so is where a row of the log came
    from: that tells of whoever typed it.
    """
    people = [player, *Player.objects.filter(merged_into=player).order_by("pk")]
    entries = entries_of(people)
    rows: Rows = {}
    for columns, pointed in ((OF_PLAYER, people), (OF_ENTRY, list(entries))):
        for column in columns:
            _add(rows, _pointing(column, pointed))
    _add(rows, [row for row in log_of(entries) if any(one.name in str(row.detail) for one in people)])
    return {
        "sixprime_personal_data": 1,
        "made_at": timezone.now().isoformat(),
        "person": _told(player),
        "club": player.club.name if player.club else "",
        "rows": rows,
    }


def entries_of(people: Collection[Player]) -> QuerySet[Entry]:
    """Return the entries of these people, in events that were deleted too."""
    theirs = Q(player__in=people) | Q(partner__in=people) | Q(members__player__in=people)
    return Entry.objects.filter(theirs).select_related("player__club", "partner", "event").distinct().order_by("pk")


def log_of(entries: QuerySet[Entry]) -> QuerySet[LogEntry]:
    """Return the log of the tournaments that these entries are in."""
    return LogEntry.objects.filter(tournament__events__entries__in=entries).distinct().order_by("pk")


def _pointing(column: str, pointed: Collection[Model]) -> QuerySet:
    label, name = column.rsplit(".", 1)
    return apps.get_model(label)._base_manager.filter(**{f"{name}__in": pointed}).order_by("pk")


def _add(rows: Rows, found: Collection[Model] | QuerySet) -> None:
    for row in found:
        kept, told = rows.setdefault(row._meta.label_lower, []), _told(row)
        if told not in kept:
            kept.append(told)


def _told(row: Model) -> dict[str, Any]:
    left_out = WITHHELD | OF_SENDER if isinstance(row, LogEntry) else WITHHELD
    fields = (field for field in row._meta.concrete_fields if field.name not in left_out)
    return {
        field.name: field.value_from_object(row)
        if isinstance(field, JSONField)
        else _plain(field.value_from_object(row))
        for field in fields
    }


def _plain(value: object) -> object:
    return value if value is None or isinstance(value, bool | int | str) else str(value)
