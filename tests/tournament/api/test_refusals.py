"""Every rule that can refuse a result does so through the API, with its code, and nothing is stored."""

import pytest

from tests.builders import build_event, fixture_of
from tournament.api.results.views import REFUSALS


def game(winner: str = "A", cube: int = 1, level: int = 1, ending: str = "bearoff") -> dict:
    return {"winner": winner, "cube": cube, "level": level, "ending": ending}


TO_CRAWFORD = game(cube=4)

# code: what is sent, the number of the game at fault, the profile
REFUSED: dict[str, tuple[dict, int | None, str]] = {
    "game_after_match_over": ({"games": [game(cube=8), game()], "confirmed": True}, 2, "wbgf"),
    "cube_not_power_of_two": ({"games": [game(cube=3)]}, 1, "wbgf"),
    "cube_above_cap": ({"games": [game(cube=128)], "confirmed": True}, 1, "dbf"),
    "level_not_in_profile": ({"games": [game(level=3)]}, 1, "de-leaflet"),
    "crawford_drop": ({"games": [TO_CRAWFORD, game("B", ending="drop")]}, 2, "wbgf"),
    "crawford_cube": ({"games": [TO_CRAWFORD, game("B", cube=2)]}, 2, "wbgf"),
    "drop_level": ({"games": [game(), game(ending="drop", level=2)]}, 2, "wbgf"),
    "drop_cube": ({"games": [game(cube=64, ending="drop")], "confirmed": True}, 1, "dbf"),
    "resignation_level": ({"games": [game(ending="resigned", level=2)]}, 1, "dk-leaflet"),
    "final_invalid": ({"final": [5, -1]}, None, "wbgf"),
    "final_not_over": ({"final": [4, 3]}, None, "wbgf"),
    "final_unreachable": ({"final": [5, 5]}, None, "wbgf"),
    "final_below_start": ({"final": [0, 5]}, None, "wbgf"),
    "award_without_side": ({"conclusion": "forfeit"}, None, "wbgf"),
    "played_at_out_of_range": ({"final": [5, 0], "played_at": "2001-01-01T12:00:00Z"}, None, "wbgf"),
    "final_with_games": ({"final": [5, 0], "games": [game()]}, None, "wbgf"),
    "walkover_with_games": ({"conclusion": "walkover", "awarded_to": "A", "games": [game()]}, None, "wbgf"),
    "void_with_games": ({"conclusion": "void", "games": [game()]}, None, "wbgf"),
    "sheet_empty": ({"games": []}, None, "wbgf"),
    "cube_too_large": ({"games": [game(cube=2**31)], "confirmed": True}, None, "wbgf"),
    "award_after_the_end": (
        {"conclusion": "forfeit", "awarded_to": "A", "games": [game(cube=8)], "confirmed": True},
        None,
        "wbgf",
    ),
    "key_missing": ({"key": None}, None, "wbgf"),
    "keys_differ": ({"key": "other"}, None, "wbgf"),
}


def test_every_documented_refusal_is_tried():
    assert set(REFUSED) == set(REFUSALS)


@pytest.mark.parametrize("code", REFUSED)
def test_a_result_that_a_rule_refuses_is_not_stored(api, director, unchanged, code):
    claimed, number, profile = REFUSED[code]
    match = fixture_of(build_event(director, players=2, lengths=(5,), profile=profile, crawford=True), "M1-1").match
    if code == "final_below_start":
        match.start_a = 1
        match.save()
    body = {"key": "k", "base": 0, "final": [5, 0] if "key" in claimed else None, **claimed}
    headers = {"Idempotency-Key": "k"} if code == "keys_differ" else {}
    if body["key"] is None:
        del body["key"]
    with unchanged():
        response = api.post(f"matches/{match.pk}/result/", body, headers=headers)
    assert (response.status_code, response.json()["code"]) == (400, code)
    findings = response.json().get("findings", [])
    if number is not None:
        assert [(f["code"], f["severity"], f["game"]) for f in findings if f["severity"] == "error"] == [
            (code, "error", number)
        ]
        assert f"ame {number}" in response.json()["detail"]


UNLIKELY = {
    "dead_cube": [*[game("A"), game("B")] * 3, game(cube=4)],
    "cube_implausible": [game(cube=16)],
    "overshoot": [game(cube=2, level=2), game(level=2)],
    "trailer_did_not_double": [TO_CRAWFORD, game("B"), game("B")],
    "many_games": [game("AB"[number % 2]) for number in range(8)],
}


@pytest.mark.parametrize("code", UNLIKELY)
def test_an_unlikely_result_is_stored_once_confirmed(api, director, unchanged, code):
    event = build_event(director, players=2, lengths=(5,), crawford=code != "many_games")
    match = fixture_of(event, "M1-1").match
    body = {"key": "k", "base": 0, "games": UNLIKELY[code]}
    with unchanged():
        asked = api.post(f"matches/{match.pk}/result/", body)
    assert (asked.status_code, asked.json()["code"]) == (409, "confirm_warnings")
    assert code in [finding["code"] for finding in asked.json()["findings"]]
    assert {finding["severity"] for finding in asked.json()["findings"]} == {"warning"}
    assert api.post(f"matches/{match.pk}/result/", body | {"confirmed": True}).status_code == 201
