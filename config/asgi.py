"""The live stream, for any ASGI server. The pages are WSGI: see config/wsgi.py."""

import os
from collections.abc import Iterable

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.conf import settings  # noqa: E402 - the apps must be ready
from django.db import close_old_connections  # noqa: E402
from django.db.models import Max  # noqa: E402

from config.live import Feed, LiveStream, Version, Versions  # noqa: E402
from tournament.models import Event  # noqa: E402


def read_versions(events: Iterable[int]) -> Versions:
    close_old_connections()
    rows = Event.objects.filter(pk__in=events).annotate(standings=Max("stages__standings_version"))
    return {
        pk: Version(version, standings or 0, hall)
        for pk, version, standings, hall in rows.values_list("pk", "version", "standings", "tournament__hall_version")
    }


application = LiveStream(
    Feed(read_versions, interval=5.0 if settings.REDIS_URL else 0.25, redis_url=settings.REDIS_URL),
    trusted_origins=settings.CSRF_TRUSTED_ORIGINS,
)
