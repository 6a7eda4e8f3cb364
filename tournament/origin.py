"""Where a change comes from: the client of a request, a command, a task.

Services are told who acts (``by``) and when (``at``); where from is the same for all that one request does, so the
edge of the program says it once and :func:`tournament.changes.record.record_change` writes it down.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from ipaddress import ip_address

from django.db import models
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

MAX_AGENT = 200


class Way(models.TextChoices):
    """Where a change came in."""

    PAGE = "page", _("page")
    API = "api", _("API")
    COMMAND = "command", _("command line")
    TASK = "task", _("background task")
    PROGRAM = "program", _("program")


@dataclass(frozen=True, slots=True)
class Origin:
    """``agent`` is what a browser or a program calls itself, or the name of a command or a task."""

    way: Way = Way.PROGRAM
    address: str | None = None
    agent: str = ""


_current: ContextVar[Origin] = ContextVar("origin", default=Origin())  # noqa: B039 - a frozen value


def current_origin() -> Origin:
    """Where from the request, command or task that runs here was made."""
    return _current.get()


@contextmanager
def coming_from(origin: Origin) -> Iterator[None]:
    """All that is written inside comes from there."""
    token = _current.set(origin)
    try:
        yield
    finally:
        _current.reset(token)


class OriginMiddleware:
    """All that a request writes comes from its client.

    The address is ``REMOTE_ADDR``: whoever opened the connection, or behind HTTPS what the nearest of
    ``TRUSTED_PROXIES`` says (see :func:`config.security.behind_proxy`). What a client says of itself is not believed.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        way = Way.API if request.path.startswith("/api/") else Way.PAGE
        agent = request.headers.get("User-Agent", "")[:MAX_AGENT].replace("\0", "")
        with coming_from(Origin(way, _address(request.META.get("REMOTE_ADDR", "")), agent)):
            return self.get_response(request)


def _address(text: str) -> str | None:
    """The address in its usual form, None for what is none, such as a socket's."""
    try:
        return str(ip_address(text.partition("%")[0]))
    except ValueError:
        return None
