"""How whole addresses begin, what a page may load, and where it finds its live stream."""

from collections.abc import Callable
from functools import partial
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse

from tournament.hall.site import whole_address


class AddressesOfOurOwn:
    """Has whole addresses begin as :func:`tournament.hall.site.site_of` says, never with any host that is asked for."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.build_absolute_uri = partial(whole_address, request)  # type: ignore[method-assign]
        return self.get_response(request)


class ContentSecurityPolicy:
    """Allows each response only the site's own scripts and styles, none of them inline, and its own live stream."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Content-Security-Policy", policy(live_url(request)))
        return response


class PrivateByDefault:
    """An answer that says nothing of caches is for its reader alone, and asked for anew each time.

    Where nothing is said, a proxy may keep a director's page and send it to somebody else.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Cache-Control", "private, no-cache")
        return response


def policy(live: str) -> str:
    address = urlsplit(live)
    stream = f" {address.scheme}://{address.netloc}" if address.netloc else ""
    return (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        f"manifest-src 'self'; connect-src 'self'{stream}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )


def live_url(request: HttpRequest) -> str:
    """Return the live stream's address for this visitor, without a slash at the end.

    It is ``LIVE_URL`` if that is set; otherwise the host that the visitor typed, at ``LIVE_PORT``: a phone that opened
    ``192.168.1.20:8000`` must not be sent to ``localhost``. It is empty if that host is not one of ours.
    """
    if settings.LIVE_URL:
        return settings.LIVE_URL
    try:
        host = urlsplit(f"//{request.get_host()}").hostname or "localhost"
    except DisallowedHost:
        return ""
    return f"{request.scheme}://{f'[{host}]' if ':' in host else host}:{settings.LIVE_PORT}/live"


def live_stream(request: HttpRequest) -> dict[str, str]:
    """Add ``live_url`` to every template; the page carries it as ``<body data-live-url>``."""
    return {"live_url": live_url(request)}
