"""Refuse the character U+0000 wherever a request has it: no text has one, and PostgreSQL stores none."""

from collections.abc import Callable, Iterable
from typing import Any

from django.core.exceptions import SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import render

from players.errors import Refusal, character_nul
from tournament.api.problems import exception_handler

NUL = "\0"


class CookieMiddleware:
    """Middleware that takes a cookie with such a character for none of ours, before its session is looked for."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        for name in [name for name, value in request.COOKIES.items() if NUL in value]:
            del request.COOKIES[name]
        return self.get_response(request)


class NulMiddleware:
    """Middleware that refuses a query or a form with such a character, and finds nothing at such an address.

    Bodies of the API are read by :mod:`tournament.api.parsing`, which refuses it too.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: object, kwargs: dict[str, object]
    ) -> HttpResponseBase | None:
        if any(isinstance(value, str) and NUL in value for value in kwargs.values()):
            raise Http404
        refusal = _refusal_of(request, reads_form=not getattr(view, "csrf_exempt", False))
        if refusal is None:
            return None
        if request.path.startswith("/api/"):
            return exception_handler(refusal, {})
        return render(request, "refusal.html", {"refusal": refusal, "back": request.path}, status=refusal.status)


def _refusal_of(request: HttpRequest, *, reads_form: bool) -> Refusal | None:
    try:
        sent = [*request.GET.lists(), *(request.POST.lists() if reads_form else ())]
    except SuspiciousOperation:
        return None  # the view refuses what cannot be read, in its own way
    return next((character_nul(name.replace(NUL, "")) for name, values in sent if _has_nul((name, *values))), None)


def _has_nul(texts: Iterable[object]) -> bool:
    return any(NUL in str(text) for text in texts)
