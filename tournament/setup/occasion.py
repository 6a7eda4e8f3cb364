"""A tournament created together with its first event."""

from collections.abc import Sequence
from datetime import date, datetime

from django.db import transaction

from players.models import User
from tournament.events.services import create_event, create_tournament
from tournament.events.terms import EventTerms
from tournament.models import Event, EventTemplate
from tournament.setup.settings import make_event


@transaction.atomic
def create_with_event(
    *,
    name: str,
    starts_on: date,
    ends_on: date | None = None,
    place: str = "",
    time_zone: str = "",
    first: EventTerms | EventTemplate,
    lengths: Sequence[int] = (),
    by: User,
    at: datetime,
) -> Event:
    """Create a tournament and its first event, on these terms or from a template; neither exists without the other.

    ``lengths`` replace those of the template. Raises Refusal as the services do that create them one by one.
    """
    tournament = create_tournament(
        name=name, starts_on=starts_on, ends_on=ends_on, place=place, time_zone=time_zone, by=by, at=at
    )
    if isinstance(first, EventTerms):
        return create_event(tournament, first, by=by, at=at)
    usual = first.settings["terms"]["name"]
    return make_event(tournament, first.settings, name=usual, copy_of=first.name, lengths=lengths, by=by, at=at)
