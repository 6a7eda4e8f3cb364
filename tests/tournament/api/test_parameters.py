"""An operation takes the parameters that its schema names, within their limits, and no others."""

import pytest

from tests.builders import build_event, build_tournament
from tests.tournament.api.routes import OPERATIONS, READING, filled, named, parameters_of


@pytest.mark.parametrize(("method", "path", "operation"), OPERATIONS, ids=named(OPERATIONS))
def test_an_unknown_parameter_is_refused_everywhere_and_the_known_ones_are_named(api, method, path, operation):
    response = api.generic(method, f"{filled(path)}?nonsense=1", b"{}", content_type="application/json")
    body = response.json()
    assert (response.status_code, body["code"]) == (400, "unknown_parameter")
    assert body["errors"][0]["field"] == "nonsense"
    known = [name for name in parameters_of(operation) if name not in ("at", "format")]
    assert [name for name in known if name not in body["detail"]] == []


LISTS = [each for each in READING if "limit" in parameters_of(each[2])]


@pytest.mark.parametrize(("method", "path", "operation"), LISTS, ids=named(LISTS))
@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("limit", value) for value in ("abc", "", "0", "-1", "501", "1.5", "9" * 20, "9" * 5000)),
        *(("offset", value) for value in ("x", "", "-1", "1.5", str(2**31), str(2**63 - 1), "9" * 5000)),
    ],
)
def test_a_page_of_a_list_is_asked_for_in_numbers(api, method, path, operation, name, value):
    response = api.get(f"{filled(path)}?{name}={value}")
    assert (response.status_code, response.json()["code"]) == (400, "invalid_parameter")
    assert response.json()["errors"][0]["field"] == name
    limits = parameters_of(operation)[name]
    assert f"{limits['minimum']} to {limits['maximum']}" in response.json()["detail"]


@pytest.mark.parametrize(
    "query", ["limit=1&limit=2", "limit=1&limit=1", "offset=0&limit=5&offset=0", "format=json&format=json"]
)
def test_a_parameter_is_sent_once(anonymous, db, query):
    answer = anonymous.get(f"tournaments/?{query}")
    assert (answer.status_code, answer.json()["code"]) == (400, "repeated_parameter")
    assert answer.json()["errors"][0]["field"] == query.partition("=")[0]


def test_every_list_is_found():
    assert len(LISTS) >= 8


@pytest.mark.parametrize("query", ["limit=1", "limit=500", "offset=0", f"offset={2**31 - 1}", "limit=2&offset=1"])
def test_a_page_within_the_limits_is_given(anonymous, director, query):
    build_tournament(director)
    assert anonymous.get(f"tournaments/?{query}").json()["count"] == 1


@pytest.mark.parametrize("value", ["1", "True", "yes", ""])
def test_a_truth_is_true_or_false(api, director, value):
    entry = build_event(director, players=2, drawn=False).entries.first()
    response = api.delete(f"entries/{entry.pk}/waiting/?confirmed={value}")
    assert (response.status_code, response.json()["code"]) == (400, "invalid_parameter")


def test_the_same_format_as_always_may_be_named(anonymous, db):
    assert anonymous.get("tournaments/?format=json").status_code == 200
