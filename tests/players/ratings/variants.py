"""Rating systems for the contract tests."""

from players.ratings import SYSTEMS, build_system

VARIANTS = {
    **{kind: build_system(kind, {}) for kind in SYSTEMS},
    "fibs-later": build_system("fibs", {"this_match_counts": True}),
    "elo-ramp": build_system("elo", {"newcomer_factor": 3, "ramp": 90, "stake_scale": "linear", "k": 2}),
    "elo-floor": build_system("elo", {"floor": 1450, "chance_scale": "none", "divisor": 400, "k": 32}),
    "glicko-2-match": build_system("glicko-2", {"update": "match", "deviation": 500, "volatility": 0.09, "tau": 0.75}),
}
"""Every kind with its defaults, and with parameters that change what it promises."""
