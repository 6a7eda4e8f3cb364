"""The officer's pages and addresses: a report is read, decided, answered and ruled on, by those who may."""

import re
from datetime import date, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format

from players.models import Player
from rules.score import Side
from tests.builders import AT, build_director, build_event, build_key, claim, fixture_of, win
from tests.pages import text_of
from tests.tournament.api.client import CheckedClient
from tests.tournament.reporting.lists import build_list, build_officer, enrol
from tournament.events.redeclare import redeclare
from tournament.events.services import finish_event, reopen_event
from tournament.models import Event, EventReport, RatingVerdict, ReportState
from tournament.pages.reporting.forms import PolicyForm
from tournament.reporting.counting import counts_for
from tournament.reporting.decide import rule_on_rating, set_policy
from tournament.reporting.inbox import lines_of
from tournament.reporting.reports import decide_report
from tournament.results.enter import enter_result

pytestmark = pytest.mark.django_db


@pytest.fixture
def dbf():
    return build_list()


@pytest.fixture
def officer(dbf):
    return build_officer(dbf)


@pytest.fixture
def event(director, dbf) -> Event:
    event = build_event(director, players=4, rated_for=["dbf"])
    enrol(dbf, *Player.objects.order_by("pk")[:3])
    for key in ("M1-1", "M1-2", "M2-1"):
        win(fixture_of(event, key).match, Side.A)
    finish_event(event, by=director, at=AT)
    event.refresh_from_db()
    return event


@pytest.fixture
def report(event) -> EventReport:
    return event.reports.get()


def client_of(user) -> Client:
    client = Client()
    client.force_login(user)
    return client


def api_of(user) -> CheckedClient:
    client = CheckedClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {build_key(user)}")
    return client


def test_the_officer_reads_accepts_and_asks_and_the_director_answers_on_pages(director, officer, dbf, report):
    there, here = client_of(officer), client_of(director)
    assert reverse("event-report", args=[report.pk]) in there.get(reverse("inbox")).content.decode()
    page = reverse("event-report", args=[report.pk])
    shown = there.get(page).content.decode()
    assert shown.count("At least one player was not a member on that day.") == sum(
        not line.verdict.counts for line in lines_of(report)
    )
    sent = {"digest": report.digest, "state": "returned", "said": ""}
    refused = there.post(reverse("decide-report", args=[report.pk]), sent)
    assert (refused.status_code, "Write what you ask or answer." in refused.content.decode()) == (400, True)
    there.post(reverse("decide-report", args=[report.pk]), {**sent, "said": "Who is Player 4?"})
    assert "Who is Player 4?" in here.get(page).content.decode()
    assert here.post(reverse("answer-report", args=[report.pk]), {"said": "A guest"}).status_code == 302
    there.post(reverse("decide-report", args=[report.pk]), {"digest": report.digest, "state": "accepted"})
    counted = len(list(counts_for(dbf)))
    assert counted == sum(line.verdict.counts for line in lines_of(report)) > 0
    first = next(counts_for(dbf))
    ruling = {"match": first.match, "verdict": "out", "reason": "Another card"}
    assert there.post(reverse("rule-on-rating", args=[report.pk]), ruling).status_code == 302
    assert len(list(counts_for(dbf))) == counted - 1
    match_page = Client().get(reverse("match", args=[first.match])).content.decode()
    out = "An officer of the list has ruled that the match does not count: Another card"
    assert f"Not rated for DBF: {out}" in re.sub(r"\s+", " ", match_page)
    ruled = there.get(page)
    assert (out in text_of(ruled), "Saved." in text_of(ruled)) == (True, True)


def test_a_report_says_who_is_no_member_to_officers_alone_and_who_decided(director, officer, report):
    page = reverse("event-report", args=[report.pk])
    stranger = Player.objects.order_by("pk").last()
    told = text_of(client_of(officer).get(page))
    counted = sum(line.verdict.counts for line in lines_of(report))
    assert f"arrived {counted} of 3 matches count" in told
    assert f"At least one player was not a member on that day. {stranger.name}" in told
    assert f"{date_format(timezone.localtime(AT), 'DATETIME_FORMAT')} arrived, {director.username}" in told
    assert f"on that day. {stranger.name}" not in text_of(client_of(director).get(page))


def test_a_match_is_rated_once_its_report_is_accepted(officer, dbf, event, report):
    match = next(line.match for line in lines_of(report) if line.verdict.counts)
    page = reverse("match", args=[match.pk])
    assert "Rated for DBF once the report of the event is accepted" in text_of(Client().get(page))
    decide_report(report, ReportState.ACCEPTED, digest=report.digest, by=officer, at=AT)
    assert "once the report" not in text_of(Client().get(page))
    rule_on_rating(match, dbf, verdict=RatingVerdict.COUNTS, reason="A true match", by=officer, at=AT)
    said = "Rated for DBF. An officer of the list has ruled that the match counts: A true match"
    assert said in text_of(Client().get(page))


def test_what_has_changed_since_a_report_was_accepted_is_marked_with_what_it_was(director, officer, event, report):
    decide_report(report, ReportState.ACCEPTED, digest=report.digest, by=officer, at=AT)
    reopen_event(event, by=director, at=AT + timedelta(hours=1))
    final, at = fixture_of(event, "M2-1").match, AT + timedelta(hours=2)
    enter_result(final, claim=claim(final=(0, 5), base=1), may_repair=True, by=director, at=at)
    finish_event(Event.objects.get(), by=director, at=AT + timedelta(hours=3))
    report.refresh_from_db()
    later = [(line.place, line.was, line.score) for line in lines_of(report) if line.is_later]
    assert later == [("M2-1", (5, 0), (0, 5))]
    told = text_of(client_of(officer).get(reverse("event-report", args=[report.pk])))
    assert "they are marked below" in told
    assert "0–5 changed since was 5–0" in told


def test_a_list_that_is_declared_after_the_end_gets_its_report(director, officer, event, report):
    other = build_list("second")
    redeclare(event, rated_for=["dbf", "second"], event_class="", online=False, reason="Both", by=officer, at=AT)
    arrived = EventReport.objects.get(official_list=other)
    assert [line.verdict.why_not for line in lines_of(arrived)] == [line.verdict.why_not for line in lines_of(report)]
    assert reverse("event-report", args=[arrived.pk]) in client_of(officer).get(reverse("inbox")).content.decode()


def test_nobody_else_reads_or_decides(director, report):
    stranger = client_of(build_director("stranger"))
    for name in ("inbox", "event-report", "list-policy", "anomalies"):
        args = {"inbox": [], "event-report": [report.pk]}.get(name, ["dbf"])
        assert stranger.get(reverse(name, args=args)).status_code == 403
    sent = {"digest": report.digest, "state": "accepted"}
    for user in (director, build_officer(build_list("nbf", "NBGF"), "norway")):
        assert client_of(user).post(reverse("decide-report", args=[report.pk]), sent).status_code == 403
        assert api_of(user).post(f"event-reports/{report.pk}/decision/", sent).status_code == 403
    report.refresh_from_db()
    assert report.state == "arrived"


def test_the_api_does_the_same(director, officer, dbf, event, report):
    there, here = api_of(officer), api_of(director)
    assert [one["id"] for one in there.get("event-reports/").json()["results"]] == [report.pk]
    whole = here.get(f"event-reports/{report.pk}/").json()
    assert [one["rated"] for one in whole["matches"]] == [line.verdict.counts for line in lines_of(report)]
    decision = {"digest": whole["digest"], "state": "returned", "said": "Who?"}
    assert there.post(f"event-reports/{report.pk}/decision/", {**decision, "said": ""}).json()["code"] == "said_empty"
    assert there.post(f"event-reports/{report.pk}/decision/", decision).json()["state"] == "returned"
    assert here.post(f"event-reports/{report.pk}/answer/", {"said": "Me"}).json()["steps"][-1]["said"] == "Me"
    accepted = there.post(f"event-reports/{report.pk}/decision/", {"digest": whole["digest"], "state": "accepted"})
    assert accepted.json()["state"] == "accepted"
    match = whole["matches"][0]["match"]
    ruling = {"list": "dbf", "verdict": "out", "reason": "A test"}
    assert there.post(f"matches/{match}/rated/", ruling).json() == [
        {
            "list": "DBF",
            "rated": False,
            "why_not": "ruled_out",
            "why": "An officer of the list has ruled that the match does not count: A test",
        }
    ]
    assert there.put(f"events/{event.pk}/sanctions/dbf/", {"weight": 0}).json()["code"] == "weight_out_of_range"
    assert there.put(f"events/{event.pk}/sanctions/dbf/", {"weight": 50}).status_code == 204
    assert there.delete(f"events/{event.pk}/sanctions/dbf/").status_code == 204
    declared = {"rated_for": [], "event_class": "", "online": False, "reason": ""}
    assert there.put(f"events/{event.pk}/declaration/", declared).json()["code"] == "reason_missing"
    assert there.put(f"events/{event.pk}/declaration/", {**declared, "reason": "A friendly"}).status_code == 204
    assert here.get(f"events/{event.pk}/").json()["rated_for"] == []
    policy = {"valid_from": "2026-01-01", "rules": {"shortest": 0}}
    assert there.post("official-lists/dbf/policies/", policy).json()["code"] == "policy_number_out_of_range"
    assert there.post("official-lists/dbf/policies/", {**policy, "rules": {}}).status_code == 201
    assert [one["valid_from"] for one in here.get("official-lists/dbf/policies/").json()] == ["2026-01-01"]


def test_a_policy_is_decided_on_its_page_and_comes_back_as_typed(officer, dbf):
    there, page = client_of(officer), reverse("list-policy", args=["dbf"])
    form = PolicyForm(initial=there.get(page).context["form"].initial)
    sent = {name: field.value() for name, field in ((name, form[name]) for name in form.fields)}
    sent = {name: value for name, value in sent.items() if value not in (None, False)}
    refused = there.post(page, {**sent, "shortest": 9, "longest": 7})
    assert (refused.status_code, refused.context["form"]["longest"].value()) == (400, "7")
    assert there.post(page, {**sent, "valid_from": "2026-01-01", "shortest": 7, "weight_d": 50}).status_code == 302
    row = dbf.policies.get()
    assert (row.valid_from, row.policy.shortest, row.policy.weights) == (date(2026, 1, 1), 7, {"D": 50})


def test_officers_read_what_each_policy_says_when_it_was_decided_and_by_whom(officer, dbf):
    rules = {"shortest": 5, "longest": 25, "brackets": ["main", "consolation"], "classes": ["A"], "weights": {"A": 150}}
    set_policy(dbf, valid_from=date(2026, 1, 1), rules={"members": False}, by=officer, at=AT)
    set_policy(dbf, valid_from=date(2026, 8, 1), rules=rules, by=officer, at=AT)
    page = client_of(officer).get(reverse("list-policy", args=["dbf"]))
    said = text_of(page).partition("Decided so far")[2]
    newest, _cut, oldest = said.partition("from 1 January 2026, decided")
    when = date_format(timezone.localtime(AT), "DATETIME_FORMAT")
    assert newest.strip() == " ".join(
        (
            f"from 1 August 2026, decided {when}, officer",
            "Shortest match 5 Longest match 25 Brackets main bracket, consolation Played over the board",
            "Both players are members on the day yes Matches against guests not rated Boards of teams count yes",
            "Both sides must have played yes A match that a side gave up counts no",
            "Matches with penalty points count yes Only approved events count no Classes A",
            "Declared before play yes Weight of class A in percent 150",
        )
    )
    assert "Both players are members on the day no Boards of teams count yes" in oldest
    assert "Longest match" not in oldest


def test_a_result_typed_days_later_has_its_day_on_page_and_address(director):
    event = build_event(director, players=4)
    Event.objects.filter(pk=event.pk).update(created_at=AT)
    first, second = (fixture_of(event, key).match for key in ("M1-1", "M1-2"))
    api = api_of(director)
    played = AT + timedelta(days=2)
    sent = {"key": "a", "base": 0, "final": [5, 1], "played_at": played.isoformat()}
    assert api.post(f"matches/{first.pk}/result/", sent).status_code == 201
    assert first.sheets.get().played_at == played
    early = {**sent, "key": "b", "played_at": (AT - timedelta(days=1)).isoformat()}
    assert api.post(f"matches/{second.pk}/result/", early).json()["code"] == "played_at_out_of_range"
    page = client_of(director)
    assert "Played on another day?" in page.get(second.get_absolute_url()).content.decode()
    typed = {"key": "c", "base": 0, "final_a": 5, "final_b": 1, "played_at": "2026-03-01T12:00"}
    refused = page.post(reverse("enter", args=[second.pk, "final"]), typed)
    assert (refused.status_code, "2026-03-01T12:00" in refused.content.decode()) == (400, True)
    assert page.post(reverse("enter", args=[second.pk, "final"]), {**typed, "played_at": "2026-03-08T20:15"}).url
    assert second.sheets.get().played_at.date() == date(2026, 3, 8)


def test_what_stands_out_and_declared_events_are_shown(director, officer, dbf, report):
    set_policy(dbf, valid_from=date(2026, 1, 1), rules={"members": False}, by=officer, at=AT)
    EventReport.objects.update(arrived_at=AT)
    there = client_of(officer)
    other = build_event(director, tournament=report.event.tournament, name="League", rated_for=["dbf"], players=2)
    shown = there.get(reverse("inbox")).content.decode()
    assert reverse("officer-event", args=[other.pk]) in shown
    approve = reverse("approve-event", args=[other.pk, "dbf", "approve"])
    assert there.post(approve, {"weight": "0"}).status_code == 400
    assert there.post(approve, {"weight": ""}).status_code == 302
    assert other.sanctions.get().withdrawn_at is None
    assert there.post(reverse("redeclare", args=[other.pk]), {"reason": ""}).status_code == 400
    assert there.post(reverse("redeclare", args=[other.pk]), {"reason": "A friendly"}).status_code == 302
    other.refresh_from_db()
    assert other.rated_for == []
    assert there.get(reverse("anomalies", args=["dbf"])).status_code == 200


def test_the_report_of_an_event_takes_as_many_queries_for_8_players_as_for_32(
    director, dbf, django_assert_max_num_queries
):
    for players in (8, 32):
        event = build_event(director, players=players, rated_for=["dbf"], name=f"{players} players")
        while open_ones := [one for one in Event.objects.get(pk=event.pk).stages.get().fixtures.all() if is_open(one)]:
            for fixture in open_ones:
                win(fixture.match, Side.A)
        finish_event(event, by=director, at=AT)
        with django_assert_max_num_queries(14):
            assert (
                len(lines_of(event.reports.select_related("official_list__federation", "event").get())) == players - 1
            )


def is_open(fixture) -> bool:
    return fixture.match is not None and not fixture.match.sheets.exists()
