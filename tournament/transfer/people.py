"""The people of an event file: everybody who is in an entry or has a seat in a match, named once."""

from __future__ import annotations

from typing import Any

from players.models import Player

Json = dict[str, Any]


class People:
    """The people of the file, each named by a number in the order in which they are met."""

    def __init__(self) -> None:
        self.rows: list[Json] = []
        self._ids: dict[int, str] = {}

    def name(self, player: Player) -> str:
        """Return how the file names the player. Reads ``club`` as loaded."""
        if player.pk not in self._ids:
            self._ids[player.pk] = f"p{len(self.rows) + 1}"
            self.rows.append(
                {
                    "id": self._ids[player.pk],
                    "name": player.name,
                    "nation": player.country,
                    "club": player.club.name if player.club else "",
                    "visibility": "public",
                    "ids": [],
                    "memberships": [],
                }
            )
        return self._ids[player.pk]

    def knows(self, id: int) -> bool:
        """Whether the player with this id has been named."""
        return id in self._ids

    def side(self, *ids: int | None) -> list[str]:
        """Return how the file names these people, who have all been named."""
        return [self._ids[id] for id in ids if id is not None]
