"""Everything a score sheet check can find: each code with its rule, and the sentence that names the game."""

from __future__ import annotations

from rules.errors import Finding, Severity
from rules.profiles import VariantFault

CODES: dict[str, str] = {
    "length_invalid": "I1",
    "start_invalid": "I8",
    "crawford_done_invalid": "I7",
    VariantFault.AUTOMATIC_DOUBLES_NEGATIVE.value: "I12",
    VariantFault.AUTOMATIC_DOUBLE_IN_MATCH.value: "I12",
    VariantFault.AUTOMATIC_DOUBLE_NOT_OFFERED.value: "row 52",
    VariantFault.AUTOMATIC_DOUBLE_WITHOUT_CUBE.value: "I12",
    VariantFault.JACQUET_NOT_OFFERED.value: "row 53",
    "game_after_match_over": "I8",
    "winner_invalid": "I4",
    "ending_invalid": "I4",
    "cube_not_power_of_two": "I2",
    "cube_above_cap": "I2",
    "level_not_in_profile": "I3",
    "crawford_drop": "I7",
    "crawford_cube": "I7",
    "drop_level": "I5",
    "drop_cube": "I5",
    "jacoby_level": "I11",
    "resignation_level": "row 50",
    "no_cube": "row 62",
    "final_invalid": "I10",
    "final_not_over": "I10",
    "final_unreachable": "I10",
    "final_below_start": "I4",
    "game_count_impossible": "I9",
    "dead_cube": "W1",
    "cube_implausible": "W2",
    "overshoot": "W3",
    "trailer_did_not_double": "W4",
    "many_games": "W5",
    "too_few_games": "W6",
}
"""Every code that a check of a score sheet can give, with the rule behind it."""


def readable(value: object) -> object:
    """Return the value in a form fit for a sentence: a number too long to read becomes its approximate size."""
    if isinstance(value, tuple | list):
        return ", ".join(str(readable(item)) for item in value[:3])
    if isinstance(value, bool) or not isinstance(value, int):
        return repr(value)[:60]
    if abs(value) < 10**18:
        return value
    return f"{'-' if value < 0 else ''}≈2^{abs(value).bit_length() - 1}"


def error(code: str, template: str, game: int | None = None, /, **params: object) -> Finding:
    """Return the finding that game ``game`` (from 1; None: the terms or a final score) breaks a rule."""
    return _finding(Severity.ERROR, code, template, game, params)


def warning(code: str, template: str, game: int | None = None, /, **params: object) -> Finding:
    """Return the finding that game ``game`` (from 1; None: a final score) is legal but unlikely."""
    return _finding(Severity.WARNING, code, template, game, params)


def _finding(severity: Severity, code: str, template: str, game: int | None, params: dict[str, object]) -> Finding:
    if game is not None:
        params["game"] = game
    return Finding(
        code=code, severity=severity, game=game, row=None, template=template, params=params, rule=CODES[code]
    )
