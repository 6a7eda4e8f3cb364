"""The same as last time: a tournament or an event made again, with its settings and without its entries."""

from datetime import date, datetime, timedelta
from itertools import groupby

from django.db import transaction

from players.models import User
from tournament.changes.record import lock_event, lock_hall
from tournament.events.days import last_day_from
from tournament.events.services import create_tournament
from tournament.hall.site import set_site_address
from tournament.hall.tables import add_break, add_tables, update_table
from tournament.models import Event, Tournament
from tournament.roles.permissions import require
from tournament.setup.names import name_on, next_name
from tournament.setup.settings import make_event, settings_of

WEEK = timedelta(days=7)


def next_day(tournament: Tournament, today: date) -> date:
    """Return the first day that comes next for the tournament: the same weekday, today at the earliest."""
    weeks = max(1, -((tournament.starts_on - today) // WEEK))
    return tournament.starts_on + weeks * WEEK


@transaction.atomic
def duplicate_tournament(
    tournament: Tournament, *, starts_on: date, name: str = "", by: User, at: datetime
) -> Tournament:
    """Create a tournament like this one from ``starts_on``: place, zone, hall, and each event's settings; no people.

    All dates and times move by as many days as the first day. Without a ``name`` the new one has the old name, with its
    day replaced. It belongs to the user alone: roles are not copied. Raises Refusal for a name that none can have, and
    Conflict for a tournament that has been deleted.
    """
    new, _events = copy_tournament(tournament, starts_on=starts_on, name=name, by=by, at=at)
    return new


@transaction.atomic
def copy_tournament(
    tournament: Tournament, *, starts_on: date, name: str, by: User, at: datetime
) -> tuple[Tournament, dict[int, Event]]:
    """Do as :func:`duplicate_tournament` does, and return the new events as well, by the ids of those they are like."""
    tournament = lock_hall(tournament.pk)
    require(by, tournament, "change_tournament")
    last_day = last_day_from(tournament, starts_on)
    later = starts_on - tournament.starts_on
    new = create_tournament(
        name=name.strip() or name_on(tournament.name, tournament.starts_on, starts_on),
        starts_on=starts_on,
        ends_on=last_day,
        place=tournament.place,
        time_zone=tournament.time_zone,
        copy_of=tournament.name,
        by=by,
        at=at,
    )
    events = {}
    for event in tournament.events.order_by("id"):
        named = name_on(event.name, tournament.starts_on, starts_on)
        events[event.pk] = make_event(
            new, settings_of(event), name=named, copy_of=event.name, days=later.days, by=by, at=at
        )
    _copy_hall(tournament, new, events, later, by=by, at=at)
    return new, events


def _copy_hall(
    old: Tournament, new: Tournament, events: dict[int, Event], later: timedelta, *, by: User, at: datetime
) -> None:
    """Give the new tournament the same site address, the same tables, reserved and streamed as before, and breaks.

    A table that was out of order is in order again.
    """
    if old.site_address:
        set_site_address(new, address=old.site_address, by=by, at=at)
    tables = list(old.tables.order_by("number"))
    for _run, run in groupby(enumerate(tables), key=lambda found: found[1].number - found[0]):
        numbers = [table.number for _place, table in run]
        add_tables(new, first=numbers[0], last=numbers[-1], by=by, at=at)
    for table in tables:
        event = events.get(table.event_id or 0)
        if event or table.streamed:
            kept = {"streamed": table.streamed, "out_of_order": False}
            update_table(new, number=table.number, event=event, **kept, by=by, at=at)
    for found in old.breaks.order_by("starts_at"):
        starts_at, ends_at = (time.astimezone(old.zone) + later for time in (found.starts_at, found.ends_at))
        add_break(new, name=found.name, starts_at=starts_at, ends_at=ends_at, by=by, at=at)


@transaction.atomic
def duplicate_event(
    event: Event, *, name: str = "", starts_at: datetime | None = None, by: User, at: datetime
) -> Event:
    """Create another event with these settings in the same tournament; without a name, the old one gets a number.

    It has no entries, and no start unless one is given. Raises Refusal for a name that no event can have.
    """
    event = lock_event(event)
    taken = set(event.tournament.events.values_list("name", flat=True))
    settings = settings_of(event)
    settings = {**settings, "terms": {**settings["terms"], "starts_at": None}}
    return make_event(
        event.tournament,
        settings,
        name=name.strip() or next_name(event.name, taken),
        copy_of=event.name,
        days=0,
        starts_at=starts_at,
        by=by,
        at=at,
    )
