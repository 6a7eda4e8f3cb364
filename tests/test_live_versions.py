"""What the live stream reads of an event, without models, compared with the models."""

import subprocess
import sys

import pytest
from django.db.models import Max

from config.asgi import read_versions
from config.live import Version
from tests.builders import AT, build_director, build_event, build_tournament, play_out
from tournament.draw.standings import store_standings
from tournament.models import Event

pytestmark = pytest.mark.django_db


@pytest.fixture
def events():
    """An event with stored standings, one without a draw, a deleted one, and one of a deleted tournament."""
    director = build_director()
    hall = build_tournament(director)
    played = build_event(director, players=4, tournament=hall)
    play_out(played)
    store_standings(played.pk)
    drawn = build_event(director, players=0, drawn=False, tournament=hall, name="Empty")
    deleted = build_event(director, players=0, drawn=False, tournament=hall, name="Deleted")
    Event.objects.filter(pk=deleted.pk).update(deleted_at=AT)
    gone = build_event(director, players=0, drawn=False)
    gone.tournament.deleted_at = AT
    gone.tournament.save()
    return [played.pk, drawn.pk, deleted.pk, gone.pk]


def test_the_versions_are_those_of_the_models(events, monkeypatch):
    monkeypatch.setattr("config.asgi.close_old_connections", lambda: None)  # the test's own is still wanted
    rows = Event.objects.filter(pk__in=events).annotate(standings=Max("stages__standings_version"))
    expected = {
        row.pk: Version(row.version, row.standings or 0, row.tournament.hall_version)
        for row in rows.select_related("tournament")
    }
    assert [*expected] == events[:2]
    assert expected[events[0]].standings > 0
    assert read_versions([*events, 10**6]) == expected
    assert read_versions([]) == {}


def test_the_stream_loads_no_application():
    code = "import sys, config.asgi; print(*sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert {"players", "matches", "tournament.models", "celery"}.isdisjoint(found.stdout.split())
