import uuid

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from matches.models import Scoresheet, SheetState
from rules.score import Side
from tests.builders import AT, build_event, fixture_of, win
from tests.tournament.api.client import CheckedClient
from tournament.draw.make import cancel_draw
from tournament.entries.attendance import leave_event
from tournament.events.services import finish_event
from tournament.models import Fixture


@pytest.fixture
def event(director):
    return build_event(director, players=4, lengths=(5,))


@pytest.fixture
def match(event):
    return fixture_of(event, "M1-1").match


def single(winner: str = "A", **game: object) -> dict:
    return {"winner": winner, "cube": 1, "level": 1, "ending": "bearoff", **game}


def submit(api: CheckedClient, match, **body: object):
    return api.post(f"matches/{match.pk}/result/", {"key": uuid.uuid4().hex, "base": 0, **body})


def test_games_so_far_make_a_live_sheet_with_the_score_after_each(api, director, match):
    games = [single("A", cube=2, level=2), single("B", ending="resigned")]
    response = submit(api, match, games=games)
    assert response.status_code == 201
    body = response.json()
    at = body.pop("at")
    assert at.endswith("Z") or "+" in at
    assert body.pop("played_at") == at
    assert body == {
        "number": 1,
        "state": "live",
        "source": "desk",
        "side": "",
        "conclusion": "played",
        "awarded_to": None,
        "length": 5,
        "start": [0, 0],
        "penalties": [],
        "is_final_only": False,
        "reason": "",
        "by": "director",
        "score": [4, 1],
        "phase": "after",
        "is_crawford": False,
        "winner": None,
        "games": [
            {
                **games[0],
                "number": 1,
                "points": 4,
                "was_crawford": False,
                "score_after": [4, 0],
                "phase_after": "crawford",
            },
            {
                **games[1],
                "number": 2,
                "points": 1,
                "was_crawford": True,
                "score_after": [4, 1],
                "phase_after": "after",
            },
        ],
    }


def test_the_crawford_game_is_announced(api, match):
    body = submit(api, match, games=[single("A", cube=4)]).json()
    assert (body["score"], body["phase"], body["is_crawford"]) == ([4, 0], "crawford", True)


def test_a_final_score_confirms_the_match_and_the_draw_advances(api, event, match):
    response = submit(api, match, final=[5, 3])
    assert response.status_code == 201
    body = response.json()
    assert (body["state"], body["score"], body["winner"], body["is_final_only"]) == ("confirmed", [5, 3], "A", True)
    first = fixture_of(event, "M1-1")
    assert fixture_of(event, "M2-1").entry_a == first.entry_a


@pytest.mark.parametrize(("conclusion", "games"), [("walkover", []), ("forfeit", [single("B")])])
def test_an_award_takes_its_side_to_the_length(api, match, conclusion, games):
    body = submit(api, match, conclusion=conclusion, awarded_to="A", games=games).json()
    assert (body["conclusion"], body["awarded_to"], body["score"]) == (conclusion, "A", [5, len(games)])
    assert body["winner"] == "A"


@pytest.mark.parametrize(("to", "winner", "conclusion"), [("B", "B", "walkover"), (None, None, "void")])
def test_a_match_to_which_one_side_or_neither_came_is_decided_in_one_call(api, event, match, to, winner, conclusion):
    answer = api.post(f"matches/{match.pk}/walkover/", {"to": to, "key": "k"})
    assert (answer.status_code, answer.json()["winner"], match.sheets.get().conclusion) == (200, winner, conclusion)
    (shown,) = (
        one for one in api.get(f"events/{event.pk}/").json()["stages"][0]["fixtures"] if one["match"] == match.pk
    )
    assert (shown["state"], shown["status"], shown["conclusion"]) == ("done", conclusion, conclusion)
    refused = api.post(f"matches/{match.pk}/walkover/", {"to": "A", "key": "other"})
    assert (refused.status_code, refused.json()["code"]) == (409, "sheet_changed")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"conclusion": "void", "awarded_to": "A"}, "award_without_side"),
        ({"conclusion": "void", "games": [single()]}, "void_with_games"),
        ({"conclusion": "void", "final": [5, 0]}, "void_with_games"),
    ],
)
def test_a_void_match_has_no_winner_and_no_games(api, match, unchanged, body, code):
    with unchanged():
        refused = submit(api, match, **body)
    assert (refused.status_code, refused.json()["code"]) == (400, code)


def test_a_void_result_is_corrected_like_any_other(api, event, match):
    assert submit(api, match, conclusion="void").json()["state"] == "confirmed"
    assert submit(api, match, base=1, final=[5, 0]).status_code == 201
    assert fixture_of(event, "M2-1").entry_a_id == fixture_of(event, "M1-1").entry_a_id


def test_a_correction_replaces_the_sheet_and_the_history_stays(api, match):
    submit(api, match, final=[5, 3])
    response = submit(api, match, base=1, final=[3, 5], reason="written down the wrong way round")
    assert response.status_code == 201
    sheets = api.get(f"matches/{match.pk}/").json()["sheets"]
    assert [(sheet["number"], sheet["state"], sheet["score"]) for sheet in sheets] == [
        (1, "superseded", [5, 3]),
        (2, "confirmed", [3, 5]),
    ]
    assert sheets[1]["reason"] == "written down the wrong way round"


@pytest.mark.parametrize("key", ["again-1", "undo-1", "undo-ruling-1", "absence-1"])
def test_keys_that_only_the_program_gives_are_refused(api, match, unchanged, key):
    with unchanged():
        in_body = api.post(f"matches/{match.pk}/result/", {"key": key, "base": 0, "final": [5, 3]})
        in_header = api.post(
            f"matches/{match.pk}/result/", {"base": 0, "final": [5, 3]}, headers={"Idempotency-Key": key}
        )
    assert (in_body.status_code, in_header.status_code) == (400, 400)


def test_the_same_submission_twice_changes_nothing(api, match, unchanged):
    body = {"key": "k1", "base": 0, "final": [5, 3]}
    first = api.post(f"matches/{match.pk}/result/", body)
    with unchanged():
        again = api.post(f"matches/{match.pk}/result/", body)
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json() == first.json()


def test_a_repeated_submission_returns_its_sheet_even_after_a_correction(api, match):
    body = {"key": "k1", "base": 0, "final": [5, 3]}
    api.post(f"matches/{match.pk}/result/", body)
    submit(api, match, base=1, final=[5, 4])
    again = api.post(f"matches/{match.pk}/result/", body)
    assert (again.status_code, again.json()["number"], again.json()["state"]) == (200, 1, "superseded")


def test_the_key_may_come_in_the_header(api, match):
    address = f"matches/{match.pk}/result/"
    first = api.post(address, {"base": 0, "final": [5, 3]}, headers={"Idempotency-Key": "k1"})
    again = api.post(address, {"base": 0, "final": [5, 3], "key": "k1"}, headers={"Idempotency-Key": "k1"})
    assert (first.status_code, again.status_code) == (201, 200)


@pytest.mark.parametrize(
    ("body_key", "header", "code"),
    [
        (None, None, "key_missing"),
        ("k1", "k2", "keys_differ"),
        (None, "with space", "invalid"),
        (None, "x" * 65, "invalid"),
        ("", None, "invalid"),
        ("æ", None, "invalid"),
        ("x" * 65, None, "invalid"),
        ("k\n", None, "invalid"),
        (5, None, "invalid"),
    ],
)
def test_a_submission_without_one_good_key_is_refused(api, match, unchanged, body_key, header, code):
    body = {"base": 0, "final": [5, 3]} | ({} if body_key is None else {"key": body_key})
    headers = {} if header is None else {"Idempotency-Key": header}
    with unchanged():
        response = api.post(f"matches/{match.pk}/result/", body, headers=headers)
    assert (response.status_code, response.json()["code"]) == (400, code)


def test_a_key_used_for_another_result_is_a_conflict(api, match, unchanged):
    api.post(f"matches/{match.pk}/result/", {"key": "k1", "base": 0, "final": [5, 3]})
    with unchanged():
        response = api.post(f"matches/{match.pk}/result/", {"key": "k1", "base": 1, "final": [5, 4]})
    assert (response.status_code, response.json()["code"]) == (409, "key_reused")


def test_the_second_of_two_submissions_is_told_what_happened(api, match, unchanged):
    submit(api, match, final=[5, 3])
    with unchanged():
        response = submit(api, match, final=[2, 5])
    assert (response.status_code, response.json()["code"]) == (409, "sheet_changed")
    assert response.json()["detail"] == (
        "In the meantime director entered 5–3 for this match. Look at it before you enter another result."
    )


def test_an_unlikely_game_asks_for_confirmation(api, match, unchanged):
    unlikely = {"key": "k1", "base": 0, "games": [single("A", cube=16)]}
    with unchanged():
        response = api.post(f"matches/{match.pk}/result/", unlikely)
    assert (response.status_code, response.json()["code"]) == (409, "confirm_warnings")
    findings = response.json()["findings"]
    assert [(finding["code"], finding["severity"], finding["game"]) for finding in findings] == [
        ("dead_cube", "warning", 1),
        ("cube_implausible", "warning", 1),
    ]
    again = api.post(f"matches/{match.pk}/result/", {**unlikely, "confirmed": True})
    assert again.status_code == 201


@pytest.fixture
def danish(settings, tmp_path) -> None:
    """A Danish catalogue with one sentence of the rules."""
    catalog = Catalog(locale="da")
    catalog.add(
        "Game %(game)s: the cube must be a power of two (1, 2, 4, 8 and so on), not %(cube)s.",
        "Parti %(game)s: terningen kan ikke vise %(cube)s.",
    )
    folder = tmp_path / "da" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    with (folder / "django.mo").open("wb") as file:
        write_mo(file, catalog)
    settings.LOCALE_PATHS = [tmp_path]


@pytest.mark.usefixtures("danish")
def test_findings_are_in_the_language_asked_for(api, match):
    body = {"key": "k1", "base": 0, "games": [single(cube=3)]}
    problem = api.post(f"matches/{match.pk}/result/", body, headers={"Accept-Language": "da"}).json()
    assert problem["detail"] == "Parti 1: terningen kan ikke vise 3."
    assert [finding["message"] for finding in problem["findings"]] == [problem["detail"]]


def test_a_result_is_taken_back(api, event, match):
    submit(api, match, final=[5, 3])
    response = api.post(f"matches/{match.pk}/void/", {"base": 1, "reason": "wrong match"})
    assert (response.status_code, response.json()["state"]) == (200, "void")
    detail = api.get(f"matches/{match.pk}/").json()
    assert (detail["sheet"], detail["score"], detail["winner"]) == (0, [0, 0], None)
    assert [sheet["state"] for sheet in detail["sheets"]] == ["void"]
    assert fixture_of(event, "M2-1").entry_a is None


@pytest.mark.parametrize(("base", "code"), [(0, "nothing_to_void"), (1, "nothing_to_void")])
def test_there_is_nothing_to_take_back_without_a_result(api, match, unchanged, base, code):
    with unchanged():
        response = api.post(f"matches/{match.pk}/void/", {"base": base})
    assert (response.status_code, response.json()["code"]) == (409, code)


def test_a_sheet_that_was_corrected_meanwhile_is_not_taken_back(api, match, unchanged):
    submit(api, match, final=[5, 3])
    submit(api, match, base=1, final=[5, 4])
    with unchanged():
        response = api.post(f"matches/{match.pk}/void/", {"base": 1})
    assert (response.status_code, response.json()["code"]) == (409, "sheet_changed")


@pytest.mark.parametrize("address", ["void/", "void/preview/"])
def test_a_walkover_of_somebody_who_has_left_is_not_taken_back(api, event, match, unchanged, address):
    leave_event(fixture_of(event, "M1-1").entry_a, kind="no-show", by=None, at=AT)
    with unchanged():
        response = api.post(f"matches/{match.pk}/{address}", {"base": 1})
    assert (response.status_code, response.json()["code"]) == (409, "walkover_of_absence")


@pytest.fixture
def begun_final(event, director):
    for key in ("M1-1", "M1-2"):
        win(fixture_of(event, key).match, Side.A, by=director)
    win(fixture_of(event, "M2-1").match, Side.A, by=director)


@pytest.mark.usefixtures("begun_final")
def test_a_correction_that_empties_a_begun_match_is_a_conflict(api, match, unchanged):
    with unchanged():
        correction = submit(api, match, base=1, final=[0, 5])
        void = api.post(f"matches/{match.pk}/void/", {"base": 1})
    assert [(r.status_code, r.json()["code"]) for r in (correction, void)] == [(409, "later_match_begun")] * 2
    assert "M2-1" in correction.json()["detail"]


@pytest.mark.usefixtures("begun_final")
def test_a_finished_event_takes_no_result(api, event, director, match, unchanged):
    finish_event(event, by=director, at=AT)
    with unchanged():
        response = submit(api, match, base=1, final=[5, 1])
    assert (response.status_code, response.json()["code"]) == (409, "event_finished")


def test_a_match_outside_a_draw_takes_no_result(api, match, unchanged):
    Fixture.objects.filter(match=match).update(match=None)
    with unchanged():
        responses = [submit(api, match, final=[5, 1]), api.post(f"matches/{match.pk}/void/", {"base": 0})]
    assert [(r.status_code, r.json()["code"]) for r in responses] == [(409, "match_not_in_draw")] * 2
    detail = api.get(f"matches/{match.pk}/").json()
    assert (detail["event"], detail["fixture"], detail["record"]) == (None, None, None)


def test_a_match_of_a_draw_that_was_taken_back_is_gone(api, event, director, match):
    cancel_draw(event, by=director, at=AT)
    assert submit(api, match, final=[5, 1]).status_code == 404


def test_a_match_is_read_with_its_terms_and_sides(anonymous, event, match):
    assert anonymous.get(f"matches/{match.pk}/").json() == {
        "id": match.pk,
        "length": 5,
        "a": {"player": match.side_a_id, "name": match.side_a.name},
        "b": {"player": match.side_b_id, "name": match.side_b.name},
        "event": event.pk,
        "fixture": "M1-1",
        "board": None,
        "sheet": 0,
        "score": [0, 0],
        "phase": "before",
        "is_crawford": False,
        "winner": None,
        "profile": "wbgf",
        "crawford": True,
        "start": [0, 0],
        "penalties": [],
        "ruling_count": 0,
        "win_probability": None,
        "record": None,
        "accepted_for": None,
        "error_rates": None,
        "stakes": [],
        "created_at": "2026-03-06T20:00:00+01:00",
        "sheets": [],
    }


@pytest.mark.parametrize(
    ("length", "crawford", "games", "chances"),
    [
        (7, True, [single("A", cube=2), single("A", level=3), single("B", level=3)], (669, 331)),  # 2-away 4-away
        (5, True, [single("B", level=3), single("A", cube=2, level=2)], (677, 323)),  # 1-away 2-away, Crawford
        (5, True, [single("A", cube=2, level=2), single("B", level=3)], (512, 488)),  # and after it
        (5, False, [single("A")], None),
        (99, True, [single("A")], None),
        (5, True, [single("A", cube=8)], None),
    ],
)
def test_a_match_says_how_likely_its_sides_are_to_win(api, director, length, crawford, games, chances):
    event = build_event(director, players=2, lengths=(length,), crawford=crawford, shows_chances=True)
    match = fixture_of(event, "M1-1").match
    assert submit(api, match, games=games, confirmed=True).status_code == 201
    told = api.get(f"matches/{match.pk}/").json()["win_probability"]
    assert told == (chances and {"table": "kazaross-xg2", "a": chances[0], "b": chances[1]})


def test_only_a_director_enters_and_takes_back(anonymous, stranger, match, unchanged):
    with unchanged():
        for client, status, code in ((anonymous, 401, "not_authenticated"), (stranger, 403, "role_missing")):
            answers = [submit(client, match, final=[5, 0]), client.post(f"matches/{match.pk}/void/", {"base": 0})]
            assert [(r.status_code, r.json()["code"]) for r in answers] == [(status, code)] * 2


def test_entering_a_result_requires_a_director_before_the_body_is_read(stranger, match):
    response = stranger.post(f"matches/{match.pk}/result/", "{", content_type="application/json")
    assert response.status_code == 403


def test_a_live_match_is_finished_by_its_last_game(api, match):
    games = [single("A", cube=2), single("B"), single("A", cube=4)]
    for count in (1, 2, 3):
        body = submit(api, match, base=count - 1, games=games[:count]).json()
    assert (body["state"], body["score"], body["phase"]) == ("confirmed", [5, 1], "over")
    states = list(Scoresheet.objects.filter(match=match).values_list("state", flat=True))
    assert states == [SheetState.SUPERSEDED, SheetState.SUPERSEDED, SheetState.CONFIRMED]
