"""The winners of the events that ended last."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef

from players.models import Player
from tournament.models import Event, Stage, Standing


@dataclass(frozen=True, slots=True)
class Winner:
    """The winner of an event, alone in first place of its last stage: a player, a pair or a team.

    ``player`` is None for a pair and a team.
    """

    name: str
    club: str
    country: str
    player: Player | None
    event: str
    event_slug: str
    tournament: str
    tournament_slug: str
    ended_at: datetime


def last_winners(most: int) -> list[Winner]:
    """Return the winners of up to ``most`` of the events that ended last, in two queries."""
    ended = Event.objects.filter(finished_at__isnull=False).select_related("tournament").order_by("-finished_at", "-pk")
    events = {event.pk: event for event in ended[: 2 * most]}
    later = Stage.objects.filter(event=OuterRef("stage__event"), number__gt=OuterRef("stage__number"))
    first = Standing.objects.filter(~Exists(later), stage__event__in=events, section="", place=1, place_to=1)
    first = first.select_related("stage", "entry__player__club", "entry__partner")
    lines = {line.stage.event_id: line for line in first}
    found = [(event, lines[pk].entry) for pk, event in events.items() if pk in lines]
    return [
        Winner(
            name=entry.name,
            club=entry.player.club.name if entry.player.club and not entry.team else "",
            country=entry.player.country if not entry.team else "",
            player=None if entry.partner or entry.team else entry.player,
            event=event.name,
            event_slug=event.slug,
            tournament=event.tournament.name,
            tournament_slug=event.tournament.slug,
            ended_at=event.finished_at,
        )
        for event, entry in found[:most]
        if event.finished_at is not None
    ]
