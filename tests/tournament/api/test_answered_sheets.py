"""What the API answers to a result is the sheet as anybody reads it afterwards, whichever way it was found."""

import pytest

from tests.builders import build_event, fixture_of
from tests.tournament.api.client import CheckedClient

ONE, TWO = {"winner": "A", "cube": 2}, {"winner": "B", "level": 2, "ending": "bearoff"}
STEPS: list[tuple[str, dict[str, object]]] = [
    ("result", {"base": 0, "games": [ONE]}),
    ("rulings", {"base": 1, "ruling_count": 0, "kind": "penalty_points", "penalty_points": [0, 1], "reason": "Late."}),
    ("result", {"base": 2, "games": [ONE, TWO]}),
    ("result", {"base": 3, "games": [ONE], "conclusion": "forfeit", "awarded_to": "B", "reason": " Left. "}),
    ("void", {"base": 4, "reason": "Back again."}),
    ("result", {"base": 0, "conclusion": "walkover", "awarded_to": "A"}),
    ("result", {"base": 5, "conclusion": "void"}),
    ("result", {"base": 6, "final": [5, 2]}),
    ("void", {"base": 7, "reason": "Another match."}),
    ("reports", {"base": 0, "final": [5, 3]}),
    ("dispute", {"number": 8, "reason": "It was 5–4."}),
    ("confirm", {"number": 8}),
]


@pytest.mark.parametrize("boards", [1, 3])
def test_each_answer_is_the_sheet_as_it_is_read_afterwards(api: CheckedClient, director, boards):
    event = build_event(director, players=4, boards=boards)
    match = next(iter(fixture_of(event, "M1-1").matches.values()))
    answered = set()
    for step, (address, said) in enumerate(STEPS):
        body = {**said, "key": f"k{step}"} if "kind" in said or address in {"result", "reports"} else said
        for status in (201, 200) if address == "result" else (None,):
            answer = api.post(f"matches/{match.pk}/{address}/", body)
            assert answer.status_code in {status or 200, status or 201}, answer.content
            if address != "rulings":
                sheets = api.get(f"matches/{match.pk}/").json()["sheets"]
                assert answer.json() == sheets[answer.json()["number"] - 1]
                answered.add(answer.json()["number"])
    assert answered == {1, *range(3, 9)}
