"""A Python client that a generator made of the OpenAPI document plays an event from its draw to a result."""

import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from types import ModuleType
from typing import Any

import httpx
import pytest
from django.core.handlers.wsgi import WSGIHandler
from drf_spectacular.generators import SchemaGenerator

from tests.builders import build_key

CONFIG = "post_hooks: []\npackage_name_override: made_client\nproject_name_override: made-client\n"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """The package that the generator makes, imported."""
    folder = tmp_path_factory.mktemp("client")
    (folder / "schema.json").write_text(json.dumps(SchemaGenerator().get_schema(public=True), default=str))
    (folder / "config.yaml").write_text(CONFIG)
    command = [sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none"]
    command += ["--path", "schema.json", "--config", "config.yaml", "--output-path", "made_client"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    sys.path.insert(0, str(folder))
    yield importlib.import_module("made_client")
    sys.path.remove(str(folder))
    for name in [name for name in sys.modules if name.split(".")[0] == "made_client"]:
        del sys.modules[name]


@pytest.fixture
def ask(made: ModuleType, director) -> Any:
    """``ask("events.events_retrieve", ...)`` calls an operation of the client as the director."""
    client = made.AuthenticatedClient("http://testserver", build_key(director), raise_on_unexpected_status=True)
    transport = httpx.WSGITransport(WSGIHandler())
    headers = {"Authorization": f"Bearer {client.token}"}
    client.set_httpx_client(httpx.Client(transport=transport, base_url="http://testserver", headers=headers))

    def asked(operation: str, *place: int, **terms: Any) -> Any:
        module = importlib.import_module(f"made_client.api.{operation}")
        return module.sync_detailed(*place, client=client, **terms)

    return asked


def test_an_event_is_played_by_a_client_that_was_made_of_the_schema(made, ask):
    models = importlib.import_module("made_client.models")
    told = models.NewTournament(name="Winter Open", starts_on=date(2027, 1, 9))
    tournament = ask("tournaments.tournaments_create", body=told, idempotency_key="once").parsed
    assert ask("tournaments.tournaments_create", body=told, idempotency_key="once").parsed == tournament
    terms = models.EventTerms("Main", "single-elimination", models.EventTermsOptions.from_dict({"lengths": [5]}))
    event = ask("tournaments.tournaments_events_create", tournament.id, body=terms).parsed
    for name in ("Anna", "Bo"):
        ask("events.events_entries_create", event.id, body=models.ConfirmedEntry.from_dict({"name": name}))
    (fixture,) = ask("events.events_draw_create", event.id).parsed.stages[0].fixtures
    result = models.Result.from_dict({"key": "result", "base": 0, "final": [5, 2]})
    entered = ask("matches.matches_result_create", fixture.match, body=result)
    assert (entered.status_code, entered.parsed.score) == (201, [5, 2])
    found = ask("players.players_list", q="ann").parsed
    assert [player.name for player in found.results] == ["Anna"]


def test_a_refusal_arrives_as_the_problem_that_the_schema_describes(made, ask):
    models = importlib.import_module("made_client.models")
    missing = ask("tournaments.tournaments_retrieve", 987654)
    assert (missing.status_code, type(missing.parsed), missing.parsed.code) == (404, models.Problem, "not_found")
