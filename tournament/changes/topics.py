"""What an open page can follow, and the versions of each, read without a model: the live stream loads none.

A topic is ``3`` (an event), ``t5`` (a tournament), ``all`` (every tournament) or ``ratings`` (ranking lists). Its
versions are numbers of which the first that differs only grows.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from django.db import connection

Versions = tuple[int, ...]

MAX_TOPICS = 50
"""How many topics a page can follow at once."""

TOPIC = re.compile(r"t?[0-9]{1,15}|all|ratings", re.ASCII)

EVENTS = """SELECT event.id, event.version, COALESCE(SUM(stage.standings_version), 0), tournament.hall_version
FROM tournament_event AS event
JOIN tournament_tournament AS tournament ON tournament.id = event.tournament_id AND tournament.deleted_at IS NULL
LEFT JOIN tournament_stage AS stage ON stage.event_id = event.id
WHERE event.deleted_at IS NULL AND event.id IN ({places})
GROUP BY event.id, event.version, tournament.hall_version
"""

TOURNAMENTS = """SELECT tournament.id,
    (SELECT COALESCE(SUM(event.version), 0) FROM tournament_event AS event WHERE event.tournament_id = tournament.id),
    (SELECT COALESCE(SUM(stage.standings_version), 0) FROM tournament_stage AS stage
        JOIN tournament_event AS event ON event.id = stage.event_id WHERE event.tournament_id = tournament.id),
    tournament.hall_version,
    (SELECT COALESCE(MAX(row.id), 0) FROM tournament_logentry AS row WHERE row.tournament_id = tournament.id)
FROM tournament_tournament AS tournament
WHERE tournament.deleted_at IS NULL AND tournament.id IN ({places})
"""
"""Deleted events count too: without them a version could fall."""

ALL = """SELECT
    (SELECT COALESCE(SUM(version), 0) FROM tournament_event),
    (SELECT COALESCE(SUM(hall_version), 0) FROM tournament_tournament),
    (SELECT COALESCE(SUM(id), 0) FROM (SELECT id FROM tournament_logentry ORDER BY id DESC LIMIT 50) AS newest)
"""
"""Of two that write at once the one with the later row may be done first, and the earlier row is news all the same."""

RATINGS = "SELECT COALESCE(SUM(version), 0), COALESCE(SUM(matches), 0) FROM players_rankinglist"


def event_topic(event: int) -> str:
    return str(event)


def tournament_topic(tournament: int) -> str:
    return f"t{tournament}"


def topics_of_event(event: int, tournament: int) -> list[str]:
    """Return the topics that a change of the event is news of."""
    return [event_topic(event), tournament_topic(tournament), "all"]


def read_topics(topics: Iterable[str]) -> dict[str, Versions]:
    """Read the versions of these topics, in one query for each kind; what is deleted or does not exist is left out."""
    wanted = set(topics)
    found: dict[str, Versions] = {}
    if events := sorted(int(topic) for topic in wanted if topic.isdecimal()):
        found |= {event_topic(pk): tuple(versions) for pk, *versions in _rows(EVENTS, events)}
    if tournaments := sorted(int(topic[1:]) for topic in wanted if topic[:1] == "t"):
        found |= {tournament_topic(pk): tuple(versions) for pk, *versions in _rows(TOURNAMENTS, tournaments)}
    if "all" in wanted:
        found["all"] = _rows(ALL)[0]
    if "ratings" in wanted:
        found["ratings"] = tuple(int(number) for number in _rows(RATINGS)[0])
    return found


def written(versions: Sequence[int]) -> str:
    """Return the versions as pages and the live stream write them."""
    return ".".join(map(str, versions))


def followed(topics: Mapping[str, Sequence[int]]) -> dict[str, str]:
    """Return what a page's frame needs to follow these topics, given with the versions that the page shows."""
    return {"live_events": ",".join(topics), "live_versions": ",".join(map(written, topics.values()))}


def _rows(sql: str, given: Sequence[int] = ()) -> list[tuple]:
    with connection.cursor() as cursor:
        cursor.execute(sql.format(places=", ".join(["%s"] * len(given))), list(given))
        return cursor.fetchall()
