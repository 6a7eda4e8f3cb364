"""Addresses and programs of clients are kept for a while, and what was done for good."""

from datetime import timedelta

import pytest
from allauth.usersessions.models import UserSession
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from tests.builders import AT, build_event
from tournament.audit import audit_event
from tournament.draw.standings import store_standings
from tournament.entries.page_requests import ask_for_page
from tournament.log.forget import AT_ONCE, forget_addresses
from tournament.models import KeptAnswer, LogEntry, PageRequest, SignInEvent, Subscription
from tournament.models.witness import witnessed
from tournament.tasks import forget_addresses as task
from tournament.tasks import heal

pytestmark = pytest.mark.django_db
ADDRESS, AGENT = "203.0.113.77", "Firefox"


@pytest.fixture
def event(director):
    event = build_event(director, players=4)
    LogEntry.objects.update(address=ADDRESS, agent=AGENT, way="page")
    return event


@pytest.fixture
def entry(event):
    return event.entries.first()


def told() -> set[tuple[str | None, str]]:
    return set(LogEntry.objects.values_list("address", "agent"))


def rows() -> list[tuple]:
    return list(LogEntry.objects.order_by("pk").values_list("pk", "verb", "actor", "detail", "words", "way", "at"))


@pytest.mark.parametrize(("days", "is_kept"), [(89, True), (91, False)])
def test_addresses_are_emptied_after_ninety_days_and_nothing_else(event, days, is_kept):
    before = rows()
    forget_addresses(at=AT + timedelta(days=days))
    assert told() == ({(ADDRESS, AGENT)} if is_kept else {(None, "")})
    store_standings(event.pk)
    assert (rows(), audit_event(event)) == (before, [])


def test_the_setting_says_for_how_long(event, settings):
    settings.KEEP_ADDRESSES_DAYS = 7
    assert forget_addresses(at=AT + timedelta(days=6)) == 0
    assert forget_addresses(at=AT + timedelta(days=8)) == LogEntry.objects.count()


def test_a_second_run_changes_nothing(event):
    forget_addresses(at=AT + timedelta(days=91))
    assert forget_addresses(at=AT + timedelta(days=91)) == 0


def test_addresses_of_the_door_go_as_well(event, director):
    happened = SignInEvent.objects.create(at=AT, user=director, what="signed-in", address=ADDRESS, agent=AGENT)
    forget_addresses(at=AT + timedelta(days=89))
    happened.refresh_from_db()
    assert (happened.address, happened.agent) == (ADDRESS, AGENT)
    forget_addresses(at=AT + timedelta(days=91))
    happened.refresh_from_db()
    assert (happened.address, happened.agent, happened.what) == (None, "", "signed-in")


@pytest.mark.parametrize("has_ended", [True, False])
def test_sessions_are_forgotten_once_they_have_ended(director, has_ended):
    client = Client(REMOTE_ADDR=ADDRESS)
    client.force_login(director)
    told = {"user": director, "session_key": client.session.session_key, "ip": ADDRESS, "user_agent": AGENT}
    session = UserSession.objects.create(**told)
    UserSession.objects.update(last_seen_at=AT)
    if has_ended:
        client.session.flush()
    forget_addresses(at=AT + timedelta(days=91))
    assert UserSession.objects.filter(pk=session.pk).exists() is not has_ended


def test_names_of_commands_and_tasks_stay(event):
    LogEntry.objects.update(way="command", address=None, agent="manage.py demo")
    assert forget_addresses(at=AT + timedelta(days=91)) == 0
    assert told() == {(None, "manage.py demo")}


def test_it_goes_on_past_the_rows_of_one_statement(event):
    row = LogEntry.objects.latest("pk")
    row.pk = None
    LogEntry.objects.bulk_create(
        LogEntry(tournament=event.tournament, verb="x", at=AT, address=ADDRESS, way="api") for _n in range(AT_ONCE + 5)
    )
    assert forget_addresses(at=AT + timedelta(days=91)) == LogEntry.objects.count()


def test_the_address_that_asked_for_a_page_is_emptied_too(event):
    ask_for_page(event.entries.first(), key="k", at=AT)
    PageRequest.objects.update(asked_from=ADDRESS)
    forget_addresses(at=AT + timedelta(days=91))
    assert PageRequest.objects.get().asked_from == ""


def test_the_worker_looks_once_a_day(event, monkeypatch):
    asked: list[str] = []
    monkeypatch.setattr(task, "delay", lambda: asked.append("asked"))
    cache.delete("addresses-forgotten")
    heal()
    heal()
    assert asked == ["asked"]


def test_the_task_empties_what_is_old(event):
    LogEntry.objects.update(at=timezone.now() - timedelta(days=91))
    task()
    assert told() == {(ADDRESS, AGENT)}, "nobody but this clock says that so long has passed"
    SignInEvent.objects.create(at=timezone.now(), what="signed-in")
    task()
    assert told() == {(None, "")}


@pytest.mark.parametrize("days", [-400, -1, 0, 1, 100, 400, 40_000])
def test_a_worker_whose_clock_is_wrong_empties_and_deletes_nothing(event, director, entry, monkeypatch, days):
    now = timezone.now()
    LogEntry.objects.update(at=now - timedelta(minutes=5))
    told = {"address": ADDRESS, "agent": AGENT}
    SignInEvent.objects.create(at=now - timedelta(minutes=4), user=director, what="signed-in", **told)
    UserSession.objects.create(user=director, session_key="ended", ip=ADDRESS, user_agent=AGENT)
    ask_for_page(entry, key="k", at=now - timedelta(minutes=3))
    PageRequest.objects.update(asked_from=ADDRESS)
    KeptAnswer.objects.create(claim="c", request="r", made_at=now - timedelta(minutes=2))
    Subscription.objects.create(entry=entry, epoch=1, channel="mail", address="a@example.org", made_at=now)
    monkeypatch.setattr(timezone, "now", lambda: now + timedelta(days=days))
    LogEntry.objects.create(tournament=event.tournament, verb="x", at=timezone.now(), way="task")
    kinds = (LogEntry, SignInEvent, UserSession, PageRequest, KeptAnswer, Subscription)
    before = [list(kind.objects.order_by("pk").values()) for kind in kinds]
    heal()
    task()
    assert [list(kind.objects.order_by("pk").values()) for kind in kinds] == before


def test_time_is_certain_up_to_the_last_request_and_never_beyond_the_clock(event):
    LogEntry.objects.update(at=AT)
    assert witnessed(AT + timedelta(days=400)) == AT
    assert witnessed(AT - timedelta(days=400)) == AT - timedelta(days=400)
    LogEntry.objects.update(way="task")
    assert witnessed(AT).year == 1970
