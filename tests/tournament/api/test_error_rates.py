"""Error rates through the API, where the lower one is a second win."""

import pytest

from rules.score import Side
from tests.builders import build_event, fixture_of, win
from tournament.draw.standings import store_standings


@pytest.fixture
def event(director):
    return build_event(director, players=2, format="round-robin", options={"rate_point": True})


def test_rates_are_set_corrected_and_taken_back(api, event):
    match = fixture_of(event, "R1-1").match
    win(match, Side.A)
    sent = api.put(f"matches/{match.pk}/rates/", {"error_rates": ["4.35", 5.1]})
    assert (sent.status_code, sent.json()["error_rates"]) == (200, ["4.350", "5.100"])
    store_standings(event.pk)
    stage = api.get(f"events/{event.pk}/").json()["stage"]
    assert (stage["fixtures"][0]["error_rates"], stage["fixtures"][0]["is_rate_open"]) == (["4.350", "5.100"], False)
    assert [(line["wins"], line["rate_wins"]) for line in stage["standings"]] == [(1, 1), (0, 0)]
    assert api.put(f"matches/{match.pk}/rates/", {"error_rates": None}).json()["error_rates"] is None


def test_rates_of_a_match_without_a_result_are_refused(api, event, unchanged):
    match = fixture_of(event, "R1-1").match
    with unchanged():
        refused = api.put(f"matches/{match.pk}/rates/", {"error_rates": [1, 2]})
    assert (refused.status_code, refused.json()["code"]) == (409, "match_not_played")


def test_rates_out_of_range_are_refused(api, event, unchanged):
    match = fixture_of(event, "R1-1").match
    win(match, Side.A)
    with unchanged():
        refused = api.put(f"matches/{match.pk}/rates/", {"error_rates": [-1, 2]})
    assert (refused.status_code, refused.json()["code"]) == (400, "error_rate_out_of_range")


def test_rates_that_do_not_count_are_refused(api, director, unchanged):
    event = build_event(director, players=2, format="round-robin")
    match = fixture_of(event, "R1-1").match
    win(match, Side.A)
    with unchanged():
        refused = api.put(f"matches/{match.pk}/rates/", {"error_rates": [1, 2]})
    assert (refused.status_code, refused.json()["code"]) == (400, "rates_not_counted")


def test_an_event_ends_without_rates_only_when_that_is_confirmed(api, event, unchanged):
    win(fixture_of(event, "R1-1").match, Side.A)
    with unchanged():
        refused = api.post(f"events/{event.pk}/finish/")
    assert (refused.status_code, refused.json()["code"]) == (409, "rates_open")
    assert api.post(f"events/{event.pk}/finish/", {"confirmed": True}).status_code == 200
