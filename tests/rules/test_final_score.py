"""Final scores: exactly those that games can reach pass the check."""

import pytest

from rules.final_score import check_final
from rules.profiles import PROFILES
from rules.score import MatchScore, Phase, Side
from rules.sheet import Terms
from tests.rules.games import HUGE

DE = PROFILES["de-leaflet"]

FINALS = [
    (Terms(7), (7, 5), [], []),
    (Terms(7), (0, 7), [], []),
    (Terms(0), (12, 5), [], []),
    (Terms(7, start=(7, 2)), (7, 2, 0), [], []),
    (Terms(7), (7, "5"), ["final_invalid"], []),
    (Terms(7), (7, True), ["final_invalid"], []),
    (Terms(7), (-7, 5), ["final_invalid"], []),
    (Terms(7), (6, 5), ["final_not_over"], []),
    (Terms(7), (8, 5), ["final_unreachable"], []),
    (Terms(7), (7, 7), ["final_unreachable"], []),
    (Terms(7), (HUGE, 5), ["final_unreachable"], []),
    (Terms(7, start=(7, 2)), (7, 3), ["final_unreachable"], []),
    (Terms(7, start=(0, 2)), (7, 1), ["final_below_start"], []),
    (Terms(-7), (7, 5), ["length_invalid"], []),
    (Terms(7), (7, 5, 0), ["game_count_impossible"], []),
    (Terms(7), (7, 5, 13), ["game_count_impossible"], []),
    (Terms(7), (7, 5, True), ["game_count_impossible"], []),
    (Terms(7), (7, 5, 11), [], ["many_games"]),
    (Terms(7), (7, 5, 10), [], []),
    (Terms(7), (7, 5, 2), [], ["too_few_games"]),
    (Terms(7), (7, 5, 3), [], []),
    (Terms(7, profile=DE), (7, 3, 2), [], ["too_few_games"]),
    (Terms(7), (7, 3, 2), [], []),
]


@pytest.mark.parametrize(("terms", "final", "errors", "warnings"), FINALS)
def test_check_final_judges_a_bare_score(terms, final, errors, warnings):
    check = check_final(terms, *final)
    assert [finding.code for finding in check.errors] == errors
    assert [finding.code for finding in check.warnings] == warnings
    if check.ok:
        assert (check.score.a, check.score.b) == final[:2]


def reachable_finals(length, crawford):
    """Return (a, b, games) of every match to ``length`` with cubes up to 8, by playing all of them."""
    finals = set()
    seen = set()
    waiting = [(MatchScore(length, crawford=crawford), 0)]
    while waiting:
        score, count = waiting.pop()
        if (score, count) in seen:
            continue
        seen.add((score, count))
        if max(score.a, score.b) == length:
            finals.add((score.a, score.b, count))
            continue
        for side in Side:
            for cube in (1,) if score.phase is Phase.CRAWFORD else (1, 2, 4, 8):
                waiting += [(score.after(side, cube * level), count + 1) for level in (1, 2, 3)]
    return finals


@pytest.mark.parametrize("length", [1, 2, 3, 5, 7])
def test_check_final_passes_exactly_what_can_be_played(length):
    finals = reachable_finals(length, crawford=False)
    tried = [(a, b, count) for a in range(length + 2) for b in range(length + 2) for count in range(2 * length + 2)]
    passed = {
        final
        for final in tried
        if not {finding.code for finding in check_final(Terms(length, crawford=False), *final).findings}
        - {"many_games"}
    }
    assert passed == finals
    assert reachable_finals(length, crawford=True) <= finals
