"""A double elimination of eight whose losers are placed when a round is over, from the form to the last result."""

import pytest
from django.urls import reverse

from tests.builders import AT, build_tournament, fixture_of, open_matches
from tests.tournament.api.client import CheckedClient
from tests.tournament.pages.test_pages import address, enter
from tournament.draw.make import make_draw
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries
from tournament.models import Event

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(as_director, director) -> Event:
    new = reverse("new-event", args=[build_tournament(director).slug])
    form = as_director.get(new).content.decode()
    assert "Losers placed when a round is over" in form
    assert "The price: lines are known only when a round ends" in form
    sent = {"format": "double-elimination", "double-elimination-placed": "on", "seeding": "random", "lengths": "5"}
    answer = as_director.post(new, {**sent, "profile": "wbgf", "crawford": "on"})
    assert answer.status_code == 302
    event = Event.objects.get()
    assert event.stages.get().options["placed"] is True
    lines = [EntryLine(name=f"Player {number}", line=number) for number in range(1, 9)]
    add_entries(event, lines=lines, by=director, at=AT)
    make_draw(event, by=director, at=AT)
    return event


def let_side_a_win(client, event, *rounds):
    for match in open_matches(event):
        if match.fixture.key.startswith(rounds):
            assert enter(client, match, "final", final_a=5, final_b=1).status_code == 302


def feeds(event):
    fixtures = CheckedClient().get(f"events/{event.pk}/").json()["stage"]["fixtures"]
    return {fixture["key"]: fixture["b"]["feed"] for fixture in fixtures if fixture["key"].startswith("C2-")}


def test_an_event_of_eight_is_played_to_its_end(as_director, event):
    let_side_a_win(as_director, event, "M1", "C1-1")
    for page in ("bracket", "screen"):
        assert "Loser of round 2" in as_director.get(address(event, page)).content.decode()
    assert feeds(event) == {"C2-1": "round:2", "C2-2": "round:2"}

    let_side_a_win(as_director, event, "M2", "C1")
    assert sorted(feeds(event).values()) == ["loser:M2-1", "loser:M2-2"]
    page = as_director.get(address(event, "pairings")).content.decode()
    assert "Placed when round 2 of the main bracket was over" in page
    assert "Loser of round 2" not in page

    while open_matches(event):
        let_side_a_win(as_director, event, "M", "C", "F")
    assert fixture_of(event, "F1-1").match.side_a is not None
    event.refresh_from_db()
    assert open_matches(event) == []
    assert "Player" in as_director.get(address(event, "standings")).content.decode()
