"""The type of a problem is an address that says what its code means."""

import json

import pytest
from django.urls import reverse

from tests.tournament.api.client import declared_codes, document
from tests.tournament.api.routes import OPERATIONS
from tournament.api.problems import CODES
from tournament.api.schema import SENTENCES


def test_every_code_that_may_be_answered_has_a_sentence_and_no_other_has():
    declared = {
        code
        for method, path, operation in OPERATIONS
        for status in operation["responses"]
        if status >= "400"
        for code in declared_codes(method, path, int(status))
    }
    assert set(SENTENCES) == declared | set(CODES.values())


@pytest.mark.parametrize("code", SENTENCES)
def test_a_sentence_is_a_sentence(code):
    assert SENTENCES[code][-1] == "."
    assert SENTENCES[code][0].isupper() or SENTENCES[code][0] == "`"
    assert "%(" not in SENTENCES[code]


def test_the_type_of_a_problem_leads_to_its_page(anonymous, client):
    body = anonymous.get("tournaments/?limit=x").json()
    assert body["type"] == reverse("api:problem", args=[body["code"]])
    page = client.get(body["type"])
    assert page.status_code == 200
    assert SENTENCES[body["code"]] in page.content.decode()


def test_a_page_lists_the_operations_that_answer_the_code(client, db):
    page = client.get("/api/v1/problems/event_drawn/").content.decode()
    assert "/api/v1/events/{event_id}/" in page
    assert 'href="/api/v1/docs/#/events/' in page


def test_all_codes_stand_on_one_page(client, db):
    page = client.get("/api/v1/problems/").content.decode()
    assert [code for code in SENTENCES if f'id="{code}"' not in page] == []


def test_programs_get_them_as_json(client, db):
    listed = json.loads(client.get("/api/v1/problems/", headers={"Accept": "application/json"}).content)
    assert [line["code"] for line in listed] == list(SENTENCES)
    one = client.get("/api/v1/problems/busy/", headers={"Accept": "application/json"})
    assert json.loads(one.content) == {"code": "busy", "meaning": SENTENCES["busy"]}


@pytest.mark.parametrize("code", ["nothing", "Busy", "busy%00", "%25"])
def test_an_unknown_code_has_no_page(client, db, code):
    assert client.get(f"/api/v1/problems/{code}/").status_code == 404


def test_the_schema_is_made_once_and_asked_for_under_its_etag(client, db):
    first = client.get("/api/v1/schema/?format=json")
    again = client.get("/api/v1/schema/?format=json", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert json.loads(first.content)["paths"].keys() == document()["paths"].keys()
    other = client.get("/api/v1/schema/?format=json", headers={"Accept-Language": "da"})
    assert other.content == first.content
