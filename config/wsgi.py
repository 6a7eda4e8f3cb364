"""The pages and the API, for any WSGI server. Without Redis the process works off its own tasks as well."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

handler = get_wsgi_application()

from django.conf import settings  # noqa: E402 - settings and apps are ready from here on

from config.security import behind_proxy  # noqa: E402
from config.warm import warm  # noqa: E402

application = behind_proxy(handler)
warm()

if settings.EMBEDDED_WORKER:
    from config import embedded

    embedded.start()
