"""Tournament (the weekend), Event (what people enter), Stage (one draw), Fixture (a published pairing), Match."""

from tournament.models.draw import Carry, Fixture, Stage, Standing
from tournament.models.event import Entry, Event, Tournament, default_tiebreaks, from_the_start
from tournament.models.log import LogEntry

__all__ = [
    "Carry",
    "Entry",
    "Event",
    "Fixture",
    "LogEntry",
    "Stage",
    "Standing",
    "Tournament",
    "default_tiebreaks",
    "from_the_start",
]
