"""Roles, invitations and the log through the API, every answer as the schema says."""

import pytest

from rules.score import Side
from tests.builders import AT, build_director, build_event, fixture_of, win
from tests.tournament.api.client import CheckedClient
from tournament.models import Appointment, Role


@pytest.fixture
def event(director):
    return build_event(director, players=4)


@pytest.fixture
def helper(event) -> CheckedClient:
    user = build_director("helper")
    Appointment.objects.create(tournament=event.tournament, event=event, user=user, role=Role.DEPUTY, since=AT)
    client = CheckedClient()
    client.force_authenticate(user)
    return client


def test_invitation_is_made_accepted_and_listed(api, stranger, event):
    path = f"tournaments/{event.tournament_id}"
    made = api.post(f"{path}/invitations/", {"role": "deputy", "event": event.pk, "note": "Bo", "days": 3})
    assert made.status_code == 201
    assert made.json()["link"] == f"http://testserver/invitations/{made.json()['token']}/"
    assert [line["note"] for line in api.get(f"{path}/invitations/").json()] == ["Bo"]
    held = stranger.post("invitations/accept/", {"token": made.json()["token"]})
    assert (held.status_code, held.json()["role"], held.json()["event"]) == (200, "deputy", event.pk)
    assert api.get(f"{path}/invitations/").json() == []
    assert [(line["user"], line["role"]) for line in api.get(f"{path}/roles/").json()] == [
        ("director", "owner"),
        ("stranger", "deputy"),
    ]
    again = stranger.post("invitations/accept/", {"token": made.json()["token"]})
    assert (again.status_code, again.json()["code"]) == (409, "invitation_used")


def test_account_is_created_only_with_an_invitation(api, anonymous, event):
    path = f"tournaments/{event.tournament_id}/invitations/"
    token = api.post(path, {"role": "scorer"}).json()["token"]
    taken = {"token": token, "username": "bo", "password": "a-sound-password"}
    assert anonymous.post("invitations/sign-up/", taken | {"token": "x"}).json()["code"] == "invitation_unknown"
    weak = anonymous.post("invitations/sign-up/", taken | {"password": "12345678"})
    assert (weak.status_code, {error["field"] for error in weak.json()["errors"]}) == (400, {"password"})
    taken_name = anonymous.post("invitations/sign-up/", taken | {"username": "director"})
    assert (taken_name.status_code, taken_name.json()["errors"][0]["field"]) == (400, "username")
    assert anonymous.post("invitations/sign-up/", taken).status_code == 201
    assert anonymous.post("token/", {"username": "bo", "password": "a-sound-password"}).status_code == 200
    assert anonymous.post("invitations/sign-up/", taken | {"username": "carl"}).json()["code"] == "invitation_used"


def test_withdrawn_invitation_is_not_accepted(api, stranger, event):
    made = api.post(f"tournaments/{event.tournament_id}/invitations/", {"role": "scorer"}).json()
    assert api.post(f"invitations/{made['id']}/withdraw/").json()["withdrawn_at"]
    assert stranger.post("invitations/accept/", {"token": made["token"]}).json()["code"] == "invitation_withdrawn"


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        ({"role": "king"}, "role_unknown"),
        ({"role": "deputy"}, "deputy_without_event"),
        ({"role": "scorer", "days": 0}, "days_out_of_range"),
        ({"role": "scorer", "days": 61}, "days_out_of_range"),
        ({"role": "scorer", "note": "x" * 81}, "note_invalid"),
        ({}, "invalid"),
        ({"role": 3}, "invalid"),
    ],
)
def test_bad_invitation_is_refused(api, event, unchanged, wanted, code):
    with unchanged():
        response = api.post(f"tournaments/{event.tournament_id}/invitations/", wanted)
    assert (response.status_code, response.json()["code"]) == (400, code)


def test_tournament_is_changed_by_naming_what_changes(api, event):
    path = f"tournaments/{event.tournament_id}/"
    assert api.patch(path, {"place": "Oslo"}).json()["place"] == "Oslo"
    changed = api.patch(path, {"name": "Spring Open"}).json()
    assert (changed["name"], changed["place"], changed["slug"]) == ("Spring Open", "Oslo", "friday-club")
    assert api.patch(path, {}).status_code == 400
    assert api.patch(path, {"name": "!"}).json()["code"] == "name_empty"


def test_role_is_changed_and_taken_away(api, director, event):
    held = Appointment.objects.create(
        tournament=event.tournament, user=build_director("bo"), role=Role.SCORER, since=AT
    )
    assert api.patch(f"roles/{held.pk}/", {"role": "director"}).json()["role"] == "director"
    assert api.delete(f"roles/{held.pk}/").status_code == 204
    assert api.delete(f"roles/{held.pk}/").status_code == 404
    mine = Appointment.objects.get(user=director)
    assert api.delete(f"roles/{mine.pk}/").json()["code"] == "last_owner"
    assert api.patch(f"roles/{mine.pk}/", {"role": "reader"}).json()["code"] == "last_owner"


def test_log_is_filtered(api, event, director):
    win(fixture_of(event, "M1-1").match, Side.A, by=build_director("second", event.tournament))
    path = f"tournaments/{event.tournament_id}/log/"

    def found(query: str) -> list[str]:
        return [row["verb"] for row in api.get(f"{path}?{query}").json()["results"]]

    assert found("") == ["enter_result", "make_draw", "add_entries", "create_event", "create_tournament"]
    assert found("by=second") == ["enter_result"]
    assert found("event=main&verb=make_draw") == ["make_draw"]
    assert found("day=2026-03-07") == []
    assert found("q=m1-1") == ["enter_result"]
    assert found("limit=2&offset=1") == ["make_draw", "add_entries"]
    wrong = api.get(f"{path}?by=nobody&day=x")
    assert (wrong.status_code, {error["field"] for error in wrong.json()["errors"]}) == (400, {"by", "day"})


def test_row_of_the_log_says_where_it_came_from(api, event):
    api.post(f"events/{event.pk}/reopen/")
    api.delete(f"events/{event.pk}/draw/", HTTP_USER_AGENT="desk 1", REMOTE_ADDR="192.0.2.7")
    row = api.get(f"events/{event.pk}/log/").json()["results"][0]
    assert (row["verb"], row["sentence"], row["by"]) == ("cancel_draw", "Draw taken back", "director")
    assert (row["way"], row["address"], row["agent"], row["event"]) == ("api", "192.0.2.7", "desk 1", event.pk)


def test_history_is_for_everybody_and_contains_no_address(anonymous, api, event):
    api.post(f"tournaments/{event.tournament_id}/invitations/", {"role": "deputy", "event": event.pk})
    rows = anonymous.get(f"events/{event.pk}/history/").json()["results"]
    assert [row["verb"] for row in rows] == ["make_draw", "add_entries", "create_event"]
    assert {key for row in rows for key in row} == {"id", "at", "by", "verb", "sentence", "detail"}
    assert anonymous.get(f"events/{event.pk}/log/").status_code == 401


def test_deputy_reads_the_log_of_their_event_alone(helper, event):
    assert helper.get(f"events/{event.pk}/log/").status_code == 200
    assert helper.get(f"tournaments/{event.tournament_id}/log/").json()["code"] == "role_missing"
