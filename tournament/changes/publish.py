"""Immediate notification of the live stream that an event or its standings have changed."""

import json
import logging
from functools import lru_cache
from typing import TYPE_CHECKING

from django.conf import settings

from tournament.models import Event

if TYPE_CHECKING:
    from redis import Redis

logger = logging.getLogger(__name__)


def publish_version(event_id: int, version: int) -> None:
    """Have the live stream read the event's versions and notify every page that follows it. Call this after the commit.

    Without Redis nothing is sent: the stream reads the versions itself, several times a second. With Redis a
    message may be lost, and then the stream finds the change a few seconds later; so a Redis out of reach raises
    nothing.
    """
    if not settings.REDIS_URL:
        return
    from redis import RedisError  # noqa: PLC0415 - memory that a laptop does not need

    try:
        _client(settings.REDIS_URL).publish(settings.LIVE_CHANNEL, json.dumps({"event": event_id, "version": version}))
    except RedisError as error:
        logger.warning("version not published", extra={"event": event_id, "version": version, "error": error})


def publish_hall(tournament_id: int) -> None:
    """Do the same as :func:`publish_version` for every event of the tournament, after a change in its hall."""
    if settings.REDIS_URL:
        for pk, version in Event.objects.filter(tournament=tournament_id).values_list("pk", "version"):
            publish_version(pk, version)


@lru_cache
def _client(url: str) -> "Redis":
    from redis import Redis  # noqa: PLC0415 - memory that a laptop does not need

    return Redis.from_url(url, socket_connect_timeout=1, socket_timeout=1)
