"""Beside the pairings and the bracket: who is called where, the rounds in play with their ends, and what comes next."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from rules.score import Side
from tests.builders import build_event, fixture_of, open_matches, win
from tests.fresh import forget_everything
from tournament.hall.calling import call_match, call_ready, start_match
from tournament.hall.desk import take_desk
from tournament.hall.tables import add_break, add_tables
from tournament.pictures.beside import MOST_CALLS, MOST_NEXT, Beside, beside_of
from tournament.snapshot import take_snapshot

pytestmark = pytest.mark.django_db


def beside(event, at) -> Beside:
    found = beside_of(take_desk(event.tournament, at=at), take_snapshot(event.pk))
    assert found is not None
    return found


def page_of(client, event, name="pairings", **asked) -> str:
    return client.get(reverse(name, args=[event.tournament.slug, event.slug]), asked).content.decode()


@pytest.fixture
def now():
    return timezone.now()


def test_the_called_are_named_by_table_until_they_play(director, now, client):
    event = build_event(director, players=4)
    add_tables(event.tournament, first=7, last=8, by=director, at=now)
    first, second = open_matches(event)
    for match, table in ((first, 8), (second, 7)):
        call_match(match, table=table, by=director, at=now)
    assert [(call.table, call.id) for call in beside(event, now).calls] == [(7, second.pk), (8, first.pk)]
    start_match(second, by=director, at=now)
    assert [call.id for call in beside(event, now).calls] == [first.pk]
    for name in ("pairings", "bracket"):
        section = page_of(client, event, name).partition('id="now-calls"')[2].partition("</section>")[0]
        assert "Table 8" in section
        assert first.name_a in section
        assert second.name_a not in section


def test_calls_of_another_event_stand_only_beside_that_event(director, now):
    event = build_event(director, players=2)
    other = build_event(director, players=2, tournament=event.tournament, name="Side")
    call_ready(event.tournament, event=other, by=director, at=now)
    assert beside(event, now).calls == ()
    assert len(beside(other, now).calls) == 1


def test_a_round_ends_with_its_last_match_once_all_of_them_are_called(director, now):
    event = build_event(director, players=4)
    first, second = open_matches(event)
    call_match(first, table=None, by=director, at=now)
    (round,) = beside(event, now).rounds
    assert (round.name, round.playing, round.ends_at) == ("Semifinals", 1, None)
    later = now + timedelta(minutes=5)
    call_match(second, table=None, by=director, at=later)
    (round,) = beside(event, later).rounds
    ends = {match.id: match.ends_at for match in take_desk(event.tournament, at=later).called}
    assert (round.playing, round.ends_at) == (2, ends[second.pk])
    assert ends[second.pk] - ends[first.pk] == timedelta(minutes=5)
    (late,) = beside(event, later + timedelta(hours=9)).rounds
    assert late.ends_at is None


def test_breaks_and_the_next_round_have_a_time_and_the_last_round_is_followed_by_none(director, now):
    event = build_event(director, players=4, format="swiss", options={"rounds": 2})
    add_break(
        event.tournament,
        name="Dinner",
        starts_at=now + timedelta(hours=3),
        ends_at=now + timedelta(hours=4),
        by=director,
        at=now,
    )
    call_ready(event.tournament, by=director, at=now)
    found = beside(event, now)
    assert [(clock.label, clock.is_about) for clock in found.clocks] == [("Round 2", True), ("Dinner", False)]
    assert found.clocks[0].at == found.rounds[0].ends_at
    for match in open_matches(event):
        win(match, Side.A, by=director)
    call_ready(event.tournament, by=director, at=now)
    assert [clock.label for clock in beside(event, now).clocks] == ["Dinner"]


def test_up_next_are_those_that_can_be_called_and_then_those_that_wait_for_a_side(director, now):
    event = build_event(director, players=8)
    win(fixture_of(event, "M1-1").match, Side.A, by=director)
    call_match(fixture_of(event, "M1-2").match, table=None, by=director, at=now)
    cards = beside(event, now).next
    assert [card.match_id for card in cards[:2]] == [fixture_of(event, key).match_id for key in ("M1-3", "M1-4")]
    assert [(card.round, card.b.label) for card in cards[2:]] == [("Semifinals", "Winner of M1-2")]


def test_nothing_stands_beside_a_draw_that_is_past_over_or_not_made(director, now, client):
    event = build_event(director, players=4, drawn=False)
    assert "now-next" not in page_of(client, event)
    event = build_event(director, players=4)
    assert "now-next" in page_of(client, event)
    row = event.log.order_by("-pk").first().pk
    assert "now-next" not in page_of(client, event, at=row)
    for match in open_matches(event):
        win(match, Side.A, by=director)
    (final,) = open_matches(event)
    win(final, Side.A, by=director)
    assert beside_of(take_desk(event.tournament, at=now), take_snapshot(event.pk)) is None


@pytest.mark.parametrize("name", ["pairings", "bracket"])
def test_a_large_field_takes_the_same_queries_and_few_more_lines(director, client, name, now):
    counts, sizes = [], []
    for players in (8, 64):
        event = build_event(director, players=players)
        add_tables(event.tournament, first=1, last=players // 4, by=director, at=now)
        call_ready(event.tournament, by=director, at=now)
        page_of(client, event, name)
        forget_everything()
        with CaptureQueriesContext(connection) as queries:
            page = page_of(client, event, name)
        counts.append(len(queries))
        sizes.append(len(page.partition('class="side-part now"')[2].partition("</aside>")[0]))
    assert counts[0] == counts[1]
    assert sizes[1] < 8_000
    assert len(beside(event, now).calls) == MOST_CALLS
    assert beside(event, now).more_calls == 16 - MOST_CALLS
    assert len(beside(event, now).next) == MOST_NEXT
