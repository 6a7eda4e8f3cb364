"""Where chance decides in a draw: by lots that anyone can check, or by a seeded generator in simulations."""

from __future__ import annotations

from collections.abc import Callable, MutableSequence
from random import Random
from typing import TYPE_CHECKING, Protocol, TypeVar

from tournament.formats.lots import Urn

if TYPE_CHECKING:
    from tournament.formats.plan import Draw

T = TypeVar("T")


class Chance(Protocol):
    """What a format may leave to chance within one scope of a draw."""

    def shuffle(self, items: MutableSequence[T], name: Callable[[T], str]) -> None:
        """Put ``items`` in the order that chance decides; ``name`` is the name for which the lot of each is drawn."""
        ...

    def is_first(self, one: str, other: str) -> bool:
        """Whether chance puts the name ``one`` before ``other``."""
        ...


class LotChance:
    """Chance by the lots of an urn: the smallest comes first."""

    def __init__(self, urn: Urn) -> None:
        self._urn = urn

    def shuffle(self, items: MutableSequence[T], name: Callable[[T], str]) -> None:
        items[:] = sorted(items, key=lambda item: self._urn.lot(name(item)))

    def is_first(self, one: str, other: str) -> bool:
        return self._urn.lot(one) < self._urn.lot(other)


class SeededChance:
    """Chance by a generator: for simulations, and for draws published before there were lots.

    Uses ``rng.random()`` alone, the one method whose sequence Python promises to keep between versions. Source: Python
    documentation, ``random``, "Notes on Reproducibility".
    """

    def __init__(self, seed: str) -> None:
        self._rng = Random(seed)

    def shuffle(self, items: MutableSequence[T], name: Callable[[T], str]) -> None:
        for last in range(len(items) - 1, 0, -1):
            chosen = int(self._rng.random() * (last + 1))
            items[last], items[chosen] = items[chosen], items[last]

    def is_first(self, one: str, other: str) -> bool:
        return self._rng.random() < 0.5


def chance_in(draw: Draw, scope: str, *, seeded: str = "") -> Chance:
    """Return what decides in this scope of the draw; without lots the seed, followed by ``seeded``."""
    if draw.lots is not None:
        return LotChance(draw.lots.urn(scope))
    return SeededChance(f"{draw.seed}:{seeded}" if seeded else draw.seed)
