"""The pages and the API, for any WSGI server."""

import os
from wsgiref.types import WSGIApplication

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

handler = get_wsgi_application()

from config.access import observed  # noqa: E402 - settings and apps are ready from here on
from config.bodies import whole  # noqa: E402
from config.metrics.begin import take_part  # noqa: E402
from config.patience import patient  # noqa: E402
from config.proxies import behind_proxy  # noqa: E402
from config.quick import quick  # noqa: E402
from config.warm import warm  # noqa: E402


def wired(handler: WSGIApplication) -> WSGIApplication:
    """Return the application: the proxy's word about the client first, for what is sent again depends on it too.

    Before it stands only what asks who the proxy is.
    """
    return observed(patient(behind_proxy(whole(quick(handler)))))


application = wired(handler)
take_part()
warm()
