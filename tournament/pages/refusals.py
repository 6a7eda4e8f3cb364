"""The pages for refusals that no view has answered, and for events that have been deleted in the meantime."""

import logging
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.defaults import page_not_found

from players.errors import Refusal, Refused
from players.outages import refusal_of
from tournament.models import Event
from tournament.pages.outages import outage_page

logger = logging.getLogger(__name__)


class RefusalMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.method != "GET" or not isinstance(response, HttpResponseNotAllowed):
            return response
        # A visitor who had to sign in before their form was accepted lands here.
        sentence = _("This address only accepts a form: go back and send it again.")
        page = _refused(request, Refusal("only_by_form", sentence), response.status_code)
        page["Allow"] = response["Allow"]
        return page

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, Event.DoesNotExist):  # deleted since the page found it
            return page_not_found(request, exception)
        refusal = refusal_of(exception)
        if refusal is None:
            return None
        if refusal is not exception:
            logger.warning("refused by the database or a disk", extra={"code": refusal.code, "error": exception})
        if refusal.retry_after is not None:
            return outage_page(request, refusal)
        return _refused(request, refusal, refusal.status)


def _refused(request: HttpRequest, refusal: Refused, status: int) -> HttpResponse:
    came_from = request.headers.get("Referer", "") if request.method == "POST" else ""
    return render(request, "refusal.html", {"refusal": refusal, "back": came_from or place_of(request)}, status=status)


OF_PRIVATE_LINKS = {"my-report", "my-answer", "my-word", "my-dice", "my-challenge", "my-withdrawal"}
OF_PRIVATE_LINKS |= {"my-extension", "my-offer"}
"""The addresses below that of a private link."""


def place_of(request: HttpRequest) -> str:
    """Return the address to go back to: the page of the event, tournament, match or private link, or the home page."""
    asked = request.resolver_match.kwargs if request.resolver_match else {}
    if "event_slug" in asked:
        return reverse("event", args=[asked["tournament_slug"], asked["event_slug"]])
    if "tournament_slug" in asked:
        return reverse("tournament", args=[asked["tournament_slug"]])
    if "match_id" in asked and "token" not in asked:
        return reverse("match", args=[asked["match_id"]])
    if "token" in asked and request.resolver_match and request.resolver_match.view_name in OF_PRIVATE_LINKS:
        return reverse("my-entry", args=[asked["token"]])
    return reverse("home")
