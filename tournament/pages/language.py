"""The language of the pages, kept in a cookie; without one, that of the browser."""

import re

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.middleware.locale import LocaleMiddleware
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_safe

YEAR = 365 * 24 * 3600
NORWEGIAN = re.compile(r"(?<![\w-])(?:no|nn)(?![^\W_])", re.IGNORECASE)


class LanguageMiddleware(LocaleMiddleware):
    """Chooses the language of an answer. Norwegian (``no``) and nynorsk (``nn``) are answered in bokmål."""

    def process_request(self, request: HttpRequest) -> None:
        asked = request.META.get("HTTP_ACCEPT_LANGUAGE")
        if asked:
            request.META["HTTP_ACCEPT_LANGUAGE"] = NORWEGIAN.sub("nb", asked)
        super().process_request(request)


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
