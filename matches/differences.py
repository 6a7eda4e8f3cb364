"""Where claims about one match differ: reports of the sides and of a scorer, and the desk's live sheet."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from django.utils.translation import gettext as _

from matches.claims import Claim, claim_of, score_of
from matches.models import Match, Scoresheet, SheetState
from rules.keeper import alike, games_alike
from rules.score import MatchScore, Side
from rules.sheet import GameResult


def score_claimed(match: Match, sheet: Scoresheet) -> MatchScore:
    """Return the score that the sheet claims. Reads ``lines`` as prefetched, as all functions here do."""
    claim = claim_of(sheet)
    return score_of(match.terms, claim.games, claim.final, claim.awarded_to)


def describe_dispute(match: Match, claims: Sequence[Scoresheet]) -> str:
    """Return one sentence on where two of the claims first differ; empty if none do.

    Claims are reports and the live sheet.
    """
    for one, other in combinations(claims, 2):
        if sentence := difference(match, one, other):
            return sentence
    return ""


def differs(match: Match, one: Scoresheet, other: Scoresheet | None) -> bool:
    """Whether the claims cannot both be right; neither is if there is no other."""
    return other is not None and bool(difference(match, one, other))


def clashes(match: Match, one: Scoresheet, other: Scoresheet | None) -> bool:
    """Whether the claims differ although one of them says that the match is over: that is a dispute."""
    if other is None or not differs(match, one, other):
        return False
    return score_claimed(match, one).over or score_claimed(match, other).over


def agree(match: Match, one: Scoresheet, other: Scoresheet) -> bool:
    """Whether both claim that the match is over, and do not differ."""
    return all(score_claimed(match, sheet).over for sheet in (one, other)) and not difference(match, one, other)


def score_between(match: Match, reports: Sequence[Scoresheet]) -> MatchScore | None:
    """Return the score that the open reports of a match in play give; None without any.

    Of reports that do not differ it is that of the one which goes furthest; else the last one that all agree on.
    """
    claims = [claim_of(report) for report in reports]
    if not claims:
        return None
    shortest = min(claims, key=lambda claim: len(claim.games))
    if any(claim.final for claim in claims) or not _differ_in_play(claims):
        return max((score_claimed(match, report) for report in reports), key=lambda score: score.a + score.b)
    same = min(games_alike(shortest.games, claim.games) for claim in claims)
    return match.terms.scores(shortest.games[:same])[-1]


def _differ_in_play(claims: Sequence[Claim]) -> bool:
    pairs = combinations((claim.games for claim in claims), 2)
    return any(games_alike(one, other) < min(len(one), len(other)) for one, other in pairs)


def difference(match: Match, one: Scoresheet, other: Scoresheet) -> str:
    """Return one sentence on where the two claims first differ; empty if they do not."""
    claims = claim_of(one), claim_of(other)
    who = {"one": name_claimant(match, one), "other": name_claimant(match, other)}
    if claims[0].final is None and claims[1].final is None:
        return _game_that_differs(match, claims[0].games, claims[1].games, who)
    scores = score_claimed(match, one), score_claimed(match, other)
    if all(score.over for score in scores) and (scores[0].a, scores[0].b) != (scores[1].a, scores[1].b):
        sentence = _("The match ended %(said)s according to %(one)s, but %(told)s according to %(other)s.")
        ended = [_between(match, score) for score in scores]
        return sentence % {**who, "said": ended[0], "told": ended[1]}
    for (claimed, reached), name, teller in ((scores, "one", "other"), (scores[::-1], "other", "one")):
        if claimed.over and (reached.a > claimed.a or reached.b > claimed.b):
            sentence = _("The match ended %(said)s according to %(one)s, but %(other)s already has %(told)s.")
            said, told = (_between(match, score) for score in (claimed, reached))
            return sentence % {"one": who[name], "other": who[teller], "said": said, "told": told}
    return ""


def _game_that_differs(
    match: Match, games: Sequence[GameResult], other_games: Sequence[GameResult], who: dict[str, str]
) -> str:
    for number, (game, other_game) in enumerate(zip(games, other_games, strict=False), start=1):
        if not alike(game, other_game):
            words = {"said": _in_words(match, game), "told": _in_words(match, other_game)}
            if words["said"] == words["told"]:
                return _("Game %(game)s: %(one)s and %(other)s disagree on how it ended.") % {"game": number, **who}
            sentence = _("Game %(game)s: %(one)s says that %(said)s, but %(other)s says that %(told)s.")
            return sentence % {"game": number, **who, **words}
    return ""


def name_claimant(match: Match, sheet: Scoresheet) -> str:
    """Return who makes the claim: a side by its name, the scorer or the desk."""
    if sheet.state == SheetState.LIVE:
        return _("the desk")
    if not sheet.side:
        return _("the scorer")
    return match.name_a if sheet.side == Side.A else match.name_b


def _between(match: Match, score: MatchScore) -> str:
    """Return the score with both names, as either player may read it."""
    return f"{match.name_a} {score.a}–{score.b} {match.name_b}"


def _in_words(match: Match, game: GameResult) -> str:
    name = match.name_a if game.winner is Side.A else match.name_b
    return _("%(name)s scored %(points)s") % {"name": name, "points": game.points}
