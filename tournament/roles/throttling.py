"""Throttling: limits on attempts by one address, or for one name from it; pages and API count together."""

from hashlib import sha256

from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle
from rest_framework.views import APIView


class AddressThrottle(SimpleRateThrottle):
    """A limit on requests from one network address, which ignores whatever clients claim about themselves."""

    scope = "address"
    rate = "60/min"

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        return self._key(request.META.get("REMOTE_ADDR", ""))

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


class AttemptThrottle(AddressThrottle):
    """A limit on guessing, which also holds for guesses made at the same moment.

    Each attempt takes one of as many places in the cache, and none of two attempts gets the same one. A place is free
    again when the time of the limit has passed.
    """

    num_requests: int
    duration: int

    def allow_request(self, request: Request, view: APIView) -> bool:
        self.now = self.timer()
        key = self.get_cache_key(request, view)
        self.places = [f"{key}-{number}" for number in range(self.num_requests)]
        # None, not False, while there is no cache: then nothing is counted.
        return any(self.cache.add(place, self.now, self.duration) is not False for place in self.places)

    def wait(self) -> float:
        first: float = min(self.cache.get_many(self.places).values(), default=self.now)
        return max(first + self.duration - self.now, 1.0)


class SignInThrottle(AttemptThrottle):
    """A limit of ten attempts a minute for one name from one address."""

    scope = "sign-in"
    rate = "10/min"

    def get_cache_key(self, request: Request, view: APIView) -> str:
        data = request.data
        name = data.get("username") if isinstance(data, dict) else None
        return self._key(request.META.get("REMOTE_ADDR", ""), name if isinstance(name, str) else "")


class AskThrottle(AddressThrottle):
    """A limit on how often one address asks the desk for a page: the phones of a hall may share an address."""

    scope = "ask"
    rate = "60/hour"


class CodeThrottle(AttemptThrottle):
    """A limit of ten attempts a minute at the code of one entry, from all addresses together."""

    scope = "code"
    rate = "10/min"

    def __init__(self, entry: int) -> None:
        super().__init__()
        self.entry = entry

    def get_cache_key(self, request: Request, view: APIView) -> str:
        return self._key(str(self.entry))
