"""Clocks do not decide: one that was a year ahead, or is put back, stops nothing and starts nothing."""

import os
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.cache import caches
from django.utils import timezone

from config.steady import Steady
from matches.audit import audit_rankings
from matches.counting import moment_to_count
from matches.models import Match, SheetSource, SheetState
from matches.ratings import rate_matches
from matches.services import submit_sheet
from matches.tasks import rate
from players.models import Player, RankingList
from players.ratings import RATINGS
from players.services import create_player
from rules.score import Side
from tests.builders import AT, build_event, claim, fixture_of, open_matches, win
from tournament.changes.topics import read_topics
from tournament.draw.standings import stale_rating_systems
from tournament.entries.page_requests import PageRequestState, ask_for_page, state_of, waiting_requests
from tournament.events.services import finish_event
from tournament.hall.announcements import announce
from tournament.jobs.lease import LOST_SECONDS
from tournament.jobs.lease import claim as claim_job
from tournament.jobs.services import lost_job_ids, start_job
from tournament.jobs.watch import REPORT_SECONDS, Watch, progress_of
from tournament.models import Announcement, Job, JobState
from tournament.models.witness import reached
from tournament.results.reports import report_result
from tournament.tasks import confirm_report, heal

pytestmark = pytest.mark.django_db

YEAR = timedelta(days=365)


@pytest.fixture
def players() -> list[Player]:
    return [create_player(name=name, at=AT) for name in ("Ann", "Bo")]


def play(one: Player, other: Player, *, at=AT) -> Match:
    match = Match.objects.create(side_a=one, side_b=other, length=5, created_at=AT)
    submit_sheet(match, claim=claim(final=(5, 0), confirmed=True), source=SheetSource.DESK, by=None, at=at)
    return match


def the_list() -> RankingList:
    return RankingList.objects.get(system="fibs")


# Ranking lists.


def test_a_list_of_a_clock_a_year_ahead_is_continued(players, eager_tasks) -> None:
    play(*players)
    rate_matches("fibs", at=timezone.now() + YEAR)
    seen = read_topics(["ratings"])["ratings"]
    play(*players, at=timezone.now())
    rate("fibs")
    assert (the_list().matches, the_list().computed_at <= timezone.now()) == (2, True)
    assert read_topics(["ratings"])["ratings"] > seen
    assert list(audit_rankings()) == []


def test_a_result_of_a_clock_a_year_ahead_counts_at_once(players, eager_tasks) -> None:
    play(*players, at=timezone.now() + YEAR)
    rate("fibs")
    assert the_list().matches == 1
    play(*players, at=timezone.now())
    rate("fibs")
    assert the_list().matches == 2
    assert list(audit_rankings()) == []


def test_a_list_of_a_clock_a_year_ahead_is_found_and_computed_again(director, eager_tasks) -> None:
    event = build_event(director, players=2)
    win(open_matches(event)[0], Side.A)
    finish_event(event, by=director, at=AT)
    heal()
    assert stale_rating_systems() == []
    RankingList.objects.update(computed_at=timezone.now() + YEAR)
    heal()
    assert (stale_rating_systems(), the_list().computed_at <= timezone.now()) == ([], True)


@pytest.mark.parametrize("ahead", [-YEAR, YEAR])
def test_an_event_that_ends_asks_for_new_lists_whatever_the_time(director, eager_tasks, ahead) -> None:
    """The clock has jumped since they were computed, forward or back, and no message came through."""
    event = build_event(director, players=2)
    win(open_matches(event)[0], Side.A)
    for system in RATINGS:
        rate_matches(system, at=timezone.now() - ahead)
    finish_event(event, by=director, at=timezone.now())
    assert stale_rating_systems() == sorted(RATINGS)
    heal()
    assert stale_rating_systems() == []


def test_without_a_clock_that_was_ahead_the_moment_is_now(players) -> None:
    now = timezone.now()
    play(*players)
    rate_matches("fibs", at=now)
    assert moment_to_count(now) == now


# Jobs.


@pytest.fixture
def job(director) -> Job:
    return start_job("records", given={}, by=director, at=AT)


def test_a_job_that_a_clock_ahead_has_claimed_is_claimed_again(job) -> None:
    assert claim_job(job, at=AT + YEAR)
    assert lost_job_ids(at=AT) == []
    assert lost_job_ids(at=AT + timedelta(seconds=LOST_SECONDS)) == [job.pk]
    assert claim_job(job, at=AT)
    assert not claim_job(job, at=AT + timedelta(seconds=1))


def test_a_job_that_a_clock_ahead_has_started_is_found(job) -> None:
    assert lost_job_ids(at=AT - YEAR) == [job.pk]


@pytest.mark.parametrize("jump", [-YEAR, YEAR])
def test_a_job_goes_on_reporting_and_keeps_its_lease_when_the_clock_jumps(job, jump) -> None:
    claim_job(job, at=AT)
    moments = iter([AT, AT + jump, AT + jump + timedelta(seconds=2 * REPORT_SECONDS)])
    watch = Watch(job, clock=lambda: next(moments), extends=True)
    assert list(watch(["a", "b"])) == ["a", "b"]
    assert progress_of(job.pk) == (1, 2)
    assert Job.objects.get().leased_until > AT + jump
    assert Job.objects.get().state == JobState.RUNNING


# What is open for some minutes.


def test_a_request_for_a_page_of_a_clock_ahead_opens_nothing(director) -> None:
    event = build_event(director, players=2)
    request = ask_for_page(event.entries.first(), key="k", at=AT + YEAR)
    assert list(waiting_requests(event.tournament, AT)) == []
    assert state_of(request, AT) == PageRequestState.ENDED
    request.answered_at, request.said_yes = AT + YEAR, True
    assert (state_of(request, AT + YEAR), state_of(request, AT)) == (PageRequestState.YES, PageRequestState.ENDED)


def test_a_worker_whose_clock_is_ahead_confirms_no_report_and_ends_no_announcement(
    director, eager_tasks, monkeypatch
) -> None:
    """The time of day of players and directors decides, as the database has it."""
    event = build_event(director, players=4, confirm_minutes=15)
    match, now = fixture_of(event, "M1-1").match, timezone.now()
    report_result(match, claim=claim(final=(5, 0)), side=Side.A, by=None, at=now)
    announce(event.tournament, text="Supper.", ends_at=now + timedelta(minutes=15), by=None, at=now)
    monkeypatch.setattr(timezone, "now", lambda: now + YEAR)
    heal()
    confirm_report(match.pk, 1)
    assert [sheet.state for sheet in match.sheets.all()] == [SheetState.REPORTED]
    assert [one.withdrawn_at for one in Announcement.objects.all()] == [None]
    assert reached(now - YEAR) == now - YEAR, "nor is anything due for a worker whose clock is behind"


def test_a_value_kept_by_a_clock_ahead_is_forgotten(settings, tmp_path: Path) -> None:
    """Otherwise attempts to sign in would count for a year."""
    settings.CACHES = {"default": {"BACKEND": "config.cache.ForgetfulFolder", "LOCATION": str(tmp_path / "cache")}}
    cache = caches["default"]
    cache.set("attempts", 10, 60)
    assert cache.get("attempts") == 10
    (file,) = (tmp_path / "cache").glob("*.djcache")
    ahead = (timezone.now() + YEAR).timestamp()
    os.utime(file, (ahead, ahead))
    assert cache.get("attempts") is None


def test_the_worker_goes_on_healing_when_the_clock_is_put_back() -> None:
    schedule = Steady(20.0)
    now = schedule.now()
    assert schedule.is_due(now + YEAR) == (True, 20.0)
    assert not schedule.is_due(now).is_due
    assert schedule.is_due(now - timedelta(seconds=21)).is_due
