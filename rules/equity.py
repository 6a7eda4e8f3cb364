"""Match equity: how likely a side is to win the match from a given score if both sides play equally well."""

import csv
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final

from rules.score import MatchScore, Phase, Side

SIZE: Final = 25
"""The greatest number of points away that the tables cover."""


@dataclass(frozen=True, slots=True)
class Table:
    """A published match equity table: `source` names its authors, `file` holds its numbers under their notice."""

    slug: str
    name: str
    source: str
    file: str


KAZAROSS_XG2: Final = Table(
    "kazaross-xg2", "Kazaross XG2", "Neil Kazaross, 2011; transcribed by Michael Petch", "met_kazaross_xg2.csv"
)
ROCKWELL_KAZAROSS: Final = Table(
    "rockwell-kazaross",
    "Rockwell-Kazaross",
    "David Rockwell and Neil Kazaross, 2008-2010",
    "met_rockwell_kazaross.csv",
)

TABLES: Final[dict[str, Table]] = {table.slug: table for table in (KAZAROSS_XG2, ROCKWELL_KAZAROSS)}

DEFAULT_TABLE: Final = KAZAROSS_XG2

Rows = tuple[tuple[float, ...], ...]


@cache
def rows(table: Table) -> Rows:
    """Return the numbers of a table, read once: 25 rows up to and including the Crawford game, and one after it."""
    text = resources.files("rules").joinpath("data", table.file).read_text(encoding="ascii")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return tuple(tuple(float(number) for number in line) for line in csv.reader(lines))


def notice(table: Table) -> str:
    """Return the authors' notice and permission, which must be kept with every copy of the table."""
    text = resources.files("rules").joinpath("data", table.file).read_text(encoding="ascii")
    return "\n".join(line.removeprefix("#").strip() for line in text.splitlines() if line.startswith("#"))


def equity(table: Table, a_away: int, b_away: int) -> float:
    """Return the probability, 0 to 1, that A wins the match before a game that begins with these points still needed.

    If a side is 1 away, the game is the Crawford game; for the games after it see `post_crawford_equity`.
    Raises ValueError unless both are 1 to 25.
    """
    _check(a_away)
    _check(b_away)
    return rows(table)[a_away - 1][b_away - 1]


def post_crawford_equity(table: Table, trailer_away: int) -> float:
    """Return the probability, 0 to 1, that a side needing this many points wins after the Crawford game.

    Its opponent needs 1. Raises ValueError unless the number is 1 to 25.
    """
    _check(trailer_away)
    return rows(table)[SIZE][trailer_away - 1]


def win_probability(score: MatchScore, *, side: Side = Side.A, table: Table = DEFAULT_TABLE) -> float:
    """Return the probability, 0 to 1, that the side wins the match from a score between two games.

    It is 0 or 1 if the match is over. Without the Crawford rule, a score with a side 1 away counts as one after the
    Crawford game, and a match to one point is even. Raises ValueError for money play, for more than 25 points away, and
    without the Crawford rule for the scores before that: the tables assume the rule.
    """
    if score.over:
        return 1.0 if score.winner is side else 0.0
    mine, theirs = score.away(side), score.away(side.other)
    if min(mine, theirs) > 1:
        if score.phase is Phase.PLAIN:
            raise ValueError("The match equity tables assume the Crawford rule.")
        return equity(table, mine, theirs)
    if score.is_crawford or mine == theirs:
        return equity(table, mine, theirs)
    if theirs == 1:
        return post_crawford_equity(table, mine)
    return 1 - post_crawford_equity(table, theirs)


def win_tenths(score: MatchScore, *, table: Table = DEFAULT_TABLE) -> tuple[int, int] | None:
    """Return `win_probability` for side A and side B in tenths of a percent, which add up to 1000.

    None for a match that is over and for a score that the table does not cover.
    """
    if score.over:
        return None
    try:
        a = round(1000 * win_probability(score, table=table))
    except ValueError:
        return None
    return a, 1000 - a


def _check(away: int) -> None:
    if not 1 <= away <= SIZE:
        raise ValueError(f"The match equity tables cover 1 to {SIZE} points away, not {away}.")
