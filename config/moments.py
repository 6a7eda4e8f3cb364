"""Refuse ``?at=`` wherever only the present can be shown."""

from collections.abc import Callable
from typing import Any

from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _

from players.errors import Refusal
from tournament.api.problems import exception_handler


class MomentMiddleware:
    """Middleware that never shows the present to a visitor who asked for an earlier moment."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: object, kwargs: dict[str, object]
    ) -> HttpResponseBase | None:
        if request.method not in ("GET", "HEAD") or not _asks_for_a_moment(request):
            return None
        if getattr(getattr(view, "cls", view), "shows_the_past", False):
            return None
        refusal = Refusal("moment_not_shown", _("Only the current state can be shown here, not an earlier one."))
        if request.path.startswith("/api/"):
            return exception_handler(refusal, {})
        return render(request, "refusal.html", {"refusal": refusal, "back": request.path}, status=refusal.status)


def _asks_for_a_moment(request: HttpRequest) -> bool:
    try:
        return bool(request.GET.get("at"))
    except SuspiciousOperation:
        return False  # the view refuses a query that cannot be read, in its own way
