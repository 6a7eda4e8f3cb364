"""What pages say of the program itself, to those who are signed in: nothing while all of it runs."""

import json
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext


def read_troubles() -> list[str]:
    """Return the parts of the program that keep ending; none in containers, where something else watches them."""
    try:
        told: dict[str, Any] = json.loads(settings.TROUBLES_FILE.read_text())
        return [str(name) for name in told["parts"]]
    except (OSError, ValueError, KeyError, TypeError):
        return []


def sentences() -> list[str]:
    """Return what these parts mean for those who run a tournament, a sentence each."""
    said = {
        "page server": gettext("Pages may take longer: a process that makes them keeps ending."),
        "live stream": gettext("Open pages do not follow what happens: the live stream keeps ending."),
        "worker": gettext("Standings and ratings come late: the process that computes them keeps ending."),
    }
    return [said[name] for name in read_troubles() if name in said]


def troubles(_request: HttpRequest) -> dict[str, Callable[[], list[str]]]:
    """Add ``troubles`` to every template, read only by a page that shows it."""
    return {"troubles": sentences}
