import re

import pytest
from django.core.management import call_command

from players.models import MAX_NAME
from tests.tournament.api.client import PREFIX, declared_codes, document
from tournament.api.schema import ANYWHERE, MEANINGS
from tournament.api.urls import urlpatterns
from tournament.entries.enrolment import MAX_PAIR

OPERATIONS = [
    (f"{method.upper()} {path.removeprefix(PREFIX)}", operation)
    for path, operations in document()["paths"].items()
    for method, operation in operations.items()
]


def test_the_schema_is_valid_and_without_warnings(tmp_path):
    call_command("spectacular", "--validate", "--fail-on-warn", "--file", str(tmp_path / "schema.yml"))


def test_every_address_is_in_the_schema_but_the_documentation():
    documented = {path.removeprefix(PREFIX).replace("{", "<").replace("}", ">") for path in document()["paths"]}
    served = {re.sub(r"<\w+:", "<", str(pattern.pattern)) for pattern in urlpatterns}
    assert served - documented == {"schema/", "docs/", "problems/", "problems/<code>/", ""}
    assert documented <= served


@pytest.mark.parametrize(("name", "operation"), OPERATIONS, ids=[name for name, _operation in OPERATIONS])
def test_every_operation_says_what_it_does_and_how_it_fails(name, operation):
    assert operation["summary"]
    statuses = set(operation["responses"])
    assert {status for status in statuses if status < "400"}
    assert {"400", "401", "404", "406"} <= statuses
    if not name.startswith("GET"):
        assert "403" in statuses or name.endswith(("token/", "verify/", "sign-up/")) or "{token}" in name
        assert "409" in statuses or name.endswith("verify/")
    if "requestBody" in operation:
        assert {"413", "415"} <= statuses
    for status in statuses:
        if status >= "400":
            assert list(operation["responses"][status]["content"]) == ["application/problem+json"]
            assert operation["responses"][status]["description"].startswith(MEANINGS[int(status)])


@pytest.mark.parametrize(("name", "operation"), OPERATIONS, ids=[name for name, _operation in OPERATIONS])
def test_every_problem_names_its_codes(name, operation):
    method, path = name.split()
    for status in (int(status) for status in operation["responses"] if status >= "400"):
        codes = declared_codes(method, PREFIX + path, status)
        assert codes >= set(ANYWHERE[status])
        assert [code for code in codes if not re.fullmatch(r"[a-z]+(_[a-z]+)*", code)] == []


def test_operations_have_names_of_their_own():
    names = [operation["operationId"] for _name, operation in OPERATIONS]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("sent", ["NewEntry", "NewMember", "Replacement"])
def test_the_name_of_an_entry_says_how_long_that_of_a_player_may_be(sent):
    name = document()["components"]["schemas"][sent]["properties"]["name"]
    assert (name["maxLength"], f"at most {MAX_NAME} characters" in name["description"]) == (MAX_PAIR, True)


NOT_FOR_EVERYBODY = {
    *("GET tournaments/{tournament_id}/log/", "GET events/{event_id}/log/"),
    *("GET tournaments/{tournament_id}/roles/", "GET tournaments/{tournament_id}/invitations/"),
    *("GET tournaments/{tournament_id}/hall/", "GET tournaments/{tournament_id}/next-season/"),
    *("GET tournaments/{tournament_id}/cash/", "GET events/{event_id}/cash/", "GET events/{event_id}/lots/"),
    *("GET events/{event_id}/money/tables/{name}/", "GET tournaments/{tournament_id}/cash/table/"),
    *("GET events/{event_id}/log/table/", "GET tournaments/{tournament_id}/log/table/"),
    *("GET entries/{entry_id}/link/", "GET events/{event_id}/links/", "GET events/{event_id}/page-requests/"),
    "GET tournaments/{tournament_id}/site-address/",
    "GET events/{event_id}/entries/seeding/proposal/",
    *("GET me/", "GET matches/{match_id}/records/"),
    *("GET players/{player_id}/registry/", "GET duplicates/", "GET federations/{code}/officers/"),
    *("GET federations/{code}/members/", "GET federations/{code}/imports/"),
    *("GET event-reports/", "GET event-reports/{report_id}/"),
    *("GET federations/{code}/titles/", "GET exports/", "GET exports/profiles/"),
    *("GET official-lists/{slug}/draft/", "GET official-lists/{slug}/starts/"),
    *("GET federations/{code}/exports/", "GET federations/{code}/exports/profiles/", "GET exports/{export_id}/file/"),
    *("GET exports/profiles/{profile_id}/", "GET exports/profiles/{profile_id}/file/"),
    *("GET federations/{code}/webhooks/", "GET webhooks/{webhook_id}/", "GET webhooks/{webhook_id}/deliveries/"),
}


def test_reading_needs_no_sign_in_and_writing_does():
    public = {name for name, operation in OPERATIONS if {} in operation.get("security", [{}])}
    reading = {name for name, _operation in OPERATIONS if name.startswith("GET")}
    assert reading >= NOT_FOR_EVERYBODY
    assert public == reading - NOT_FOR_EVERYBODY | {
        "POST token/",
        "POST records/verify/",
        "POST draw-files/verify/",
        "POST event-files/verify/",
        "POST invitations/sign-up/",
        # The private link in the address is the key.
        *(
            f"POST links/{{token}}/matches/{{match_id}}/{last}/"
            for last in ("director", "extension", "offers", "records")
        ),
        *(f"{method} links/{{token}}/matches/{{match_id}}/sheet/" for method in ("GET", "PUT")),
        *(f"POST links/{{token}}/matches/{{match_id}}/sheet/{answer}/" for answer in ("confirm", "dispute")),
        "POST handed-over/",
        "POST events/{event_id}/self-entries/",
        "POST events/{event_id}/page-requests/",  # the desk says who it is
    }
