"""What the live stream reads of each topic, without models, compared with the models."""

import re
import subprocess
import sys
from datetime import timedelta

import pytest
from django.db.models import Sum
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from config.asgi import read_versions
from matches.ratings import rate_matches
from rules.score import Side
from tests.builders import AT, build_director, build_event, build_tournament, open_matches, play_out, win
from tests.fresh import forget_everything
from tests.processes import ROOT, environment, manage
from tournament.changes.topics import read_topics, written
from tournament.draw.standings import store_standings
from tournament.events.deletion import delete_event
from tournament.events.services import finish_event
from tournament.hall.tables import add_tables
from tournament.models import Event, LogEntry

pytestmark = pytest.mark.django_db


@pytest.fixture
def director():
    return build_director()


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
    rows = Event.objects.filter(pk__in=events).annotate(standings=Sum("stages__standings_version"))
    expected = {
        str(row.pk): (row.version, row.standings or 0, row.tournament.hall_version)
        for row in rows.select_related("tournament")
    }
    assert [*expected] == [str(event) for event in events[:2]]
    assert expected[str(events[0])][1] > 0
    assert read_versions([*map(str, events), str(10**6)]) == expected
    assert read_versions([]) == {}


def test_a_topic_that_is_deleted_or_was_never_there_has_no_versions(events):
    gone = Event.everything.get(pk=events[3]).tournament_id
    assert read_topics([f"t{gone}", "t999999", "999999"]) == {}


def test_what_happens_in_a_tournament_raises_its_versions_and_those_of_all(director):
    event = build_event(director, players=4)
    other = build_event(director, players=2, tournament=event.tournament, name="Side")
    elsewhere = build_event(director, players=2, tournament=build_tournament(director, "Elsewhere"))
    topics = [f"t{event.tournament_id}", "all"]
    acts = {
        "result": lambda: win(open_matches(event)[0], Side.A),
        "standings": lambda: store_standings(event.pk),
        "tables": lambda: add_tables(event.tournament, first=1, last=2, by=director, at=AT),
        "deletion": lambda: delete_event(other, typed=other.name, by=director, at=AT),
    }
    for name, act in acts.items():
        before = read_topics([*topics, f"t{elsewhere.tournament_id}"])
        act()
        after = read_topics([*topics, f"t{elsewhere.tournament_id}"])
        grown = [topic for topic in after if after[topic] > before[topic]]
        assert sorted(grown) == sorted(topics if name != "standings" else topics[:1]), name


def test_a_step_that_was_begun_before_the_newest_and_ends_after_it_is_news(director):
    """Two that write to different tournaments do not wait for each other, and the later row may be there first."""
    earlier, later = (build_tournament(director, name) for name in ("Earlier", "Later"))
    newest = LogEntry.objects.latest("pk").pk
    row = {"actor": director, "verb": "update_tournament", "detail": {}, "at": AT}
    LogEntry.objects.create(pk=newest + 2, tournament=later, **row)
    before = read_topics(["all"])["all"]
    LogEntry.objects.create(pk=newest + 1, tournament=earlier, **row)
    assert read_topics(["all"])["all"] > before


def test_ratings_that_are_computed_raise_the_versions_of_the_lists(director):
    assert read_topics(["ratings"]) == {"ratings": (0, 0)}
    event = build_event(director, players=2)
    win(open_matches(event)[0], Side.A)
    finish_event(event, by=director, at=AT)
    found = []
    for later in (1, 2):
        rate_matches("fibs", at=timezone.now() + timedelta(minutes=later))
        found.append(read_topics(["ratings"])["ratings"])
    assert (0, 0) < found[0] < found[1]


def test_a_page_follows_its_topic_with_the_versions_that_it_shows(client, director):
    """Otherwise each page would ask for its live part again as soon as the stream opens."""
    event = build_event(director, players=4)
    add_tables(event.tournament, first=1, last=2, by=director, at=AT)
    rate_matches("fibs", at=timezone.now())
    player = event.entries.first().player
    hall = event.tournament.slug
    follows = {
        reverse("home"): ["all"],
        reverse("tournament", args=[hall]): [f"t{event.tournament_id}"],
        reverse("hall-screen", args=[hall]): [f"t{event.tournament_id}"],
        reverse("day", args=[hall]): [f"t{event.tournament_id}"],
        reverse("pairings", args=[hall, event.slug]): [str(event.pk)],
        reverse("standings", args=[hall, event.slug]): [str(event.pk)],
        reverse("rankings"): ["ratings"],
        reverse("ranking", args=["fibs"]): ["ratings"],
        reverse("player", args=[player.pk]): ["ratings", str(event.pk)],
    }
    for page, topics in follows.items():
        text = client.get(page).content.decode()
        now = read_topics(topics)
        assert re.findall(r'data-live-events="([^"]*)"', text) == [",".join(topics)], page
        shown = ",".join(written(now[topic]) for topic in topics)
        assert re.findall(r'data-live-versions="([^"]*)"', text) == [shown], page


@pytest.mark.parametrize("name", ["home", "tournament", "player"])
def test_a_live_part_is_sent_again_when_its_topic_has_changed(client, director, name):
    event = build_event(director, players=4)
    addresses = {
        "home": reverse("home"),
        "tournament": reverse("tournament", args=[event.tournament.slug]),
        "player": reverse("player", args=[event.entries.first().player_id]),
    }
    part = f"{addresses[name]}?fragment"
    for reader in (client, signed_in(director)):
        first = reader.get(part)
        assert "<html" not in first.content.decode()
        assert reader.get(part, headers={"If-None-Match": first["ETag"]}).status_code == 304
        win(open_matches(event)[0], Side.A)
        build_event(director, players=2, tournament=event.tournament, name=f"Event {name} {reader is client}")
        again = reader.get(part, headers={"If-None-Match": first["ETag"]})
        assert again.status_code == 200
        forget_everything()
        assert reader.get(part).content == again.content


def signed_in(user) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_the_stream_is_warned_of_nothing_when_somebody_listens(tmp_path):
    env = environment(VAR_DIR=tmp_path, PYTHONWARNINGS="error::RuntimeWarning")
    manage("migrate", "--verbosity", "0", env=env)
    code = "from config.asgi import read_versions; print(read_versions(['all']))"
    found = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, text=True, check=True)
    assert (found.stdout, found.stderr) == ("{'all': (0, 0, 0)}\n", "")


def test_the_stream_loads_no_application():
    code = "import sys, config.asgi; print(*sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert {"players", "matches", "tournament.models", "celery"}.isdisjoint(found.stdout.split())
