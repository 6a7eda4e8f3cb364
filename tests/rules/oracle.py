"""GNU Backgammon's play generator (gnubg-nn) behind our types: an oracle for tests and benchmarks."""

from functools import lru_cache

from rules.position import BAR, Position, count

_LETTERS = str.maketrans("0123456789abcdef", "ABCDEFGHIJKLMNOP")
_KEY_BYTES = 10


def gnubg_keys(position: Position, roll: tuple[int, int]) -> list[str]:
    """The keys of the positions after each legal play, sorted."""
    import gnubg_nn  # noqa: PLC0415 - optional package

    board = [[count(side, point) for point in range(1, BAR + 1)] for side in (position.theirs, position.mine)]
    return sorted(gnubg_nn.moves(board, *roll))


def keys(positions: frozenset[Position] | set[Position]) -> list[str]:
    """Return the keys of these positions as gnubg-nn writes them, sorted: the Position ID's bytes as letters A to P.

    As in a Position ID, the side that does not move comes first: here the opponent of the player who has moved.
    """
    texts = []
    for position in positions:
        theirs, length = _bits(position.theirs)
        mine, _ = _bits(position.mine)
        texts.append((theirs | mine << length).to_bytes(_KEY_BYTES, "little").hex())
    return sorted(" ".join(texts).translate(_LETTERS).split())


@lru_cache(maxsize=1 << 16)
def _bits(side: int) -> tuple[int, int]:
    """Return as many one bits as checkers and a zero for each point and the bar, and how many bits that makes."""
    bits, length = 0, 0
    for point in range(1, BAR + 1):
        checkers = count(side, point)
        bits |= ((1 << checkers) - 1) << length
        length += checkers + 1
    return bits, length
