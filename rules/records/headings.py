"""What holds for the headings of a match and of its games in every format: how long, and which game comes next."""

from typing import Final

from rules.errors import gettext_noop
from rules.records.record import RecordError

MAX_LENGTH: Final = 999


def check_length(length: int) -> int:
    """Return the length. Raises RecordError for a longer match than is ever played."""
    if length > MAX_LENGTH:
        template = gettext_noop("A recorded match can be at most %(most)s points long, not %(length)s.")
        raise RecordError("record_length", template, most=MAX_LENGTH, length=length)
    return length


def check_game(number: int, before: int | None, length: int) -> int:
    """Return the number of a game that follows the game `before`, or begins the record if that is None.

    Raises RecordError if another game must come here, or if no match to this length has so many games.
    """
    expected = max(number, 1) if before is None else before + 1
    if number != expected:
        template = gettext_noop("Game %(expected)s was expected here, not game %(number)s.")
        raise RecordError("game_number", template, game=expected, expected=expected, number=number)
    if length and number > 2 * length - 1:
        template = gettext_noop("A match to %(length)s points has at most %(most)s games.")
        raise RecordError("game_count", template, game=number, length=length, most=2 * length - 1)
    return number
