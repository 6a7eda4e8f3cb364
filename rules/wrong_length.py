"""The ruling on a match played to a length other than the one posted, following either school.

As in :mod:`rules.rulings`, nothing here changes anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum

from rules.errors import gettext_noop
from rules.final_score import check_final
from rules.rulings import Proposal, RulingKind, RulingRefused, propose, refuse_errors, require_match
from rules.score import Ending, is_integer
from rules.sheet import GameResult, Terms, check_game, check_sheet


class LengthSchool(StrEnum):
    """Which length counts if the players played to a length other than the one posted; directors disagree."""

    POSTED = "posted"
    AGREED = "agreed"


def rule_wrong_length(
    terms: Terms,
    games: Sequence[GameResult],
    *,
    posted: int,
    played: int,
    school: LengthSchool,
    final: tuple[int, int] | None = None,
) -> Proposal:
    """Rule on a match posted to ``posted`` points and played to ``played``, following one of the two schools.

    POSTED: the first side to reach the posted number of points has won, and later games do not count; if neither has,
    the match continues. Doubles in what turns out to have been the Crawford game were made in good faith and stand.
    AGREED: the length that both players played to counts. Source: bkgm.com rgb 1246 and 1322.
    If the games are not known, ``final`` is the score at which the players stopped.
    Raises RulingRefused in money play, for an impossible played length or one equal to the posted length, if the games
    break a rule under either length, and where a final score does not show who reached the posted points first.
    """
    require_match(terms)
    if not is_integer(played) or played < 1 or played == posted:
        template = gettext_noop(
            "The length actually played must be 1 or more, and different from the posted length (%(posted)s)."
        )
        raise RulingRefused("length_not_another", template, {"posted": posted})
    as_played, as_posted = replace(terms, length=played), replace(terms, length=posted)
    counts = as_played if school is LengthSchool.AGREED else as_posted
    if max(terms.start) >= counts.length:
        template = gettext_noop("No match to %(length)s can continue at %(a)s–%(b)s.")
        start = {"a": terms.start[0], "b": terms.start[1], "length": counts.length}
        raise RulingRefused("length_already_reached", template, start)
    if final is not None:
        refuse_errors(check_final(as_played, *final).errors)
    params: dict[str, object] = {"played": played, "posted": posted}
    if school is LengthSchool.AGREED:
        template = gettext_noop(
            "The match counts as it was played, to %(played)s, not to the posted length of %(posted)s."
        )
        return propose(RulingKind.LENGTH_AGREED, as_played, games, template, params, final=final)
    if final is not None:
        return _resumed_to_posted(as_posted, final, params)
    counted, waived = _until_over(as_posted, games)
    stands = replace(as_posted, waived=waived)
    template = gettext_noop("The match is to the posted %(posted)s points, and it continues.")
    if check_sheet(stands, counted).over:
        template = gettext_noop(
            "The match was to the posted %(posted)s points and was over after game %(game)s; number of later games: "
            "%(later)s."
        )
        params |= {"game": len(counted), "later": len(games) - len(counted)}
    return propose(RulingKind.LENGTH_POSTED, stands, counted, template, params)


def _resumed_to_posted(terms: Terms, final: tuple[int, int], params: Mapping[str, object]) -> Proposal:
    """Continue the match, stopped at ``final``, to its posted length if neither side has reached that.

    Neither side was one point away before the last game, so no Crawford game has been played.
    """
    if max(final) >= terms.length:
        template = gettext_noop("Only the games show who first reached the posted %(posted)s points: enter them first.")
        raise RulingRefused("length_games_needed", template, params)
    resumed = replace(terms, start=final, crawford_done=False, waived=frozenset(), penalties=())
    template = gettext_noop("The match is to the posted %(posted)s points, and it continues at %(a)s–%(b)s.")
    resumed_at = {**params, "a": final[0], "b": final[1]}
    return propose(RulingKind.LENGTH_POSTED, resumed, (), template, resumed_at)


def _until_over(terms: Terms, games: Sequence[GameResult]) -> tuple[tuple[GameResult, ...], frozenset[int]]:
    """Return the games up to the end of the match, and the numbers of those whose cube must be allowed to stand."""
    score = terms.opening
    waived = set(terms.waived)
    counted: list[GameResult] = []
    for number, game in enumerate(games, start=1):
        if score.over:
            break
        if score.is_crawford and (game.cube != 1 or game.ending == Ending.DROP):
            waived.add(number)
        found = check_game(replace(terms, waived=frozenset(waived)), score, number, game)
        refuse_errors(found)
        counted.append(game)
        score = terms.after(score, number, game)
    return tuple(counted), frozenset(waived)
