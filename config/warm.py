"""What a process does before its first request or task, so that nobody waits for it later."""

import gc
import sys

from django.conf import settings
from django.template.loader import get_template
from django.urls import get_resolver, reverse
from django.utils.translation import gettext, override

YOUNG, MIDDLE, OLD = 50_000, 5, 10
"""When Python looks for cycles.

A page makes some tens of thousands of objects that are all gone with it, without a cycle; at Python's own 700 the whole
program was looked through during many a page, a tenth of a second each time.
"""

TURN_SECONDS = 0.0005
"""How long a thread computes before another one may.

Every row that is read from the database gives the turn away; at Python's own 5 ms a page of a thousand rows waits for
seconds while others compute.
"""


def warm() -> None:
    """Every view is imported, every template compiled, every language read; and all this is settled."""
    get_resolver().url_patterns  # noqa: B018 - importing them is what is wanted
    reverse("home")
    folder = settings.BASE_DIR / "templates"
    for template in sorted(folder.rglob("*.html")):
        get_template(str(template.relative_to(folder)))
    for language, _name in settings.LANGUAGES:
        with override(language):
            gettext("Pairings")
    settle()


def settle() -> None:
    """What this process has made so far is never looked through for cycles again, and what comes is so seldom; threads
    take short turns."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, OLD)
    sys.setswitchinterval(TURN_SECONDS)
