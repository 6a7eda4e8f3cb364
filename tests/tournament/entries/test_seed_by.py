"""Seeds proposed by a ranking list or by the places of an earlier event: shown first, and saved with one press."""

from decimal import Decimal

import pytest
from django.urls import reverse

from players.errors import Refusal
from players.models import RankingList, Rating
from tests.builders import AT, build_event, open_matches, play_out
from tests.pages import forms_of
from tournament.draw.standings import store_standings
from tournament.entries.lists import EntryLine
from tournament.entries.seed_by import earlier_events, seeds_by_event, seeds_by_ranking
from tournament.entries.services import add_entries
from tournament.events.services import finish_event
from tournament.models import Entry, Standing

pytestmark = pytest.mark.django_db


def rate(event, values):
    found = RankingList.objects.create(system="fibs", computed_at=AT, matches=1)
    for entry in event.entries.select_related("player"):
        for person in entry.people:
            if person.name in values:
                Rating.objects.create(
                    ranking_list=found,
                    player=person,
                    value=Decimal(values[person.name]),
                    experience=1,
                    matches=1,
                    wins=0,
                )


def seeds(proposed) -> dict[str, int | None]:
    return {one.entry.name: one.seed for one in proposed}


def stored(event):
    return {entry.name: entry.seed for entry in Entry.objects.filter(event=event).select_related("player", "partner")}


def test_seeds_follow_a_ranking_list_equals_stand_by_name_and_the_unrated_have_none(director):
    event = build_event(director, players=5, drawn=False)
    rate(event, {"Player 1": 1500, "Player 3": 1700, "Player 4": 1500, "Player 5": 1600})
    found = seeds_by_ranking(event, system="fibs")
    assert seeds(found) == {"Player 1": 3, "Player 2": None, "Player 3": 1, "Player 4": 4, "Player 5": 2}
    best = seeds_by_ranking(event, system="fibs", most=2)
    assert seeds(best) == {"Player 1": None, "Player 2": None, "Player 3": 1, "Player 4": None, "Player 5": 2}
    with pytest.raises(Refusal, match="no such ranking list"):
        seeds_by_ranking(event, system="elo")


def test_pairs_have_the_average_of_their_players(director):
    event = build_event(director, players=0, drawn=False, doubles=True)
    add_entries(event, lines=[EntryLine(name=name) for name in ("Ann & Bo", "Cyd & Dee")], by=director, at=AT)
    rate(event, {"Ann": 1800, "Bo": 1400, "Cyd": 1650, "Dee": 1651})
    found = seeds_by_ranking(event, system="fibs")
    assert {one.entry.name: (one.seed, one.value) for one in found} == {
        "Ann & Bo": (2, 160_000),
        "Cyd & Dee": (1, 165_050),
    }


def ended(director, players=4):
    event = build_event(director, players=players)
    play_out(event)
    assert not open_matches(event)
    finish_event(event, by=director, at=AT)
    store_standings(event.pk)
    event.refresh_from_db()
    return event


def next_year(director, earlier, name="Main"):
    event = build_event(director, players=0, drawn=False, tournament=earlier.tournament, name=name)
    players = [entry.player for entry in earlier.entries.select_related("player")]
    lines = [EntryLine(name=player.name, player_id=player.pk) for player in reversed(players)]
    add_entries(event, lines=[*lines, EntryLine(name="New")], by=director, at=AT)
    return event


def test_seeds_follow_the_places_of_an_earlier_event(director):
    earlier = ended(director)
    event = next_year(director, earlier)
    lines = Standing.objects.filter(stage__event=earlier, section="").select_related("entry__player")
    in_order = sorted(lines, key=lambda line: (line.place, line.entry.name))
    expected = {line.entry.name: seed for seed, line in enumerate(in_order, start=1)}
    assert seeds(seeds_by_event(event, earlier=earlier)) == {**expected, "New": None}
    assert [one.pk for one in earlier_events(event)] == [earlier.pk]
    for other in (event, build_event(director, players=4, name="Side", tournament=event.tournament)):
        with pytest.raises(Refusal, match="an earlier event that has ended"):
            seeds_by_event(event, earlier=other)


def test_a_director_sees_all_seeds_before_anything_is_saved_and_saves_them_with_one_press(client, director):
    event = build_event(director, players=3, drawn=False)
    rate(event, {"Player 2": 1700, "Player 3": 1600})
    client.force_login(director)
    address = reverse("seeding", args=[event.tournament.slug, event.slug])
    page = client.get(address, {"by": "ranking-fibs", "most": ""})
    assert (page.status_code, stored(event)) == (200, dict.fromkeys(stored(event)))
    assert "These seeds are proposed" in page.content.decode()
    assert "1,700" in page.content.decode() or "1700" in page.content.decode()
    (form,) = [one for one in forms_of(page) if one.attributes.get("method") == "post" and "base" in one.data()]
    assert client.post(address, form.data()).status_code == 302
    assert stored(event) == {"Player 1": None, "Player 2": 1, "Player 3": 2}
    assert event.log.first().verb == "set_seeding"
    unknown = client.get(address, {"by": "event-999"})
    assert (unknown.status_code, "an earlier event that has ended" in unknown.content.decode()) == (400, True)
    for nonsense in ("x", "ranking-", "event-x", "ranking-\0"):
        assert client.get(address, {"by": nonsense}).status_code == 400
