"""Where chance decides in a draw: by lots that anyone can check, or by a seeded generator in simulations."""

from __future__ import annotations

from collections.abc import Callable, MutableSequence, Sequence
from random import Random
from typing import TYPE_CHECKING, Protocol, TypeVar

from tournament.formats.lots import Lots, Urn

if TYPE_CHECKING:
    from tournament.formats.plan import Draw

T = TypeVar("T")

Source = Urn | str
"""What decides in one scope of a draw, as a value: an urn, or the seed of a generator."""


class Chance(Protocol):
    """What a format may leave to chance within one scope of a draw.

    A name stands for one lot: whatever is drawn again has another name, such as ``12 again 2``.
    """

    def shuffle(self, items: MutableSequence[T], name: Callable[[T], str]) -> None:
        """Put ``items`` in the order that chance decides; ``name`` is the name for which the lot of each is drawn."""
        ...

    def pick(self, items: Sequence[T], name: Callable[[T], str]) -> T:
        """Return the one of ``items`` that chance chooses; there is at least one."""
        ...

    def is_first(self, one: str, other: str) -> bool:
        """Whether chance puts the name ``one`` before ``other``."""
        ...


class LotChance:
    """Chance by the lots of an urn: the smallest comes first, and alone is chosen."""

    def __init__(self, urn: Urn) -> None:
        self._urn = urn

    def shuffle(self, items: MutableSequence[T], name: Callable[[T], str]) -> None:
        items[:] = sorted(items, key=lambda item: self._urn.lot(name(item)))

    def pick(self, items: Sequence[T], name: Callable[[T], str]) -> T:
        return min(items, key=lambda item: self._urn.lot(name(item)))

    def is_first(self, one: str, other: str) -> bool:
        return self._urn.lot(one) < self._urn.lot(other)


class SeededChance:
    """Chance by a generator, whatever the names: for simulations, and for draws published before there were lots.

    Uses ``rng.random()`` alone, the one method whose sequence Python promises to keep between versions. Source: Python
    documentation, ``random``, "Notes on Reproducibility".
    """

    def __init__(self, seed: str | int) -> None:
        self._rng = Random(seed)

    def shuffle(self, items: MutableSequence[T], name: Callable[[T], str]) -> None:
        for last in range(len(items) - 1, 0, -1):
            chosen = int(self._rng.random() * (last + 1))
            items[last], items[chosen] = items[chosen], items[last]

    def pick(self, items: Sequence[T], name: Callable[[T], str]) -> T:
        return items[int(self._rng.random() * len(items))]

    def is_first(self, one: str, other: str) -> bool:
        return self._rng.random() < 0.5


def chance_in(draw: Draw, scope: str, *, seeded: str = "") -> Chance:
    """Return what decides in this scope of the draw; without lots the seed, followed by ``seeded``.

    This opens the urn of the scope, so it is asked only where something is to be drawn now.
    """
    return chance_of(source_in(draw, scope, seeded=seeded))


def source_in(draw: Draw, scope: str, *, seeded: str = "") -> Source:
    """Return what :func:`chance_in` draws from, as a value that a cache can tell from others."""
    return _source_among(draw.lots, scope, f"{draw.seed}:{seeded}" if seeded else draw.seed)


def chance_among(lots: Lots | None, scope: str, *, seed: str) -> Chance:
    """Return what decides in this scope where no format draws: who qualifies, or which bye a late entry takes."""
    return chance_of(_source_among(lots, scope, seed))


def _source_among(lots: Lots | None, scope: str, seed: str) -> Source:
    return seed if lots is None else lots.urn(scope)


def chance_of(source: Source) -> Chance:
    """Return the chance that begins anew from ``source``."""
    return LotChance(source) if isinstance(source, Urn) else SeededChance(source)
