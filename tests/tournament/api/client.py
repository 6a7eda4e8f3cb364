"""A client that checks every answer against the OpenAPI document, and a picture of the database to compare."""

import json
import re
from functools import cache
from typing import Any

from django.apps import apps
from django.db import connection
from django.db.models import Model
from django.http import HttpResponse
from drf_spectacular.generators import SchemaGenerator
from jsonschema import Draft202012Validator
from rest_framework.test import APIClient

PREFIX = "/api/v1/"
UNDOCUMENTED = {405}
UNDECLARED = frozenset({"not_found", "method_not_allowed"})
"""The codes of answers that belong to no operation of the document."""
PROBLEM = {"$ref": "#/components/schemas/Problem"}


@cache
def document() -> dict[str, Any]:
    """The OpenAPI document, closed: an object has no properties except those it names."""
    found = json.loads(json.dumps(SchemaGenerator().get_schema(public=True)))
    _close(found["components"])
    return found


def _close(node: object) -> None:
    if isinstance(node, dict):
        if node.get("type") == "object" and "properties" in node:
            node.setdefault("additionalProperties", False)
        for inner in node.values():
            _close(inner)
    elif isinstance(node, list):
        for inner in node:
            _close(inner)


def template_of(path: str) -> str | None:
    """The address as the document writes it, a fixed one before one with a parameter; None for one it does not know."""
    found = [name for name in document()["paths"] if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", name), path)]
    return min(found, key=lambda name: name.count("{"), default=None)


@cache
def validator_of(method: str, template: str | None, status: int, media_type: str) -> Draft202012Validator | None:
    """The document's schema of an answer's body; None if the document says that there is none."""
    operation = document()["paths"].get(template, {}).get(method.lower())
    if status in UNDOCUMENTED or operation is None:
        assert status in {404, 405}
        schema = PROBLEM
    else:
        content = operation["responses"][str(status)].get("content")
        if content is None:
            return None
        schema = content[media_type]["schema"]
    return Draft202012Validator({**schema, "components": document()["components"]})


@cache
def declared_codes(method: str, template: str | None, status: int) -> frozenset[str]:
    """The codes that a problem with this status may have here, as its description lists them."""
    operation = document()["paths"].get(template, {}).get(method.lower())
    if operation is None or status in UNDOCUMENTED:
        return UNDECLARED
    description = operation["responses"][str(status)]["description"]
    return frozenset(re.findall(r"`(\w+)`", description.partition("Codes: ")[2]))


def check_answer(method: str, path: str, response: HttpResponse) -> None:
    """Check that status, media type, body and code are documented; a problem has its status in the body too."""
    media_type = response.headers.get("Content-Type", "").partition(";")[0]
    template = template_of(path)
    validator = validator_of(method, template, response.status_code, media_type)
    if validator is None:
        assert response.content == b""
        return
    # A binary file is a string to the schema, whatever its bytes.
    text = response.content.decode("latin-1" if media_type.endswith("sheet") else "utf-8")
    body = json.loads(text) if media_type.endswith("json") else text
    validator.validate(body)
    if response.status_code >= 400:
        assert media_type == "application/problem+json"
        assert body["status"] == response.status_code
        assert body["code"] in declared_codes(method, template, response.status_code), f"{method} {template}"
        assert body["detail"]


class CheckedClient(APIClient):
    """Paths are relative to /api/v1/, or begin with it. Every answer is checked by :func:`check_answer`."""

    def generic(self, method: str, path: str, *args: Any, **kwargs: Any) -> HttpResponse:
        whole = path if path.startswith(PREFIX) else PREFIX + path
        response = super().generic(method, whole, *args, **kwargs)
        check_answer(method, whole.partition("?")[0], response)
        return response


def database() -> dict[str, list[tuple]]:
    """Every row of the project's own tables, as it is stored."""
    models = [model for app in ("players", "matches", "tournament") for model in apps.get_app_config(app).get_models()]
    return {model._meta.label: rows_of(model) for model in models}


def rows_of(model: type[Model]) -> list[tuple]:
    quote = connection.ops.quote_name
    table, key = quote(model._meta.db_table), quote(model._meta.pk.column)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {table} ORDER BY {key}")  # noqa: S608 - names of our own tables
        return cursor.fetchall()
