"""Boards for tests, written as the player on roll sees them."""

from collections.abc import Mapping

from hypothesis import strategies as st

from rules.position import BAR, CHECKERS, Position


def board(mine: Mapping[int, int], theirs: Mapping[int, int] | None = None, their_bar: int = 0) -> Position:
    """Return the position with these checkers, both in the *mover's* numbering; what is left out is borne off."""
    opposing = {BAR - point: number for point, number in (theirs or {}).items()}
    return Position.of(mine, {**opposing, BAR: their_bar})


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Draw any position: each point is empty or held by one side, and neither side has more than fifteen checkers."""
    sides: tuple[dict[int, int], dict[int, int]] = ({}, {})
    left = [CHECKERS, CHECKERS]
    for point in draw(st.permutations(range(1, BAR))):
        side = draw(st.integers(0, 1))
        number = draw(st.integers(0, min(left[side], 4)))
        sides[side][point if side == 0 else BAR - point] = number
        left[side] -= number
    for side in (0, 1):
        sides[side][BAR] = draw(st.integers(0, left[side]))
    return Position.of(*sides)


rolls = st.tuples(st.integers(1, 6), st.integers(1, 6))
