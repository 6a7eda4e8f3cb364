"""A second win for the lower error rate: typed in after the match, counted in standings and pairings, corrected."""

import csv
import io
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from matches.models import Conclusion, Match
from players.errors import Conflict, Refusal
from rules.score import Side
from tests.builders import AT, build_event, claim, fixture_of, open_matches, win
from tests.tournament.replay.replaying import Replay
from tournament.audit import audit_event
from tournament.draw.standings import store_standings
from tournament.events.services import finish_event
from tournament.exports.formats import write_csv
from tournament.exports.tables import Subject, make_table
from tournament.formats import FORMATS
from tournament.models import Event
from tournament.past.event import snapshot_at
from tournament.past.moments import Moment
from tournament.results.enter import enter_result
from tournament.results.error_rates import set_error_rates
from tournament.snapshot import take_snapshot

pytestmark = pytest.mark.long

COUNTS = {"rate_point": True}
BY_RECORD = tuple(slug for slug, format in FORMATS.items() if format.ranks_by_record)


@pytest.fixture
def event(director) -> Event:
    """Two players in a round robin where the lower error rate counts; Player of side A has won 5-0."""
    event = build_event(director, players=2, format="round-robin", options=COUNTS, tiebreaks=())
    win(fixture_of(event, "R1-1").match, Side.A)
    return event


def rate(event: Event, key: str, rates: tuple[int, int] | None) -> None:
    set_error_rates(fixture_of(event, key).match, rates=rates, by=None, at=AT)


def lines(event: Event) -> list[tuple[str, int, int, int]]:
    store_standings(event.pk)
    standings = take_snapshot(event.pk).stage.standings
    return [(line.entry.name, line.place, line.wins, line.rate_wins) for line in standings]


@pytest.mark.parametrize(
    ("rates", "expected"),
    [
        (None, [("A", 1, 1, 0), ("B", 2, 0, 0)]),
        ((4350, 5100), [("A", 1, 1, 1), ("B", 2, 0, 0)]),
        ((5101, 5100), [("A", 1, 1, 0), ("B", 1, 0, 1)]),
        # UBC 2019: rates that are equal to the third decimal give both players their point.
        ((5100, 5100), [("A", 1, 1, 1), ("B", 2, 0, 1)]),
    ],
)
def test_a_match_gives_a_win_to_its_winner_and_one_to_the_lower_error_rate(event, rates, expected):
    a, b = (fixture_of(event, "R1-1").entry_a.name, fixture_of(event, "R1-1").entry_b.name)
    rate(event, "R1-1", rates)
    named = {"A": a, "B": b}
    assert sorted(lines(event)) == sorted((named[name], *rest) for name, *rest in expected)
    assert audit_event(Event.objects.get(pk=event.pk)) == []


def test_without_rates_the_match_counts_alone_and_its_rate_is_open(event):
    fixture = take_snapshot(event.pk).stage.fixtures[0]
    assert (fixture.is_rate_open, fixture.rates) == (True, None)
    rate(event, "R1-1", (4350, 5100))
    fixture = take_snapshot(event.pk).stage.fixtures[0]
    assert (fixture.is_rate_open, fixture.rates) == (False, (4350, 5100))


def test_a_correction_is_logged_with_what_was_before_and_the_same_again_is_not(event):
    rate(event, "R1-1", (4350, 5100))
    rate(event, "R1-1", (4350, 5100))
    rate(event, "R1-1", (5350, 5100))
    rate(event, "R1-1", None)
    rows = event.log.filter(verb="set_error_rates").order_by("id")
    assert [(row.detail["before"], row.detail["rates"]) for row in rows] == [
        (None, [4350, 5100]),
        ([4350, 5100], [5350, 5100]),
        ([5350, 5100], None),
    ]


def test_the_audit_names_rates_that_were_changed_by_hand(event):
    rate(event, "R1-1", (4350, 5100))
    store_standings(event.pk)
    Match.objects.filter(pk=fixture_of(event, "R1-1").match_id).update(rate_a=4000)
    (found,) = audit_event(Event.objects.get(pk=event.pk))
    assert (found.what, found.stored, found.computed) == ("error rates", "4.000 – 5.100", "4.350 – 5.100")


def test_rates_are_refused_where_they_mean_nothing(director):
    event = build_event(director, players=2, format="round-robin")
    win(fixture_of(event, "R1-1").match, Side.A)
    with pytest.raises(Refusal) as refused:
        rate(event, "R1-1", (4350, 5100))
    assert refused.value.code == "rates_not_counted"


def test_rates_are_refused_before_the_result_and_for_a_walkover(director):
    event = build_event(director, players=2, format="round-robin", options=COUNTS)
    with pytest.raises(Conflict) as refused:
        rate(event, "R1-1", (4350, 5100))
    assert refused.value.code == "match_not_played"
    walkover = claim(conclusion=Conclusion.WALKOVER, awarded_to=Side.A)
    enter_result(fixture_of(event, "R1-1").match, claim=walkover, by=None, at=AT)
    with pytest.raises(Conflict) as refused:
        rate(event, "R1-1", (4350, 5100))
    assert refused.value.code == "match_not_played"
    assert not take_snapshot(event.pk).stage.fixtures[0].is_rate_open


@pytest.mark.parametrize("rates", [(-1, 5100), (4350, 100_001)])
def test_a_rate_that_no_analysis_gives_is_refused(event, rates):
    with pytest.raises(Refusal) as refused:
        rate(event, "R1-1", rates)
    assert refused.value.code == "error_rate_out_of_range"
    assert Match.objects.filter(rate_a__isnull=False).count() == 0


def test_rates_are_not_for_teams(director):
    with pytest.raises(Refusal) as refused:
        build_event(director, players=0, boards=3, format="round-robin", options=COUNTS, drawn=False)
    assert refused.value.code == "rate_point_of_teams"


def test_a_swiss_pairs_by_wins_of_both_kinds_and_again_when_a_rate_comes_late(director):
    event = build_event(director, players=4, format="swiss", options={**COUNTS, "rounds": 2})
    for key in ("S1-1", "S1-2"):
        win(fixture_of(event, key).match, Side.A)
        rate(event, key, (9000, 4000))
    # All four have one win.
    assert "1–1" in fixture_of(event, "S2-1").why["params"]["record"]
    rate(event, "S1-1", (3000, 4000))
    rate(event, "S1-2", (3000, 4000))
    first, second = fixture_of(event, "S1-1"), fixture_of(event, "S1-2")
    met = {frozenset((f.entry_a_id, f.entry_b_id)) for f in (fixture_of(event, "S2-1"), fixture_of(event, "S2-2"))}
    assert met == {
        frozenset((first.entry_a_id, second.entry_a_id)),
        frozenset((first.entry_b_id, second.entry_b_id)),
    }
    assert fixture_of(event, "S2-1").why["params"]["record"] == "2–0"


@pytest.mark.parametrize("format", BY_RECORD)
def test_an_event_is_played_to_its_end_audited_and_replayed_with_its_rates(director, format):
    event = build_event(director, players=5, format=format, options=COUNTS, lengths=(1,))
    rates = iter(range(1000, 100_000, 777))
    while matches := open_matches(event):
        for match in matches:
            win(match, Side.B)
            set_error_rates(match, rates=(next(rates), 6000), by=None, at=AT)
    finish_event(event, by=None, at=AT)
    store_standings(event.pk)
    stage = take_snapshot(event.pk).stage
    assert sum(line.rate_wins for line in stage.standings) == stage.done
    assert audit_event(Event.objects.get(pk=event.pk)) == []
    again = Replay(Event.objects.get(pk=event.pk)).event
    store_standings(again.pk)
    found = take_snapshot(again.pk).stage
    assert [(line.entry.name, line.place, line.wins, line.rate_wins) for line in found.standings] == [
        (line.entry.name, line.place, line.wins, line.rate_wins) for line in stage.standings
    ]


def test_the_past_shows_the_rates_of_then(event):
    rate(event, "R1-1", (4350, 5100))
    then = event.log.order_by("-id").first()
    set_error_rates(fixture_of(event, "R1-1").match, rates=(6350, 5100), by=None, at=AT + timedelta(minutes=5))
    shown = snapshot_at(event.pk, Moment(at=then.at)).stage
    assert shown.fixtures[0].rates == (4350, 5100)
    assert [line.rate_wins for line in shown.standings] == [1, 0]


def test_the_page_takes_rates_with_a_point_or_a_comma_and_shows_them(event, director):
    client = Client()
    client.force_login(director)
    match = fixture_of(event, "R1-1").match
    address = reverse("error-rates", args=[match.pk])
    assert "rate open" in client.get(match.get_absolute_url()).content.decode()
    refused = client.post(address, {"rate_a": "4,35", "rate_b": ""})
    assert refused.status_code == 400
    assert "Give the error rates of both sides." in refused.content.decode()
    assert client.post(address, {"rate_a": "4,35", "rate_b": "5.1"}).status_code == 302
    page = client.get(match.get_absolute_url()).content.decode()
    assert "Error rates 4.350 – 5.100" in " ".join(page.split())
    assert "rate open" not in page
    store_standings(event.pk)
    standings = client.get(reverse("standings", args=[event.tournament.slug, event.slug])).content.decode()
    assert '<td class="num"><strong>2</strong></td><td class="num wide">1</td>' in standings
    visitor = Client().post(address, {"rate_a": "1", "rate_b": "2"})
    assert visitor.status_code == 302
    assert "login" in visitor["Location"] or "sign" in visitor["Location"]


def test_exports_have_the_wins_by_rate_and_the_rates_last(event):
    rate(event, "R1-1", (4350, 5100))
    store_standings(event.pk)
    rows = list(csv.DictReader(io.StringIO(write_csv(make_table("standings", Subject(event=event))))))
    assert [(list(row)[-1], row["rate_wins"]) for row in rows] == [("rate_wins", "1"), ("rate_wins", "0")]
    (pairing,) = csv.DictReader(io.StringIO(write_csv(make_table("pairings", Subject(event=event)))))
    assert (pairing["rate1"], pairing["rate2"]) == ("4.350", "5.100")
