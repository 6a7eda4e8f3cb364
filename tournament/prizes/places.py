"""The prize of each rank, once its place is settled; equal ranks share the prizes of their places equally."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from tournament.prizes.rounding import apportion


@dataclass(frozen=True, slots=True)
class Rank:
    """A place in a ranking, or a shared one, from ``place`` to ``place_to``.

    While it is not ``settled`` these are the places that are still open. ``who`` is the id of an entrant or of a lot.
    """

    who: int
    place: int
    place_to: int
    settled: bool = True


def settle_ranks(ranks: Iterable[Rank], still_in: Collection[int]) -> tuple[Rank, ...]:
    """Mark as settled the ranks that no match still to be played can change.

    A place is settled if none of those who share it is still in, there are as many of them as there are places, and no
    other rank overlaps it.
    """
    ranks = tuple(ranks)
    sharing: dict[tuple[int, int], list[int]] = {}
    for rank in ranks:
        sharing.setdefault((rank.place, rank.place_to), []).append(rank.who)
    spans = sorted(sharing)
    reached, settled = 0, set()
    for span, after in zip(spans, [*spans[1:], (spans[-1][1] + 1, 0)] if spans else [], strict=True):
        sharers = sharing[span]
        is_alone = reached < span[0] and span[1] < after[0]
        if is_alone and len(sharers) == span[1] - span[0] + 1 and not any(entrant in still_in for entrant in sharers):
            settled.add(span)
        reached = max(reached, span[1])
    return tuple(Rank(rank.who, rank.place, rank.place_to, (rank.place, rank.place_to) in settled) for rank in ranks)


def share_prizes(prizes: Sequence[int], ranks: Iterable[Rank]) -> dict[int, int]:
    """Compute what each settled rank is paid, 0 for nothing; ``prizes`` has the prize of each place, first place first.

    Those who share places share the sum of their prizes. Equal parts differ by at most one smallest unit, which goes
    to the lowest ids, so that nothing played later moves it: prizes are rounded to a step between places, not between
    equals.
    """
    sharing: dict[tuple[int, int], list[int]] = {}
    for rank in ranks:
        if rank.settled:
            sharing.setdefault((rank.place, rank.place_to), []).append(rank.who)
    paid: dict[int, int] = {}
    for (place, place_to), sharers in sharing.items():
        paid.update(zip(sorted(sharers), apportion(sum(prizes[place - 1 : place_to]), [1] * len(sharers)), strict=True))
    return paid


def rank_among(ranks: Iterable[Rank], members: Collection[int]) -> tuple[Rank, ...]:
    """Rank the members of a side pool as if only they had played; equal members still share a place."""
    return number(rank for rank in ranks if rank.who in members)


def number(ranks: Iterable[Rank]) -> tuple[Rank, ...]:
    """Number the places of the ranks 1, 2, 3 ... in their existing order; equal ranks share theirs."""
    groups: dict[tuple[int, int], list[Rank]] = {}
    for rank in ranks:
        groups.setdefault((rank.place, rank.place_to), []).append(rank)
    numbered: list[Rank] = []
    for _span, group in sorted(groups.items()):
        first = len(numbered) + 1
        numbered += [replace(rank, place=first, place_to=first + len(group) - 1) for rank in group]
    return tuple(numbered)


def pass_over(ranks: Iterable[Rank], without: Collection[int]) -> tuple[Rank, ...]:
    """Rank the entrants eligible for prizes: each moves up a place for everybody ``without`` prizes who is ahead."""
    ranks = tuple(ranks)
    passed = [rank for rank in ranks if rank.who in without]
    if not passed:
        return ranks
    found = []
    for rank in ranks:
        if rank.who in without:
            continue
        ahead = sum(other.place_to < rank.place for other in passed)
        within = sum(other.place_to <= rank.place_to for other in passed)
        found.append(replace(rank, place=rank.place - ahead, place_to=rank.place_to - within))
    return tuple(found)
