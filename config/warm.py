"""What a process does before its first request or task, so that nobody has to wait for it later."""

import gc
import sys

from django.conf import settings
from django.template.loader import get_template
from django.urls import get_resolver, reverse
from django.utils.translation import gettext, override

YOUNG, MIDDLE, OLD = 10_000, 10, 10
"""When Python looks for cycles.

A request leaves a few hundred objects in cycles. With Python's default of 700 the whole program was searched during
many pages, which took a tenth of a second each time; with 50,000 each process held ten megabytes of garbage.
"""

TURN_SECONDS = 0.0005
"""How long a thread runs before another may.

A thread gives up its turn with every row that it reads from the database. With Python's default of 5 ms, a page of a
thousand rows waits for seconds while other threads compute.
"""


def warm() -> None:
    """Import every view, compile every template, load every language, and settle the process."""
    get_resolver().url_patterns  # noqa: B018 - imports every view
    reverse("home")
    folder = settings.BASE_DIR / "templates"
    for template in sorted(folder.rglob("*.html")):
        get_template(str(template.relative_to(folder)))
    for language, _name in settings.LANGUAGES:
        with override(language):
            gettext("Pairings")
    settle()


def settle() -> None:
    """Keep garbage collection off what exists by now, make it rarer for the rest, and give threads short turns."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, OLD)
    sys.setswitchinterval(TURN_SECONDS)
