"""What a process of the pages does before its first request, so that no visitor waits for it."""

import gc

from django.conf import settings
from django.template.loader import get_template
from django.urls import get_resolver, reverse
from django.utils.translation import gettext, override

YOUNG, MIDDLE, OLD = 5_000, 10, 100
"""When Python looks for cycles.

A page makes some tens of thousands of objects that are all gone with it, without a cycle; at Python's own 700, 10 and
10 the whole program was looked through during many a page, a tenth of a second each time.
"""


def warm() -> None:
    """Every view is imported, every template compiled, every language read; what is there now stays unsearched."""
    get_resolver().url_patterns  # noqa: B018 - importing them is what is wanted
    reverse("home")
    folder = settings.BASE_DIR / "templates"
    for template in sorted(folder.rglob("*.html")):
        get_template(str(template.relative_to(folder)))
    for language, _name in settings.LANGUAGES:
        with override(language):
            gettext("Pairings")
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, OLD)
