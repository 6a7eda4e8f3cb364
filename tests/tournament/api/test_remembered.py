from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone, translation

from rules.score import Side
from tests.builders import AT, build_event, fixture_of, win
from tournament.api.events.fixtures import FixtureSerializer
from tournament.api.events.serializers import EventSerializer
from tournament.api.remembered import _maker, _represent
from tournament.draw.standings import store_standings
from tournament.snapshot import CallSnapshot, take_snapshot

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def forgetful():
    """Begin with nothing remembered."""
    _represent.cache_clear()
    _maker.cache_clear()


def rows(event_id: int) -> list[dict[str, Any]]:
    return EventSerializer(take_snapshot(event_id)).data["stage"]["fixtures"]


@pytest.mark.parametrize(
    "terms",
    [
        {"format": "consolation", "players": 8},
        {"format": "swiss", "players": 5, "options": {"rounds": 3}},
        {"format": "round-robin", "players": 4},
        {"format": "jackpot", "players": 8, "options": {"size": "4"}},
        {"format": "single-elimination", "players": 4, "boards": 3},
    ],
    ids=lambda terms: terms["format"],
)
def test_a_remembered_answer_is_the_one_that_would_be_made_again(director, terms):
    event = build_event(director, **terms)
    for language in ("en", "da"):
        with translation.override(language):
            EventSerializer(take_snapshot(event.pk)).data  # noqa: B018 - remembered from here on
    fixture = next(iter(event.stages.get().fixtures.exclude(entry_a=None).exclude(entry_b=None)))
    win(next(iter(fixture.matches.values())), Side.B, loser_points=2, by=director)
    store_standings(event.pk)
    for language in ("en", "da"):
        with translation.override(language):
            remembered = EventSerializer(take_snapshot(event.pk)).data
            _represent.cache_clear()
            assert remembered == EventSerializer(take_snapshot(event.pk)).data


def test_a_result_costs_the_rows_that_it_changes(director):
    event = build_event(director, players=8)
    before = rows(event.pk)
    win(fixture_of(event, "M1-1").match, Side.A, by=director)
    after = rows(event.pk)
    new = [row["key"] for row, old in zip(after, before, strict=True) if row is not old]
    assert new == ["M1-1", "M2-1"]


def test_the_current_stage_has_the_same_rows_as_its_entry_in_the_list_of_stages(director):
    event = build_event(director, players=8)
    answer = EventSerializer(take_snapshot(event.pk)).data
    assert answer["stage"] == answer["stages"][0]
    shown, among = (stage["fixtures"] for stage in (answer["stage"], answer["stages"][0]))
    assert all(row is same for row, same in zip(shown, among, strict=True))


def test_a_reader_of_another_language_is_not_answered_in_the_first_one(director):
    final = take_snapshot(build_event(director, players=4).pk).stage.fixtures[-1]
    labels = []
    for language in ("en", "da", "en"):
        with translation.override(language):
            labels.append(FixtureSerializer(final).data["a"]["label"])
    assert labels[0] == labels[2] == "Winner of M1-1"
    assert labels[1] != labels[0]


def test_a_moment_is_written_in_the_current_time_zone(director):
    fixture = take_snapshot(build_event(director, players=4).pk).stage.fixtures[0]
    called = replace(fixture, call=CallSnapshot(table=1, called_at=AT, started_at=None))
    told = []
    for zone in ("Europe/Copenhagen", "UTC"):
        with timezone.override(zone):
            told.append(FixtureSerializer(called).data["call"]["called_at"])
    assert told == ["2026-03-06T20:00:00+01:00", "2026-03-06T19:00:00Z"]


def test_overdue_matches_are_those_of_the_day_of_the_request(director, monkeypatch):
    event = build_event(director, players=2, format="league", options={"starts_on": "2026-01-05", "days": 7})
    view = take_snapshot(event.pk).stage.fixtures[0]
    told = []
    for day in (view.deadline, view.deadline + timedelta(days=1)):
        monkeypatch.setattr(timezone, "localdate", lambda day=day: day)
        told.append(rows(event.pk)[0]["is_overdue"])
    assert told == [False, True]


def test_concurrent_threads_get_the_same_answer(director):
    views = take_snapshot(build_event(director, players=32).pk).stage.fixtures
    with ThreadPoolExecutor(8) as threads:
        told = list(threads.map(lambda _: FixtureSerializer(views, many=True).data, range(8)))
    assert all(rows == told[0] for rows in told)
    assert [row["key"] for row in told[0]] == [view.key for view in views]
