import pytest

from players.services import create_player
from rules.score import Side
from tests.builders import AT, build_event, build_tournament, open_matches, win
from tournament.draw.standings import store_standings
from tournament.models import Event

TERMS = {"name": "Cup", "format": "single-elimination", "options": {"lengths": [3]}}


@pytest.fixture
def event(director) -> Event:
    return build_event(director, players=0, boards=3, drawn=False)


@pytest.fixture
def drawn(director) -> Event:
    return build_event(director, players=2, boards=3, lengths=(3,))


def test_an_event_of_teams_is_created_and_changed(api, director):
    tournament = build_tournament(director)
    created = api.post(f"tournaments/{tournament.pk}/events/", {**TERMS, "boards": 5})
    assert (created.status_code, created.json()["boards"]) == (201, 5)
    address = f"events/{created.json()['id']}/"
    assert api.patch(address, {"boards": 7}).json()["boards"] == 7
    assert api.patch(address, {"name": "Team cup"}).json()["boards"] == 7
    assert api.get(f"tournaments/{tournament.pk}/events/").json()["results"][0]["boards"] == 7


@pytest.mark.parametrize(
    ("terms", "code"), [({"boards": 4}, "boards_not_odd"), ({"boards": 3, "doubles": True}, "teams_of_pairs")]
)
def test_terms_that_no_event_of_teams_has_are_refused(api, director, unchanged, terms, code):
    tournament = build_tournament(director)
    with unchanged():
        refused = api.post(f"tournaments/{tournament.pk}/events/", {**TERMS, **terms})
    assert (refused.status_code, refused.json()["code"]) == (400, code)


def test_a_team_is_entered_by_names_and_ids(api, event):
    known = create_player(name="Kai", club="Lund", country="SE", at=AT)
    create_player(name="Kai", club="Malmö", country="SE", at=AT)
    members = [{"name": "Kim"}, {"player": known.pk}, {"name": "Kaj", "club": "Lund", "country": "se"}]
    response = api.post(f"events/{event.pk}/entries/", {"name": "Kings", "members": members})
    assert response.status_code == 201
    body = response.json()
    assert (body["name"], [(member["board"], member["name"]) for member in body["members"]]) == (
        "Kings",
        [(1, "Kim"), (2, "Kai"), (3, "Kaj")],
    )
    assert body["members"][1]["player"] == known.pk
    assert api.get(f"events/{event.pk}/entries/").json()["results"] == [body]
    assert api.get(f"events/{event.pk}/").json()["entries"][0]["members"] == body["members"]


def test_teams_are_entered_by_text_and_by_file(api, event):
    text = api.post(f"events/{event.pk}/entries/list/", {"text": "Kings: Kim, Kai, Kaj\nQueens: Quinn, Qing, Qia, Qi"})
    assert [(entry["name"], len(entry["members"])) for entry in text.json()] == [("Kings", 3), ("Queens", 4)]
    file = api.generic(
        "POST", f"events/{event.pk}/entries/csv/", "team;members\nAces;Al, Ab, Ad\n", content_type="text/csv"
    )
    assert [entry["name"] for entry in file.json()] == ["Aces"]


def test_members_of_a_player_are_refused(api, director, unchanged):
    event = build_event(director, players=0, drawn=False)
    with unchanged():
        refused = api.post(f"events/{event.pk}/entries/", {"name": "Kings", "members": [{"name": "Kim"}]})
    assert (refused.status_code, refused.json()["code"]) == (400, "event_without_teams")


def test_a_pairing_of_teams_is_followed_board_by_board(api, drawn):
    def shown() -> tuple:
        (fixture,) = api.get(f"events/{drawn.pk}/").json()["stage"]["fixtures"]
        assert (fixture["match"], fixture["score"], fixture["sheet"]) == (None, None, 0)
        boards = [(board["number"], board["state"], board["score"]) for board in fixture["boards"]]
        return fixture["state"], fixture["boards_won"], boards

    ready = [(number, "ready", [0, 0]) for number in (1, 2, 3)]
    assert shown() == ("ready", None, ready)
    first, second, third = open_matches(drawn)
    for number, (match, final) in enumerate(((first, [3, 1]), (second, [0, 3]), (third, [3, 2]))):
        answer = api.post(f"matches/{match.pk}/result/", {"key": f"k{number}", "base": 0, "final": final})
        assert answer.status_code == 201
        if number == 0:
            assert shown() == ("live", [1, 0], [(1, "done", [3, 1]), *ready[1:]])
    assert shown() == ("done", [2, 1], [(1, "done", [3, 1]), (2, "done", [0, 3]), (3, "done", [3, 2])])


def test_a_match_names_its_board(api, drawn):
    match = open_matches(drawn)[1]
    body = api.get(f"matches/{match.pk}/").json()
    assert (body["event"], body["fixture"], body["board"]) == (drawn.pk, "M1-1", 2)
    (line,) = api.get(f"players/{match.side_a_id}/matches/").json()["results"]
    assert (line["event"], line["fixture"], line["board"]) == (drawn.pk, "M1-1", 2)


def test_a_reserve_takes_a_board(api, drawn, unchanged):
    first, second, _third = open_matches(drawn)
    reserve = first.board.fixture.entry_a.people[3]
    answer = api.post(f"matches/{first.pk}/reserve/", {"side": "A", "player": reserve.pk})
    assert (answer.status_code, answer.json()["a"]) == (200, {"player": reserve.pk, "name": reserve.name})
    api.post(f"matches/{first.pk}/result/", {"key": "k", "base": 0, "final": [3, 0]})
    for match, side, player, status, code in (
        (second, "A", reserve.pk, 409, "reserve_taken"),
        (first, "A", first.side_a_id, 409, "match_begun"),
        (second, "B", second.side_a_id, 400, "not_a_reserve"),
    ):
        with unchanged():
            refused = api.post(f"matches/{match.pk}/reserve/", {"side": side, "player": player})
        assert (refused.status_code, refused.json()["code"]) == (status, code)


def test_only_a_director_seats_a_reserve(stranger, drawn, unchanged):
    match = open_matches(drawn)[0]
    with unchanged():
        assert stranger.post(f"matches/{match.pk}/reserve/", {"side": "A", "player": 1}).status_code == 403


def test_a_whole_match_is_a_walkover(api, drawn, unchanged):
    first, *others = open_matches(drawn)
    address = f"matches/{first.pk}/walkover/"
    answered = api.post(address, {"to": "B", "key": "k", "reason": "Snow."})
    assert (answered.status_code, answered.json()["winner"]) == (200, "B")
    sheets = [match.sheets.get() for match in (first, *others)]
    assert {(sheet.conclusion, sheet.awarded_to, sheet.reason) for sheet in sheets} == {("walkover", "B", "Snow.")}
    with unchanged():
        assert api.post(address, {"to": "B", "key": "k"}).status_code == 200
        for body, status, code in (
            ({"to": "A", "key": "k"}, 409, "key_reused"),
            ({"to": "A", "key": "other"}, 409, "boards_decided"),
            ({"to": "A"}, 400, "key_missing"),
            ({"key": "k"}, 400, "invalid"),
        ):
            refused = api.post(address, body)
            assert (refused.status_code, refused.json()["code"]) == (status, code)


def test_neither_team_has_come(api, drawn):
    matches = open_matches(drawn)
    assert api.post(f"matches/{matches[0].pk}/walkover/", {"to": None, "key": "k"}).status_code == 200
    assert {(match.sheets.get().conclusion, match.sheets.get().awarded_to) for match in matches} == {("void", "")}


def test_a_board_is_reported_and_settled(api, drawn):
    first = open_matches(drawn)[0]
    address = f"matches/{first.pk}/"
    reported = api.post(f"{address}reports/", {"key": "k", "base": 0, "final": [3, 1]})
    assert (reported.status_code, reported.json()["state"]) == (201, "reported")

    def states() -> list[str]:
        (fixture,) = api.get(f"events/{drawn.pk}/").json()["stages"][0]["fixtures"]
        return [fixture["status"], *(board["status"] for board in fixture["boards"])]

    assert states() == ["playing", "reported", "ready", "ready"]
    assert api.post(f"{address}dispute/", {"number": 1}).json()["state"] == "disputed"
    assert states() == ["disputed", "disputed", "ready", "ready"]
    assert api.post(f"{address}confirm/", {"number": 1}).json()["state"] == "confirmed"
    assert states() == ["playing", "confirmed", "ready", "ready"]


def test_a_drawn_match_is_told_with_its_standings(api, director):
    event = build_event(director, players=2, boards=2, format="round-robin", lengths=(1,))
    for match, side in zip(open_matches(event), Side, strict=True):
        win(match, side)
    store_standings(event.pk)
    stage = api.get(f"events/{event.pk}/").json()["stage"]
    (fixture,) = stage["fixtures"]
    assert (fixture["state"], fixture["is_drawn"], fixture["boards_won"]) == ("done", True, [1, 1])
    assert (fixture["a"]["is_winner"], fixture["b"]["is_winner"]) == (False, False)
    assert [(line["wins"], line["draws"], line["losses"]) for line in stage["standings"]] == [(0, 1, 0)] * 2


def test_no_stage_that_needs_a_winner_is_added_where_matches_are_drawn(api, director, unchanged):
    event = build_event(director, players=0, boards=2, format="pools", drawn=False)
    stage = {"format": "single-elimination", "options": {"lengths": [3]}, "qualifiers": 2}
    with unchanged():
        refused = api.post(f"events/{event.pk}/stages/", stage)
    assert (refused.status_code, refused.json()["code"]) == (400, "boards_not_odd")
    with unchanged():
        refused = api.patch(f"events/{event.pk}/", {"format": "single-elimination", "options": {"lengths": [3]}})
    assert (refused.status_code, refused.json()["code"]) == (400, "boards_not_odd")
