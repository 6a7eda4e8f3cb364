"""What is claimed about a match: read from a sheet, checked against the rules, compared with another claim."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from matches.models import AWARDS, Conclusion, GameLine, Match, Scoresheet
from players.errors import Refusal, Unconfirmed, in_words
from players.questions import digest_of
from rules.errors import Finding
from rules.final_score import check_final
from rules.score import Ending, Level, MatchScore, Side
from rules.sheet import GameResult, Terms, check_sheet

MAX_CUBE = 2**30

KEY = r"\A(?!again-|undo-|absence-)[!-~]{1,64}\Z"
"""A key that a client sends: 1 to 64 printable ASCII characters without spaces, and no prefix reserved for this
program.
"""


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim about what happened in a match: all games so far, or only a final score, or an award.

    ``key`` makes a repeated submission harmless. ``base`` is the number of the current sheet that the claimant
    saw, 0 for none. ``confirmed`` says that they have seen the warnings about unlikely games, whatever these are;
    ``answered`` is the digest of the question that they have said yes to, and confirms that claim alone.
    ``played_at`` is when the match was played, if they say so.
    """

    key: str
    base: int = 0
    games: tuple[GameResult, ...] = ()
    final: tuple[int, int] | None = None
    conclusion: Conclusion = Conclusion.PLAYED
    awarded_to: Side | None = None
    confirmed: bool = False
    reason: str = ""
    answered: str = ""
    played_at: datetime | None = None

    def continues(self, before: Claim) -> bool:
        """Whether the games of ``before`` are unchanged, and more games or the end of the match follow them."""
        return before.final is None and before.awarded_to is None and self.games[: len(before.games)] == before.games


def score_of(
    terms: Terms, games: Sequence[GameResult], final: tuple[int, int] | None, awarded_to: Side | None
) -> MatchScore:
    """Return the score of a sheet that passed its check; an award brings its side to the match length."""
    if final is not None:
        return MatchScore(terms.length, *final, crawford=terms.crawford)
    score = terms.scores(games)[-1]
    if awarded_to is not None and not score.over:
        score = score.after(awarded_to, score.away(awarded_to))
    return score


def is_decided(claim: Claim, score: MatchScore) -> bool:
    """Whether the claim decides the match: somebody has won it by this score, or it is void."""
    return score.over or claim.conclusion == Conclusion.VOID


def check_claim(terms: Terms, claim: Claim) -> tuple[MatchScore, tuple[Finding, ...]]:
    """Return the score of the claim, and its warnings. Raises Refusal naming the first rule that it breaks."""
    if (claim.conclusion in AWARDS) != (claim.awarded_to is not None):
        raise Refusal("award_without_side", _("A forfeit or walkover must name the side that is awarded the match."))
    if claim.final is not None and (claim.games or claim.awarded_to):
        raise Refusal("final_with_games", _("Enter either the games or a final score, not both."))
    if claim.conclusion == Conclusion.WALKOVER and claim.games:
        raise Refusal("walkover_with_games", _("A walkover is a match that never began: it has no games."))
    if claim.conclusion == Conclusion.VOID:
        if claim.games or claim.final:
            raise Refusal("void_with_games", _("A match to which neither side came has no games."))
        return terms.opening, ()
    if claim.final is None and not claim.games and claim.awarded_to is None:
        raise Refusal("sheet_empty", _("A score sheet must contain at least one game or a final score."))
    refuse_large_cubes(claim.games)
    if claim.final is not None:
        check = check_final(terms, *claim.final)
    else:
        check = check_sheet(terms, claim.games)
    if check.errors:
        first = check.errors[0]
        raise Refusal(first.code, in_words(first), findings=check.errors)
    if claim.awarded_to is not None and check.over:
        raise Refusal(
            "award_after_the_end", _("The games have already decided the match: there is nothing left to award.")
        )
    if claim.final is None and claim.awarded_to is None:
        return check.score, check.warnings
    return score_of(terms, claim.games, claim.final, claim.awarded_to), check.warnings


def require_confirmed(match: Match, claim: Claim, warnings: Sequence[Finding]) -> None:
    """Raise Unconfirmed for warnings that the claimant has not confirmed, or has confirmed for another claim."""
    if not warnings or claim.confirmed:
        return
    seen = [(finding.code, finding.game, sorted(finding.params.items())) for finding in warnings]
    question = digest_of(match.pk, claim.base, claim_as_dict(claim), seen)
    if claim.answered != question:
        sentences = " ".join(in_words(finding) for finding in warnings)
        raise Unconfirmed("confirm_warnings", sentences, findings=warnings, question=question)


def refuse_large_cubes(games: Sequence[GameResult]) -> None:
    """Raise Refusal for a cube that the database cannot hold."""
    for number, game in enumerate(games, start=1):
        if type(game.cube) is int and game.cube > MAX_CUBE:
            sentence = _("Game %(game)s: the cube cannot be higher than %(limit)s.")
            raise Refusal("cube_too_large", sentence % {"game": number, "limit": MAX_CUBE})


def claim_of(sheet: Scoresheet) -> Claim:
    """Return the claim of a stored sheet. Reads ``sheet.lines`` as prefetched if there is no final score."""
    final = None if sheet.final_a is None or sheet.final_b is None else (sheet.final_a, sheet.final_b)
    return Claim(
        key=sheet.key,
        games=tuple(game_of(line) for line in sheet.lines.all()) if final is None else (),
        final=final,
        conclusion=Conclusion(sheet.conclusion),
        awarded_to=Side(sheet.awarded_to) if sheet.awarded_to else None,
    )


def claim_as_dict(claim: Claim) -> dict[str, object]:
    """Return the claim as the log keeps it, which is enough to make it again."""
    return {
        "games": [[game.winner.value, game.cube, game.level.value, game.ending.value] for game in claim.games],
        "final": list(claim.final) if claim.final else None,
        "conclusion": Conclusion(claim.conclusion).value,
        "awarded_to": claim.awarded_to.value if claim.awarded_to else None,
    }


def game_of(line: GameLine) -> GameResult:
    """Return the stored line of a sheet as the rules represent a game."""
    return GameResult(Side(line.winner), line.cube, Level(line.level), Ending(line.ending))


def new_warnings(warnings: Sequence[Finding], before: Claim, claim: Claim) -> tuple[Finding, ...]:
    """Return the warnings about games that were not on the previous sheet: the others were confirmed with it."""
    known = 0
    for old, new in zip(before.games, claim.games, strict=False):
        if old != new:
            break
        known += 1
    return tuple(finding for finding in warnings if finding.game is None or finding.game > known)


def says_the_same(one: Claim, other: Claim) -> bool:
    """Whether both claim the same result of the match, regardless of who claims it and when."""
    return (one.games, one.final, one.conclusion, one.awarded_to) == (
        other.games,
        other.final,
        other.conclusion,
        other.awarded_to,
    )
