"""What is played in the events of the benchmarks, and what it costs."""

from typing import Any

EVENTS: dict[str, dict[str, Any]] = {
    "Championship": {
        "format": "consolation",
        "options": {"lengths": [11, 9, 9, 7, 7, 5], "last_chance": "full", "consolation_lengths": [7, 5]},
    },
    "Doubles": {"format": "swiss", "options": {"lengths": [5], "rounds": 6}, "doubles": True},
    "Jackpot A": {"format": "jackpot", "options": {"lengths": [3], "size": "8"}},
    "Jackpot B": {"format": "jackpot", "options": {"lengths": [5, 3], "size": "8"}},
}
TEMPLATE = {"kind": "template", "template": "knockout"}
WHOLE_POOL = [{"section": "", "basis_points": 10_000, "table": TEMPLATE}]
MONEY: dict[str, dict[str, Any]] = {
    "Championship": {
        "currency": "EUR",
        "fee": 12_000,
        "registration_fee": 2_500,
        "rake": "percent",
        "rake_value": 333,
        "shares": [
            {"section": "", "basis_points": 7_000, "table": TEMPLATE},
            {"section": "C", "basis_points": 2_000, "table": TEMPLATE},
            {"section": "L", "basis_points": 1_000, "table": {"kind": "template", "template": "winner"}},
        ],
    },
    "Doubles": {"currency": "EUR", "fee": 4_001, "added": 777},
    "Jackpot A": {"currency": "USD", "fee": 5_000, "reentry_fee": 4_999},
    "Jackpot B": {"currency": "JPY", "fee": 3_000, "reentry_fee": 3_000, "rake": "per-entry", "rake_value": 100},
}


def terms(changed: dict[str, Any]) -> dict[str, Any]:
    """Return the money terms of an event: the defaults with these changes."""
    none = {"fee": 0, "reentry_fee": 0, "registration_fee": 0, "rake": "none", "rake_value": 0, "added": 0}
    rest = {"shares": WHOLE_POOL, "step": 1, "rounding": "largest-remainder", "auction": TEMPLATE | {"template": "two"}}
    return {**none, **rest, **changed}
