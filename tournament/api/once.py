"""Writes of the API that carry ``Idempotency-Key`` or ``If-Match``: carried out once, or on the version that was seen.

Such a write has a transaction around that of its service, with the key claimed first and the answer kept last.
"""

from collections.abc import Callable
from hashlib import sha256
from typing import Any, Protocol

from django.core.exceptions import RequestDataTooBig
from django.db import connection, transaction
from django.http import HttpResponse
from django.http.request import RawPostDataException, UnreadablePostError
from django.http.response import HttpResponseBase
from django.template.response import SimpleTemplateResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.exceptions import ErrorDetail, ParseError, ValidationError
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from players.outages import refusal_of
from tournament.api.fields import KeyField
from tournament.api.problems import TooLarge
from tournament.api.versions import require_version
from tournament.changes.once import Answer, Claim, KeyReused, claim, find_answer
from tournament.roles.devices import address_of

KEY = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"
KEPT_HEADERS = ("Content-Type", "Content-Disposition", "Location", "ETag")


class View(Protocol):
    """What this asks of a view.

    ``takes_keys`` is false where nothing is stored, or where a refusal must leave its trace. ``keeps_keys`` says that
    the service keeps the key too, and judges another request under it.
    """

    takes_keys: bool
    keeps_keys: bool

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any: ...


def carry_out(view: View, request: Request, act: Callable[[], HttpResponseBase]) -> HttpResponseBase:
    """Return the answer of ``act``, or the one that the same write got before.

    Raises what ``act`` raises, VersionChanged, and KeyReused; then nothing has changed.
    """
    key = request.headers.get(KEY, "") if view.takes_keys else ""
    match = request.headers.get("If-Match", "")
    if request.method in SAFE_METHODS or not (key or match):
        return act()
    try:
        with transaction.atomic():
            _see_one_state(for_version=bool(match))
            return _once(view, request, act, key=key, match=match)
    except Exception as error:
        refusal = refusal_of(error)
        if match and refusal is not None and refusal.code == "busy":
            # Another write came first: this one, sent twice at the same moment, or one to the same thing.
            answered = find_answer(_owner(request), key, _digest_of(request)) if key else None
            if answered is not None:
                return _as_response(answered)
            require_version(request, match)
        raise


def _once(
    view: View, request: Request, act: Callable[[], HttpResponseBase], *, key: str, match: str
) -> HttpResponseBase:
    claimed = _claim(view, request, key) if key else None
    if isinstance(claimed, Answer):
        return _as_response(claimed)
    if match:
        require_version(request, match)
    response = act()
    if not 200 <= response.status_code < 300:
        transaction.set_rollback(True)  # the key stays free for the request as it is mended
    elif claimed is not None:
        response = view.finalize_response(request, response)
        if isinstance(response, SimpleTemplateResponse):
            response.render()
        headers = {name: response.headers[name] for name in KEPT_HEADERS if name in response.headers}
        claimed.keep(
            Answer(response.status_code, headers, response.content if isinstance(response, HttpResponse) else b"")
        )
    return response


def _as_response(answer: Answer) -> HttpResponse:
    response = HttpResponse(answer.content, status=answer.status, headers={**answer.headers, REPLAYED: "true"})
    if "Content-Type" not in answer.headers:  # it has no content
        del response["Content-Type"]
    return response


def _claim(view: View, request: Request, key: str) -> Claim | Answer | None:
    """Claim the key of the request; None where its service judges what else comes under a key that is known to it."""
    try:
        KeyField().run_validation(key)
    except ValidationError as error:
        message = _("A submission needs a key of 1 to 64 characters.")
        raise ValidationError({KEY: [ErrorDetail(message, code="invalid")]}) from error
    try:
        return claim(_owner(request), key, _digest_of(request), at=timezone.now())
    except KeyReused:
        if view.keeps_keys:
            return None
        raise


def _owner(request: Request) -> str:
    """Return whose keys these are: the private link's, the user's, or those of one request from one address.

    All phones of a hall may share an address, and none may meet the keys of another.
    """
    token = (request.parser_context or {}).get("kwargs", {}).get("token")
    if token:
        return f"link {token}"
    if request.user.is_authenticated:
        return f"user {request.user.pk}"
    return f"address {address_of(request)} {_digest_of(request)}"


def _digest_of(request: Request) -> str:
    """Return a digest of all that the request asks for. Raises TooLarge or ParseError for a body that is not read."""
    try:
        body = request._request.body
    except RequestDataTooBig as error:
        raise TooLarge(_("The body is too long.")) from error
    except (UnreadablePostError, RawPostDataException) as error:
        raise ParseError(_("The body could not be read to the end.")) from error
    head = f"{request.method}\0{request.get_full_path()}\0{request.content_type}\0".encode("utf-8", "replace")
    return sha256(head + body).hexdigest()


def _see_one_state(*, for_version: bool) -> None:
    """Have PostgreSQL refuse a write to what has changed since the version was compared. SQLite has one writer."""
    is_outermost = len(connection.atomic_blocks) == 1
    if for_version and is_outermost and connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
