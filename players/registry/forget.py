"""What is recorded of a person goes when they are deleted; results stay under a pseudonym."""

from collections.abc import Collection
from datetime import date
from typing import Any

from players.models import FormerValue, Player, RegistryImport, Visibility
from players.registry.names import own_name

OF_A_PERSON = (
    *("former_values", "external_ids", "titles", "norms"),
    *("aliases", "visibility_requests", "users"),
)
EMPTY: dict[str, Any] = {
    **dict.fromkeys(("given", "family", "town", "gender"), ""),
    **dict.fromkeys(("birth_year", "birth_date"), None),
    "visibility": Visibility.PUBLIC,
}

FORGOTTEN = "forgotten"
"""What the report of an import says of the row of somebody who was deleted."""


def names_of(player: Player) -> set[str]:
    """Return every name that the person has had, or has been called."""
    former = player.former_values.filter(field=FormerValue.Field.NAME).values_list("value", flat=True)
    return {player.name, own_name(player), *former, *player.aliases.values_list("spelling", flat=True)} - {""}


def forget(player: Player, *, played: Collection[date]) -> None:
    """Delete what is recorded of the person, without storing their own row; and files that were imported with them.

    Of memberships of federations stay the days from the first to the last on which they ``played`` as a member: by
    these the matches go on counting for the opponents.
    """
    for rows in OF_A_PERSON:
        getattr(player, rows).all().delete()
    for membership in player.body_memberships.all():
        days = [day for day in played if membership.federation_id is not None and membership.holds_on(day)]
        if not days:
            membership.delete()
            continue
        membership.starts, membership.ends = min(days), max(days)
        membership.number, membership.paid_on, membership.source = "", None, ""
        membership.save()
    for name, value in EMPTY.items():
        setattr(player, name, value)
    for kept in RegistryImport.objects.defer("data"):
        rows = kept.report.get("rows", [])
        without = [
            {"line": row["line"], "outcome": FORGOTTEN} if row.get("player") == player.pk else row for row in rows
        ]
        if without != rows:
            RegistryImport.objects.filter(pk=kept.pk).update(data=None, report=kept.report | {"rows": without})
