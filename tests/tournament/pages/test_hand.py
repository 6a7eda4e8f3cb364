"""The page on which a director changes a draw: choose, see, confirm; without JavaScript."""

import re

import pytest
from django.urls import reverse

from rules.score import Side
from tests.builders import AT, build_event, fixture_of, win
from tournament.draw.make import cancel_draw
from tournament.events.services import finish_event
from tournament.models import HandChange

pytestmark = pytest.mark.django_db


def address(event, name="change-draw", *more):
    return reverse(name, args=[event.tournament.slug, event.slug, 1, *more])


def test_a_director_chooses_two_players_sees_what_changes_and_confirms(client, director):
    event = build_event(director, players=8, seed="")
    client.force_login(director)
    first, second = fixture_of(event, "M1-1"), fixture_of(event, "M1-2")
    asked = {"players": [first.entry_a_id, second.entry_a_id], "change": "swap", "reason": "They came in one car."}
    pairings = reverse("pairings", args=[event.tournament.slug, event.slug])
    assert address(event) in client.get(pairings).content.decode()
    seen = client.post(address(event), asked)
    assert seen.status_code == 200
    assert f"{second.entry_a.name} – {first.entry_b.name}" in seen.content.decode()
    assert not HandChange.objects.exists()
    assert client.post(address(event), asked | {"confirm": "1"}).status_code == 302
    assert fixture_of(event, "M1-1").entry_a == second.entry_a
    client.logout()
    page = client.get(pairings).content.decode()
    assert page.count("by the director</span>") == 2
    assert page.count("Changed by the director: They came in one car.") == 2
    win(fixture_of(event, "M1-1").match, Side.A)
    assert client.get(pairings).content.decode().count("Changed by the director: They came in one car.") == 2


def test_a_change_is_taken_back_on_the_page(client, director):
    event = build_event(director, players=8, seed="")
    client.force_login(director)
    first, second = fixture_of(event, "M1-1"), fixture_of(event, "M1-2")
    asked = {"players": [first.entry_a_id, second.entry_a_id], "change": "swap", "reason": "Asked.", "confirm": "1"}
    client.post(address(event), asked)
    assert "have swapped places: Asked." in client.get(address(event)).content.decode()
    client.post(address(event, "end-draw-change", 1))
    assert fixture_of(event, "M1-1").entry_a == first.entry_a
    assert "have swapped places" not in client.get(address(event)).content.decode()


def test_what_is_refused_comes_back_as_it_was_chosen(client, director):
    event = build_event(director, players=8, seed="")
    client.force_login(director)
    first = fixture_of(event, "M1-1")
    alone = client.post(address(event), {"players": [first.entry_a_id], "change": "swap", "reason": "Asked."})
    assert (alone.status_code, "Choose two players." in alone.content.decode()) == (400, True)
    same = {"players": [first.entry_a_id, first.entry_b_id], "change": "pair", "reason": "Asked."}
    nothing = client.post(address(event), same)
    assert (nothing.status_code, "This changes no pairing." in nothing.content.decode()) == (400, True)
    assert nothing.content.decode().count("checked") == 3


def test_a_bye_of_a_swiss_round_is_given_on_the_page(client, director):
    event = build_event(director, players=7, format="swiss", seed="")
    client.force_login(director)
    chosen = fixture_of(event, "S1-1").entry_a
    asked = {"players": [chosen.pk], "change": "bye", "reason": "Arrives at noon.", "confirm": "1"}
    assert client.post(address(event), asked).status_code == 302
    (free,) = [one for one in event.stages.get().fixtures.all() if one.feed_b == "bye"]
    assert free.entry_a == chosen


def test_the_page_of_a_stage_that_is_not_drawn_has_nothing_to_change(client, director):
    event = build_event(director, players=4, drawn=False, seed="")
    client.force_login(director)
    assert "there is nothing to change" in client.get(address(event)).content.decode()


def test_a_change_is_told_under_the_bracket_and_where_the_draw_is_checked(client, director):
    event = build_event(director, players=8, seed="")
    client.force_login(director)
    first, second = fixture_of(event, "M1-1").entry_a, fixture_of(event, "M1-2").entry_a
    asked = {"players": [first.pk, second.pk], "change": "swap", "reason": "One car.", "confirm": "1"}
    bracket = reverse("bracket", args=[event.tournament.slug, event.slug])
    draws = reverse("event-draws", args=[event.pk])
    client.post(address(event), asked)
    client.logout()
    page = client.get(bracket).content.decode()
    (told,) = [
        " ".join(item.split()) for item in re.findall(r"<li>(.*?)</li>", page.partition('id="by-hand"')[2], re.S)
    ]
    assert told == f"{first.name} and {second.name} have swapped places: One car."
    swapped = f"The director swapped {first.number} ({first.name}) and {second.number} ({second.name})"
    told = f"<li>{swapped} in this draw by hand: One car.</li>"
    assert told in client.get(draws).content.decode()
    cancel_draw(event, by=director, at=AT)
    assert "have swapped places" not in client.get(bracket).content.decode()
    page = client.get(draws).content.decode()
    assert (told in page, "Stage 1: taken back at" in page.partition('id="changed"')[2]) == (True, True)


def test_nothing_offers_a_change_once_none_is_possible(client, director):
    event = build_event(director, players=4, seed="")
    client.force_login(director)
    pairings = reverse("pairings", args=[event.tournament.slug, event.slug])
    asked = {"players": [fixture_of(event, f"M1-{number}").entry_a_id for number in (1, 2)], "change": "swap"}
    asked |= {"reason": "One car.", "confirm": "1"}
    win(fixture_of(event, "M1-1").match, Side.A)
    assert address(event) not in client.get(pairings).content.decode()
    page = client.get(address(event)).content.decode()
    assert "Nothing can be changed any more: the matches have begun." in page
    assert 'name="reason"' not in page
    assert client.post(address(event), asked).status_code == 409
    win(fixture_of(event, "M1-2").match, Side.A)
    win(fixture_of(event, "M2-1").match, Side.A)
    finish_event(event, by=director, at=AT)
    assert address(event) not in client.get(pairings).content.decode()
    page = client.get(address(event)).content.decode()
    assert ("This event has ended. Reopen it to change anything." in page, 'name="reason"' in page) == (True, False)
    assert not HandChange.objects.exists()


def test_a_change_of_two_byes_and_of_the_next_swiss_round_stays_on_offer(client, director):
    event = build_event(director, players=6, seed="")
    client.force_login(director)
    pairings = reverse("pairings", args=[event.tournament.slug, event.slug])
    played = [one for one in event.stages.get().fixtures.filter(round=1) if one.match_id]
    win(played[0].match, Side.A)
    win(played[1].match, Side.A)
    assert address(event) in client.get(pairings).content.decode()
    swiss = build_event(director, players=4, format="swiss", seed="")
    pairings = reverse("pairings", args=[swiss.tournament.slug, swiss.slug])
    offered = []
    for key in ("S1-1", "S1-2"):
        win(fixture_of(swiss, key).match, Side.A)
        offered.append(address(swiss) in client.get(pairings).content.decode())
    assert offered == [False, True]
