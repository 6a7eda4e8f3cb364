"""Immediate notification of the live stream that an event, its standings, a hall or a tournament has changed."""

import json
import logging
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from django.conf import settings

from tournament.changes.topics import event_topic, topics_of_event, tournament_topic
from tournament.models import Event

if TYPE_CHECKING:
    from redis import Redis

logger = logging.getLogger(__name__)


def publish_version(event: Event) -> None:
    """Have the live stream read the event's versions and notify every page that follows it. Call this after the commit.

    Without Redis nothing is sent: the stream reads the versions itself, several times a second. With Redis a
    message may be lost, and then the stream finds the change a few seconds later; so a Redis out of reach raises
    nothing.
    """
    _publish(topics_of_event(event.pk, event.tournament_id))


def publish_hall(tournament_id: int) -> None:
    """Do the same as :func:`publish_version` for every event of the tournament, after a change in its hall."""
    if settings.REDIS_URL:
        events = Event.objects.filter(tournament=tournament_id).values_list("pk", flat=True)
        _publish([*map(event_topic, events), tournament_topic(tournament_id), "all"])


def publish_tournament(tournament_id: int) -> None:
    """Do the same as :func:`publish_version` for the tournament itself, after a row of its log."""
    _publish([tournament_topic(tournament_id), "all"])


def _publish(topics: Sequence[str]) -> None:
    if not settings.REDIS_URL:
        return
    from redis import RedisError  # noqa: PLC0415 - memory that a laptop does not need

    try:
        _client(settings.REDIS_URL).publish(settings.LIVE_CHANNEL, json.dumps({"topics": topics}))
    except RedisError as error:
        logger.warning("version not published", extra={"topics": topics, "error": error})


@lru_cache
def _client(url: str) -> "Redis":
    from redis import Redis  # noqa: PLC0415 - memory that a laptop does not need

    return Redis.from_url(url, socket_connect_timeout=1, socket_timeout=1)
