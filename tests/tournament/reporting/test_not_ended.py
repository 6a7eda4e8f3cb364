"""The draft of a list names the events that declare it and have not ended: they do not count yet."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from rules.score import Side
from tests.builders import AT, build_event, open_matches, win
from tests.pages import text_of
from tests.tournament.api.client import CheckedClient
from tests.tournament.reporting.lists import build_list, build_officer
from tournament.events.services import finish_event, reopen_event
from tournament.models import EventReport, ReportState
from tournament.reporting.decide import set_policy
from tournament.reporting.reports import decide_report
from tournament.reporting.unfinished import not_ended

pytestmark = pytest.mark.django_db
LATER = AT + timedelta(hours=2)
CUT = {"of": "2026-08-01", "matches_until": "2026-07-31", "members_on": "2026-08-01"}


@pytest.fixture
def dbf(db):
    official_list = build_list()
    set_policy(official_list, valid_from=AT.date(), rules={"members": False}, by=None, at=AT)
    return official_list


@pytest.fixture
def officer(dbf):
    return build_officer(dbf)


@pytest.fixture
def league(director, dbf):
    event = build_event(director, players=4, name="First division", format="league", rated_for=["dbf"])
    win(open_matches(event)[0], Side.A)
    return event


def draft(officer) -> str:
    client = Client()
    client.force_login(officer)
    return text_of(client.get(reverse("publish-list", args=["dbf"]), CUT))


def counted(officer) -> dict:
    api = CheckedClient()
    api.force_authenticate(officer)
    return api.get("official-lists/dbf/draft/?" + "&".join(f"{name}={day}" for name, day in CUT.items())).json()


def test_a_league_that_has_not_ended_is_named_and_counts_once_it_has(league, director, officer):
    named = f"has not ended, and counts once it has: {league.tournament.name}, First division"
    assert named in draft(officer)
    assert (counted(officer)["not_ended"], counted(officer)["matches"]) == ([league.pk], 0)
    for match in open_matches(league):
        win(match, Side.A)
    finish_event(league, by=director, at=LATER)
    report = EventReport.objects.get()
    decide_report(report, ReportState.ACCEPTED, digest=report.digest, by=officer, at=LATER)
    assert "not ended" not in draft(officer)
    assert (counted(officer)["not_ended"], counted(officer)["matches"]) == ([], 6)


def test_one_that_is_open_again_counts_and_is_not_named(league, director, officer, dbf):
    for match in open_matches(league):
        win(match, Side.A)
    finish_event(league, by=director, at=LATER)
    report = EventReport.objects.get()
    decide_report(report, ReportState.ACCEPTED, digest=report.digest, by=officer, at=LATER)
    reopen_event(league, by=director, at=LATER)
    assert not_ended(dbf, LATER) == []


def test_only_events_that_declare_the_list_and_were_drawn_by_the_last_day_are_named(league, director, officer, dbf):
    build_event(director, players=4, name="Fun")
    build_event(director, players=4, name="Not drawn", drawn=False, rated_for=["dbf"])
    assert not_ended(dbf, LATER) == [league]
    assert not_ended(dbf, league.stages.get().drawn_at - timedelta(seconds=1)) == []


def test_several_are_named_in_one_query(league, director, officer, dbf, django_assert_num_queries):
    for name in ("Second division", "Third division"):
        build_event(director, players=4, name=name, format="league", rated_for=["dbf"])
    with django_assert_num_queries(1):
        assert len({event.get_absolute_url() for event in not_ended(dbf, LATER)}) == 3
    assert "Events for this list have not ended, and count once they have" in draft(officer)
