"""The days of a tournament and its time zone, checked in one place."""

from datetime import date
from functools import cache
from zoneinfo import available_timezones

from django.utils.translation import gettext as _

from players.errors import Refusal
from tournament.models import Tournament

FIRST_YEAR, LAST_YEAR = 2000, 2200
NO_PLACES = frozenset({"Factory", "localtime", "posixrules"})
"""Files of zones that mean whatever the machine has."""
REGIONS = ("Africa", "America", "Antarctica", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")


@cache
def known_zones() -> frozenset[str]:
    """Return the names of all time zones that this machine knows."""
    return frozenset(available_timezones()) - NO_PLACES


@cache
def offered_zones() -> tuple[str, ...]:
    """Return the zones named after a place, and UTC, in the order of the alphabet: what a list offers."""
    return ("UTC", *sorted(zone for zone in known_zones() if zone.partition("/")[0] in REGIONS))


def check_zone(name: str) -> str:
    """Return the name of the zone, or an empty text for the server's own. Raises Refusal if no zone has this name."""
    name = name.strip()
    if name and name not in known_zones():
        raise Refusal("time_zone_unknown", _("There is no time zone “%(name)s”.") % {"name": name[:64]})
    return name


def check_last_day(first: date, last: date | None) -> date | None:
    """Return the last day, or None if it is the first too.

    Raises Refusal if it is before the first, or in a year in which no tournament is held.
    """
    if first.year < FIRST_YEAR or max(first, last or first).year > LAST_YEAR:
        raise Refusal("time_out_of_range", _("A time must be between the years 2000 and 2200."))
    if last is not None and last < first:
        raise Refusal("last_day_before_first", _("The last day cannot be before the first."))
    return None if last == first else last


def last_day_from(tournament: Tournament, first: date) -> date:
    """Return the last day of the tournament if it began on ``first``. Raises Refusal for an odd year."""
    check_last_day(first, None)
    return first + (tournament.last_day - tournament.starts_on)
