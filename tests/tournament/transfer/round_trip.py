"""Exported, imported into an empty installation, and exported again."""

from datetime import timedelta

from django.db import transaction
from django.db.models import CharField, Value
from django.db.models.functions import Cast, Concat

from players.models import Player
from tests.builders import AT
from tests.fresh import forget_everything
from tournament.draw.standings import store_standings
from tournament.models import Event, Tournament
from tournament.transfer.export import export_bytes
from tournament.transfer.load import import_event_file


def exported(event: Event) -> bytes:
    """The file of this event alone."""
    event = Event.objects.select_related("tournament").get(pk=event.pk)
    return export_bytes(event.tournament, [event], with_reasons=True)


class Emptied(Exception):  # noqa: N818
    """Undoes what was imported."""


def moved(data: bytes, look=exported):
    """What ``look`` sees of the event once the file was imported where nothing else is."""
    forget_everything()
    seen = None
    try:
        with transaction.atomic():
            Tournament.everything.update(slug=Concat(Value("away-"), Cast("pk", CharField())))
            Player.objects.update(name="Somebody else")
            tournament = import_event_file(data, by=None, at=AT + timedelta(days=9))
            (event,) = Event.objects.filter(tournament=tournament)
            store_standings(event.pk)
            seen = look(event)
            raise Emptied
    except Emptied:
        forget_everything()
    return seen
