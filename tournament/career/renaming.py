"""A person's name replaced where it is written out: in the rows of their matches and tournaments."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.apps import apps
from django.db.models import Model

from matches.services import matches_of
from players.models import Player
from tournament.career.fates import IN_TOURNAMENTS, RENAMED
from tournament.models import Event, Tournament
from tournament.models.log import words_in

Names = Mapping[str, str]
"""The new name by the old one."""


def renamed_rows(player: Player, events: Sequence[Event], names: Names) -> Iterator[tuple[Model, dict[str, Any]]]:
    """Yield the rows in which a name may be written out, each with its fields as they are with the new names."""
    tournaments = list(Tournament.everything.filter(events__in=events).distinct())
    matches = list(matches_of(player).values_list("pk", flat=True))
    for label, (path, fields) in RENAMED.items():
        asked = tournaments if path.endswith(IN_TOURNAMENTS) else matches
        for row in apps.get_model(label)._base_manager.filter(**{path: asked}).iterator():
            yield row, {name: renamed(getattr(row, name), names) for name in fields if name != "words"}


def store_renamed(row: Model, changed: dict[str, Any]) -> None:
    """Store these fields of the row if they differ, and with the detail of a step the words by which it is found."""
    if "detail" in changed:
        changed["words"] = words_in(changed["detail"])
    if any(getattr(row, name) != value for name, value in changed.items()):
        type(row)._base_manager.filter(pk=row.pk).update(**changed)


def renamed(value: Any, names: Mapping[str, str]) -> Any:
    """Return the value with the names replaced wherever they stand in it; a single word only where it stands alone."""
    if isinstance(value, Mapping):
        return {key: renamed(inner, names) for key, inner in value.items()}
    if isinstance(value, list):
        return [renamed(inner, names) for inner in value]
    if isinstance(value, str):
        for name, new in names.items():
            value = _pattern(name).sub(new, value)
    return value


def _pattern(name: str) -> re.Pattern[str]:
    """Return where the name stands: within any text, or for a name of one word as a whole or as one of a pair."""
    if " " in name:
        return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    return re.compile(rf"(?:(?<=^)|(?<= & )){re.escape(name)}(?=$| & | \(\d+\)$)")
