"""A ladder on the pages of its event and on the private page of a player."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from rules.score import Side
from tests.builders import build_event, claim, fixture_of, win
from tests.tournament.ladders import at_rung
from tournament.entries.links import token_of
from tournament.models import Challenge, Entry
from tournament.results.enter import enter_result

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(director):
    return build_event(director, players=6, format="ladder", options={"reach": 2, "days": 5})


def people(event) -> list[Entry]:
    """The entries from the top rung to the bottom."""
    return [at_rung(event, rung) for rung in range(1, 7)]


def address(event, name="pairings", *more):
    return reverse(name, args=[event.tournament.slug, event.slug, *more])


def shown(client, event, name="pairings") -> str:
    return client.get(address(event, name)).content.decode()


def enter(client, event, low, high):
    return client.post(address(event, "make-challenge"), {"pair": f"{low.pk}-{high.pk}"}, follow=True)


def test_everybody_sees_the_rungs_and_directors_enter_challenges(client, director, event):
    first, second, third, *_others = people(event)
    for name in ("pairings", "bracket", "standings", "screen"):
        assert client.get(address(event, name)).status_code == 200
    assert "New challenge" not in shown(client, event)
    page = shown(client, event)
    assert page.index(first.name) < page.index(second.name) < page.index(third.name)
    assert "Winner" not in page
    client.force_login(director)
    page = shown(client, event)
    assert f'value="{second.pk}-{first.pk}"' in page
    assert f'value="{third.pk}-{first.pk}"' in page
    assert f'value="{first.pk}-{second.pk}"' not in page
    assert "challenges" in enter(client, event, third, first).content.decode()
    page = shown(client, event)
    assert f"challenges {first.name}, by" in " ".join(page.split())
    assert f"challenged by {third.name}, by" in " ".join(page.split())
    assert f'value="{second.pk}-{first.pk}"' not in page
    assert "Choose a challenge that can be made now." in enter(client, event, second, first).content.decode()
    assert Challenge.objects.count() == 1


def test_an_overdue_challenge_is_marked_and_can_be_withdrawn(client, director, event):
    first, second, *_others = people(event)
    client.force_login(director)
    enter(client, event, second, first)
    assert "overdue" not in shown(client, event)
    Challenge.objects.update(made_at=timezone.now() - timedelta(days=7))
    assert "overdue" in shown(client, event)
    assert "overdue" in shown(client, event, "bracket")
    client.post(address(event, "withdraw-challenge", 1))
    assert Challenge.objects.get().withdrawn_at is not None
    assert (
        "already been withdrawn" in client.post(address(event, "withdraw-challenge", 1), follow=True).content.decode()
    )


def test_players_see_whom_they_may_challenge_and_challenge_with_one_button(client, event):
    first, second, third, fourth, *_others = people(event)
    mine = reverse("my-entry", args=[token_of(fourth)])
    page = client.get(mine).content.decode()
    assert "You stand on rung 4." in page
    assert f"Challenge {second.name}" in page
    assert f"Challenge {third.name}" in page
    assert f"Challenge {first.name}" not in page
    refused = client.post(reverse("my-challenge", args=[token_of(fourth), first.pk]))
    assert refused.status_code == 400
    assert "who does not stand 1 to 2 rungs above" in refused.content.decode()
    done = client.post(reverse("my-challenge", args=[token_of(fourth), third.pk]), follow=True)
    assert "Your challenge has been made." in done.content.decode()
    assert f"Withdraw your challenge to {third.name}" in done.content.decode()
    others = client.get(reverse("my-entry", args=[token_of(third)])).content.decode()
    assert "There is nobody whom you can challenge now." in others
    of_others = client.post(reverse("my-withdrawal", args=[token_of(third), 1]))
    assert of_others.status_code == 409
    client.post(reverse("my-withdrawal", args=[token_of(fourth), 1]))
    assert Challenge.objects.get().withdrawn_at is not None


def test_the_past_shows_the_rungs_and_challenges_of_that_time(client, director, event):
    first, second, *_others = people(event)
    client.force_login(director)
    before = event.log.first().pk
    enter(client, event, second, first)
    made = event.log.first().pk
    enter_result(fixture_of(event, "H1-1").match, claim=claim(final=(5, 0)), by=director, at=timezone.now())

    def then(row):
        return " ".join(client.get(f"{address(event)}?at={row}").content.decode().split())

    assert "challenges" not in then(before).partition("ladder-title")[2].partition("</ol>")[0]
    assert f"challenges {first.name}, by" in then(made)
    page = shown(client, event)
    assert page.index(second.name) < page.index(first.name)


def test_the_winner_is_named_once_the_event_has_ended(client, director, event):
    first, second, *_others = people(event)
    client.force_login(director)
    enter(client, event, second, first)
    win(fixture_of(event, "H1-1").match, Side.A)
    client.post(address(event, "act", "finish"))
    event.refresh_from_db()
    assert event.finished_at is not None
    assert "New challenge" not in shown(client, event)
