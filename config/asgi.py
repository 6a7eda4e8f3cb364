"""The live stream, for any ASGI server. The pages are WSGI: see config/wsgi.py.

It asks for a few numbers of each topic and nothing else, so it loads no application and no model: a process with them
would be twice as large.
"""

import warnings
from collections.abc import Iterable

from django.conf import settings
from django.db import close_old_connections, connection
from django.utils.log import configure_logging

from config.live import Feed, LiveStream
from tournament.changes.topics import Versions, read_topics


def read_versions(topics: Iterable[str]) -> dict[str, Versions]:
    """Read the versions of these topics; one that is deleted or does not exist is left out."""
    close_old_connections()
    return read_topics(topics)


def look() -> object:
    """Return something else as soon as anything was written; None if the database cannot say so."""
    stamp = getattr(connection, "stamp", None)
    return stamp() if stamp else None


SECONDS = 5.0 if settings.REDIS_URL else 0.05 if connection.vendor == "sqlite" else 0.25
"""Between two looks, which cost SQLite next to nothing; elsewhere each is a query."""

# Django takes a process without applications for one that has not loaded them yet.
warnings.filterwarnings("ignore", "Accessing the database during app initialization", RuntimeWarning)
configure_logging(settings.LOGGING_CONFIG, settings.LOGGING)
application = LiveStream(
    Feed(read_versions, interval=SECONDS, look=look, settle=0.08, redis_url=settings.REDIS_URL),
    trusted_origins=settings.CSRF_TRUSTED_ORIGINS,
)
