"""Exports and webhooks over the API: an officer does everything, and nobody else anything."""

import pytest
from rest_framework.test import APIClient

from players.models import Delivery, Webhook
from tests.builders import AT
from tests.players.registry.people import Registry, build_registry
from tests.tournament.api.client import PREFIX, CheckedClient
from tournament.exports import layout
from tournament.jobs.services import run_job
from tournament.models import ExportProfile, KeptExport

pytestmark = pytest.mark.django_db
PROFILE = {"name": "Bank", "kind": "members", "columns": [{"column": "given", "title": "First"}, {"column": "family"}]}
DAYS = {"first": "2026-01-01", "last": "2026-07-31"}
FILE = b"\xef\xbb\xbfFirst;family\r\nAsta;Holm\r\n"
HOOK = {"address": "https://example.org/hook", "events": ["export.made"]}


@pytest.fixture
def registry() -> Registry:
    return build_registry()


def client_of(user, kind=CheckedClient):
    client = kind()
    client.force_authenticate(user)
    return client


def test_a_profile_is_made_changed_used_and_removed(registry, monkeypatch):
    officer = client_of(registry.officer)
    kinds = officer.get("export-kinds/").json()
    assert [kind["kind"] for kind in kinds] == ["results", "standings", "ranking", "members", "pr"]
    assert [kind["kind"] for kind in kinds if kind["of_events"]] == ["results", "standings"]
    made = officer.post("federations/DBGF/exports/profiles/", PROFILE)
    assert (made.status_code, made.json()["columns"][1]) == (201, {"column": "family", "title": "family"})
    path = f"exports/profiles/{made.json()['id']}/"
    assert officer.get("federations/DBGF/exports/profiles/").json()["results"] == [officer.get(path).json()]
    files = client_of(registry.officer, APIClient)  # what is streamed has no content to be checked
    assert b"".join(files.get(f"{PREFIX}{path}file/", DAYS).streaming_content) == FILE
    assert officer.get(f"{path}file/?first=2026-02-01&last=2026-01-01").json()["code"] == "days_out_of_order"
    monkeypatch.setattr(layout, "MOST_AT_ONCE", 53)
    too_long = officer.get(f"{path}file/?first={DAYS['first']}&last={DAYS['last']}")
    assert (too_long.status_code, too_long.json()["code"]) == (409, "export_too_long")
    job = officer.post(f"{path}make/", DAYS)
    assert job.status_code == 202
    run_job(job.json()["id"], clock=lambda: AT)
    [kept] = officer.get("federations/DBGF/exports/").json()["results"]
    file = officer.get(f"exports/{kept['id']}/file/")
    assert (file.content, file.headers["ETag"]) == (FILE, f'"{kept["sha256"]}"')
    changed = officer.put(path, {**PROFILE, "every": "week", "format": "json"}).json()
    assert (changed["every"], changed["format"]) == ("week", "json")
    assert [officer.delete(path).status_code, officer.get(path).status_code] == [204, 404]
    assert KeptExport.objects.get().profile is None


@pytest.mark.parametrize(
    ("given", "status", "code"),
    [
        ({"columns": []}, 400, "columns_unreadable"),
        ({"kind": "secrets"}, 400, "export_kind_unknown"),
        ({"kind": "ranking", "columns": [{"column": "rank"}]}, 400, "ranking_without_list"),
        ({"delimiter": "|"}, 400, "choice_unknown"),
        ({"name": "Members"}, 409, "profile_exists"),
    ],
)
def test_what_no_profile_can_be_is_refused_and_changes_nothing(registry, unchanged, given, status, code):
    officer = client_of(registry.officer)
    officer.post("federations/DBGF/exports/profiles/", {**PROFILE, "name": "Members"})
    with unchanged():
        answer = officer.post("federations/DBGF/exports/profiles/", {**PROFILE, **given})
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_a_webhook_is_made_listed_and_ended_and_its_dead_letters_are_sent_again(registry):
    officer = client_of(registry.officer)
    made = officer.post("federations/DBGF/webhooks/", HOOK)
    assert (made.status_code, made.json()["secret"][:6]) == (201, "whsec_")
    assert officer.post("federations/DBGF/webhooks/", HOOK).json()["code"] == "webhook_exists"
    private = {**HOOK, "address": "https://10.0.0.1/"}
    assert officer.post("federations/DBGF/webhooks/", private).json()["code"] == "webhook_address_private"
    path = f"webhooks/{made.json()['id']}/"
    assert officer.get("federations/DBGF/webhooks/").json()["results"] == [officer.get(path).json()]
    webhook = Webhook.objects.get()
    dead = Delivery.objects.create(webhook=webhook, event="export.made", body="{}", at=AT, attempts=8)
    assert [one["state"] for one in officer.get(f"{path}deliveries/").json()["results"]] == ["dead"]
    again = f"deliveries/{dead.pk}/again/"
    assert [officer.post(again).status_code for _time in range(2)] == [200, 409]
    assert [officer.delete(path).status_code for _time in range(2)] == [204, 204]
    assert officer.get(path).json()["ended_at"] is not None


def test_nobody_but_an_officer_reads_or_writes_any_of_it(registry, unchanged):
    officer = client_of(registry.officer)
    profile = f"exports/profiles/{officer.post('federations/DBGF/exports/profiles/', PROFILE).json()['id']}/"
    webhook = f"webhooks/{officer.post('federations/DBGF/webhooks/', HOOK).json()['id']}/"
    days = "first=2026-01-01&last=2026-07-31"
    asked = [
        *(("get", f"federations/DBGF/{path}", None) for path in ("exports/", "exports/profiles/", "webhooks/")),
        *(("get", path, None) for path in (profile, f"{profile}file/?{days}", webhook, f"{webhook}deliveries/")),
        ("post", "federations/DBGF/exports/profiles/", {**PROFILE, "name": "Other"}),
        ("post", "federations/DBGF/webhooks/", {**HOOK, "address": "https://example.org/"}),
        *(("put", profile, PROFILE), ("post", f"{profile}make/", DAYS)),
        *(("delete", path, None) for path in (profile, webhook)),
    ]
    for user in (None, registry.stranger, registry.member, registry.manager):
        client = client_of(user) if user else CheckedClient()
        with unchanged():
            answers = [getattr(client, method)(path, body).status_code for method, path, body in asked]
        assert answers == [401 if user is None else 403] * len(asked)
    assert ExportProfile.objects.count() == 1
