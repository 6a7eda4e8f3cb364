"""Ratings as bytes: every bit of them, for checkpoints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from operator import attrgetter
from struct import Struct

from players.ratings.system import Rating, RatingSystem


def line_of(system: RatingSystem) -> Struct:
    """Return how one player is written: their id, and the fields of the system's ratings in their order."""
    return Struct("<q" + system.newcomer.layout)


def pack(system: RatingSystem, ratings: Mapping[int, Rating]) -> bytes:
    """Return the ratings as bytes, sorted by player; :func:`unpack` reads them back."""
    line, values = line_of(system), attrgetter(*(field.name for field in fields(system.newcomer)))
    return b"".join(line.pack(player, *values(rating)) for player, rating in sorted(ratings.items()))


def unpack(system: RatingSystem, packed: bytes | memoryview) -> dict[int, Rating]:
    """Return the ratings of each player that :func:`pack` has written for the same system."""
    rating = type(system.newcomer)
    return {player: rating(*values) for player, *values in line_of(system).iter_unpack(packed)}
