"""The import of members whose names, clubs and countries stand in events."""

from datetime import datetime

from django.db import transaction

from players.models import Federation, Player, RegistryImport, User
from players.registry import member_import, member_undo
from players.registry.matching import Choices, Outcome
from tournament.registry.people import people_changing


@transaction.atomic
def import_members(
    federation: Federation, data: bytes, *, name: str, chosen: Choices, digest: str, by: User | None, at: datetime
) -> RegistryImport:
    """Do as :func:`players.registry.member_import.import_members` does, also for people who have played."""
    preview = member_import.preview_members(federation, data, chosen=chosen, by=by, at=at)
    with people_changing(preview.changing):
        return member_import.import_members(federation, data, name=name, chosen=chosen, digest=digest, by=by, at=at)


@transaction.atomic
def undo_import(kept: RegistryImport, *, by: User | None, at: datetime) -> RegistryImport:
    """Do as :func:`players.registry.member_undo.undo_import` does, also for people who have played."""
    changed = [row["player"] for row in kept.report.get("rows", ()) if row["outcome"] == Outcome.CHANGED]
    with people_changing(list(Player.objects.filter(pk__in=changed))):
        return member_undo.undo_import(kept, by=by, at=at)
