"""The API's errors: each is a single problem details object (RFC 9457) with a stable code."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus

from django.core.exceptions import ObjectDoesNotExist, PermissionDenied, SuspiciousOperation
from django.core.exceptions import ValidationError as ModelError
from django.forms import BaseForm
from django.http import Http404, JsonResponse
from django.http.multipartparser import MultiPartParserError
from django.urls import reverse
from django.utils.translation import gettext as _
from rest_framework import exceptions, status
from rest_framework.fields import get_error_detail
from rest_framework.settings import api_settings

from players.errors import Refused, in_words
from players.outages import refusal_of
from rules.errors import Finding
from tournament.money.closing import MovesUnconfirmed
from tournament.money.moves import Moves

MEDIA_TYPE = "application/problem+json"
MAX_ERRORS = 20
CODES = {
    400: "bad_request",
    401: "not_authenticated",
    403: "permission_denied",
    404: "not_found",
    405: "method_not_allowed",
    406: "not_acceptable",
    415: "unsupported_media_type",
    429: "throttled",
}

logger = logging.getLogger(__name__)


class TooLarge(exceptions.APIException):
    """The body is longer than this address accepts."""

    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_code = "too_large"


@dataclass(frozen=True, slots=True)
class Problem:
    """What went wrong: ``errors`` name fields of the request, ``findings`` games of a score sheet.

    ``moves`` are those of money that wait for consent.
    """

    status: int
    code: str
    detail: str
    errors: tuple[dict[str, str], ...] = ()
    findings: tuple[Finding, ...] = ()
    moves: Moves | None = None

    def as_dict(self) -> dict[str, object]:
        body: dict[str, object] = {
            "type": reverse("api:problem", args=[self.code]),
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "detail": self.detail,
            "code": self.code,
        }
        if self.errors:
            body["errors"] = list(self.errors)
        if self.findings:
            body["findings"] = [translated(finding) for finding in self.findings]
        if self.moves:
            body["moves"] = self.moves.as_dict()
        return body


def translated(finding: Finding) -> dict[str, object]:
    """Return the finding ready for JSON, with its sentence in the reader's language."""
    return finding.as_dict() | {"message": in_words(finding)}


def exception_handler(error: Exception, context: Mapping[str, object]) -> JsonResponse | None:
    """Return the error as a problem in JSON, whatever the view renders; None for a fault in the program."""
    problem = problem_of(error)
    if problem is None:
        return None
    return JsonResponse(
        problem.as_dict(), status=problem.status, headers=_headers(error), content_type=f"{MEDIA_TYPE}; charset=utf-8"
    )


def problem_of(error: Exception) -> Problem | None:
    """Return the error as its client sees it; None for an error that is a bug."""
    match error:
        case MovesUnconfirmed():
            return Problem(error.status, error.code, str(error.message), moves=error.moves)
        case Refused():
            sentence = str(error.message)
            errors = ({"field": error.field, "code": error.code, "message": sentence},) if error.field else ()
            return Problem(error.status, error.code, sentence, errors, error.findings)
        case exceptions.ValidationError():
            return _invalid(error.detail)
        case ModelError():
            return _invalid(get_error_detail(error))
        case exceptions.NotAcceptable():
            sentence = _("The API answers in JSON: ask for it in the Accept header, or leave the header out.")
            return Problem(error.status_code, CODES[406], sentence)
        case exceptions.APIException():
            code = error.get_codes()
            known = CODES.get(error.status_code, "invalid")
            return Problem(error.status_code, code if isinstance(code, str) else known, str(error.detail))
        case Http404() | ObjectDoesNotExist():
            return Problem(404, CODES[404], _("There is nothing at this address."))
        case PermissionDenied():
            return Problem(403, CODES[403], _("You do not have permission to do this."))
        case SuspiciousOperation() | MultiPartParserError():
            return Problem(400, CODES[400], _("The request cannot be read."))
    refusal = refusal_of(error)
    if refusal is None:
        return None
    logger.warning("refused by the database or a disk", extra={"code": refusal.code, "error": error})
    return Problem(refusal.status, refusal.code, str(refusal.message))


def form_errors(form: BaseForm) -> dict[str, list[exceptions.ErrorDetail]]:
    """Return a form's errors as validation errors of the API."""
    return {
        name: [
            exceptions.ErrorDetail(message, code=error.code or "invalid")
            for error in errors
            for message in error.messages
        ]
        for name, errors in form.errors.as_data().items()
    }


def _headers(error: Exception) -> dict[str, str]:
    headers = {}
    if getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = str(error.auth_header)  # type: ignore[attr-defined]
    if getattr(error, "wait", None) is not None:
        headers["Retry-After"] = str(error.wait)  # type: ignore[attr-defined]
    refusal = refusal_of(error)
    if refusal is not None and refusal.retry_after is not None:
        headers["Retry-After"] = str(refusal.retry_after)
    if getattr(error, "etag", ""):
        headers["ETag"] = str(error.etag)  # type: ignore[attr-defined]
    return headers


def _invalid(detail: object) -> Problem:
    errors = []
    for error in _flatten(detail, ()):
        errors.append(error)
        if len(errors) == MAX_ERRORS:
            break
    sentences = (f"{error['field']}: {error['message']}" if error["field"] else error["message"] for error in errors)
    return Problem(400, "invalid", " ".join(sentences), errors=tuple(errors))


def _in_our_words(detail: exceptions.ErrorDetail) -> str:
    """Return the sentence, or ours where that of the framework cannot be translated."""
    return _("The request is empty: send a JSON object.") if detail == "No data provided" else str(detail)


def _flatten(detail: object, path: tuple[str, ...]) -> Iterator[dict[str, str]]:
    """Yield one dict for each error; ``field`` is a path like ``games.2.cube``, empty for the whole request."""
    if isinstance(detail, exceptions.ErrorDetail):
        yield {"field": ".".join(path), "code": str(detail.code), "message": _in_our_words(detail)}
    elif isinstance(detail, Mapping):
        for name, inner in detail.items():
            own = name in {api_settings.NON_FIELD_ERRORS_KEY, "__all__"}
            yield from _flatten(inner, path if own else (*path, str(name)))
    elif isinstance(detail, Sequence) and not isinstance(detail, str):
        for index, inner in enumerate(detail):
            yield from _flatten(inner, path if isinstance(inner, exceptions.ErrorDetail) else (*path, str(index)))
