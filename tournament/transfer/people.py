"""The people of an event file: everybody who is in an entry or has a seat in a match, named once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from players.models import Player, Visibility

Json = dict[str, Any]


class People:
    """The people of the file, each named by a number in the order in which they are met."""

    def __init__(self) -> None:
        self.rows: list[Json] = []
        self._ids: dict[int, str] = {}
        self._public: dict[int, Json] = {}

    def name(self, player: Player) -> str:
        """Return how the file names the player. Reads ``club`` as loaded."""
        if player.pk not in self._ids:
            id = self._ids[player.pk] = f"p{len(self.rows) + 1}"
            row: Json = {
                "id": id,
                "name": player.name,
                "nation": player.country,
                "club": player.club.name if player.club else "",
                # That somebody is a minor is not public.
                "visibility": Visibility.INITIALS if player.visibility == Visibility.MINOR else player.visibility,
                "ids": [],
                "memberships": [],
            }
            self.rows.append(row)
            if player.visibility == Visibility.PUBLIC:
                self._public[player.pk] = row
        return self._ids[player.pk]

    def put_back(self, kept: Mapping[int, Json]) -> None:
        """Give those who are public what earlier files held of them, by the ids of their players."""
        for id, own in kept.items():
            if id in self._public:
                self._public[id].update(own)

    def knows(self, id: int) -> bool:
        """Whether the player with this id has been named."""
        return id in self._ids

    def side(self, *ids: int | None) -> list[str]:
        """Return how the file names these people, who have all been named."""
        return [self._ids[id] for id in ids if id is not None]
