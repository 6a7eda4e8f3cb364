from datetime import datetime

import pytest

from rules.score import Side
from tests.builders import AT, build_event, build_tournament, fixture_of, open_matches, play_out, win
from tests.tournament.api.client import CheckedClient
from tournament.draw.document import digest_of, draw_document
from tournament.draw.standings import store_standings
from tournament.events.services import finish_event
from tournament.models import Event, Tournament
from tournament.ranking.tiebreaks import TIEBREAKS

TERMS = {"name": "Main", "format": "single-elimination", "options": {"lengths": [7, 5]}}


def codes(*responses) -> list[tuple[int, str]]:
    return [(response.status_code, response.json()["code"]) for response in responses]


def test_a_user_who_is_signed_in_creates_a_tournament_and_directs_it(stranger):
    response = stranger.post("tournaments/", {"name": "  Winter  Open ", "starts_on": "2026-01-09", "place": "Odense"})
    assert response.status_code == 201
    tournament = Tournament.objects.get()
    assert response.headers["Location"] == f"/api/v1/tournaments/{tournament.pk}/"
    created_at = response.json()["created_at"]
    assert datetime.fromisoformat(created_at) == tournament.created_at
    assert response.json() == {
        "id": tournament.pk,
        "name": "Winter Open",
        "slug": "winter-open",
        "place": "Odense",
        "starts_on": "2026-01-09",
        "ends_on": "2026-01-09",
        "time_zone": "Europe/Copenhagen",
        "created_at": created_at,
    }
    assert stranger.get(f"tournaments/{tournament.pk}/").json() == response.json()
    assert stranger.post(f"tournaments/{tournament.pk}/events/", TERMS).status_code == 201


SIDE_EVENT = {
    "name": "Side event",
    "format": "round-robin",
    "options": {"lengths": [3], "seeding": "seeded"},
    "profile": "dbf",
    "crawford": False,
    "tiebreaks": ["buchholz", "head-to-head"],
    "starts_at": "2026-03-07T10:30:00+01:00",
    "clock_minutes": 2,
    "clock_delay": 12,
}


def test_an_event_is_created_with_its_terms(api, director):
    tournament = build_tournament(director)
    response = api.post(f"tournaments/{tournament.pk}/events/", SIDE_EVENT)
    assert response.status_code == 201
    event = Event.objects.get()
    assert response.headers["Location"] == f"/api/v1/events/{event.pk}/"
    body = response.json()
    stage = body.pop("stage")
    assert body.pop("stages") == [stage]
    anchor = event.draw_chains.get().anchor
    assert (stage.pop("anchor"), stage.pop("seed_hash"), stage.pop("urns")) == (anchor, anchor, [])
    assert stage.pop("draw_hash") == digest_of(draw_document(event, event.stages.get(), "draw", ()))
    assert body == {
        "id": event.pk,
        "name": "Side event",
        "slug": "side-event",
        "tournament": {"id": tournament.pk, "name": "Friday Club", "slug": "friday-club"},
        "profile": "dbf",
        "hall_version": 1,
        "starts_at": "2026-03-07T10:30:00+01:00",
        "clock": {"minutes": 2, "delay": 12},
        "crawford": False,
        "tiebreaks": ["buchholz", "head-to-head"],
        "version": 2,
        "is_drawn": False,
        "finished_at": None,
        "standings_are_current": False,
        "doubles": False,
        "boards": 1,
        "max_entries": None,
        "check_in": False,
        "late_minutes": 5,
        "byes_left": 0,
        "round": "",
        "entries_closed": False,
        "public_source": "none",
        "phones": True,
        "confirm_minutes": None,
        "shows_chances": False,
        "rated_for": [],
        "event_class": "",
        "online": False,
        "self_entry": False,
        "self_entry_until": None,
        **{name: [] for name in ("entries", "waiting", "gone")},
    }
    assert_new_stage(stage)


def assert_new_stage(stage: dict[str, object]) -> None:
    """Hold the stage to what is asked of it before there is a draw."""
    assert stage == {
        "number": 1,
        "format": "round-robin",
        "options": {"lengths": [3], "seeding": "seeded", "rounds": 0, "rate_point": False},
        "qualifiers": None,
        "carry": "none",
        "crossing": [],
        "drawn_at": None,
        "seed": "",
        "notes": [],
        "matches": 0,
        "done": 0,
        "fixtures": [],
        "standings": [],
        "sections": {},
        "standings_version": 0,
        "standings_matches": 0,
    }


def test_an_event_has_defaults_for_all_terms_but_name_format_and_lengths(api, director):
    body = api.post(f"tournaments/{build_tournament(director).pk}/events/", TERMS).json()
    assert (body["profile"], body["crawford"], body["stage"]["options"]["seeding"]) == ("wbgf", True, "random")
    assert body["tiebreaks"] == ["head-to-head", "point-difference", "buchholz", "sonneborn-berger"]


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"format": "no-such-format"}, "format_unknown"),
        ({"profile": "house"}, "profile_unknown"),
        ({"tiebreaks": ["coin"]}, "tiebreak_unknown"),
        ({"tiebreaks": ["buchholz", "buchholz"]}, "tiebreak_twice"),
        ({"tiebreaks": list(TIEBREAKS)[:6]}, "tiebreaks_too_many"),
        ({"options": {"lengths": [0]}}, "length_out_of_range"),
        ({"options": {"lengths": [100]}}, "length_out_of_range"),
        ({"name": "!!!"}, "name_empty"),
        ({"name": "x" * 81}, "name_too_long"),
        ({"name": "a\u202eb"}, "name_unprintable"),
        ({"options": {"lengths": []}}, "lengths_not_a_list"),
        ({"options": {"lengths": [3] * 17}}, "lengths_not_a_list"),
        ({"options": {"lengths": [3], "seeding": "best"}}, "seeding_unknown"),
        ({"options": {"lengths": [3], "pairs": 1}}, "option_unknown"),
    ],
)
def test_terms_that_no_event_can_have_store_nothing(api, director, unchanged, changed, code):
    event = build_event(director, players=0, drawn=False)
    with unchanged():
        created = api.post(f"tournaments/{event.tournament_id}/events/", TERMS | changed)
        updated = api.patch(f"events/{event.pk}/", changed)
    assert codes(created, updated) == [(400, code)] * 2


def test_a_change_of_terms_names_only_what_changes(api, director):
    event = build_event(director, players=0, drawn=False, lengths=(7, 5))
    body = api.patch(f"events/{event.pk}/", {"crawford": False, "options": {"seeding": "seeded"}}).json()
    assert (body["crawford"], body["name"], body["version"]) == (False, "Main", event.version + 1)
    assert body["stage"]["options"] == {"lengths": [7, 5], "seeding": "seeded", "byes": "seeds", "protect": "none"}


def test_after_the_draw_only_name_and_tiebreaks_change(api, director, unchanged):
    event = build_event(director, players=4)
    body = api.patch(f"events/{event.pk}/", {"name": "Masters", "tiebreaks": []}).json()
    assert (body["name"], body["tiebreaks"]) == ("Masters", [])
    with unchanged():
        response = api.patch(f"events/{event.pk}/", {"options": {"lengths": [9]}})
    assert codes(response) == [(409, "event_drawn")]


def test_a_draw_publishes_pairings_and_seed(api, director):
    event = build_event(director, players=3, drawn=False)
    body = api.post(f"events/{event.pk}/draw/").json()
    stage = event.stages.get()
    assert (body["is_drawn"], body["stage"]["seed"]) == (True, stage.seed)
    first, second, final = body["stage"]["fixtures"]
    bye, played = (first, second) if first["state"] == "bye" else (second, first)
    assert {seat["is_bye"] for seat in (bye["a"], bye["b"])} == {True, False}
    assert bye["match"] is None
    assert (played["state"], played["score"], played["sheet"]) == ("ready", [0, 0], 0)
    assert final["state"] == "waiting"
    assert f"Winner of {played['key']}" in {final["a"]["label"], final["b"]["label"]}
    assert (final["score"], final["phase"], final["is_crawford"]) == (None, None, False)
    assert body["stage"]["matches"] == 2


def test_a_second_draw_changes_nothing(api, director, unchanged):
    event = build_event(director, players=4)
    with unchanged():
        assert api.post(f"events/{event.pk}/draw/").status_code == 200


def test_a_draw_needs_two_players(api, director, unchanged):
    event = build_event(director, players=1, drawn=False)
    with unchanged():
        response = api.post(f"events/{event.pk}/draw/")
    assert codes(response) == [(400, "field_size")]


def test_a_draw_can_be_taken_back_until_something_is_entered(api, director, unchanged):
    event = build_event(director, players=4)
    body = api.delete(f"events/{event.pk}/draw/").json()
    assert (body["is_drawn"], body["stage"]["fixtures"], body["stage"]["seed"]) == (False, [], "")
    api.post(f"events/{event.pk}/draw/")
    win(fixture_of(event, "M1-1").match, Side.A, by=director)
    with unchanged():
        response = api.delete(f"events/{event.pk}/draw/")
    assert codes(response) == [(409, "draw_in_play")]


def test_an_event_ends_when_everything_is_decided_and_can_be_reopened(api, director, unchanged):
    event = build_event(director, players=4)
    with unchanged():
        early = api.post(f"events/{event.pk}/finish/")
    assert codes(early) == [(409, "event_has_open_matches")]
    play_out(event, by=director)
    assert api.post(f"events/{event.pk}/finish/").json()["finished_at"] is not None
    with unchanged():
        assert codes(api.delete(f"events/{event.pk}/draw/")) == [(409, "event_finished")]
    assert api.post(f"events/{event.pk}/reopen/").json()["finished_at"] is None


def test_an_event_that_was_not_drawn_does_not_end(api, director, unchanged):
    event = build_event(director, players=4, drawn=False)
    with unchanged():
        assert codes(api.post(f"events/{event.pk}/finish/")) == [(409, "event_not_drawn")]


def test_the_event_says_which_round_it_is_in(anonymous, director):
    event = build_event(director, players=4, format="swiss", lengths=(3,))
    said = []
    for _round in range(3):
        said.append(anonymous.get(f"events/{event.pk}/").json()["round"])
        for match in open_matches(event):
            win(match, Side.A)
    assert said == ["Round 1 of 2", "Round 2 of 2", ""]
    knockout = build_event(director, players=4)
    assert anonymous.get(f"events/{knockout.pk}/").json()["round"] == "Semifinals"


def test_the_snapshot_shows_live_scores_and_the_standings_with_their_version(anonymous, director):
    event = build_event(director, players=4, format="round-robin", lengths=(3,))
    win(fixture_of(event, "R1-1").match, Side.A, loser_points=1, by=director)
    store_standings(event.pk)
    event.refresh_from_db()
    body = anonymous.get(f"events/{event.pk}/").json()
    fixture = next(fixture for fixture in body["stage"]["fixtures"] if fixture["key"] == "R1-1")
    assert (fixture["score"], fixture["state"], fixture["phase"]) == ([3, 1], "done", "over")
    assert (fixture["a"]["is_winner"], fixture["b"]["is_winner"], fixture["sheet"]) == (True, False, 1)
    assert body["standings_are_current"]
    assert (body["stage"]["standings_version"], body["stage"]["standings_matches"]) == (event.version, 1)
    first = body["stage"]["standings"][0]
    assert (first["entry"], first["place"], first["wins"], first["points_for"]) == (fixture["a"]["entry"], 1, 1, 3)
    assert list(first["tiebreaks"]) == body["tiebreaks"]


def test_the_history_tells_people_with_a_role_who_did_what(api, director):
    event = build_event(director, players=2)
    log = api.get(f"events/{event.pk}/history/").json()
    assert log["count"] == 3
    assert [(line["verb"], line["by"]) for line in log["results"]] == [
        ("make_draw", "director"),
        ("add_entries", "director"),
        ("create_event", "director"),
    ]
    assert log["results"][1]["detail"] == {"names": ["Player 1", "Player 2"]}


def test_a_tournament_lists_its_events(anonymous, director):
    event = build_event(director, players=4)
    build_event(director, players=0, drawn=False, format="round-robin", tournament=event.tournament)
    build_event(director, players=2)
    listed = anonymous.get(f"tournaments/{event.tournament_id}/events/").json()["results"]
    assert [(line["format"], line["entries"], line["is_drawn"]) for line in listed] == [
        ("single-elimination", 4, True),
        ("round-robin", 0, False),
    ]


def test_only_directors_change_an_event(anonymous, stranger, director, unchanged):
    event = build_event(director, players=4, drawn=False)

    def ask_all(client: CheckedClient) -> list:
        return [
            client.post(f"tournaments/{event.tournament_id}/events/", TERMS),
            client.patch(f"events/{event.pk}/", {"name": "Mine"}),
            client.post(f"events/{event.pk}/draw/"),
            client.delete(f"events/{event.pk}/draw/"),
            client.post(f"events/{event.pk}/finish/"),
            client.post(f"events/{event.pk}/reopen/"),
        ]

    with unchanged():
        assert codes(*ask_all(anonymous)) == [(401, "not_authenticated")] * 6
        assert codes(*ask_all(stranger)) == [(403, "role_missing")] * 6
        assert codes(anonymous.post("tournaments/", {"name": "X", "starts_on": "2026-01-01"})) == [
            (401, "not_authenticated")
        ]


def test_a_finished_event_answers_finish_with_no_change(api, director, unchanged):
    event = build_event(director, players=2)
    play_out(event, by=director)
    finish_event(event, by=director, at=AT)
    with unchanged():
        assert api.post(f"events/{event.pk}/finish/").status_code == 200
