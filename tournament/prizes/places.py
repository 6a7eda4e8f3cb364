"""Who is paid what: the prizes of places, those of a shared place in equal parts, once nothing can change them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from tournament.prizes.rounding import apportion


@dataclass(frozen=True, slots=True)
class Rank:
    """``place`` to ``place_to`` is a shared place, or the places still open to who is not ``settled``."""

    who: int
    place: int
    place_to: int
    settled: bool = True


def settle_ranks(ranks: Iterable[Rank], still_in: Collection[int]) -> tuple[Rank, ...]:
    """The ranks, settled where nothing that is still played can change them.

    A place is settled if nobody of those who share it is still in, they are as many as its places, and no other rank
    reaches into it.
    """
    ranks = tuple(ranks)
    sharing: dict[tuple[int, int], list[int]] = {}
    for rank in ranks:
        sharing.setdefault((rank.place, rank.place_to), []).append(rank.who)
    spans = sorted(sharing)
    reached, settled = 0, set()
    for span, after in zip(spans, [*spans[1:], (spans[-1][1] + 1, 0)] if spans else [], strict=True):
        who = sharing[span]
        is_alone = reached < span[0] and span[1] < after[0]
        if is_alone and len(who) == span[1] - span[0] + 1 and not any(entrant in still_in for entrant in who):
            settled.add(span)
        reached = max(reached, span[1])
    return tuple(replace(rank, settled=(rank.place, rank.place_to) in settled) for rank in ranks)


def share_prizes(prizes: Sequence[int], ranks: Iterable[Rank]) -> dict[int, int]:
    """What each settled rank is paid, 0 for nothing; ``prizes`` are those of the places, first place first.

    Who shares places shares the sum of their prizes. Equal parts differ by at most one smallest unit, and those whose
    rank comes first have it: rounding to a step is for places, not between equals.
    """
    sharing: dict[tuple[int, int], list[int]] = {}
    for rank in ranks:
        if rank.settled:
            sharing.setdefault((rank.place, rank.place_to), []).append(rank.who)
    paid: dict[int, int] = {}
    for (place, place_to), who in sharing.items():
        paid.update(zip(who, apportion(sum(prizes[place - 1 : place_to]), [1] * len(who)), strict=True))
    return paid


def rank_among(ranks: Iterable[Rank], members: Collection[int]) -> tuple[Rank, ...]:
    """The members of a side pool as if only they had played; equal ones still share."""
    return number(rank for rank in ranks if rank.who in members)


def number(ranks: Iterable[Rank]) -> tuple[Rank, ...]:
    """Ranks with places 1, 2, 3 ... in the order of the places they had; equal ones share theirs."""
    groups: dict[tuple[int, int], list[Rank]] = {}
    for rank in ranks:
        groups.setdefault((rank.place, rank.place_to), []).append(rank)
    numbered: list[Rank] = []
    for _span, group in sorted(groups.items()):
        first = len(numbered) + 1
        numbered += [replace(rank, place=first, place_to=first + len(group) - 1) for rank in group]
    return tuple(numbered)


def pass_over(ranks: Iterable[Rank], without: Collection[int]) -> tuple[Rank, ...]:
    """The ranks of those who may be paid: whoever is behind one of those ``without`` prizes moves up a place."""
    ranks = tuple(ranks)
    passed = [rank for rank in ranks if rank.who in without]
    found = []
    for rank in ranks:
        if rank.who in without:
            continue
        ahead = sum(other.place_to < rank.place for other in passed)
        within = sum(other.place_to <= rank.place_to for other in passed)
        found.append(replace(rank, place=rank.place - ahead, place_to=rank.place_to - within))
    return tuple(found)
