"""What a director may decide about a match: each ruling proposes terms and games, and explains them.

Nothing here changes anything: a person puts a proposal on a new score sheet, with a reason, or not at all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from rules.errors import Finding, gettext_noop
from rules.final_score import check_final
from rules.penalties import Penalty, give_penalties, penalty_limit, total_against
from rules.score import Ending, Level, Side, is_integer
from rules.sheet import GameResult, SheetCheck, Terms, check_sheet


class RulingKind(StrEnum):
    PENALTY_POINTS = "penalty_points"
    CRAWFORD_ANNULLED = "crawford_annulled"
    CRAWFORD_STANDS = "crawford_stands"
    LENGTH_POSTED = "length_posted"
    LENGTH_AGREED = "length_agreed"
    RESUMED = "resumed"
    CLOCK_LOST = "clock_lost"
    CLOCK_PENALTY = "clock_penalty"
    AWARDED = "awarded"
    UNDONE = "undone"


@dataclass(frozen=True, slots=True)
class Principle:
    """The rule that a kind of ruling follows: its name and one sentence, in English, and its source."""

    name: str
    sentence: str
    source: str


PRINCIPLES: dict[RulingKind, Principle] = {
    RulingKind.PENALTY_POINTS: Principle(
        gettext_noop("Penalty points"),
        gettext_noop("Penalty points go to the opponent; a total of more than half the match length loses the match."),
        "UK Open rules, 6",
    ),
    RulingKind.CRAWFORD_ANNULLED: Principle(
        gettext_noop("Double in the Crawford game annulled"),
        gettext_noop(
            "A double in the Crawford game, by either player, "
            "is annulled if the next game has not begun and the result has not been recorded."
        ),
        "Dansk Backgammon Forbund; bkgm.com rgb 1082",
    ),
    RulingKind.CRAWFORD_STANDS: Principle(
        gettext_noop("Double in the Crawford game stands"),
        gettext_noop("A double in the Crawford game stands if it is noticed only after the next game has begun."),
        "bkgm.com rgb 1163",
    ),
    RulingKind.LENGTH_POSTED: Principle(
        gettext_noop("Wrong length: the posted length counts"),
        gettext_noop("The first player to reach the posted length has won, whatever length the match was played to."),
        "US Tournament Rules 4.9; bkgm.com rgb 1246, 1322",
    ),
    RulingKind.LENGTH_AGREED: Principle(
        gettext_noop("Wrong length: the length actually played counts"),
        gettext_noop("The length that both players played to counts, since they made every decision with it in mind."),
        "bkgm.com rgb 1246, 1322",
    ),
    RulingKind.RESUMED: Principle(
        gettext_noop("Match resumed"),
        gettext_noop(
            "The match continues from a score that both players agree on or the director establishes; "
            "the score alone does not say whether the Crawford game has been played."
        ),
        "docs/rules.md, I7",
    ),
    RulingKind.CLOCK_LOST: Principle(
        gettext_noop("Clock ran out: match lost"),
        gettext_noop(
            "A player whose clock runs out loses the match; with overtime, only when it runs out a second time."
        ),
        "USBGF options of 2019, gammonassociates.com",
    ),
    RulingKind.CLOCK_PENALTY: Principle(
        gettext_noop("Clock ran out: penalty points"),
        gettext_noop(
            "When a player's clock runs out, the opponent receives penalty points, if the event announced this rule."
        ),
        "The rules of the event; no text of docs/rules.md gives points",
    ),
    RulingKind.AWARDED: Principle(
        gettext_noop("Match awarded"),
        gettext_noop("The director may award a match that cannot be finished fairly, and must say why."),
        "WBGF rules 2.1",
    ),
    RulingKind.UNDONE: Principle(
        gettext_noop("Ruling undone"),
        gettext_noop("A ruling made by mistake is undone: the match stands as it did before."),
        "docs/rules.md",
    ),
}


@dataclass(frozen=True, slots=True)
class Proposal:
    """What the ruling would establish: the terms, the games or only the final score, and the side awarded the match.

    ``template`` is the explanation in English with ``%(name)s`` placeholders. ``params`` fill all of them except
    ``first`` and ``second``, the names of the players.
    """

    kind: RulingKind
    terms: Terms
    games: tuple[GameResult, ...]
    template: str
    params: Mapping[str, object] = field(hash=False)
    awarded_to: Side | None = None
    final: tuple[int, int] | None = None

    @property
    def message(self) -> str:
        """The explanation in English, with sides instead of the players' names."""
        return self.template % {"first": "side A", "second": "side B", **self.params}

    @property
    def check(self) -> SheetCheck:
        """The proposed sheet checked against the rules; a proposal never has errors."""
        if self.final is not None:
            return check_final(self.terms, *self.final)
        return check_sheet(self.terms, self.games)


class RulingRefused(ValueError):  # noqa: N818
    """The ruling cannot be made here: a stable ``code`` and the parts of its translatable sentence."""

    def __init__(self, code: str, template: str, params: Mapping[str, object] | None = None) -> None:
        self.code = code
        self.template = template
        self.params: Mapping[str, object] = params or {}
        super().__init__(template % self.params)


def rule_penalty_points(terms: Terms, games: Sequence[GameResult], *, against_a: int, against_b: int) -> Proposal:
    """Set the penalty points that each side has given away before the next game; too many lose the match.

    Penalty points are added to the opponent's score, and may bring on the opponent's Crawford game. Zero points
    take back those given at this place before. Raises RulingRefused in money play, after the end of the match, for no
    points where there were none, if both sides have lost, and if the points of each side would end the match.
    """
    require_match(terms)
    given = Penalty(len(games), against_a, against_b)
    if not all(is_integer(points) and points >= 0 for points in (against_a, against_b)):
        raise RulingRefused("penalty_invalid", gettext_noop("Penalty points must be whole numbers, 0 or more."))
    others = tuple(penalty for penalty in terms.penalties if penalty.after < given.after)
    if not (against_a or against_b) and len(others) == len(terms.penalties):
        template = gettext_noop("No penalty points were given before game %(game)s: there are none to take back.")
        raise RulingRefused("penalty_none", template, {"game": given.after + 1})
    without = replace(terms, penalties=others)
    check = check_sheet(without, games)
    refuse_errors(check.errors)
    if check.over:
        template = gettext_noop("The match is over: penalty points can only be given before it ends.")
        raise RulingRefused("penalty_after_end", template)
    if (lost := _lost_by_penalties(without, games, (*others, given))) is not None:
        return lost
    if all(given.against(side) >= check.score.away(side.other) for side in Side):
        template = gettext_noop("Both sides' penalty points would end the match, so neither side can have won it.")
        raise RulingRefused("penalty_both_won", template)
    after = give_penalties(check.score, [given], after=given.after)
    template = gettext_noop(
        "Penalty points before game %(game)s: %(first)s %(against_a)s, %(second)s %(against_b)s. "
        "The match continues at %(a)s–%(b)s."
    )
    if after.is_crawford:
        template = gettext_noop(
            "Penalty points before game %(game)s: %(first)s %(against_a)s, %(second)s %(against_b)s. "
            "The match continues at %(a)s–%(b)s with the Crawford game."
        )
    if after.over:
        template = gettext_noop(
            "Penalty points before game %(game)s: %(first)s %(against_a)s, %(second)s %(against_b)s. "
            "They end the match at %(a)s–%(b)s."
        )
    params = {"game": given.after + 1, "against_a": against_a, "against_b": against_b, "a": after.a, "b": after.b}
    if after.over and not games:  # a sheet must hold games or an award
        return propose(RulingKind.PENALTY_POINTS, without, (), template, params, awarded_to=after.winner)
    given_now = (given,) if against_a or against_b else ()
    ruled = replace(terms, penalties=(*others, *given_now))
    return propose(RulingKind.PENALTY_POINTS, ruled, games, template, params)


def _lost_by_penalties(terms: Terms, games: Sequence[GameResult], penalties: Sequence[Penalty]) -> Proposal | None:
    """Award the match against the side that gave away too many points in all; None if neither side did.

    Raises RulingRefused if both did.
    """
    limit = penalty_limit(terms.length)
    total_a, total_b = (total_against(side, penalties) for side in Side)
    params = {"limit": limit, "length": terms.length, "total_a": total_a, "total_b": total_b}
    if min(total_a, total_b) >= limit:
        template = gettext_noop("Both sides have reached the %(limit)s penalty points that lose a match to %(length)s.")
        raise RulingRefused("penalty_both_lost", template, params)
    if max(total_a, total_b) < limit:
        return None
    template = gettext_noop(
        "A total of %(limit)s penalty points loses a match to %(length)s. "
        "Totals: %(first)s %(total_a)s, %(second)s %(total_b)s."
    )
    winner = Side.B if total_a >= limit else Side.A
    return propose(RulingKind.PENALTY_POINTS, terms, games, template, params, awarded_to=winner)


def rule_resumed(terms: Terms, *, a: int, b: int, crawford_done: bool, games: Sequence[GameResult] = ()) -> Proposal:
    """Resume the match at a-b; ``crawford_done`` says whether its Crawford game has been played, which no score shows.

    The score sums up all that happened before it, penalty points and rulings on games included.
    Raises RulingRefused in money play, if the sheet has games already, and for a score at which no match continues.
    """
    require_match(terms)
    if games:
        template = gettext_noop("This sheet already has games; a match can be resumed only on an empty sheet.")
        raise RulingRefused("resumed_with_games", template)
    if is_integer(a) and is_integer(b) and max(a, b) >= terms.length:
        template = gettext_noop("No match to %(length)s can continue at %(a)s–%(b)s.")
        raise RulingRefused("resumed_after_end", template, {"a": a, "b": b, "length": terms.length})
    resumed = replace(terms, start=(a, b), crawford_done=crawford_done, waived=frozenset(), penalties=())
    template = gettext_noop("The match is resumed at %(a)s–%(b)s.")
    if crawford_done:
        template = gettext_noop("The match is resumed at %(a)s–%(b)s, after its Crawford game.")
    return propose(RulingKind.RESUMED, resumed, (), template, {"a": a, "b": b})


def rule_crawford_annulled(terms: Terms, games: Sequence[GameResult], *, next_begun: bool, recorded: bool) -> Proposal:
    """Count the Crawford game as if nobody had doubled in it; if a drop ended it, the game continues.

    Allowed as long as no later game has begun (``next_begun``, or a later game on the sheet) and the director has not
    ``recorded`` the result of the match. Source: ruling of the DBF, bkgm.com rgb 1082.
    Raises RulingRefused after that, and if there was no double in a Crawford game.
    """
    number = _crawford_double(terms, games)
    if next_begun or len(games) > number:
        template = gettext_noop("Game %(game)s can no longer be corrected: a later game has begun.")
        raise RulingRefused("annul_after_next_game", template, {"game": number})
    if recorded:
        template = gettext_noop("Game %(game)s can no longer be corrected: the result of the match has been recorded.")
        raise RulingRefused("annul_after_recording", template, {"game": number})
    before, played = games[: number - 1], games[number - 1]
    if played.ending == Ending.DROP:
        template = gettext_noop(
            "The double in game %(game)s, the Crawford game, is annulled: the game continues with the cube at 1."
        )
        return propose(RulingKind.CRAWFORD_ANNULLED, terms, before, template, {"game": number})
    level = Level.SINGLE if terms.variants.jacoby else played.level
    undoubled = replace(played, cube=1, level=level)
    template = gettext_noop(
        "The double in game %(game)s, the Crawford game, is annulled: the game is worth %(points)s, not %(claimed)s."
    )
    params = {"game": number, "points": undoubled.points, "claimed": played.points}
    return propose(RulingKind.CRAWFORD_ANNULLED, terms, (*before, undoubled), template, params)


def rule_crawford_stands(terms: Terms, games: Sequence[GameResult], *, next_begun: bool, recorded: bool) -> Proposal:
    """Count the Crawford game with the cube that was turned in it, since the double was noticed too late.

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
    return propose(RulingKind.CRAWFORD_STANDS, waived, games, template, {"game": number})


def _crawford_double(terms: Terms, games: Sequence[GameResult]) -> int:
    """Return the number of the Crawford game, in which a side doubled."""
    require_match(terms)
    check = check_sheet(terms, games)
    refused = check.errors[0] if check.errors else None
    if refused is None or refused.game is None or refused.code not in ("crawford_cube", "crawford_drop"):
        if refused is not None:
            refuse_errors((refused,))
        raise RulingRefused("no_crawford_double", gettext_noop("Nobody doubled in the Crawford game on this sheet."))
    return refused.game


def require_match(terms: Terms) -> None:
    """Raise RulingRefused in money play."""
    if not terms.length:
        raise RulingRefused(
            "ruling_in_money_play", gettext_noop("Money play has no match length and no Crawford game.")
        )


def propose(
    kind: RulingKind,
    terms: Terms,
    games: Sequence[GameResult],
    template: str,
    params: Mapping[str, object],
    awarded_to: Side | None = None,
    final: tuple[int, int] | None = None,
) -> Proposal:
    """Return the proposal. Raises RulingRefused if its sheet would break a rule."""
    proposal = Proposal(kind, terms, () if final else tuple(games), template, params, awarded_to, final)
    refuse_errors(proposal.check.errors)
    return proposal


def refuse_errors(findings: Sequence[Finding]) -> None:
    """Raise RulingRefused with the first error among the findings, if there is one."""
    for finding in findings:
        if finding.severity == "error":
            raise RulingRefused(finding.code, finding.template, finding.params)
