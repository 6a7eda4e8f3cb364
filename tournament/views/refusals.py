"""What no page answered itself becomes a page of its own: a refusal with its sentence and code, or what is gone."""

import logging
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.defaults import page_not_found

from players.errors import refusal_of
from tournament.models import Event

logger = logging.getLogger(__name__)


class RefusalMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, Event.DoesNotExist):  # deleted since the page found it
            return page_not_found(request, exception)
        refusal = refusal_of(exception)
        if refusal is None:
            return None
        if refusal is not exception:
            logger.warning("a write was refused by the database", exc_info=exception)
        return render(request, "refusal.html", {"refusal": refusal}, status=refusal.status)
