"""What the codes of problems mean: a page for each, to which the ``type`` of a problem leads, and one for all."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournament.api.schema import ANYWHERE, MEANINGS, SENTENCES
from tournament.api.site.docs import document

NAMED = re.compile(r"`(\w+)`")
JSON = "application/json"


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation that may answer with a code: its tag and id are its place on the page of the documentation."""

    method: str
    path: str
    summary: str
    anchor: str

    @classmethod
    def of(cls, method: str, path: str, operation: dict[str, Any]) -> "Operation":
        return cls(method.upper(), path, operation["summary"], f"#/{operation['tags'][0]}/{operation['operationId']}")


@require_safe
def problems(request: HttpRequest) -> HttpResponse:
    """Answer with every code and what it means."""
    if _asks_for_json(request):
        return JsonResponse([{"code": code, "meaning": meaning} for code, meaning in SENTENCES.items()], safe=False)
    return render(request, "api/problems.html", {"sentences": SENTENCES})


@require_safe
def problem(request: HttpRequest, code: str) -> HttpResponse:
    """Answer with what the code means, and where it may be the answer. Raises Http404."""
    if code not in SENTENCES:
        raise Http404
    if _asks_for_json(request):
        return JsonResponse({"code": code, "meaning": SENTENCES[code]})
    found = list(_answering(code))
    anywhere = any(code in codes for codes in ANYWHERE.values())
    statuses = [(status, HTTPStatus(status).phrase, MEANINGS[status]) for status in sorted({each for _, each in found})]
    context = {
        "code": code,
        "sentence": SENTENCES[code],
        "statuses": statuses,
        "operations": [] if anywhere else [operation for operation, _status in found],
    }
    return render(request, "api/problem.html", context)


def _answering(code: str) -> Iterator[tuple[Operation, int]]:
    for path, operations in document()["paths"].items():
        for method, operation in operations.items():
            for status, response in operation["responses"].items():
                if code in NAMED.findall(response["description"].partition("Codes: ")[2]):
                    yield Operation.of(method, path, operation), int(status)


def _asks_for_json(request: HttpRequest) -> bool:
    return request.get_preferred_type(["text/html", JSON]) == JSON
