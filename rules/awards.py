"""Rulings that decide a match, or cost points in it, for reasons other than its games: the clock, and awards.

As in :mod:`rules.rulings`, nothing here changes anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rules.errors import gettext_noop
from rules.rulings import Proposal, RulingKind, RulingRefused, rule_penalty_points
from rules.score import Side, is_integer
from rules.sheet import GameResult, Terms, check_sheet


def rule_awarded(terms: Terms, games: Sequence[GameResult], *, winner: Side) -> Proposal:
    """Award the match to ``winner``; the games already played stay on the sheet.

    Raises RulingRefused if the match is over.
    """
    template = gettext_noop("The match is awarded to %(name)s.")
    return _award(RulingKind.AWARDED, terms, games, winner, template)


def rule_clock_lost(terms: Terms, games: Sequence[GameResult], *, expired: Side) -> Proposal:
    """Award the match against the side whose clock has run out. Raises RulingRefused if the match is over.

    Source: USBGF options of 2019, gammonassociates.com: the first expiry loses, or with overtime the second.
    """
    template = gettext_noop("The opponent's clock ran out: %(name)s has won the match.")
    return _award(RulingKind.CLOCK_LOST, terms, games, expired.other, template)


def rule_clock_penalty(terms: Terms, games: Sequence[GameResult], *, against_a: int, against_b: int) -> Proposal:
    """Give penalty points before the next game for an expired clock, on top of any given there already.

    For events that choose points instead of the match. Raises RulingRefused if no points are given, and as
    :func:`rules.rulings.rule_penalty_points` does.
    """
    points = (against_a, against_b)
    if not all(is_integer(given) and given >= 0 for given in points) or not any(points):
        raise RulingRefused("penalty_invalid", gettext_noop("Penalty points must be whole numbers, 0 or more."))
    given = next((penalty for penalty in terms.penalties if penalty.after == len(games)), None)
    before = (given.against_a, given.against_b) if given else (0, 0)
    proposal = rule_penalty_points(terms, games, against_a=before[0] + against_a, against_b=before[1] + against_b)
    return replace(proposal, kind=RulingKind.CLOCK_PENALTY)


def _award(kind: RulingKind, terms: Terms, games: Sequence[GameResult], winner: Side, template: str) -> Proposal:
    if not terms.length:
        raise RulingRefused(
            "ruling_in_money_play", gettext_noop("Money play has no match length and no Crawford game.")
        )
    if check_sheet(terms, games).over:
        raise RulingRefused("award_after_the_end", gettext_noop("The match is over: there is nothing left to award."))
    return Proposal(kind, terms, tuple(games), template, {"name": f"side {winner.value}"}, awarded_to=winner)
