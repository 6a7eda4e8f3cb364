"""The answer to an outage, wherever it came up: a problem for programs, a page for people."""

import logging
import sys

from django.http import HttpRequest, HttpResponse
from django.views import defaults

from players.errors import Refused
from players.outages import refusal_of
from tournament.api.problems import exception_handler
from tournament.pages.outages import outage_page

logger = logging.getLogger(__name__)


def answer(request: HttpRequest, refusal: Refused) -> HttpResponse:
    if request.path.startswith("/api/"):
        problem: HttpResponse | None = exception_handler(refusal, {})
        if problem is not None:
            return problem
    return outage_page(request, refusal)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer an error that no view met: an outage by its sentence, anything else as the fault that it is."""
    error = sys.exc_info()[1]
    refusal = refusal_of(error) if isinstance(error, Exception) else None
    if refusal is None or refusal.retry_after is None:
        return defaults.server_error(request)
    logger.warning("refused by the database or a disk", extra={"code": refusal.code, "error": error})
    return answer(request, refusal)
