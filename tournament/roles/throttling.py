"""Throttling: limits on attempts by one address, or for one name from it; pages and API count together."""

import time
from collections.abc import Iterator, Mapping
from hashlib import sha256

from django.http import HttpRequest
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle
from rest_framework.views import APIView

from tournament.roles.counting import Standing, attempt
from tournament.roles.devices import address_of, canonical, cookie_name, device_for, knows_address

NAME_FIELDS = ("username", "login")
"""How the forms and the API call the name of an account."""


class AddressThrottle(SimpleRateThrottle):
    """A limit on requests from one network address, which ignores whatever clients claim about themselves.

    It also holds for requests made at the same moment. ``standing`` is how the one who asks stands after the request;
    None where nothing was counted. The addresses of one IPv6 network (/64), of which one person has as many as they
    like, count as one.
    """

    scope = "address"
    rate = "60/min"
    num_requests: int
    duration: int
    standing: Standing | None = None

    def allow_request(self, request: Request, view: APIView) -> bool:
        key = self.get_cache_key(request, view)
        if key is None:
            return True
        self.standing = attempt(key, limit=self.num_requests, seconds=self.duration, at=self.timer())
        return self.standing.is_within

    def wait(self) -> float | None:
        return self.standing.wait if self.standing else None

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        return self._key(address_of(request))

    def _key(self, *parts: str) -> str:
        digest = sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()
        return f"throttle-{self.scope}-{digest}"


class VerifyThrottle(AddressThrottle):
    """A separate limit on replays of records, which cost more than a page."""

    scope = "verify"


class LinkThrottle(AddressThrottle):
    """A limit on what one private link sends: the phones of a hall may share an address."""

    scope = "link"
    rate = "120/min"

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        return None if request.method in SAFE_METHODS else self._key(str(view.kwargs.get("token", "")))


class SignInThrottle(AddressThrottle):
    """The limits on attempts to sign in, for pages and API together.

    - 10 a minute and 60 in ten minutes for one name from one address;
    - 60 a minute from one address, with whatever names;
    - 30 in ten minutes for one name from all addresses together, but for those from which it has signed in lately.

    Nobody can use these up for somebody else's device: a browser that has signed in with a name before
    (:mod:`tournament.roles.devices`) has for this name 10 a minute and 60 in ten minutes of its own, and nothing else
    is counted there. All limits are counted alike for names that exist and for those that do not.
    """

    scope = "sign-in"

    def allow_request(self, request: Request, view: APIView) -> bool:
        return all(self._counts(*limit) for limit in self._limits(request))

    def _limits(self, request: Request) -> Iterator[tuple[int, int, tuple[str, ...]]]:
        """Yield number, seconds and key of each limit; the next is counted only if this one is kept."""
        name, address = canonical(name_asked(request)), address_of(request)
        device = device_for(request.COOKIES.get(cookie_name(), ""), name)
        who = ("device", device) if device else ("address", address)
        if not device:
            yield 60, 60, ("any", address)
        yield 10, 60, (*who, name)
        yield 60, 600, (*who, name)
        if not device and not knows_address(name, address):
            yield 30, 600, ("name", name)

    def _counts(self, limit: int, seconds: int, parts: tuple[str, ...]) -> bool:
        self.standing = attempt(self._key(*parts), limit=limit, seconds=seconds, at=self.timer())
        return self.standing.is_within


def name_asked(request: Request) -> str:
    """Return the name with which somebody tries to sign in; empty if the form has none."""
    data = request.data if isinstance(request.data, Mapping) else {}
    return next((name for field in NAME_FIELDS if isinstance(name := data.get(field), str)), "")


def may_guess(request: HttpRequest, name: str) -> bool:
    """Count a guess at a code of the user's second factor, or at the password of one who is signed in.

    There are 10 in five minutes from a device on which the user has signed in before, or else from one address; and 30
    an hour from all addresses together from which the user has not signed in lately. So who has found out a password
    uses up the guesses of no device of its user.
    """
    name, address = canonical(name), address_of(request)
    device = device_for(request.COOKIES.get(cookie_name(), ""), name)
    limits = [(10, 300, ("device", device) if device else ("address", address))]
    if not device and not knows_address(name, address):
        limits.append((30, 3600, ("name", "")))
    for limit, seconds, parts in limits:
        digest = sha256("\0".join((*parts, name)).encode("utf-8", "replace")).hexdigest()
        if not attempt(f"throttle-guess-{digest}", limit=limit, seconds=seconds, at=time.time()).is_within:
            return False
    return True


class AskThrottle(AddressThrottle):
    """A limit on how often one address asks the desk for a page: the phones of a hall may share an address."""

    scope = "ask"
    rate = "60/hour"


class CodeThrottle(AddressThrottle):
    """A limit of ten attempts a minute at the code of one entry, from all addresses together."""

    scope = "code"
    rate = "10/min"

    def __init__(self, entry: int) -> None:
        super().__init__()
        self.entry = entry

    def get_cache_key(self, request: Request, view: APIView) -> str:
        return self._key(str(self.entry))
