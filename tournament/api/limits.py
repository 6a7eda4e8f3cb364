"""How many requests to the API one user, private link or address may send in a minute, and what answers say of it.

The headers are those of draft-ietf-httpapi-ratelimit-headers-10. Reads that a client has already (304) are not counted.
Everybody in a hall may share one address, so that those who are not signed in have a limit for all of them; so do
those who make up links.
"""

import time
from dataclasses import dataclass
from hashlib import sha256

from django.conf import settings
from django.http.response import HttpResponseBase
from rest_framework.exceptions import Throttled
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from tournament.entries.links import read_token
from tournament.entries.page_requests import read_token_of_request
from tournament.roles.counting import Standing, attempt, give_back
from tournament.roles.devices import address_of

SECONDS = 60


@dataclass(frozen=True, slots=True)
class Counted:
    """A request that was counted under ``key`` at that time, and how its sender stands."""

    policy: str
    key: str
    at: float
    standing: Standing

    def give_back(self) -> None:
        """Take it out of the count."""
        give_back(self.key, seconds=SECONDS, at=self.at)

    def tell(self, response: HttpResponseBase) -> None:
        """Say in the answer's headers what the limit is, and what is left of it."""
        response.headers["RateLimit-Policy"] = f'"{self.policy}";q={self.standing.limit};w={SECONDS}'
        wait = max(int(self.standing.wait), 1)
        response.headers["RateLimit"] = f'"{self.policy}";r={self.standing.remaining};t={wait}'


def count_request(request: Request) -> Counted | None:
    """Count the request; None where there is no limit."""
    if getattr(request._request, "uncounted", False):
        return None
    kind = "reads" if request.method in SAFE_METHODS else "writes"
    token = (request.parser_context or {}).get("kwargs", {}).get("token")
    if request.user.is_authenticated:
        policy, limit, who = (
            kind,
            {"reads": settings.API_READS, "writes": settings.API_WRITES}[kind],
            str(request.user.pk),
        )
    elif token and (read_token(token) or read_token_of_request(token)):
        policy, limit, who = f"{kind}-of-a-link", settings.API_READS if kind == "reads" else settings.API_WRITES, token
    else:
        of_address = {"reads": settings.API_READS_BY_ADDRESS, "writes": settings.API_WRITES_BY_ADDRESS}
        policy, limit, who = f"{kind}-of-an-address", of_address[kind], address_of(request)
    if not limit:
        return None
    key, at = f"api-{policy}-{sha256(who.encode('utf-8', 'replace')).hexdigest()}", time.time()
    return Counted(policy, key, at, attempt(key, limit=limit, seconds=SECONDS, at=at))


def refuse_beyond(counted: Counted | None) -> None:
    """Raise Throttled for a request beyond the limit."""
    if counted is not None and not counted.standing.is_within:
        raise Throttled(wait=counted.standing.wait)
