"""Answers have ETags, and a write that names one is refused if another has become the present one."""

import pytest

from tests.builders import build_event, build_tournament
from tournament.models import Tournament

pytestmark = pytest.mark.django_db


def test_the_etag_of_a_list_changes_with_it(anonymous, client, director):
    build_tournament(director, "One")
    before = anonymous.get("tournaments/").headers["ETag"]
    assert anonymous.get("tournaments/").headers["ETag"] == before
    assert client.head("/api/v1/tournaments/").headers["ETag"] == before
    build_tournament(director, "Two")
    assert anonymous.get("tournaments/", headers={"If-None-Match": before}).status_code == 200


def test_a_tournament_is_changed_in_the_version_that_was_read(api, director):
    address = f"tournaments/{build_tournament(director).pk}/"
    seen = api.get(address).headers["ETag"]
    assert api.patch(address, {"place": "Aarhus"}, headers={"If-Match": seen}).status_code == 200
    late = api.patch(address, {"place": "Odense"}, headers={"If-Match": seen})
    assert (late.status_code, late.json()["code"]) == (412, "version_changed")
    assert late.headers["ETag"] == api.get(address).headers["ETag"] != seen
    assert Tournament.objects.get().place == "Aarhus"
    assert api.patch(address, {"place": "Odense"}, headers={"If-Match": late.headers["ETag"]}).status_code == 200


def test_an_act_on_an_event_asks_for_the_version_of_the_event(api, director):
    event = build_event(director, players=4, drawn=False)
    seen = api.get(f"events/{event.pk}/").headers["ETag"]
    api.post(f"events/{event.pk}/entries/", {"name": "Late"})
    assert api.post(f"events/{event.pk}/draw/", headers={"If-Match": seen}).status_code == 412
    seen = api.get(f"events/{event.pk}/").headers["ETag"]
    assert api.post(f"events/{event.pk}/draw/", headers={"If-Match": f"W/{seen}"}).status_code == 200


def test_a_repeated_write_is_answered_though_its_version_has_become_an_old_one(api, director):
    address = f"tournaments/{build_tournament(director).pk}/"
    headers = {"If-Match": api.get(address).headers["ETag"], "Idempotency-Key": "k1"}
    first, again = (api.patch(address, {"place": "Aarhus"}, headers=headers) for _time in range(2))
    assert (again.status_code, again.content) == (200, first.content)


def test_no_version_is_told_to_those_who_may_not_read(anonymous, director, unchanged):
    event = build_event(director, players=2)
    with unchanged():
        answer = anonymous.post(f"tournaments/{event.tournament_id}/invitations/", {}, headers={"If-Match": '"x"'})
    assert answer.status_code == 401
    assert "ETag" not in answer.headers
