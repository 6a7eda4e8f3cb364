"""Codes that few requests meet are answered as their operations declare them, which the client checks."""

import pytest

from rules.score import Side
from tests.builders import AT, build_event, fixture_of, win
from tests.tournament.api.client import CheckedClient
from tournament.entries.attendance import set_door
from tournament.events.services import finish_event
from tournament.events.stages import add_stage
from tournament.models import Event

STAGE = {"format": "single-elimination", "options": {"lengths": [5]}, "qualifiers": 2}


def refused(api: CheckedClient, method: str, path: str, body: object = None) -> tuple[int, str]:
    answer = getattr(api, method)(path, body)
    return answer.status_code, answer.json()["code"]


def test_a_draw_waits_for_those_who_have_not_checked_in(api, director):
    event = build_event(director, players=2, drawn=False)
    set_door(event, max_entries=None, check_in=True, late_minutes=None, by=director, at=AT)
    assert refused(api, "post", f"events/{event.pk}/draw/") == (409, "not_checked_in")


@pytest.mark.parametrize(
    ("format", "options", "players", "code"),
    [
        ("single-elimination", {}, 1, "field_size"),
        ("pools", {"pools": 5}, 8, "pools_too_many"),
        ("pools", {"pools": 1}, 33, "pools_too_few"),
        ("swiss-lives", {"stop": "left", "left": 8}, 4, "left_not_below_field"),
        ("consolation", {"consolation": "simple", "third_place": True}, 6, "third_place_taken"),
        ("consolation", {"cut_off": "round", "third_place": True}, 8, "third_place_taken"),
    ],
)
def test_a_field_or_options_that_no_draw_can_have(api, director, unchanged, format, options, players, code):
    event = build_event(director, players=players, format=format, options=options, drawn=False)
    with unchanged():
        assert refused(api, "post", f"events/{event.pk}/draw/") == (400, code)


CONTRADICTIONS = [
    ({"consolation": "none", "second_consolation": True}, "consolation_missing", "second_consolation"),
    ({"consolation": "none", "last_chance": "partial"}, "consolation_missing", "last_chance"),
    ({"consolation": "simple", "reunite": "grand-final"}, "grand_final_not_for_all", "reunite"),
    ({"cut_off": "nobody", "reunite": "second-place"}, "finalist_falls", "reunite"),
    ({"cut_off": "nobody", "third_place": True}, "third_place_taken", "third_place"),
    ({"third_place": True}, "third_place_taken", "third_place"),
]


@pytest.mark.parametrize(("options", "code", "field"), CONTRADICTIONS)
def test_options_that_exclude_each_other_are_refused_when_they_are_set(api, director, unchanged, options, code, field):
    event = build_event(director, players=8, format="consolation", drawn=False)
    terms = {"format": "consolation", "options": {"lengths": [5], **options}}
    sent = [
        ("post", f"tournaments/{event.tournament_id}/events/", {"name": "Other", **terms}),
        ("patch", f"events/{event.pk}/", {"options": options}),
        ("post", f"events/{event.pk}/stages/", {"qualifiers": 4, **terms}),
    ]
    with unchanged():
        for method, path, body in sent:
            answer = getattr(api, method)(path, body)
            assert (answer.status_code, answer.json()["code"]) == (400, code), path
            assert [error["field"] for error in answer.json()["errors"]] == [f"options.{field}"]


def test_a_player_of_two_pairs_who_would_meet_themselves(api, director):
    event = build_event(director, players=0, format="jackpot", doubles=True, drawn=False)
    address = f"events/{event.pk}/entries/"
    assert refused(api, "post", address, {"name": "Anna"}) == (400, "pair_incomplete")
    assert refused(api, "post", address, {"name": "Anna & Anna"}) == (400, "pair_of_one")


def test_an_ended_event_takes_no_draw_no_entry_and_no_other_terms(api, director, unchanged):
    event = build_event(director, players=2)
    win(fixture_of(event, "M1-1").match, Side.A)
    finish_event(event, by=director, at=AT)
    with unchanged():
        assert refused(api, "post", f"events/{event.pk}/entries/", {"name": "Bo"}) == (409, "event_finished")
        assert refused(api, "patch", f"events/{event.pk}/", {"name": "Other"}) == (409, "event_finished")


def test_an_event_with_entries_stays_one_for_players(api, director, unchanged):
    event = build_event(director, players=2, drawn=False)
    with unchanged():
        assert refused(api, "patch", f"events/{event.pk}/", {"doubles": True}) == (409, "event_has_entries")


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"lengths": "5"}, "lengths_not_a_list"),
        ({"lengths": [0]}, "length_out_of_range"),
        ({"lengths": [5], "seeding": "drawn"}, "seeding_unknown"),
        ({"lengths": [5], "nonsense": 1}, "option_unknown"),
    ],
)
def test_options_of_a_later_stage_are_refused_as_those_of_the_first(api, director, unchanged, options, code):
    event = build_event(director, players=4, drawn=False)
    with unchanged():
        assert refused(api, "post", f"events/{event.pk}/stages/", {**STAGE, "options": options}) == (400, code)


def test_an_event_does_not_end_before_its_last_stage_is_drawn(api, director):
    event = build_event(director, players=2)
    add_stage(event, **STAGE, by=director, at=AT)
    win(fixture_of(event, "M1-1").match, Side.A)
    assert refused(api, "post", f"events/{event.pk}/finish/") == (409, "stage_not_drawn")


def test_a_team_is_not_replaced(api, director, unchanged):
    event: Event = build_event(director, players=2, boards=3, drawn=False)
    with unchanged():
        address = f"entries/{event.entries.first().pk}/replacement/"
        assert refused(api, "put", address, {"name": "Bo"}) == (409, "team_not_replaced")


def test_what_is_confirmed_is_not_reported(api, director, unchanged):
    match = fixture_of(build_event(director, players=2), "M1-1").match
    win(match, Side.A)
    with unchanged():
        body = {"key": "k", "base": 0, "final": [5, 0]}
        assert refused(api, "post", f"matches/{match.pk}/reports/", body) == (409, "result_confirmed")
