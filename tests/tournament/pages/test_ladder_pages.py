"""A ladder on the pages of its event and on the private page of a player."""

from datetime import timedelta
from functools import partial

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from rules.score import Side
from tests.builders import build_event, claim, fixture_of, win
from tests.fresh import forget_everything
from tests.meanwhile import before_transaction
from tests.pages import forms_of
from tests.tournament.ladders import at_rung
from tournament.draw.standings import store_standings
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
    assert first.name in shown(client, event, "screen")
    assert "data-nothing hidden>The draw has not been made yet" in shown(client, event, "screen")
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
    forget_everything()
    assert "overdue" in shown(client, event)
    assert "overdue" in shown(client, event, "bracket")
    client.post(address(event, "withdraw-challenge", 1))
    assert Challenge.objects.get().withdrawn_at is not None
    assert (
        "already been withdrawn" in client.post(address(event, "withdraw-challenge", 1), follow=True).content.decode()
    )


def test_of_two_directors_who_press_at_once_the_second_reads_why_not(client, director, event):
    first, second, third, *_others = people(event)
    client.force_login(director)

    def press(low):
        return client.post(address(event, "make-challenge"), {"pair": f"{low.pk}-{first.pk}"})

    answer = before_transaction(1, lambda: press(second), lambda: press(third))
    (form,) = [form for form in forms_of(answer) if form.action == address(event, "make-challenge")]
    assert (answer.status_code, form.is_open) == (409, True)
    assert f"{first.name} has an open challenge. The match has to be played first." in answer.content.decode()
    assert list(Challenge.objects.values_list("challenger", flat=True)) == [second.pk]


def test_a_challenge_that_was_withdrawn_a_moment_ago_is_not_withdrawn_again(client, director, event):
    first, second, *_others = people(event)
    client.force_login(director)
    enter(client, event, second, first)
    post = partial(client.post, address(event, "withdraw-challenge", 1))
    before_transaction(1, post, post)
    assert "This challenge has already been withdrawn." in shown(client, event)
    assert event.log.filter(verb="withdraw_challenge").count() == 1


def test_after_the_deadline_the_director_gives_a_walkover_and_the_challenger_takes_the_rung(client, director, event):
    first, second, *_others = people(event)
    client.force_login(director)
    enter(client, event, second, first)
    match = fixture_of(event, "H1-1").match
    link = f'href="{match.get_absolute_url()}#award"'
    assert link not in shown(client, event)
    Challenge.objects.update(made_at=timezone.now() - timedelta(days=6))
    forget_everything()
    assert link in shown(client, event)
    assert link not in shown(Client(), event)
    assert 'id="award"' in client.get(match.get_absolute_url()).content.decode()
    given = {"key": "given", "base": 0, "conclusion": "walkover", "awarded_to": "A", "reason": "Never answered."}
    assert client.post(reverse("enter", args=[match.pk, "award"]), given).status_code == 302
    assert people(event)[:2] == [second, first]
    page = shown(client, event)
    assert page.index(second.name) < page.index(first.name)
    assert "walkover" in page
    assert "overdue" not in page
    store_standings(event.pk)
    table = shown(client, event, "standings")
    assert table.index(second.name) < table.index(first.name)
    assert "On rung 1 of the ladder." in table


def test_pages_speak_of_the_ladder_and_of_no_bracket_or_round(client, director, event):
    first, second, *_others = people(event)
    client.force_login(director)
    enter(client, event, second, first)
    store_standings(event.pk)
    for name in ("pairings", "bracket", "standings", "paper"):
        page = " ".join(shown(client, event, name).split())
        assert ("Bracket</a>" in page, "<title>Bracket" in page, "from the bracket" in page) == (False, False, False)
        assert 'class="round"' not in page
    assert "<title>Ladder · " in " ".join(shown(client, event, "bracket").split())
    assert "Places are the rungs of the ladder." in shown(client, event, "standings")


def test_the_pairing_says_why_it_is_there(client, director, event):
    first, _second, third, *_others = people(event)
    client.force_login(director)
    enter(client, event, third, first)
    said = " ".join(shown(Client(), event).split())
    assert (
        "Challenge 1: the player named first challenged the other one, who stood higher. By winning they change rungs; "
        "otherwise everyone stays." in said
    )


def test_an_event_without_a_ladder_refuses_challenges(client, director, event):
    other = build_event(director, players=2, tournament=event.tournament, name="Other")
    client.force_login(director)
    answers = [
        client.post(address(other, "make-challenge"), {"pair": "1-2"}),
        client.post(address(other, "withdraw-challenge", 1)),
    ]
    assert [answer.status_code for answer in answers] == [409, 409]
    assert all("nobody can be challenged" in answer.content.decode() for answer in answers)


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
    assert f"{fourth.name} has challenged you." in others
    fifth, sixth = people(event)[4:]
    assert f"Challenge {fourth.name}" not in client.get(reverse("my-entry", args=[token_of(fifth)])).content.decode()
    page = client.get(reverse("my-entry", args=[token_of(first)])).content.decode()
    assert "There is nobody whom you can challenge now." in page
    assert f"Challenge {fifth.name}" in client.get(reverse("my-entry", args=[token_of(sixth)])).content.decode()
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


INVITES = "No challenge is open: players can challenge those above them."


def test_a_ladder_without_open_challenges_invites_one_and_is_not_said_to_be_over(client, director, event):
    client.force_login(director)

    def seen() -> tuple[bool, bool, bool]:
        page = shown(client, event)
        return INVITES in page, "All matches have been played." in page, "End the event" in page

    assert seen() == (True, False, True)
    assert '<button class="quiet" type="submit">End the event' in shown(client, event)
    first, second, *_others = people(event)
    enter(client, event, second, first)
    assert seen() == (False, False, False)
    win(fixture_of(event, "H1-1").match, Side.A)
    assert seen() == (True, False, True)
    client.post(address(event, "act", "finish"))
    assert INVITES not in shown(client, event)


def test_a_late_entry_is_told_to_join_at_the_foot_of_the_ladder(client, director, event):
    client.force_login(director)
    page = shown(client, event, "entries")
    assert ("joins at the foot of the ladder" in page, "from the next round" in page) == (True, False)
