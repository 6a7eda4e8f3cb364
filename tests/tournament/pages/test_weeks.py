"""A league over weeks: deadlines, home evenings and overdue matches, on pages, in the API and in exports."""

from datetime import date

import pytest

from players.errors import Refusal
from rules.score import Side
from tests.builders import AT, build_event, win
from tournament.audit import audit_event
from tournament.draw.standings import store_standings
from tournament.entries.services import set_home_evening
from tournament.exports.tables import Subject, make_table
from tournament.snapshot import take_snapshot

pytestmark = pytest.mark.django_db
WEDNESDAY = 2


@pytest.fixture
def event(director):
    """Four players in three weeks from Monday 5 January 2026."""
    return build_event(director, players=4, format="league", options={"starts_on": "2026-01-05", "days": 7})


def everyone_at_home_on(event, weekday, director):
    for entry in event.entries.all():
        set_home_evening(entry, weekday=weekday, by=director, at=AT)


def test_each_round_has_a_deadline_and_side_a_plays_on_its_home_evening(event, director):
    home = event.stages.get().fixtures.get(round=2, number=1).entry_a
    set_home_evening(home, weekday=WEDNESDAY, by=director, at=AT)
    stage = take_snapshot(event.pk).stage
    assert {fixture.round: fixture.deadline for fixture in stage.fixtures} == {
        1: date(2026, 1, 11),
        2: date(2026, 1, 18),
        3: date(2026, 1, 25),
    }
    evenings = {(f.round, f.plays_on) for f in stage.fixtures if f.a.entry.id == home.pk}
    assert (2, date(2026, 1, 14)) in evenings
    assert {f.plays_on for f in stage.fixtures if f.a.entry.id != home.pk} == {None}
    store_standings(event.pk)
    assert audit_event(event) == []


def test_an_open_match_is_overdue_from_the_day_after_its_deadline(event, director):
    first, second = event.stages.get().fixtures.filter(round=1).order_by("number")
    win(first.match, Side.A, by=director)
    fixtures = {fixture.key: fixture for fixture in take_snapshot(event.pk).stage.fixtures}
    on_time, late = date(2026, 1, 11), date(2026, 1, 12)
    assert [fixtures[second.key].is_overdue(day) for day in (on_time, late)] == [False, True]
    assert not fixtures[first.key].is_overdue(late)


def test_a_weekday_that_does_not_exist_is_refused(event, director):
    with pytest.raises(Refusal) as refused:
        set_home_evening(event.entries.first(), weekday=7, by=director, at=AT)
    assert refused.value.code == "weekday_unknown"


def test_a_director_sets_a_home_evening_on_the_page(event, director, client):
    client.force_login(director)
    entry = event.entries.first()
    page = f"{event.get_absolute_url()}entries/"
    assert "Home evenings" in client.get(page).content.decode()
    client.post(f"{page}{entry.pk}/home-evening/", {"weekday": "2"})
    assert "home evening: Wednesday" in client.get(page).content.decode()
    assert "Home evening of Player 1: Wednesday" in client.get(f"{event.get_absolute_url()}history/").content.decode()
    client.post(f"{page}{entry.pk}/home-evening/", {"weekday": ""})
    entry.refresh_from_db()
    assert entry.home_evening is None


def test_pairings_show_days_and_overdue_matches(event, director, client):
    everyone_at_home_on(event, WEDNESDAY, director)
    text = client.get(f"{event.get_absolute_url()}pairings/").content.decode()
    assert text.count('datetime="2026-01-07"') == 2
    assert text.count("overdue</span>") == 6
    everyone_at_home_on(event, None, director)
    assert client.get(f"{event.get_absolute_url()}pairings/").content.decode().count("by Sun 11 Jan") == 2


def test_the_schedule_is_exported(event, director):
    everyone_at_home_on(event, WEDNESDAY, director)
    table = make_table("schedule", Subject(event=event))
    place = [table.columns.index(name) for name in ("round", "deadline", "plays_on", "state")]
    assert [[row[column] for column in place] for row in table.rows][::2] == [
        [1, date(2026, 1, 11), date(2026, 1, 7), "ready"],
        [2, date(2026, 1, 18), date(2026, 1, 14), "ready"],
        [3, date(2026, 1, 25), date(2026, 1, 21), "ready"],
    ]
