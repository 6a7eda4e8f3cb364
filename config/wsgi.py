"""The pages and the API, for any WSGI server, and for ours."""

import os
from collections.abc import Callable
from wsgiref.types import WSGIApplication

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

handler = get_wsgi_application()

from config.access import observed  # noqa: E402 - settings and apps are ready from here on
from config.answering import Few  # noqa: E402
from config.bodies import whole  # noqa: E402
from config.metrics.begin import take_part  # noqa: E402
from config.metrics.page import answer as answer_metrics  # noqa: E402
from config.parts import LISTENERS, THREADS  # noqa: E402
from config.patience import patient  # noqa: E402
from config.proxies import behind_proxy  # noqa: E402
from config.quick import quick  # noqa: E402
from config.warm import warm  # noqa: E402

Layer = Callable[[WSGIApplication], WSGIApplication]


def plain(application: WSGIApplication) -> WSGIApplication:
    return application


def wired(
    handler: WSGIApplication, *, few: Layer = plain, spread: Layer = plain, places: int = THREADS // 2
) -> WSGIApplication:
    """Return the application: the proxy's word about the client first, for what is sent again depends on it too.

    Before it stands only what asks who the proxy is. Bodies have so many places; ``few`` is before all that may ask the
    database.
    """
    pages = whole(spread(few(quick(handler))), places=places)
    return observed(patient(behind_proxy(pages)), metrics=patient(few(answer_metrics)))


def serving(spread: Layer = plain) -> WSGIApplication:
    """Return the application for a server with LISTENERS threads, some of which are left for requests without a body.

    ``spread`` stands where requests wait for their turn.
    """
    return wired(handler, few=Few(THREADS), spread=spread, places=LISTENERS * 3 // 4)


application = wired(handler)
take_part()
warm()
