"""The live stream, for any ASGI server. The pages are WSGI: see config/wsgi.py.

It asks for four numbers of an event and nothing else, so it loads no application and no model: a process with them
would be twice as large.
"""

from collections.abc import Iterable

from django.conf import settings
from django.db import close_old_connections, connection
from django.utils.log import configure_logging

from config.live import Feed, LiveStream, Version, Versions

VERSIONS = """
SELECT event.id, event.version, COALESCE(MAX(stage.standings_version), 0), tournament.hall_version
FROM tournament_event AS event
JOIN tournament_tournament AS tournament ON tournament.id = event.tournament_id AND tournament.deleted_at IS NULL
LEFT JOIN tournament_stage AS stage ON stage.event_id = event.id
WHERE event.deleted_at IS NULL AND event.id IN ({events})
GROUP BY event.id, event.version, tournament.hall_version
"""


def read_versions(events: Iterable[int]) -> Versions:
    """Read the versions of these events, in one query; an event that is deleted or does not exist is left out."""
    wanted = list(events)
    if not wanted:
        return {}
    close_old_connections()
    with connection.cursor() as cursor:
        cursor.execute(VERSIONS.format(events=", ".join(["%s"] * len(wanted))), wanted)
        return {pk: Version(*versions) for pk, *versions in cursor.fetchall()}


configure_logging(settings.LOGGING_CONFIG, settings.LOGGING)
application = LiveStream(
    Feed(read_versions, interval=5.0 if settings.REDIS_URL else 0.25, redis_url=settings.REDIS_URL),
    trusted_origins=settings.CSRF_TRUSTED_ORIGINS,
)
