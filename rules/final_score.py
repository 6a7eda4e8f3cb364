"""A final score without its games: whether a match can end that way."""

from __future__ import annotations

from rules.errors import Finding, gettext_noop
from rules.findings import error, readable, warning
from rules.penalties import total_against
from rules.score import MatchScore, Side, is_integer
from rules.sheet import SheetCheck, Terms, check_terms, usual_games


def check_final(terms: Terms, a: int, b: int, games: int | None = None) -> SheetCheck:
    """Check whether a match under ``terms`` can end with a-b credited, knowing at most how many games were played.

    ``scores`` holds the start and, if it is legal, the final score. Whether a Crawford game was played cannot be known
    from that, so ``crawford_done`` is as at the start.
    """
    findings = check_terms(terms)
    if findings:
        return SheetCheck((), findings)
    opening = terms.opening
    findings = _final_errors(opening, a, b, games) or _penalty_errors(terms, a, b, games)
    if findings:
        return SheetCheck((opening,), findings)
    if games is not None and opening.length:
        findings = _count_warnings(terms, opening, a, b, games)
    final = MatchScore(terms.length, a, b, crawford=terms.crawford, crawford_done=terms.crawford_done)
    return SheetCheck((opening, final), findings)


def _final_errors(opening: MatchScore, a: int, b: int, games: int | None) -> tuple[Finding, ...]:
    length = opening.length
    numbers = {"a": readable(a), "b": readable(b), "length": readable(length)}
    if not (is_integer(a) and is_integer(b) and a >= 0 and b >= 0):
        template = gettext_noop("A final score must be two whole numbers, 0 or more, not %(a)s–%(b)s.")
        return (error("final_invalid", template, **numbers),)
    if length and max(a, b) < length:
        template = gettext_noop(
            "%(a)s–%(b)s does not end a match to %(length)s: the winner must have all %(length)s points."
        )
        return (error("final_not_over", template, **numbers),)
    if length and (max(a, b) > length or a == b):
        template = gettext_noop(
            "No match to %(length)s can end at %(a)s–%(b)s: "
            "the winner is credited with %(length)s points, and the loser has fewer."
        )
        return (error("final_unreachable", template, **numbers),)
    if a < opening.a or b < opening.b:
        template = gettext_noop(
            "The match started at %(start_a)s–%(start_b)s and cannot end at %(a)s–%(b)s: no game takes points away."
        )
        start = {"start_a": readable(opening.a), "start_b": readable(opening.b)}
        return (error("final_below_start", template, a=readable(a), b=readable(b), **start),)
    if opening.over and (a, b) != (opening.a, opening.b):
        template = gettext_noop(
            "The match cannot end at %(a)s–%(b)s: it was over before its first game, at %(start_a)s–%(start_b)s."
        )
        start = {"start_a": readable(opening.a), "start_b": readable(opening.b)}
        return (error("final_unreachable", template, a=readable(a), b=readable(b), **start),)
    return () if games is None else _count_errors(opening, a, b, games)


def _penalty_errors(terms: Terms, a: int, b: int, games: int | None) -> tuple[Finding, ...]:
    """Find that the penalty points are not in the score: those given in time, as on a score sheet.

    Points dated after the end count for nothing. Without the number of games the match may have ended before any of
    them, if so few games can reach the score.
    """
    ends = [games] if games is not None else [*sorted({penalty.after for penalty in terms.penalties}), None]
    least = [_least(terms, end) for end in ends if end is None or end >= (a > terms.opening.a) + (b > terms.opening.b)]
    if not terms.length or not least:
        return ()
    if any(a >= min(least_a, terms.length) and b >= min(least_b, terms.length) for least_a, least_b in least):
        return ()
    least_a, least_b = least[0]
    template = gettext_noop(
        "With penalty points the score is at least %(start_a)s–%(start_b)s, so the match cannot end at %(a)s–%(b)s."
    )
    return (error("final_below_start", template, a=a, b=b, start_a=least_a, start_b=least_b),)


def _least(terms: Terms, games: int | None) -> tuple[int, int]:
    """Return the points of both sides without any game, in a match that ends with this game (None: after all)."""
    given = [penalty for penalty in terms.penalties if games is None or penalty.after < games]
    start_a, start_b = terms.start
    return start_a + total_against(Side.B, given), start_b + total_against(Side.A, given)


def _count_errors(opening: MatchScore, a: int, b: int, games: int) -> tuple[Finding, ...]:
    most = (a - opening.a) + (b - opening.b)
    fewest = (a > opening.a) + (b > opening.b)
    if is_integer(games) and fewest <= games <= most:
        return ()
    template = gettext_noop(
        "A score of %(a)s–%(b)s takes between %(fewest)s and %(most)s games, not %(games)s: "
        "every game is worth at least one point."
    )
    numbers = {"a": readable(a), "b": readable(b), "fewest": fewest, "most": readable(most), "games": readable(games)}
    return (error("game_count_impossible", template, **numbers),)


def _count_warnings(terms: Terms, opening: MatchScore, a: int, b: int, games: int) -> tuple[Finding, ...]:
    found = []
    if games > usual_games(terms.length):
        template = gettext_noop("%(games)s games is a lot for a match to %(length)s. Is the number right?")
        found.append(warning("many_games", template, games=readable(games), length=readable(terms.length)))
    won = a - opening.a if a < b else b - opening.b
    needed = _fewest_games(won, terms.profile.multipliers) + (not opening.over)
    if games < needed:
        template = gettext_noop(
            "%(games)s games seems too few: "
            "with %(points)s points for the loser, the match takes at least %(needed)s. Is the number right?"
        )
        found.append(warning("too_few_games", template, games=readable(games), points=readable(won), needed=needed))
    return tuple(found)


def _fewest_games(points: int, multipliers: tuple[int, ...]) -> int:
    """Return the smallest number of games, each a power of two times a level, with points that total ``points``.

    Two games of odd points can always be one game of even points, so an odd sum needs exactly one odd game and an
    even sum none, which halves it. The cube's cap is ignored: the answer may be too low for scores above it.
    """
    reachable = {points: 0}
    odd = [multiplier for multiplier in multipliers if multiplier % 2]
    while True:
        if 0 in reachable:
            rest = {value: games for value, games in reachable.items() if value}
            if not rest or min(rest.values()) >= reachable[0]:
                return reachable[0]
        following: dict[int, int] = {}
        for value, games in reachable.items():
            steps = [(value, games)] if value % 2 == 0 else [(value - m, games + 1) for m in odd if m <= value]
            for left, count in steps:
                half = left // 2
                following[half] = min(count, following.get(half, count))
        reachable = following
