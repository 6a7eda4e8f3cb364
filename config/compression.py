"""Compressed answers: what everybody gets alike is compressed once, what belongs to one reader each time.

An answer with a secret beside text that its reader chose could be guessed from its length (BREACH). The tokens against
forged forms are masked anew in each answer; and each answer that is not the same for everybody is of a length that
differs at random, as in Django's own middleware.
"""

import gzip
import re
from collections.abc import Callable
from functools import lru_cache

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.utils.text import compress_string

from tournament.pages.answers import SharedResponse
from tournament.pages.kept import Memory

LEAST_BYTES = 500
RANDOM_BYTES = 100
MOST_BYTES = 4 * 1024 * 1024
"""The most that a process keeps compressed: about a hundred live parts of large events."""

COMPRESSIBLE = re.compile(
    r"text/|image/svg\+xml|application/(problem\+)?(json|javascript|vnd\.oai\.openapi|atom\+xml|xml)"
)

USUAL_LENGTH = 200
NOT_AT_ALL = re.compile(r"q\s*=\s*0(\.0*)?\s*$")

MEMORY: Memory[bytes] = Memory(MOST_BYTES)


class CompressionMiddleware:
    """Middleware that compresses what a browser can unpack; streams, and what is packed already, stay as they are."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if response.streaming or response.has_header("Content-Encoding"):
            return response
        if not COMPRESSIBLE.match(response.headers.get("Content-Type", "")):
            return response
        patch_vary_headers(response, ["Accept-Encoding"])
        content: bytes = response.content  # type: ignore[attr-defined] # it does not stream
        if len(content) < LEAST_BYTES or not takes_gzip(request.META.get("HTTP_ACCEPT_ENCODING", "")):
            return response
        packed = compressed(response, content)
        if len(packed) >= len(content):
            return response
        response.content = packed  # type: ignore[attr-defined] # as above
        response["Content-Length"] = str(len(packed))
        response["Content-Encoding"] = "gzip"
        etag = response.headers.get("ETag", "")
        if etag.startswith('"'):
            response["ETag"] = f"W/{etag}"  # the same page, but other bytes than without compression
        return response


def takes_gzip(accepted: str) -> bool:
    """Whether a browser that sends this ``Accept-Encoding`` can unpack gzip; no browser sends a long one."""
    return len(accepted) <= USUAL_LENGTH and _takes_gzip(accepted)


@lru_cache(maxsize=256)
def _takes_gzip(accepted: str) -> bool:
    codings = (coding.partition(";") for coding in accepted.lower().split(","))
    takes = {name.strip(): NOT_AT_ALL.search(terms) is None for name, _sign, terms in codings}
    return takes.get("gzip", takes.get("*", False))


def compressed(response: HttpResponseBase, content: bytes) -> bytes:
    if not isinstance(response, SharedResponse):
        return compress_string(content, max_random_bytes=RANDOM_BYTES)
    packed = MEMORY.find(response.tag, None)
    if packed is None:
        packed = gzip.compress(content, compresslevel=6, mtime=0)
        MEMORY.keep(response.tag, None, packed, len(packed))
    return packed
