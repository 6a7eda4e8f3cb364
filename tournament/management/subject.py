"""How commands name an event: ``tournament/event``, the end of its address."""

from django.utils.translation import gettext as _

from players.errors import Refusal
from tournament.models import Event


def find_event(text: str) -> Event:
    """Return the event with this name. Raises Refusal if there is none."""
    tournament, _slash, slug = text.strip("/").partition("/")
    event = Event.objects.select_related("tournament").filter(tournament__slug=tournament, slug=slug).first()
    if event is None:
        raise Refusal(
            "event_unknown",
            _("There is no event “%(name)s”. An event is named as in its address, like club-night/championship.")
            % {"name": text[:80]},
        )
    return event
