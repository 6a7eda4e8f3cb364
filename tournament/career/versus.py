"""Two players across the board: every match between them, from the first one's side."""

from dataclasses import dataclass

from players.models import Player
from tournament.career.career import Balance, balance_of
from tournament.career.results import Result, results_between


@dataclass(frozen=True, slots=True)
class Versus:
    """The matches between two players, the latest first; ``balance`` is that of the first one."""

    balance: Balance
    results: tuple[Result, ...]

    @property
    def longest_win(self) -> int:
        """The longest match, in points, that the first one won; 0 for none."""
        return max((result.length for result in self.results if result.won and not result.is_award), default=0)

    @property
    def longest_loss(self) -> int:
        """The longest match, in points, that the second one won; 0 for none."""
        return max((result.length for result in self.results if not (result.won or result.is_award)), default=0)


def versus_of(player: Player, other: Player) -> Versus:
    """Return the matches of the two in one query."""
    results = results_between(player, other)
    return Versus(balance_of(results), tuple(results))
