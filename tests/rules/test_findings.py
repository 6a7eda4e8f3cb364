"""Findings: their sentences, and an example of each code."""

from rules.errors import Severity
from rules.findings import CODES
from rules.score import MatchScore
from rules.sheet import Terms, check_game, check_sheet
from tests.rules.games import AT_CRAWFORD, A, B, game
from tests.rules.test_final_score import FINALS
from tests.rules.test_sheet import ASKED, REFUSED


def test_every_code_has_an_example():
    examples = {code for *_, code in REFUSED}
    examples |= {code for _, _, expected in ASKED for _, code in expected}
    examples |= {code for _, _, errors, warnings in FINALS for code in errors + warnings}
    assert examples == set(CODES)


def test_finding_names_the_rule_the_game_and_the_number():
    (finding,) = check_sheet(Terms(7), [*AT_CRAWFORD, game(B, 2)]).errors
    assert finding.as_dict() == {
        "code": "crawford_cube",
        "severity": "error",
        "game": 2,
        "row": None,
        "message": "Game 2: the cube is 2, but this is the Crawford game, in which nobody may double.",
    }
    assert (finding.rule, finding.severity) == ("I7", Severity.ERROR)


def test_findings_are_equal_by_value():
    first, second = (check_game(Terms(7), MatchScore(7), 1, game(A, 3)) for _ in range(2))
    assert first == second
    assert len({*first, *second}) == 1
    (other,) = check_game(Terms(7), MatchScore(7), 1, game(A, 5))
    assert other != first[0]


def test_finding_shows_a_number_too_long_to_read_by_its_size():
    (finding,) = check_sheet(Terms(7), [game(A, 3 * 2**20000)]).findings
    assert finding.message == ("Game 1: the cube must be a power of two (1, 2, 4, 8 and so on), not ≈2^20001.")
