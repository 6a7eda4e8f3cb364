"""Rulings through the API: previewed, made, read by everybody, refused with codes."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from rules.rulings import PRINCIPLES, RulingKind
from rules.score import Side
from tests.builders import AT, build_event, fixture_of, win
from tests.tournament.api.client import CheckedClient
from tournament.api.results.rulings import REFUSALS
from tournament.events.services import finish_event
from tournament.models import Event, LogEntry


@pytest.fixture
def event(director) -> Event:
    return build_event(director, players=4, lengths=(5,))


@pytest.fixture
def match(event):
    return fixture_of(event, "M1-1").match


def game(winner: str = "A", cube: int = 1, level: int = 1, ending: str = "bearoff") -> dict:
    return {"winner": winner, "cube": cube, "level": level, "ending": ending}


TO_CRAWFORD = game(cube=4)
DOUBLED = {"games": [TO_CRAWFORD, game("B", cube=2)], "next_begun": False}


def rule(api: CheckedClient, match, kind: str, **said: object):
    body = {"key": "r", "base": 0, "ruling_count": 0, "kind": kind, "reason": "Seen at the board.", **said}
    return api.post(f"matches/{match.pk}/rulings/", body)


def enter(api: CheckedClient, match, *games: dict, base: int = 0) -> None:
    body = {"key": f"k{base}-{len(games)}", "base": base, "games": games, "confirmed": True}
    assert api.post(f"matches/{match.pk}/result/", body).status_code == 201


def score(a: int, b: int, *, length: int = 5, phase: str = "before", winner: str | None = None) -> dict:
    return {"length": length, "score": [a, b], "phase": phase, "is_crawford": phase == "crawford", "winner": winner}


def test_a_ruling_names_its_rule_its_reason_and_what_it_changed(api, match):
    enter(api, match, TO_CRAWFORD)
    response = rule(api, match, "crawford_annulled", base=1, **DOUBLED)
    assert response.status_code == 201
    body = response.json()
    at = body.pop("at")
    assert body == {
        "number": 1,
        "kind": "crawford_annulled",
        "rule": PRINCIPLES[RulingKind.CRAWFORD_ANNULLED].sentence,
        "rule_source": PRINCIPLES[RulingKind.CRAWFORD_ANNULLED].source,
        "explanation": "The double in game 2, the Crawford game, is annulled: the game is worth 1, not 2.",
        "reason": "Seen at the board.",
        "before": score(4, 0, phase="crawford"),
        "after": score(4, 1, phase="after"),
        "sheet": 2,
        "by": "director",
    }
    sheets = api.get(f"matches/{match.pk}/").json()["sheets"]
    assert [(sheet["state"], sheet["score"]) for sheet in sheets] == [("superseded", [4, 0]), ("live", [4, 1])]
    assert api.get(f"matches/{match.pk}/rulings/").json() == [{**body, "at": at}]


KINDS = [
    ("penalty_points", {"penalty_points": [0, 2]}, (), score(2, 0), None),
    ("penalty_points", {"penalty_points": [1, 0]}, [TO_CRAWFORD], score(4, 1, phase="crawford"), 2),
    ("crawford_annulled", DOUBLED, [TO_CRAWFORD], score(4, 1, phase="after"), 2),
    ("crawford_stands", {**DOUBLED, "next_begun": True}, [TO_CRAWFORD], score(4, 2, phase="after"), 2),
    ("length_agreed", {"played_to": 3}, [game(), game(cube=2)], score(3, 0, length=3, phase="over", winner="A"), 2),
    ("length_agreed", {"played_to": 3, "final": [2, 3]}, (), score(2, 3, length=3, phase="over", winner="B"), 1),
    ("length_posted", {"played_to": 7}, [game(), game("B")], score(1, 1), 2),
    ("length_posted", {"played_to": 3, "final": [3, 2]}, (), score(3, 2), None),
    ("resumed", {"score": [4, 3], "crawford_done": True}, (), score(4, 3, phase="after"), None),
    ("clock_lost", {"awarded_to": "B"}, [TO_CRAWFORD], score(4, 5, phase="over", winner="B"), 2),
    ("clock_penalty", {"penalty_points": [1, 0]}, (), score(0, 1), None),
    ("awarded", {"awarded_to": "A"}, (), score(5, 0, phase="over", winner="A"), 1),
    ("resumed", {"score": [1, 3], "crawford_done": False}, [TO_CRAWFORD], score(1, 3), None),
]


@pytest.mark.parametrize(("kind", "said", "games", "after", "sheet"), KINDS)
def test_every_kind_is_previewed_and_then_ruled_alike(api, match, unchanged, kind, said, games, after, sheet):
    if games:
        enter(api, match, *games)
    with unchanged():
        preview = rule(api, match, kind, base=bool(games) + 0, preview=True, **said)
    assert preview.status_code == 200
    ruled = rule(api, match, kind, base=bool(games) + 0, **said)
    assert ruled.status_code == 201
    told = [{name: value for name, value in one.json().items() if name != "at"} for one in (preview, ruled)]
    assert told[0] == told[1]
    assert (told[1]["after"], told[1]["sheet"]) == (after, sheet)
    detail = api.get(f"matches/{match.pk}/").json()
    assert {name: detail[name] for name in after} == after
    assert (detail["sheet"], detail["ruling_count"]) == (sheet or 0, 1)


def test_every_kind_is_tried():
    assert {kind for kind, *_rest in KINDS} == {kind.value for kind in RulingKind} - {RulingKind.UNDONE}


def test_a_ruling_that_ends_a_match_advances_the_draw_and_is_logged(api, event, match):
    enter(api, match, game(), game(cube=2))
    assert rule(api, match, "length_agreed", base=1, played_to=3).status_code == 201
    assert fixture_of(event, "M2-1").entry_a == fixture_of(event, "M1-1").entry_a
    assert LogEntry.objects.filter(event=event).latest("id").verb == "ruling"
    fixture = next(f for f in api.get(f"events/{event.pk}/").json()["stage"]["fixtures"] if f["key"] == "M1-1")
    assert (fixture["length"], fixture["score"]) == (3, [3, 0])


def test_the_undoing_of_a_ruling_is_read_as_a_ruling(api, event, match):
    assert rule(api, match, "awarded", awarded_to="A").status_code == 201
    row = LogEntry.objects.filter(event=event).latest("id")
    assert api.post(f"events/{event.pk}/log/{row.pk}/undo/").status_code == 200
    read = api.get(f"matches/{match.pk}/rulings/").json()
    assert [(one["kind"], one["after"]["winner"]) for one in read] == [("awarded", "A"), ("undone", None)]


def test_the_same_ruling_sent_twice_is_one(api, match, unchanged):
    first = rule(api, match, "penalty_points", penalty_points=[1, 0])
    with unchanged():
        again = rule(api, match, "penalty_points", penalty_points=[1, 0])
        other = rule(api, match, "penalty_points", penalty_points=[2, 0])
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json() == first.json()
    assert (other.status_code, other.json()["code"]) == (409, "key_reused")


@pytest.mark.parametrize(("seen", "code"), [({"base": 1}, "ruling_changed"), ({"ruling_count": 1}, "sheet_changed")])
def test_the_second_of_two_rulings_is_told_what_happened(api, match, unchanged, seen, code):
    enter(api, match, game())
    assert rule(api, match, "resumed", base=1, score=[2, 2], crawford_done=False).status_code == 201
    if code == "ruling_changed":
        enter(api, match, game(), game())
        seen = {"base": 2}
    with unchanged():
        answer = rule(api, match, "penalty_points", key="r2", penalty_points=[1, 0], **{"base": 1, **seen})
    assert (answer.status_code, answer.json()["code"]) == (409, code)


def test_a_ruling_that_would_empty_a_begun_match_is_a_conflict_even_in_the_preview(api, event, match, unchanged):
    for key in ("M1-1", "M1-2"):
        win(fixture_of(event, key).match, Side.A)
    win(fixture_of(event, "M2-1").match, Side.A)
    with unchanged():
        for preview in (True, False):
            answer = rule(api, match, "resumed", base=1, score=[1, 0], crawford_done=False, preview=preview)
            assert (answer.status_code, answer.json()["code"]) == (409, "later_match_begun")


def test_an_ended_event_takes_no_ruling(api, director, unchanged):
    event = build_event(director, players=2)
    match = fixture_of(event, "M1-1").match
    win(match, Side.A)
    finish_event(event, by=director, at=AT)
    with unchanged():
        answer = rule(api, match, "resumed", base=1, score=[1, 0], crawford_done=False)
    assert (answer.status_code, answer.json()["code"]) == (409, "event_finished")


def test_only_a_director_rules_and_everybody_reads(anonymous, stranger, api, match, unchanged):
    with unchanged():
        for client, status, code in ((anonymous, 401, "not_authenticated"), (stranger, 403, "role_missing")):
            answer = rule(client, match, "penalty_points", penalty_points=[1, 0])
            assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert rule(api, match, "penalty_points", penalty_points=[1, 0]).status_code == 201
    assert [one["number"] for one in anonymous.get(f"matches/{match.pk}/rulings/").json()] == [1]
    assert anonymous.get("matches/987654/rulings/").status_code == 404


@pytest.mark.parametrize("rulings", [1, 4])
def test_rulings_take_the_same_queries_however_many(api, anonymous, match, rulings):
    for number in range(rulings):
        said = {"key": f"r{number}", "ruling_count": number, "penalty_points": [number % 2 + 1, 0]}
        assert rule(api, match, "penalty_points", **said).status_code == 201
    with CaptureQueriesContext(connection) as captured:
        assert len(anonymous.get(f"matches/{match.pk}/rulings/").json()) == rulings
    assert len(captured) == 3


# code: the kind, what is said, the games entered before
LENGTH, POINTS = {"played_to": 3}, {"penalty_points": [1, 0]}
REFUSED: dict[str, tuple[str, dict, list[dict]]] = {
    "reason_missing": ("penalty_points", {**POINTS, "reason": "  "}, []),
    "key_missing": ("penalty_points", {**POINTS, "key": None}, []),
    "cube_too_large": ("length_agreed", {**LENGTH, "games": [game(cube=2**31)]}, []),
    "penalty_invalid": ("clock_penalty", {"penalty_points": [0, 0]}, []),
    "penalty_none": ("penalty_points", {"penalty_points": [0, 0]}, []),
    "penalty_after_end": ("penalty_points", POINTS, [game(cube=8)]),
    "penalty_both_lost": ("penalty_points", {"penalty_points": [3, 3]}, []),
    "penalty_both_won": (
        "penalty_points",
        {"penalty_points": [1, 1]},
        [TO_CRAWFORD, game("B", level=2), game("B", cube=2)],
    ),
    "annul_after_next_game": ("crawford_annulled", {**DOUBLED, "next_begun": True}, []),
    "annul_after_recording": ("crawford_annulled", DOUBLED, [game(cube=8)]),
    "annul_in_time": ("crawford_stands", DOUBLED, []),
    "no_crawford_double": ("crawford_annulled", {**DOUBLED, "games": [TO_CRAWFORD, game("B")]}, []),
    "length_not_another": ("length_agreed", {"played_to": 5}, []),
    "length_games_needed": ("length_posted", {"played_to": 7, "final": [7, 2]}, []),
    "resumed_after_end": ("resumed", {"score": [5, 2], "crawford_done": False}, []),
    "award_after_the_end": ("awarded", {"awarded_to": "A"}, [game(cube=8)]),
    "stand_without_result": (
        "resumed",
        {"score": [1, 1], "crawford_done": False, "repair": "stand"},
        [game(cube=8)],
    ),
    "crawford_done_invalid": ("resumed", {"score": [3, 2], "crawford_done": True}, []),
    "game_after_match_over": ("length_agreed", {**LENGTH, "games": [game(cube=4), game()]}, []),
    "cube_not_power_of_two": ("length_agreed", {**LENGTH, "games": [game(cube=3)]}, []),
    "drop_level": ("length_agreed", {**LENGTH, "games": [game(level=2, ending="drop")]}, []),
    "crawford_drop": ("length_agreed", {**LENGTH, "games": [game(cube=2), game(ending="drop")]}, []),
    "crawford_cube": ("length_agreed", {**LENGTH, "games": [game(cube=2), game("B", cube=2)]}, []),
    "final_not_over": ("length_agreed", {**LENGTH, "final": [2, 2]}, []),
    "final_unreachable": ("length_agreed", {**LENGTH, "final": [3, 3]}, []),
}
ELSEWHERE = {
    *("keys_differ", "ruling_on_award", "length_already_reached", "final_below_start"),  # tried below
    *("cube_above_cap", "level_not_in_profile", "drop_cube", "resignation_level"),  # of other profiles: test_refusals
}


def test_every_documented_refusal_is_tried():
    assert set(REFUSED) | ELSEWHERE == set(REFUSALS)


@pytest.mark.parametrize("code", REFUSED)
def test_a_forbidden_ruling_is_not_stored(api, match, unchanged, code):
    kind, said, games = REFUSED[code]
    if games:
        enter(api, match, *games)
    said = {"key": "r", **said}
    body = {"base": int(bool(games)), "ruling_count": 0, "kind": kind, "reason": "Seen.", **said}
    if body["key"] is None:
        del body["key"]
    with unchanged():
        answer = api.post(f"matches/{match.pk}/rulings/", body)
    assert (answer.status_code, answer.json()["code"]) == (400, code)


def test_rulings_after_a_resumed_match_respect_its_score(api, match, unchanged):
    assert rule(api, match, "resumed", score=[4, 2], crawford_done=False).status_code == 201
    with unchanged():
        for said, code in (
            ({"played_to": 3}, "length_already_reached"),
            ({"played_to": 7, "final": [3, 7]}, "final_below_start"),
        ):
            answer = rule(api, match, "length_agreed", key="r2", ruling_count=1, **said)
            assert (answer.status_code, answer.json()["code"]) == (400, code)


def test_an_awarded_match_is_not_ruled_on(api, match, unchanged):
    award = {"key": "k", "base": 0, "conclusion": "walkover", "awarded_to": "A"}
    assert api.post(f"matches/{match.pk}/result/", award).status_code == 201
    with unchanged():
        answer = rule(api, match, "penalty_points", base=1, penalty_points=[1, 0])
    assert (answer.status_code, answer.json()["code"]) == (400, "ruling_on_award")


def test_the_key_may_come_in_the_header_but_not_another(api, match):
    body = {"base": 0, "ruling_count": 0, "kind": "penalty_points", "reason": "Late.", "penalty_points": [1, 0]}
    address = f"matches/{match.pk}/rulings/"
    first = api.post(address, body, headers={"Idempotency-Key": "k1"})
    again = api.post(address, {**body, "key": "k1"}, headers={"Idempotency-Key": "k1"})
    other = api.post(address, {**body, "key": "k2"}, headers={"Idempotency-Key": "k1"})
    assert (first.status_code, again.status_code) == (201, 200)
    assert (other.status_code, other.json()["code"]) == (400, "keys_differ")


@pytest.mark.parametrize(
    ("kind", "said", "errors"),
    [
        ("penalty_points", {}, {("penalty_points", "required")}),
        ("crawford_annulled", {"games": []}, {("next_begun", "required")}),
        ("resumed", {}, {("score", "required"), ("crawford_done", "required")}),
        ("length_posted", {}, {("played_to", "required")}),
        ("penalty_points", {"penalty_points": [1, 0], "games": []}, {("games", "unknown")}),
        ("resumed", {"score": [1, 1], "crawford_done": False, "played_to": 3}, {("played_to", "unknown")}),
        ("length_agreed", {"played_to": 3, "games": [], "final": [3, 1]}, {("final", "final_with_games")}),
        ("length_agreed", {"played_to": 0}, {("played_to", "min_value")}),
        ("length_agreed", {"played_to": 10**9}, {("played_to", "max_value")}),
        ("penalty_points", {"penalty_points": [-1, 0]}, {("penalty_points.0", "min_value")}),
        ("penalty_points", {"penalty_points": [10**30, 0]}, {("penalty_points.0", "max_value")}),
        ("penalty_points", {"penalty_points": [1]}, {("penalty_points", "min_length")}),
        ("whim", {}, {("kind", "invalid_choice")}),
        ("resumed", {"score": [1, 1], "crawford_done": "no"}, {("crawford_done", "invalid")}),
        ("resumed", {"score": [1, 1], "crawford_done": False, "mood": 1}, {("mood", "unknown")}),
    ],
)
def test_a_ruling_has_what_its_kind_needs_and_nothing_else(api, match, unchanged, kind, said, errors):
    with unchanged():
        answer = rule(api, match, kind, **said)
    assert answer.status_code == 400
    assert {(error["field"], error["code"]) for error in answer.json()["errors"]} == errors
