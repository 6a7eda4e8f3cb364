"""What a director may decide about a match: each ruling proposes the terms and the games that stand, and says why.

Nothing here changes anything: a proposal is put on a new score sheet by a person, with his reason, or not at all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from rules.errors import Finding, gettext_noop
from rules.score import Ending, Level, MatchScore, Side, is_integer
from rules.sheet import GameResult, SheetCheck, Terms, check_game, check_sheet


class RulingKind(StrEnum):
    PENALTY_POINTS = "penalty_points"
    CRAWFORD_ANNULLED = "crawford_annulled"
    CRAWFORD_STANDS = "crawford_stands"
    LENGTH_POSTED = "length_posted"
    LENGTH_AGREED = "length_agreed"
    RESUMED = "resumed"


class LengthSchool(StrEnum):
    """Which length counts if the players played to another one than was posted; directors disagree."""

    POSTED = "posted"
    AGREED = "agreed"


@dataclass(frozen=True, slots=True)
class Proposal:
    """What would stand by the ruling: the terms, the games, and who is awarded the match, if anybody is.

    ``template`` is an English sentence with ``%(name)s`` placeholders for ``params``, which explains it.
    """

    kind: RulingKind
    terms: Terms
    games: tuple[GameResult, ...]
    template: str
    params: Mapping[str, object] = field(hash=False)
    awarded_to: Side | None = None

    @property
    def message(self) -> str:
        """The explanation in English."""
        return self.template % self.params

    @property
    def check(self) -> SheetCheck:
        """The proposed sheet held against the rules: without errors, as a proposal never has any."""
        return check_sheet(self.terms, self.games)


class RulingRefused(ValueError):  # noqa: N818
    """The ruling cannot be made here: a stable ``code`` and the parts of its translatable sentence."""

    def __init__(self, code: str, template: str, params: Mapping[str, object] | None = None) -> None:
        self.code = code
        self.template = template
        self.params: Mapping[str, object] = params or {}
        super().__init__(template % self.params)


def penalty_limit(length: int) -> int:
    """The number of penalty points with which a match to ``length`` is lost: the first above half of it.

    Source: UK Open rules, penalty points of more than half the length. Raises ValueError below length 1.
    """
    if length < 1:
        raise ValueError("Only a match has a length of 1 or more.")
    return length // 2 + 1


def rule_penalty_points(terms: Terms, *, against_a: int, against_b: int, games: Sequence[GameResult] = ()) -> Proposal:
    """The match begins with the points that each side gave away in all, or is lost by who gave away too many.

    Penalty points are added to the opponent's score before game 1; the first game may so be the Crawford game.
    Raises RulingRefused in money play, after game 1, for no points and if both sides have lost.
    """
    _require_match(terms)
    if games:
        template = gettext_noop("Penalty points are given before game 1; this match has begun.")
        raise RulingRefused("penalty_after_start", template)
    points = {Side.A: against_a, Side.B: against_b}
    if not all(is_integer(value) and value >= 0 for value in points.values()) or not any(points.values()):
        template = gettext_noop("Penalty points are whole numbers, and one side at least has some.")
        raise RulingRefused("penalty_invalid", template)
    limit = penalty_limit(terms.length)
    lost = [side for side in Side if points[side] >= limit]
    params = {"a": against_a, "b": against_b, "limit": limit, "length": terms.length}
    if len(lost) == 2:
        template = gettext_noop(
            "With %(limit)s penalty points a match to %(length)s is lost, and here it is by both sides."
        )
        raise RulingRefused("penalty_both_lost", template, params)
    if lost:
        template = gettext_noop(
            "With %(limit)s penalty points a match to %(length)s is lost. Penalty points here: "
            "%(a)s of the first player, %(b)s of the second."
        )
        return _proposed(RulingKind.PENALTY_POINTS, terms, (), template, params, awarded_to=lost[0].other)
    begun = replace(terms, start=(against_b, against_a), crawford_done=False)
    template = gettext_noop(
        "The match begins at %(b)s-%(a)s. Penalty points: %(a)s of the first player, %(b)s of the second."
    )
    if MatchScore(terms.length, against_b, against_a, crawford=terms.crawford).is_crawford:
        template = gettext_noop(
            "The match begins at %(b)s-%(a)s with its Crawford game. "
            "Penalty points: %(a)s of the first player, %(b)s of the second."
        )
    return _proposed(RulingKind.PENALTY_POINTS, begun, (), template, params)


def rule_resumed(terms: Terms, *, a: int, b: int, crawford_done: bool, games: Sequence[GameResult] = ()) -> Proposal:
    """The match goes on at a-b; ``crawford_done`` says whether its Crawford game has been played, as no score does.

    Raises RulingRefused in money play, if the sheet has games already, and for a score at which no match goes on.
    """
    _require_match(terms)
    if games:
        template = gettext_noop("This sheet has games of its own; a match is resumed on an empty one.")
        raise RulingRefused("resumed_with_games", template)
    if is_integer(a) and is_integer(b) and max(a, b) >= terms.length:
        template = gettext_noop("No match to %(length)s goes on at %(a)s-%(b)s.")
        raise RulingRefused("resumed_after_end", template, {"a": a, "b": b, "length": terms.length})
    resumed = replace(terms, start=(a, b), crawford_done=crawford_done)
    template = gettext_noop("The match is resumed at %(a)s-%(b)s.")
    if crawford_done:
        template = gettext_noop("The match is resumed at %(a)s-%(b)s, after its Crawford game.")
    return _proposed(RulingKind.RESUMED, resumed, (), template, {"a": a, "b": b})


def rule_crawford_annulled(terms: Terms, games: Sequence[GameResult], *, next_begun: bool, recorded: bool) -> Proposal:
    """The Crawford game counts as if nobody had doubled in it; if a drop ended it, it is played on.

    Allowed as long as no later game has begun (``next_begun``, or a later game on the sheet) and the result of the
    match is not ``recorded`` by the director. Source: ruling of the DBF, bkgm.com rgb 1082.
    Raises RulingRefused after that, and if there was no double in a Crawford game.
    """
    number = _crawford_double(terms, games)
    if next_begun or len(games) > number:
        template = gettext_noop("Game %(game)s can no longer be corrected: a later game has begun.")
        raise RulingRefused("annul_after_next_game", template, {"game": number})
    if recorded:
        template = gettext_noop("Game %(game)s can no longer be corrected: the result of the match is recorded.")
        raise RulingRefused("annul_after_recording", template, {"game": number})
    before, played = games[: number - 1], games[number - 1]
    if played.ending == Ending.DROP:
        template = gettext_noop(
            "The double in game %(game)s, the Crawford game, is annulled: the game is played on with the cube at 1."
        )
        return _proposed(RulingKind.CRAWFORD_ANNULLED, terms, before, template, {"game": number})
    level = Level.SINGLE if terms.variants.jacoby else played.level
    undoubled = replace(played, cube=1, level=level)
    template = gettext_noop(
        "The double in game %(game)s, the Crawford game, is annulled: it counts %(points)s, not %(claimed)s."
    )
    params = {"game": number, "points": undoubled.points, "claimed": played.points}
    return _proposed(RulingKind.CRAWFORD_ANNULLED, terms, (*before, undoubled), template, params)


def rule_crawford_stands(terms: Terms, games: Sequence[GameResult], *, next_begun: bool, recorded: bool) -> Proposal:
    """The Crawford game counts with the cube that was turned in it, since it was noticed too late.

    Source: practice in the USA, bkgm.com rgb 1163. Raises RulingRefused while the double can still be annulled, and if
    there was no double in a Crawford game.
    """
    number = _crawford_double(terms, games)
    if not (next_begun or recorded or len(games) > number):
        template = gettext_noop("The double in game %(game)s can still be annulled: no later game has begun.")
        raise RulingRefused("annul_in_time", template, {"game": number})
    waived = replace(terms, waived=terms.waived | {number})
    template = gettext_noop(
        "Game %(game)s was the Crawford game, but the double in it was noticed too late: the score stands."
    )
    return _proposed(RulingKind.CRAWFORD_STANDS, waived, games, template, {"game": number})


def rule_wrong_length(terms: Terms, games: Sequence[GameResult], *, agreed: int, school: LengthSchool) -> Proposal:
    """The match that was posted to ``terms.length`` and played to ``agreed``, by one of the two schools.

    POSTED: whoever first had the posted number of points has won, and later games do not count; if nobody has, the
    match goes on. Doubles in what turns out to have been the Crawford game were made in good faith and stand.
    AGREED: the length that both players played to counts. Source: bkgm.com rgb 1246 and 1322.
    Raises RulingRefused in money play, for an agreed length that is none or the posted one, and if the games break a
    rule under either length.
    """
    _require_match(terms)
    if not is_integer(agreed) or agreed < 1 or agreed == terms.length:
        template = gettext_noop(
            "The length that was played to is 1 or more, and another one than the posted %(posted)s."
        )
        raise RulingRefused("length_not_another", template, {"posted": terms.length})
    if school is LengthSchool.AGREED:
        template = gettext_noop(
            "The match counts as one to %(agreed)s, as it was played, not to the posted %(posted)s."
        )
        params = {"agreed": agreed, "posted": terms.length}
        return _proposed(RulingKind.LENGTH_AGREED, replace(terms, length=agreed), games, template, params)
    counted, waived = _until_over(terms, games)
    posted = replace(terms, waived=waived)
    score = check_sheet(posted, counted)
    template = gettext_noop("The match is one to the posted %(posted)s and goes on.")
    if score.over:
        template = gettext_noop(
            "The match was one to the posted %(posted)s and over after game %(game)s; later games: %(later)s."
        )
    params = {"posted": terms.length, "game": len(counted), "later": len(games) - len(counted)}
    return _proposed(RulingKind.LENGTH_POSTED, posted, counted, template, params)


def _until_over(terms: Terms, games: Sequence[GameResult]) -> tuple[tuple[GameResult, ...], frozenset[int]]:
    """The games up to the end of the match, and the numbers of those in which the cube must be allowed to stand."""
    score = terms.opening
    waived = set(terms.waived)
    counted: list[GameResult] = []
    for number, game in enumerate(games, start=1):
        if score.over:
            break
        if score.is_crawford and (game.cube != 1 or game.ending == Ending.DROP):
            waived.add(number)
        found = check_game(replace(terms, waived=frozenset(waived)), score, number, game)
        _refuse_errors(found)
        counted.append(game)
        score = score.after(game.winner, game.points)
    return tuple(counted), frozenset(waived)


def _crawford_double(terms: Terms, games: Sequence[GameResult]) -> int:
    """The number of the Crawford game, in which somebody doubled."""
    _require_match(terms)
    check = check_sheet(terms, games)
    refused = check.errors[0] if check.errors else None
    if refused is None or refused.game is None or refused.code not in ("crawford_cube", "crawford_drop"):
        if refused is not None:
            _refuse_errors((refused,))
        raise RulingRefused("no_crawford_double", gettext_noop("Nobody doubled in the Crawford game of this sheet."))
    return refused.game


def _require_match(terms: Terms) -> None:
    if not terms.length:
        raise RulingRefused("ruling_in_money_play", gettext_noop("Money play has no length and no Crawford game."))


def _proposed(
    kind: RulingKind,
    terms: Terms,
    games: Sequence[GameResult],
    template: str,
    params: Mapping[str, object],
    awarded_to: Side | None = None,
) -> Proposal:
    """The proposal. Raises RulingRefused if its sheet would break a rule."""
    proposal = Proposal(kind, terms, tuple(games), template, params, awarded_to)
    _refuse_errors(proposal.check.errors)
    return proposal


def _refuse_errors(findings: Sequence[Finding]) -> None:
    """Raises RulingRefused with the first error among the findings, if there is one."""
    for finding in findings:
        if finding.severity == "error":
            raise RulingRefused(finding.code, finding.template, finding.params)
