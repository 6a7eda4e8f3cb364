"""Whose score is proposed when two sides disagree about it: the written one, else that of the side that trails."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from rules.errors import gettext_noop
from rules.score import MatchScore, Side

WRITTEN = gettext_noop("Only %(name)s kept the score game by game: that written score prevails.")
TRAILING = gettext_noop(
    "%(name)s trails at the last score that both agree on: the score of the player who trails prevails."
)
OPEN = gettext_noop(
    "Both are level at the last score that they agree on: the rule names nobody, and the director decides."
)


@dataclass(frozen=True, slots=True)
class ScoreProposal:
    """The side whose score is proposed, if the rule names one, and the sentence that says why."""

    side: Side | None
    template: str


def propose_score(written: Collection[Side], agreed: MatchScore) -> ScoreProposal:
    """Return whose score prevails, given who kept it game by game and the last score that both sides agree on.

    Source: the rule of the USBGF (US Backgammon Federation): one written score prevails; else the score of the player
    who trails. Its wording could not be compared, so that no section is named; it is a proposal, and the director
    decides.
    """
    if len(set(written)) == 1:
        return ScoreProposal(next(iter(written)), WRITTEN)
    if agreed.a == agreed.b:
        return ScoreProposal(None, OPEN)
    return ScoreProposal(Side.A if agreed.a < agreed.b else Side.B, TRAILING)
