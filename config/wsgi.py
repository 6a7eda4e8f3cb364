"""The pages and the API, for any WSGI server, and for ours."""

import os
from wsgiref.types import WSGIApplication

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

handler = get_wsgi_application()

from config.access import observed  # noqa: E402 - settings and apps are ready from here on
from config.answering import in_few_threads  # noqa: E402
from config.bodies import whole  # noqa: E402
from config.metrics.begin import take_part  # noqa: E402
from config.parts import LISTENERS, THREADS  # noqa: E402
from config.patience import patient  # noqa: E402
from config.proxies import behind_proxy  # noqa: E402
from config.quick import quick  # noqa: E402
from config.warm import warm  # noqa: E402


def wired(handler: WSGIApplication, *, threads: int = 0, places: int = THREADS // 2) -> WSGIApplication:
    """Return the application: the proxy's word about the client first, for what is sent again depends on it too.

    Before it stands only what asks who the proxy is. So many requests are taken in at once, and so many threads answer
    them; with 0 those of the server do.
    """
    answering = quick(handler)
    if threads:
        answering = in_few_threads(answering, threads=threads)
    return observed(patient(behind_proxy(whole(answering, places=places))))


application = wired(handler)

served = wired(handler, threads=THREADS, places=LISTENERS * 3 // 4)
"""The same for a server with LISTENERS threads: some are always left for requests without a body."""

take_part()
warm()
