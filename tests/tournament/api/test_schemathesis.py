"""Requests made up from the schema, sent by every role: each is answered as the schema says, and none with a 5xx.

To the schema an id is a whole number; half of the requests are about things that exist.
"""

import json
from collections.abc import Callable, Iterator
from functools import cache
from urllib.parse import urlencode, urlsplit

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from pytest_django import DjangoDbBlocker
from schemathesis.generation.case import Case

from tests.breadth import IS_WIDE
from tests.builders import build_director
from tests.tournament.api.client import CheckedClient, document
from tests.tournament.roles.test_permissions import Scene, build_scene, undone
from tournament.models import Role

pytestmark = [pytest.mark.django_db, pytest.mark.long]

ROLES = ["anonymous", "nobody", *(role.value for role in Role)]
EXAMPLES = 3 if IS_WIDE else 1
"""Requests of each role to each operation."""

HEADERS = {"If-Match", "If-None-Match", "Idempotency-Key"}


@pytest.fixture(scope="module")
def scene(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Scene]:
    """One event that is being played, and a user for every role; each request is undone."""
    with django_db_blocker.unblock(), undone():
        yield build_scene(build_director())


@cache
def operations() -> dict[str, SearchStrategy[Case]]:
    """Return what makes up requests to each operation."""
    schema = schemathesis.openapi.from_dict(document())
    found = [result.ok() for result in schema.get_all_operations()]
    return {operation.label: operation.as_strategy() for operation in found}


def client_of(scene: Scene, role: str) -> CheckedClient:
    client = CheckedClient()
    if role != "anonymous":
        reaching = (user for (name, reach), user in scene.users.items() if name == role and reach != "elsewhere")
        client.force_authenticate(next(reaching))
    return client


def asking(cases: SearchStrategy[Case], client: CheckedClient, scene: Scene) -> Callable[[], None]:
    """Return a function that sends some of the requests."""

    @settings(max_examples=EXAMPLES, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
    @given(case=cases, exists=st.booleans())
    def ask(case: Case, exists: bool) -> None:
        if exists:
            case.path_parameters |= {name: scene.ids[name] for name in case.path_parameters if name in scene.ids}
        sent = case.as_transport_kwargs(base_url="http://testserver")
        path = urlsplit(sent["url"]).path
        query = urlencode(sent.get("params") or {}, doseq=True)
        kind = sent["headers"].get("Content-Type", "application/json")
        body = json.dumps(sent["json"]) if "json" in sent else sent.get("data") or b""
        headers = {name: value for name, value in sent["headers"].items() if name in HEADERS}
        with undone():
            client.generic(case.method, f"{path}?{query}", body, content_type=kind, headers=headers)

    return ask


@pytest.mark.parametrize("role", ROLES)
def test_every_operation_answers_as_the_schema_says(role, scene, monkeypatch):
    monkeypatch.setattr("tournament.roles.throttling.VerifyThrottle.rate", "100000/min")
    client = client_of(scene, role)
    wrong = []
    for label, cases in operations().items():
        try:
            asking(cases, client, scene)()
        except Exception as error:  # shown all at once
            wrong.append(f"{label}: {error!r}"[:800])
    assert wrong == []
