"""The page of an outage: it needs neither the database nor a session, and holds what was typed, to be sent again."""

from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from django.http.multipartparser import MultiPartParserError
from django.http.request import UnreadablePostError
from django.middleware.csrf import get_token
from django.template.loader import render_to_string

from players.errors import Busy, Refused

TRIES = "busy-tries"
"""The hidden field that counts how often a form was sent again."""

PAUSES = (1, 2, 4, 8)
"""After how many seconds a form that met another writer sends itself again; then only its button does."""

OURS = {"csrfmiddlewaretoken", TRIES}
FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")


def outage_page(request: HttpRequest, refusal: Refused) -> HttpResponse:
    """Return the sentence with a button that sends what was typed again.

    A form that met another writer sends itself again, a few times, with growing pauses; nothing was stored, and its
    base version refuses it if somebody else was faster. A page that was only read loads itself again.
    """
    fields = _fields_typed(request)
    tries = _tries(request)
    is_safe = request.method in ("GET", "HEAD")
    by_itself = isinstance(refusal, Busy) and fields is not None and not _has_files(request) and tries < len(PAUSES)
    context = {
        "refusal": refusal,
        "reloads": refusal.retry_after if is_safe else None,
        "address": request.get_full_path(),
        "fields": fields,
        "files": fields is not None and _has_files(request),
        "tries": tries + 1,
        "pause": PAUSES[tries] if by_itself else None,
        "token": get_token(request) if fields is not None else "",
        "counter": TRIES,
    }
    page = HttpResponse(render_to_string("outage.html", context), status=refusal.status)
    page["Retry-After"], page["Cache-Control"] = str(refusal.retry_after), "no-store"
    return page


def _fields_typed(request: HttpRequest) -> list[tuple[str, str]] | None:
    """Return what the form held; None if it cannot be sent again from here.

    A password does not travel back, and a form whose token was not checked may come from anywhere and gets none here.
    """
    is_ours = getattr(request, "csrf_processing_done", False)  # set by Django's middleware once it has accepted it
    if not is_ours or request.method != "POST" or request.content_type not in FORMS:
        return None
    try:
        typed = request.POST
    except (SuspiciousOperation, MultiPartParserError, UnreadablePostError):
        return None
    if any("password" in name for name in typed):
        return None
    return [(name, value) for name in typed if name not in OURS for value in typed.getlist(name)]


def _has_files(request: HttpRequest) -> bool:
    return bool(request.FILES)


def _tries(request: HttpRequest) -> int:
    try:
        told = request.POST.get(TRIES, "")
    except (SuspiciousOperation, MultiPartParserError, UnreadablePostError):
        return 0
    return min(int(told), len(PAUSES)) if told.isdecimal() and len(told) < 3 else 0
