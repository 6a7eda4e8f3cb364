"""Error rates of matches whose result is corrected, taken back or given away, and of stages that count earlier ones."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from matches.models import Conclusion
from matches.ratings import replay_ratings
from rules.score import Side
from tests.builders import AT, build_event, claim, fixture_of, open_matches, win
from tests.tournament.replay.replaying import Replay
from tournament.audit import audit_event
from tournament.draw.make import make_draw
from tournament.draw.standings import store_standings
from tournament.entries.services import withdraw_entry
from tournament.events.stages import add_stage
from tournament.models import Carry, Event
from tournament.past.event import snapshot_at
from tournament.past.moments import Moment
from tournament.results.enter import enter_result, void_result
from tournament.results.error_rates import set_error_rates
from tournament.snapshot import take_snapshot

pytestmark = pytest.mark.long

COUNTS = {"rate_point": True}


@pytest.fixture
def event(director) -> Event:
    """Two players; Player of side A has won, with the higher error rate."""
    event = build_event(director, players=2, format="round-robin", options=COUNTS, tiebreaks=())
    match = fixture_of(event, "R1-1").match
    win(match, Side.A)
    set_error_rates(match, rates=(5100, 4350), by=None, at=AT)
    return event


def records(event: Event, number: int = 1) -> dict[str, tuple[int, int]]:
    """Wins and lower rates of each player, by name."""
    store_standings(event.pk)
    stage = take_snapshot(event.pk).stages[number - 1]
    return {line.entry.name: (line.wins, line.rate_wins) for line in stage.standings}


def names(event: Event) -> tuple[str, str]:
    fixture = fixture_of(event, "R1-1")
    return fixture.entry_a.name, fixture.entry_b.name


def is_sound(event: Event) -> bool:
    """Whether the audit finds nothing, and the event done again has the same standings."""
    again = Replay(Event.objects.get(pk=event.pk)).event
    return audit_event(Event.objects.get(pk=event.pk)) == [] and records(again) == records(event)


def test_a_corrected_result_keeps_its_rates(event):
    a, b = names(event)
    assert records(event) == {a: (1, 0), b: (0, 1)}
    win(fixture_of(event, "R1-1").match, Side.B, base=1)
    assert records(event) == {a: (0, 0), b: (1, 1)}
    assert is_sound(event)


def test_a_match_that_turns_out_to_be_a_walkover_has_no_rates(event, director):
    a, b = names(event)
    match = fixture_of(event, "R1-1").match
    walkover = claim(conclusion=Conclusion.WALKOVER, awarded_to=Side.A, base=1)
    enter_result(match, claim=walkover, may_repair=True, by=None, at=AT)
    assert records(event) == {a: (1, 0), b: (0, 0)}
    fixture = take_snapshot(event.pk).stage.fixtures[0]
    assert (fixture.rates, fixture.is_rate_open) == (None, False)
    client = Client()
    client.force_login(director)
    assert "Save the error rates" not in client.get(match.get_absolute_url()).content.decode()
    assert is_sound(event)


def test_a_result_taken_back_takes_its_rates_along(event):
    a, b = names(event)
    before = event.log.order_by("-id").first()
    match = fixture_of(event, "R1-1").match
    later = AT + timedelta(minutes=5)
    void_result(match, base=1, reason="to be played again", may_repair=True, by=None, at=later)
    assert records(event) == {a: (0, 0), b: (0, 0)}
    enter_result(match, claim=claim(final=(0, 5)), by=None, at=later + timedelta(minutes=5))
    assert records(event) == {a: (0, 0), b: (1, 0)}
    assert take_snapshot(event.pk).stage.fixtures[0].is_rate_open
    assert snapshot_at(event.pk, Moment(at=before.at)).stage.fixtures[0].rates == (5100, 4350)
    assert is_sound(event)


def test_who_withdraws_keeps_the_rates_of_what_was_played(director):
    event = build_event(director, players=4, format="swiss", options={**COUNTS, "rounds": 2}, tiebreaks=())
    first, second = open_matches(event)
    fixture = fixture_of(event, "S1-1")
    win(first, Side.A)
    set_error_rates(first, rates=(5100, 4350), by=None, at=AT)
    withdraw_entry(fixture.entry_b, by=None, at=AT)
    win(second, Side.A)
    assert records(event)[fixture.entry_b.name] == (0, 1)
    set_error_rates(first, rates=(4100, 4350), by=None, at=AT)
    assert records(event)[fixture.entry_b.name] == (0, 0)
    assert is_sound(event)


@pytest.mark.parametrize("options", [{}, COUNTS])
def test_matches_carried_over_bring_their_rates(director, options):
    event = build_event(director, players=4, format="round-robin", options=COUNTS, drawn=False, tiebreaks=())
    later = {"format": "round-robin", "options": {"lengths": [5], **options}, "qualifiers": 2}
    add_stage(event, **later, carry=Carry.MET, by=None, at=AT)
    make_draw(event, by=None, at=AT)
    for match in open_matches(event):
        win(match, Side.A)
        set_error_rates(match, rates=(4350, 5100), by=None, at=AT)
    make_draw(event, by=None, at=AT)
    assert sorted(records(event, 2).values()) == [(0, 0), (1, 1)]
    page = Client().get(reverse("standings", args=[event.tournament.slug, event.slug])).content.decode()
    assert "Matches with the lower error rate" in page
    assert take_snapshot(event.pk).stages[1].gives_rate_point
    assert audit_event(Event.objects.get(pk=event.pk)) == []


def test_the_crosstable_counts_rates_among_the_wins(event):
    page = Client().get(reverse("bracket", args=[event.tournament.slug, event.slug])).content.decode()
    assert page.count('<td class="sum">1</td>') == 2


def test_a_shared_match_of_teams_rates_each_board_alone(director):
    event = build_event(director, players=2, boards=2, format="round-robin", tiebreaks=())
    first, second = open_matches(event)
    win(first, Side.A)
    win(second, Side.B)
    ratings, matches = replay_ratings("fibs")
    assert (matches, [(rating.matches, rating.wins) for rating in ratings]) == (2, [(1, 1), (1, 0), (1, 0), (1, 1)])
