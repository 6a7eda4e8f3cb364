"""The language of the pages, kept in a cookie; without one, that of the browser."""

import re
from collections.abc import Mapping
from functools import lru_cache
from types import SimpleNamespace

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.middleware.locale import LocaleMiddleware
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_language_from_request
from django.views.decorators.http import require_safe

USUAL_LENGTH = 200
YEAR = 365 * 24 * 3600
NORWEGIAN = re.compile(r"(?<![\w-])(?:no|nn)(?![^\W_])", re.IGNORECASE)


class LanguageMiddleware(LocaleMiddleware):
    """Chooses the language of an answer. Norwegian (``no``) and nynorsk (``nn``) are answered in bokmål."""

    def process_request(self, request: HttpRequest) -> None:
        asked = request.META.get("HTTP_ACCEPT_LANGUAGE")
        if asked:
            request.META["HTTP_ACCEPT_LANGUAGE"] = NORWEGIAN.sub("nb", asked)
        super().process_request(request)


def language_asked(cookies: Mapping[str, str], accepted: str) -> str:
    """Return the language in which :class:`LanguageMiddleware` has a request with these headers answered."""
    chosen = cookies.get(settings.LANGUAGE_COOKIE_NAME, "")
    read = _known_language if len(chosen) + len(accepted) <= USUAL_LENGTH else _language
    return read(chosen, accepted)


def _language(chosen: str, accepted: str) -> str:
    cookies = {settings.LANGUAGE_COOKIE_NAME: chosen} if chosen else {}
    asked = SimpleNamespace(COOKIES=cookies, META={"HTTP_ACCEPT_LANGUAGE": NORWEGIAN.sub("nb", accepted)})
    return get_language_from_request(asked)  # type: ignore[arg-type] # it reads nothing else


_known_language = lru_cache(maxsize=500)(_language)
"""What nearly all browsers ask for; what is longer than usual is read each time, and takes no room."""


@require_safe
def choose_language(request: HttpRequest, code: str) -> HttpResponse:
    """Send visitors back to where they were, in the language of their choice."""
    if code not in dict(settings.LANGUAGES):
        raise Http404
    target = request.GET.get("next", "/")
    if not url_has_allowed_host_and_scheme(target, allowed_hosts={request.get_host()}):
        target = "/"
    response = HttpResponseRedirect(target)
    response.set_cookie(settings.LANGUAGE_COOKIE_NAME, code, max_age=YEAR, samesite="Lax")
    return response
