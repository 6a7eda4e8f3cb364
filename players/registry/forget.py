"""What is recorded of a person goes when they are deleted; results stay under a pseudonym."""

from typing import Any

from players.models import FormerValue, Player, RegistryImport, Visibility
from players.registry.names import own_name

OF_A_PERSON = (
    *("former_values", "external_ids", "body_memberships", "titles", "norms"),
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


def forget(player: Player) -> None:
    """Delete what is recorded of the person, without storing their own row; and files that were imported with them."""
    for rows in OF_A_PERSON:
        getattr(player, rows).all().delete()
    for name, value in EMPTY.items():
        setattr(player, name, value)
    for kept in RegistryImport.objects.defer("data"):
        rows = kept.report.get("rows", [])
        without = [
            {"line": row["line"], "outcome": FORGOTTEN} if row.get("player") == player.pk else row for row in rows
        ]
        if without != rows:
            RegistryImport.objects.filter(pk=kept.pk).update(data=None, report=kept.report | {"rows": without})
