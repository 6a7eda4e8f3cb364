"""Whether the server that answers is about to stop: it tells a proxy so, which then sends its requests elsewhere."""

import os
from collections.abc import Iterable
from pathlib import Path
from wsgiref.types import StartResponse

MARK = "SIXPRIME_LEAVING"
"""In the environment of :mod:`config.replica`: the file that exists once the server leaves."""


def is_leaving() -> bool:
    mark = os.environ.get(MARK)
    return bool(mark) and Path(str(mark)).exists()


def say_so(start_response: StartResponse) -> Iterable[bytes]:
    start_response("503 Service Unavailable", [("Content-Type", "text/plain"), ("Cache-Control", "no-store")])
    return [b"leaving\n"]
