"""Where a change comes from: the client of a request, a command, a task.

Services take the person (``by``) and the time (``at``) as parameters. The origin is the same for everything that one
request does, so the edge of the program sets it once and :func:`tournament.changes.record.record_change` stores it.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address, ip_network

from django.db import models
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

MAX_AGENT = 200


class Way(models.TextChoices):
    """The kind of source that a change comes from."""

    PAGE = "page", _("page")
    API = "api", _("API")
    COMMAND = "command", _("command line")
    TASK = "task", _("background task")
    PROGRAM = "program", _("program")


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a change comes from. ``agent`` is what a browser calls itself, or the name of a command or a task."""

    way: Way = Way.PROGRAM
    address: str | None = None
    agent: str = ""


_current: ContextVar[Origin] = ContextVar("origin", default=Origin())  # noqa: B039 - a frozen value


def current_origin() -> Origin:
    """Return the origin of the request, command or task now running."""
    return _current.get()


def current_requester() -> str:
    """Return whom the request now running comes from, to count by: its address, or the network of a home in IPv6.

    A home or a phone has a network of 64 bits there, and as many addresses as it likes. Empty without an address.
    """
    address = current_origin().address
    if address is None:
        return ""
    found = ip_address(address)
    if not isinstance(found, IPv6Address):
        return address
    return str(found.ipv4_mapped or ip_network((found, 64), strict=False))


@contextmanager
def coming_from(origin: Origin) -> Iterator[None]:
    """Record this origin with every change made within the block."""
    token = _current.set(origin)
    try:
        yield
    finally:
        _current.reset(token)


class OriginMiddleware:
    """Records a request's client as the origin of every change that the request makes.

    The address is ``REMOTE_ADDR``: that of the connection or, behind HTTPS, the one that the nearest of
    ``TRUSTED_PROXIES`` gives (see :func:`config.security.behind_proxy`). A client's own claim is not believed.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        way = Way.API if request.path.startswith("/api/") else Way.PAGE
        agent = request.headers.get("User-Agent", "")[:MAX_AGENT].replace("\0", "")
        with coming_from(Origin(way, _address(request.META.get("REMOTE_ADDR", "")), agent)):
            return self.get_response(request)


def _address(text: str) -> str | None:
    """Return the IP address in its usual form, or None if the text is not one, such as the path of a socket."""
    try:
        return str(ip_address(text.partition("%")[0]))
    except ValueError:
        return None
