"""Drawn matches of teams: an even number of boards can be shared, which a format that needs a winner cannot take.

A drawn match is half a win for each team.
"""

from __future__ import annotations

from rules.errors import gettext_noop
from tournament.formats.errors import PlanError
from tournament.formats.format import Format


def is_drawn(boards: int, won_a: int, won_b: int) -> bool:
    """Whether a decided match of two teams is drawn: both have won equally many of an even number of boards.

    If neither has won any, nobody came, and the match is void.
    """
    return boards % 2 == 0 and won_a == won_b > 0


def takes_boards(format: Format, boards: int) -> bool:
    """Whether teams with this many boards can play the format: it ranks by record, or no match can be drawn."""
    return boards % 2 == 1 or format.ranks_by_record


def check_boards(format: Format, boards: int) -> None:
    """Raise PlanError (``boards_not_odd``) for teams with a number of boards that the format cannot take."""
    if not takes_boards(format, boards):
        raise PlanError(
            "boards_not_odd",
            gettext_noop(
                "With %(boards)s boards, a match between two teams can be drawn, but this format needs a winner of "
                "every match. Choose an odd number of boards, or a format that ranks by wins."
            ),
            boards=boards,
        )
