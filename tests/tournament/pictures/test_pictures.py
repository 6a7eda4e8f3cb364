"""The titles of the pictures of a draw, and their order."""

import pytest

from tests.builders import build_event
from tournament.entries.links import link_of
from tournament.pictures.draw import draw_pictures, place_in_bracket, round_name
from tournament.snapshot import take_snapshot

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("format", "options", "titles"),
    [
        ("double-elimination", {}, ["Main bracket", "Consolation", "Grand final"]),
        (
            "consolation",
            {"reunite": "second-place", "second_consolation": True, "last_chance": "full"},
            ["Main bracket", "Consolation", "Second consolation", "Last chance", "Match for second place"],
        ),
        (
            "consolation",
            {"cut_off": "semifinalists", "third_place": True},
            ["Main bracket", "Consolation", "Match for third place"],
        ),
    ],
)
def test_every_bracket_is_named_after_what_it_decides(director, format, options, titles):
    event = build_event(director, players=9, format=format, options=options)
    assert [picture.title for picture in draw_pictures(take_snapshot(event.pk))] == titles


def test_a_round_is_named_after_its_bracket(director):
    event = build_event(director, players=8, format="consolation", options={"reunite": "second-place"})
    stage = take_snapshot(event.pk).stage
    names = {fixture.key: round_name(stage, fixture) for fixture in stage.fixtures}
    assert names["M3-1"] == "Final"
    assert names["C2-1"] == "Consolation: Semifinals"
    assert names["P1-1"] == "Match for second place"


@pytest.mark.parametrize(
    ("format", "place"), [("single-elimination", "bracket/?stage=1#bracket-M-M1-1"), ("swiss", ""), ("round-robin", "")]
)
def test_a_player_is_led_to_the_place_of_their_match_in_a_drawn_bracket(client, director, format, place):
    event = build_event(director, players=4, format=format)
    snapshot = take_snapshot(event.pk)
    fixture = next(fixture for fixture in snapshot.stage.fixtures if fixture.match_id)
    assert place_in_bracket(snapshot, fixture) == (event.get_absolute_url() + place if place else "")
    if place:
        page = client.get(f"{event.get_absolute_url()}bracket/").content.decode()
        assert page.count(f'id="{place.partition("#")[2]}"') == 1
    mine = client.get(link_of(snapshot.entries[0])).content.decode()
    assert ("Show in the bracket" in mine) == bool(place)
