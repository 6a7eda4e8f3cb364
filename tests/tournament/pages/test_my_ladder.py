"""Challenges on the private page of a player: made, refused, withdrawn, overdue, and pressed by two people at once."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from rules.score import Side
from tests.builders import AT, build_event, fixture_of, win
from tests.fresh import forget_everything
from tests.meanwhile import before_transaction
from tests.tournament.ladders import at_rung, rungs
from tests.tournament.pages.test_my_page import text_of
from tournament.draw.challenges import challenge
from tournament.entries.attendance import leave_event
from tournament.entries.links import token_of
from tournament.events.services import finish_event
from tournament.models import Challenge

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(director):
    return build_event(director, players=6, format="ladder", options={"reach": 2, "days": 5})


def page_of(event, rung: int) -> str:
    return text_of(Client().get(reverse("my-entry", args=[token_of(at_rung(event, rung))])))


def press(low, high, client=None):
    """The player ``low`` presses the button that challenges ``high``, whether or not it is on the page."""
    return (client or Client()).post(reverse("my-challenge", args=[token_of(low), high.pk]))


def withdraw(entry, number: int):
    return Client().post(reverse("my-withdrawal", args=[token_of(entry), number]))


@pytest.mark.parametrize(
    ("low", "high", "status", "sentence"),
    [
        (6, 3, 400, "Player {low} cannot challenge Player {high}, who does not stand 1 to 2 rungs above."),
        (3, 4, 400, "Player {low} cannot challenge Player {high}, who does not stand 1 to 2 rungs above."),
        (4, 4, 400, "Player {low} cannot challenge Player {high}, who does not stand 1 to 2 rungs above."),
        (3, 2, 409, "Player {high} has an open challenge. The match has to be played first."),
        (2, 1, 409, "Player {low} has an open challenge. The match has to be played first."),
    ],
    ids=["too far up", "below", "oneself", "already challenged", "challenged oneself"],
)
def test_a_challenge_that_may_not_be_made_is_refused_with_a_sentence(event, low, high, status, sentence):
    challenge(event, challenger=at_rung(event, 2), challenged=at_rung(event, 1), by=None, at=AT)
    lower, higher = at_rung(event, low), at_rung(event, high)
    answer = press(lower, higher)
    said = sentence.format(low=lower.name.split()[1], high=higher.name.split()[1])
    assert (answer.status_code, said in text_of(answer)) == (status, True)
    assert Challenge.objects.count() == 1


def test_an_entry_of_another_event_and_a_player_who_has_left_cannot_be_challenged(event, director):
    other = build_event(director, players=2, tournament=event.tournament, name="Other").entries.first()
    assert press(at_rung(event, 2), other).status_code == 409
    gone = at_rung(event, 2)
    leave_event(gone, kind="withdrawn", reason="", plays_on=False, by=director, at=AT)
    answer = press(at_rung(event, 3), gone)
    assert (answer.status_code, "is not on the ladder, or has left." in text_of(answer)) == (409, True)
    assert Challenge.objects.count() == 0


def test_of_two_who_challenge_the_same_player_at_once_the_second_is_told_why_not(event):
    top, second, third = (at_rung(event, rung) for rung in (1, 2, 3))
    answer = before_transaction(1, lambda: press(second, top), lambda: press(third, top))
    assert answer.status_code == 409
    assert f"{top.name} has an open challenge. The match has to be played first." in text_of(answer)
    assert list(Challenge.objects.values_list("challenger", "challenged")) == [(second.pk, top.pk)]


def test_a_button_that_is_pressed_twice_makes_one_challenge(event):
    top, second = at_rung(event, 1), at_rung(event, 2)
    answer = before_transaction(1, lambda: press(second, top), lambda: press(second, top))
    assert answer.status_code == 409
    assert Challenge.objects.count() == 1


def test_a_challenge_cannot_be_withdrawn_while_its_result_is_entered(event):
    top, second = at_rung(event, 1), at_rung(event, 2)
    press(second, top)
    match = fixture_of(event, "H1-1").match
    answer = before_transaction(1, lambda: win(match, Side.A), lambda: withdraw(second, 1))
    assert answer.status_code == 409
    assert "The match of this challenge has begun, so the challenge can no longer be withdrawn." in text_of(answer)
    assert rungs(event)[:2] == [second.pk, top.pk]


def test_both_players_read_the_last_day_and_what_happens_after_it(event):
    top, second = at_rung(event, 1), at_rung(event, 2)
    press(second, top)
    last = timezone.localdate() + timedelta(days=5)
    day = f"The last day to play is {last:%a} {last.day} {last:%b}."
    theirs, mine = page_of(event, 1), page_of(event, 2)
    assert f"{second.name} has challenged you. {day}" in theirs
    assert "If you have not played by then, the director can give your opponent a walkover." in theirs
    assert "Withdraw" not in theirs
    assert f"You have challenged {top.name}. {day}" in mine
    assert "If your opponent has not played by then, ask the director for a walkover." in mine
    assert f"Withdraw your challenge to {top.name}" in mine
    assert "overdue" not in mine + theirs
    Challenge.objects.update(made_at=timezone.now() - timedelta(days=6))
    forget_everything()
    assert "overdue" in page_of(event, 1)
    assert "overdue" in page_of(event, 2)


def test_a_challenge_whose_match_has_begun_has_no_button_to_withdraw_it(event):
    top, second = at_rung(event, 1), at_rung(event, 2)
    press(second, top)
    report = reverse("my-report", args=[token_of(second), fixture_of(event, "H1-1").match_id, "final"])
    Client().post(report, {"key": "reported", "base": 0, "final_a": 5, "final_b": 2})
    assert f"You have challenged {top.name}." in page_of(event, 2)
    assert "Withdraw" not in page_of(event, 2)
    assert withdraw(second, 1).status_code == 409


def test_nobody_challenges_once_the_event_has_ended(event, director):
    low, high = at_rung(event, 2), at_rung(event, 1)
    press(low, high)
    win(fixture_of(event, "H1-1").match, Side.B)
    finish_event(event, by=director, at=AT)
    assert "Ladder" not in page_of(event, 2)
    assert press(low, high).status_code == 409
    assert Challenge.objects.count() == 1
