"""The language of the pages, kept in a cookie."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_safe

YEAR = 365 * 24 * 3600


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
