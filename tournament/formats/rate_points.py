"""A point for the match and one for the lower error rate, as in the Ultimate Backgammon Championship.

Each counts as a win. With equal rates both players get it (UBC 2019 rules: three decimals, "both players will receive
one point").
"""

from __future__ import annotations

from rules.errors import gettext_noop
from tournament.formats.errors import PlanError
from tournament.formats.options import OptionField, OptionKind, Options

RATE_POINT = OptionField(
    name="rate_point",
    kind=OptionKind.FLAG,
    label=gettext_noop("A second win for the lower error rate (UBC)"),
    help=gettext_noop(
        "As in the UBC: each match has a win for its winner and one for the player with the lower error rate, which "
        "you enter once the match is analysed. With equal rates both get it. Until then the match counts alone."
    ),
    default=False,
)


def gives_rate_point(options: Options) -> bool:
    """Whether the lower error rate of a match counts as a second win."""
    return options.own.get(RATE_POINT.name) is True


def lower_rates(a: int, b: int, rates: tuple[int, int] | None) -> tuple[int, ...]:
    """Return which of the sides ``a`` and ``b`` has the lower of these rates; both if they are equal."""
    if rates is None:
        return ()
    return tuple(side for side, own, other in ((a, *rates), (b, *reversed(rates))) if own <= other)


def check_rate_point(options: Options, boards: int) -> None:
    """Raise PlanError (``rate_point_of_teams``) for teams: their boards have rates, their matches have none."""
    if boards > 1 and gives_rate_point(options):
        raise PlanError(
            "rate_point_of_teams",
            gettext_noop("A win for the lower error rate is for players and pairs, not for teams."),
            option=RATE_POINT.name,
        )
