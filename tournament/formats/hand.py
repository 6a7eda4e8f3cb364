"""A director's hand on the draw: swaps in a layout that has been drawn, and fixed pairings of a round.

Chance and what protects entrants come first, the director's moves after them, in their order. What cannot be carried
out, as somebody is no longer there or would meet themselves, lapses, and a note says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rules.errors import gettext_noop
from tournament.formats.moves import Move, MoveKind
from tournament.formats.plan import Entrant, Pairing, Reason, WinnerOf, feed_of

BY_HAND = "by_the_director"
"""The code of the reason of a pairing that a director has changed."""

LAPSED = ("move_lapsed", "move_lapsed_person")
"""The codes of the notes on moves that cannot be carried out."""

Seats = Sequence[Entrant | None]


@dataclass(frozen=True, slots=True)
class Swapped:
    """A layout after the swaps; ``causes`` has the last move of each entrant who was moved, ``notes`` what lapsed."""

    seats: tuple[Entrant | None, ...]
    causes: Mapping[int, Move] = field(default_factory=dict)
    notes: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class Fixed:
    """What a director has fixed for a round: pairs and byes by entry id, and ``notes`` on what lapsed."""

    pairs: tuple[tuple[int, int], ...] = ()
    byes: tuple[int, ...] = ()
    notes: tuple[Reason, ...] = ()

    @property
    def seated(self) -> frozenset[int]:
        """The ids of those who have an opponent or a bye by this."""
        return frozenset([*self.byes, *(side for pair in self.pairs for side in pair)])


def swap_seats(seats: Seats, moves: Iterable[Move], meets_itself: Callable[[Seats], bool]) -> Swapped:
    """Exchange the entrants of each swap among ``seats``, where None is an empty one.

    A swap lapses if one of the two has no seat here, or if somebody then ``meets_itself``.
    """
    order = list(seats)
    place = {entrant.id: index for index, entrant in enumerate(order) if entrant is not None}
    causes: dict[int, Move] = {}
    notes = []
    for move in moves:
        if move.kind is not MoveKind.SWAP:
            continue
        a, b = place.get(move.a), place.get(move.b or 0)
        if a is None or b is None:
            notes.append(_lapsed(move))
            continue
        order[a], order[b] = order[b], order[a]
        if meets_itself(order):
            order[a], order[b] = order[b], order[a]
            notes.append(_lapsed(move, "move_lapsed_person"))
            continue
        place[move.a], place[move.b or 0] = b, a
        causes |= {move.a: move, move.b or 0: move}
    return Swapped(tuple(order), causes, tuple(notes))


def pair_meets_itself(seats: Seats) -> bool:
    """Whether two neighbours of a first round, its lines 1 and 2, 3 and 4 ..., share a person."""
    return any(shares_person(a, b) for a, b in zip(seats[::2], seats[1::2], strict=True))


def shares_person(a: Entrant | None, b: Entrant | None) -> bool:
    """Whether both seats have an entrant, and the two a person in common."""
    return a is not None and b is not None and not a.persons.isdisjoint(b.persons)


def with_reasons(pairings: Iterable[Pairing], causes: Mapping[int, Move]) -> tuple[Pairing, ...]:
    """Return the pairings, where those that the draw itself has filled with a moved entrant say so.

    The first match of somebody with a bye is one of them.
    """
    if not causes:
        return tuple(pairings)
    found = []
    after_bye: dict[str, Entrant] = {}
    for pairing in pairings:
        is_drawn = pairing.feed_a == "" and pairing.feed_b in ("", "bye")
        if is_drawn and pairing.feed_b == "bye" and isinstance(pairing.a, Entrant):
            after_bye[feed_of(WinnerOf(pairing.key))] = pairing.a
        free = [after_bye[feed].id for feed in (pairing.feed_a, pairing.feed_b) if feed in after_bye]
        why = reason_of(pairing.entrant_ids if is_drawn else free, causes)
        found.append(replace(pairing, why=why) if why else pairing)
    return tuple(found)


def reason_of(entrants: Iterable[int], causes: Mapping[int, Move]) -> Reason | None:
    """Return why these meet, if any of them was moved by hand; the last move counts."""
    moved = [causes[entrant] for entrant in entrants if entrant in causes]
    return by_hand(max(moved, key=lambda move: move.number)) if moved else None


def by_hand(move: Move) -> Reason:
    """Return the reason of a pairing that a director has changed."""
    return Reason(BY_HAND, gettext_noop("Changed by the director: %(reason)s"), (("reason", move.reason),))


def fixed_pairings(moves: Sequence[Move], round: int, here: Mapping[int, Entrant], most: int | None = None) -> Fixed:
    """Return what is fixed for ``round`` among those ``here``, at most ``most`` pairs.

    A later move sets aside an earlier one that has either of its two.
    """
    taken: set[int] = set()
    pairs: list[tuple[int, int]] = []
    byes: list[int] = []
    notes: list[Reason] = []
    for move in reversed(moves):
        two = {move.a} if move.b is None else {move.a, move.b}
        if move.kind is not MoveKind.PAIR or move.round != round or two & taken:
            continue
        if not two <= here.keys() or (move.b is not None and most is not None and len(pairs) >= most):
            notes.append(_lapsed(move))
        elif move.b is None:
            byes.append(move.a)
            taken |= two
        elif shares_person(here[move.a], here[move.b]):
            notes.append(_lapsed(move, "move_lapsed_person"))
        else:
            pairs.append((move.a, move.b))
            taken |= two
    return Fixed(tuple(reversed(pairs)), tuple(reversed(byes)), tuple(reversed(notes)))


def fixed_by(moves: Iterable[Move], round: int, entrants: frozenset[int]) -> Move | None:
    """Return the move that fixed a pairing of these for ``round``; a single one has the bye."""
    wanted = [move for move in moves if move.kind is MoveKind.PAIR and move.round == round]
    return next((move for move in reversed(wanted) if {move.a, move.b} - {None} == entrants), None)


def lapsed(notes: Iterable[Reason]) -> set[int]:
    """Return the numbers of the moves that lapsed, according to these notes of a plan."""
    return {int(dict(note.params)["number"]) for note in notes if note.code in LAPSED}


def _lapsed(move: Move, code: str = "move_lapsed") -> Reason:
    if code == "move_lapsed":
        template = gettext_noop(
            "Change %(number)s by the director no longer applies, as one of the two has no seat there: %(reason)s"
        )
    else:
        template = gettext_noop(
            "Change %(number)s by the director does not apply, as entries of one player would meet: %(reason)s"
        )
    return Reason(code, template, (("number", move.number), ("reason", move.reason)))
