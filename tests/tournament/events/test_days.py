"""The days of a tournament and its time zone."""

from datetime import UTC, date, datetime

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from players.errors import Refusal
from tests.builders import AT, build_event, build_terms, build_tournament
from tests.tournament.api.client import CheckedClient
from tournament.events.services import create_event, create_tournament, update_tournament
from tournament.models import LogEntry, Tournament

pytestmark = pytest.mark.django_db

FIRST, LAST = date(2026, 11, 21), date(2026, 11, 22)


def test_a_tournament_lasts_one_day_unless_it_has_a_last_one(director):
    one = create_tournament(name="One", starts_on=FIRST, ends_on=FIRST, by=director, at=AT)
    two = create_tournament(name="Two", starts_on=FIRST, ends_on=LAST, by=director, at=AT)
    assert [(found.ends_on, found.last_day) for found in (one, two)] == [(None, FIRST), (LAST, LAST)]


def test_a_last_day_before_the_first_is_refused_and_changes_nothing(director):
    with pytest.raises(Refusal) as refused:
        create_tournament(name="Odd", starts_on=LAST, ends_on=FIRST, by=director, at=AT)
    assert refused.value.code == "last_day_before_first"
    assert Tournament.objects.count() == LogEntry.objects.count() == 0


def test_the_database_knows_it_too(director):
    with pytest.raises(IntegrityError), transaction.atomic():
        Tournament.objects.create(name="Odd", slug="odd", starts_on=LAST, ends_on=FIRST, created_at=AT)


def test_a_change_of_the_first_day_alone_keeps_the_number_of_days(director):
    found = create_tournament(name="Two", starts_on=FIRST, ends_on=LAST, by=director, at=AT)
    found = update_tournament(found, name="Two", starts_on=date(2026, 12, 5), by=director, at=AT)
    assert found.last_day == date(2026, 12, 6)
    assert LogEntry.objects.get(verb="update_tournament").detail["changes"] == {
        "starts_on": ["2026-11-21", "2026-12-05"],
        "ends_on": ["2026-11-22", "2026-12-06"],
    }


@pytest.mark.parametrize("zone", ["Mars/Olympus", "../etc/passwd", "Europe/"])
def test_a_zone_that_does_not_exist_is_refused(director, zone):
    with pytest.raises(Refusal) as refused:
        create_tournament(name="Odd", starts_on=FIRST, time_zone=zone, by=director, at=AT)
    assert refused.value.code == "time_zone_unknown"


def test_a_zone_that_the_machine_no_longer_knows_is_that_of_the_server(director, settings):
    found = build_tournament(director)
    found.time_zone = "Europe/Atlantis"
    assert found.zone.key == settings.TIME_ZONE


def test_the_api_has_days_and_zone(director):
    api = CheckedClient()
    api.force_authenticate(director)
    made = api.post("/api/v1/tournaments/", {"name": "One", "starts_on": "2026-11-21"}).data
    assert (made["ends_on"], made["time_zone"]) == ("2026-11-21", "Europe/Copenhagen")
    path = f"/api/v1/tournaments/{made['id']}/"
    changed = api.patch(path, {"ends_on": "2026-11-22", "time_zone": "Asia/Tokyo"}).data
    assert (changed["starts_on"], changed["ends_on"], changed["time_zone"]) == (
        "2026-11-21",
        "2026-11-22",
        "Asia/Tokyo",
    )
    for wrong, code in [
        ({"ends_on": "2026-11-01"}, "last_day_before_first"),
        ({"time_zone": "Mars"}, "time_zone_unknown"),
        ({"starts_on": "9999-12-31"}, "time_out_of_range"),
        ({"starts_on": "0001-01-01", "ends_on": "0001-01-01"}, "time_out_of_range"),
        ({"time_zone": "localtime"}, "time_zone_unknown"),
    ]:
        answer = api.patch(path, wrong)
        assert (answer.status_code, answer.json()["code"]) == (400, code)
    assert api.get(path).data == changed


# Times on pages


@pytest.fixture
def in_tokyo(director) -> Tournament:
    return create_tournament(name="Tokyo Open", starts_on=FIRST, time_zone="Asia/Tokyo", by=director, at=AT)


def test_a_page_shows_times_in_the_zone_of_its_tournament_and_the_next_one_in_that_of_the_server(director, in_tokyo):
    """19:00 in London is 04:00 of the next day in Tokyo, and 20:00 in Copenhagen."""
    there = build_event(director, tournament=in_tokyo, players=4)
    here = build_event(director, players=4)
    pages = {event: reverse("history", args=[event.tournament.slug, event.slug]) for event in (there, here)}
    client = Client()
    shown = {event.tournament.slug: client.get(pages[event]).content.decode() for event in (there, here)}
    assert [time in shown["tokyo-open"] for time in ("04:00", "20:00")] == [True, False]
    assert [time in shown["friday-club"] for time in ("04:00", "20:00")] == [False, True]
    assert timezone.get_current_timezone_name() == "Europe/Copenhagen"


def test_a_time_typed_on_a_page_is_one_of_the_zone_of_the_tournament(director, in_tokyo):
    event = create_event(in_tokyo, build_terms(), by=director, at=AT)
    client = Client()
    client.force_login(director)
    terms = {"name": "Main", "format": "single-elimination", "lengths": "5", "seeding": "random", "profile": "wbgf"}
    path = reverse("settings", args=[in_tokyo.slug, event.slug])
    assert client.post(path, {**terms, "starts_at": "2026-11-21T10:00"}).status_code == 302
    event.refresh_from_db()
    assert event.starts_at == datetime(2026, 11, 21, 1, 0, tzinfo=UTC)
    assert 'value="2026-11-21T10:00"' in client.get(path).content.decode()


def test_times_of_the_api_keep_their_offset(director, in_tokyo):
    event = create_event(in_tokyo, build_terms(starts_at=AT), by=director, at=AT)
    assert CheckedClient().get(f"/api/v1/events/{event.pk}/").data["starts_at"] == "2026-03-06T20:00:00+01:00"
