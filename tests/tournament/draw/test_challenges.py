"""Challenges on a ladder: who may make one, what it pairs, deadlines, and how the rungs follow from results."""

from datetime import date, timedelta

import pytest

from players.errors import Conflict, Refusal
from rules.score import Side
from tests.builders import AT, build_event, fixture_of, win
from tests.tournament.ladders import at_rung, rungs
from tournament.audit import audit_event
from tournament.corrections.undo import undo_step
from tournament.draw.challenges import challenge, withdraw_challenge
from tournament.draw.make import cancel_draw
from tournament.draw.standings import store_standings
from tournament.entries.attendance import leave_event
from tournament.entries.challenges import challenge_by_link, withdraw_by_link
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries
from tournament.events.services import finish_event
from tournament.models import Challenge, Event
from tournament.snapshot import take_snapshot

pytestmark = pytest.mark.django_db


def build(director, players=6, seed="", **options) -> Event:
    return build_event(director, players=players, format="ladder", seed=seed, options=options)


def challenges(event, low, high, *, by=None, at=AT) -> Challenge:
    """The player on the rung ``low`` challenges the one on the rung ``high``."""
    return challenge(event, challenger=at_rung(event, low), challenged=at_rung(event, high), by=by, at=at)


def refused(code, service, *given, **named):
    with pytest.raises(Refusal) as refusal:
        service(*given, **named)
    assert refusal.value.code == code


def test_a_challenge_is_a_match_at_once_and_its_winner_takes_the_rung(director):
    event = build(director)
    before = rungs(event)
    made = challenges(event, 4, 2, by=director)
    fixture = fixture_of(event, "H1-1")
    assert (made.number, fixture.entry_a_id, fixture.entry_b_id) == (1, before[3], before[1])
    win(fixture.match, Side.A, by=director)
    assert rungs(event) == [before[0], before[3], before[2], before[1], *before[4:]]
    row = event.log.get(verb="challenge")
    assert row.detail["entries"] == [before[3], before[1]]
    store_standings(event.pk)
    assert [line.entry.id for line in take_snapshot(event.pk).stage.standings] == rungs(event)
    assert audit_event(event) == []


def test_a_challenger_who_loses_changes_nothing_and_a_correction_is_followed(director):
    event = build(director)
    before = rungs(event)
    challenges(event, 3, 2)
    match = fixture_of(event, "H1-1").match
    win(match, Side.B)
    assert rungs(event) == before
    challenges(event, 2, 1)
    win(match, Side.A, base=1)
    assert rungs(event) == [before[0], before[2], before[1], *before[3:]]
    assert fixture_of(event, "H1-2").entry_a_id == before[1]
    store_standings(event.pk)
    assert audit_event(event) == []


def test_only_players_within_reach_can_be_challenged_and_nobody_has_two_open_challenges(director):
    event = build(director, reach=2)
    refused("out_of_reach", challenges, event, 5, 2)
    refused("out_of_reach", challenges, event, 2, 3)
    refused("out_of_reach", challenges, event, 2, 2)
    challenges(event, 5, 3)
    refused("challenge_open", challenges, event, 6, 5)
    refused("challenge_open", challenges, event, 4, 3)
    refused("challenge_open", challenges, event, 5, 4)
    challenges(event, 4, 2)
    assert Challenge.objects.count() == 2
    assert event.log.filter(verb="challenge").count() == 2


def test_those_who_have_left_are_passed_over_and_their_open_challenge_is_a_walkover(director):
    event = build(director, reach=2)
    before = rungs(event)
    challenges(event, 4, 2)
    leave_event(at_rung(event, 2), kind="withdrawn", reason="", plays_on=False, by=director, at=AT)
    assert rungs(event) == [before[0], before[3], before[2], before[1], *before[4:]]
    refused("not_on_the_ladder", challenges, event, 5, 4)
    challenges(event, 5, 2)
    store_standings(event.pk)
    assert audit_event(event) == []


def test_the_same_two_wait_some_days_before_they_meet_again(director):
    event = build(director, rest=7)
    challenges(event, 2, 1)
    win(fixture_of(event, "H1-1").match, Side.B)
    refused("challenge_too_soon", challenges, event, 2, 1, at=AT + timedelta(days=6))
    challenges(event, 3, 1, at=AT + timedelta(days=6))
    other = build_event(
        director, players=2, format="ladder", seed="", options={"rest": 7}, tournament=event.tournament, name="B"
    )
    challenges(other, 2, 1)
    win(fixture_of(other, "H1-1").match, Side.B)
    challenges(other, 2, 1, at=AT + timedelta(days=7, minutes=1))


def test_a_challenge_has_a_deadline_and_is_overdue_after_it(director):
    event = build(director, days=10)
    challenges(event, 2, 1)
    fixture = take_snapshot(event.pk).stage.fixtures[0]
    assert fixture.deadline == date(2026, 3, 16)
    assert (fixture.is_overdue(date(2026, 3, 16)), fixture.is_overdue(date(2026, 3, 17))) == (False, True)


def test_a_challenge_is_withdrawn_until_its_match_begins(director):
    event = build(director)
    made = challenges(event, 2, 1)
    withdraw_challenge(made, by=director, at=AT)
    assert not event.stages.get().fixtures.exists()
    refused("challenge_gone", withdraw_challenge, made, by=director, at=AT)
    again = challenges(event, 2, 1)
    assert again.number == 2
    win(fixture_of(event, "H1-2").match, Side.B)
    refused("challenge_begun", withdraw_challenge, again, by=director, at=AT)
    store_standings(event.pk)
    assert audit_event(event) == []


def test_a_challenge_is_undone_from_the_log(director):
    event = build(director)
    challenges(event, 2, 1, by=director)
    undo_step(event.log.first(), by=director, at=AT)
    assert Challenge.objects.get().withdrawn_at is not None
    assert event.log.first().verb == "withdraw_challenge"


def test_players_challenge_and_withdraw_by_their_private_links(director):
    event = build(director)
    low, high = at_rung(event, 3), at_rung(event, 2)
    made = challenge_by_link(low, challenged=high.pk, at=AT)
    refused("challenge_of_others", withdraw_by_link, high, number=made.number, at=AT)
    withdraw_by_link(low, number=made.number, at=AT)
    refused("entry_gone", challenge_by_link, low, challenged=10**6, at=AT)
    assert [row.actor for row in event.log.filter(verb__in=["challenge", "withdraw_challenge"])] == [None, None]


def test_new_players_start_at_the_bottom(director):
    event = build(director, players=3)
    before = rungs(event)
    add_entries(event, lines=[EntryLine(name="Late", line=1)], by=director, at=AT)
    assert rungs(event) == [*before, event.entries.get(number=4).pk]
    challenges(event, 4, 1)


def test_the_draw_can_be_taken_back_until_somebody_makes_a_challenge(director):
    event = build(director, players=3)
    add_entries(event, lines=[EntryLine(name="Late", line=1)], by=director, at=AT)
    cancel_draw(event, by=director, at=AT)
    assert list(event.entries.values_list("presence", flat=True)) == [[1]] * 4
    other = build(director, players=3, seed="")
    challenges(other, 2, 1)
    refused("draw_in_play", cancel_draw, other, by=director, at=AT)


def test_an_event_ends_when_no_challenge_is_open(director):
    event = build(director)
    challenges(event, 2, 1)
    refused("event_has_open_matches", finish_event, event, by=director, at=AT)
    win(fixture_of(event, "H1-1").match, Side.A)
    finish_event(event, by=director, at=AT)
    refused("event_finished", challenges, event, 3, 2)


def test_nobody_is_challenged_where_there_is_no_ladder(director):
    event = build_event(director, players=4)
    one, other = event.entries.all()[:2]
    with pytest.raises(Conflict) as conflict:
        challenge(event, challenger=one, challenged=other, by=director, at=AT)
    assert conflict.value.code == "no_ladder"
