"""The style sheets of a page are named in the headers of its answer.

A browser asks for them as soon as it reads these, before the page itself has come and before it knows of any script:
nothing is painted without them, and on a slow line everything else would take its share.
"""

import re
from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase

HEAD_BYTES = 8192
STYLE_SHEET = re.compile(rb'<link rel="stylesheet" href="([^"<>\s]+)">')


class PreloadMiddleware:
    """Middleware that adds the header ``Link`` to whole pages; it stands below the compression."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if response.streaming or not response.headers.get("Content-Type", "").startswith("text/html"):
            return response
        content: bytes = response.content  # type: ignore[attr-defined] # it does not stream
        head, _sign, _body = content[:HEAD_BYTES].partition(b"</head>")
        if sheets := STYLE_SHEET.findall(head):
            response["Link"] = ", ".join(f"<{sheet.decode()}>; rel=preload; as=style" for sheet in sheets)
        return response
