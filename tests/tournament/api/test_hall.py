"""The hall through the API: directors can do here what they do at the desk."""

import pytest

from tests.builders import AT, build_event, fixture_of
from tournament.hall.tables import add_tables
from tournament.models import Call, Event, Table


@pytest.fixture
def event(director) -> Event:
    event = build_event(director, players=4)
    add_tables(event.tournament, first=1, last=3, by=director, at=AT)
    return event


def match_id(event: Event, key: str) -> int:
    return fixture_of(event, key).match_id


def test_a_match_is_called_begun_moved_and_recalled(api, event):
    path = f"matches/{match_id(event, 'M1-1')}"
    called = api.post(f"{path}/call/", {})
    assert (called.status_code, called.json()["table"], called.json()["started_at"]) == (201, 1, None)
    assert api.post(f"{path}/call/", {}).json()["code"] == "match_called"
    assert api.post(f"{path}/start/").json()["started_at"] is not None
    assert api.post(f"{path}/move/", {"table": 3}).json()["table"] == 3
    fixture = next(f for f in api.get(f"events/{event.pk}/").json()["stage"]["fixtures"] if f["key"] == "M1-1")
    assert (fixture["state"], fixture["call"]["table"]) == ("live", 3)
    assert api.post(f"{path}/recall/").status_code == 200
    assert api.post(f"{path}/recall/").json()["code"] == "match_not_called"
    assert not Call.objects.filter(left_at=None).exists()


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"table": 9}, 409, "table_unknown"),
        ({"table": 2}, 409, "table_out_of_order"),
        ({"table": "1"}, 400, "invalid"),
        ({"board": 1}, 400, "invalid"),
    ],
)
def test_an_impossible_call_changes_nothing(api, event, unchanged, body, status, code):
    Table.objects.filter(number=2).update(out_of_order=True)
    with unchanged():
        answer = api.post(f"matches/{match_id(event, 'M1-1')}/call/", body)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_a_hall_in_which_nothing_has_happened_is_not_sent_again(api, event):
    path = f"tournaments/{event.tournament_id}/hall/"
    seen = api.get(path)
    again = api.get(path, headers={"If-None-Match": seen.headers["ETag"]})
    assert (again.status_code, again.headers["ETag"]) == (304, seen.headers["ETag"])
    assert api.get(path).json()["at"] != seen.json()["at"]
    api.post(f"{path}call/", headers={"If-Match": seen.headers["ETag"]})
    assert api.get(path, headers={"If-None-Match": seen.headers["ETag"]}).status_code == 200


def test_the_hall_is_listed_in_the_order_of_the_desk_and_filled_at_once(api, event):
    path = f"tournaments/{event.tournament_id}/hall/"
    hall = api.get(path).json()
    assert [(match["key"], match["doing"], match["table"]) for match in hall["matches"]] == [
        ("M1-1", "ready", None),
        ("M1-2", "ready", None),
    ]
    assert hall["pace"] == {"seconds_a_point": 480, "matches": 0}
    filled = api.post(f"{path}call/").json()
    assert [(match["doing"], match["table"]) for match in filled["matches"]] == [("called", 1), ("called", 2)]
    assert [table["match"] is None for table in filled["tables"]] == [False, False, True]


def test_tables_are_added_and_reserved(api, event, unchanged):
    path = f"tournaments/{event.tournament_id}/tables/"
    assert len(api.post(path, {"first": 1, "last": 40}).json()) == 40
    changed = api.patch(f"{path}7/", {"event": event.pk, "streamed": True}).json()
    assert changed == {"number": 7, "event": event.pk, "streamed": True, "out_of_order": False}
    assert api.patch(f"{path}7/", {"event": None}).json()["streamed"] is True
    with unchanged():
        assert api.post(path, {"first": 3, "last": 2}).json()["code"] == "table_numbers_out_of_range"


def test_breaks_are_planned_and_removed_and_the_day_shows_them(api, event, unchanged):
    path = f"tournaments/{event.tournament_id}/breaks/"
    body = {"name": "Lunch", "starts_at": "2026-03-06T12:00:00+01:00", "ends_at": "2026-03-06T13:00:00+01:00"}
    made = api.post(path, body)
    assert made.status_code == 201
    with unchanged():
        assert api.post(path, body).json()["code"] == "breaks_overlap"
    day = api.get(f"tournaments/{event.tournament_id}/day/").json()
    assert [found["name"] for found in day["breaks"]] == ["Lunch"]
    assert [(line["name"], line["decided"], line["matches"]) for line in day["events"]] == [("Main", 0, 3)]
    assert api.delete(f"{path}{made.json()['id']}/").status_code == 204
    assert api.get(path).json() == []


def test_the_clock_and_the_start_of_an_event_may_change_after_its_draw(api, event, unchanged):
    path = f"events/{event.pk}/"
    changed = api.patch(path, {"clock_minutes": 2, "clock_delay": 12, "starts_at": "2026-03-06T10:00:00+01:00"})
    assert changed.json()["clock"] == {"minutes": 2, "delay": 12}
    assert api.patch(path, {"clock_minutes": None, "clock_delay": None}).json()["clock"] is None
    for wrong, code in (
        ({"clock_delay": 5}, "clock_incomplete"),
        ({"clock_minutes": 31}, "clock_out_of_range"),
        ({"clock_minutes": 2, "clock_delay": 121}, "clock_out_of_range"),
        ({"starts_at": "2300-01-01T00:00:00Z"}, "time_out_of_range"),
    ):
        with unchanged():
            assert api.patch(path, wrong).json()["code"] == code
