"""Seeds proposed from a ranking list, or from the places of an earlier event; nothing is stored.

The best is seed 1, and so on. A pair or a team has the average of its players. Equals stand by name, and who has no
rating or no place has no seed.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Q
from django.utils.translation import gettext as _

from players.errors import Refusal
from players.models import RankingList, Rating
from tournament.draw.chain import load_people
from tournament.draw.make import average_of
from tournament.models import Entry, Event, Standing

MOST_EVENTS = 50
"""How many earlier events are offered."""


@dataclass(frozen=True, slots=True)
class Proposed:
    """An entry with the seed that it would have, and in hundredths its rating or place, if it has one."""

    entry: Entry
    seed: int | None
    value: int | None


def seeds_by_ranking(event: Event, *, system: str, most: int | None = None) -> list[Proposed]:
    """Return the event's entries with seeds by this ranking list, the best ``most`` of them if given.

    Raises Refusal (``ranking_unknown``) for a list that does not exist.
    """
    if not RankingList.objects.filter(system=system).exists():
        raise Refusal("ranking_unknown", _("There is no such ranking list."))
    values = dict(Rating.objects.filter(ranking_list__system=system).values_list("player_id", "value"))
    return _proposed(event, values, most, best_is_highest=True)


def seeds_by_event(event: Event, *, earlier: Event, most: int | None = None) -> list[Proposed]:
    """Return the event's entries with seeds by the places of an event that has ended.

    A player has the best place of their entries there. Raises Refusal (``earlier_event_not_ended``).
    """
    if earlier.finished_at is None or earlier.pk == event.pk:
        raise Refusal("earlier_event_not_ended", _("Choose an earlier event that has ended."))
    return _proposed(event, _places_in(earlier), most, best_is_highest=False)


def earlier_events(event: Event) -> list[Event]:
    """Return the ended events that may give seeds: those of the same name first, then the latest of the others."""
    ended = Event.objects.filter(finished_at__isnull=False).exclude(pk=event.pk).select_related("tournament")
    in_order = ended.order_by("-tournament__starts_on", "-id")
    same = list(in_order.filter(Q(name__iexact=event.name))[:MOST_EVENTS])
    return [*same, *in_order.exclude(name__iexact=event.name)[: MOST_EVENTS - len(same)]]


def _places_in(event: Event) -> dict[int, Decimal]:
    """Return the place of each player of the event; who went out in an earlier stage comes after those of the last."""
    lines = Standing.objects.filter(stage__event=event, section="").order_by("-stage__number", "place", "order")
    people = {entry.pk: entry.people for entry in load_people(event.entries.all())}
    places: dict[int, Decimal] = {}
    for line in lines:
        for person in people.get(line.entry_id, ()):
            places.setdefault(person.pk, Decimal(line.place))
    return places


def _proposed(
    event: Event, values: Mapping[int, Decimal], most: int | None, *, best_is_highest: bool
) -> list[Proposed]:
    entries = [entry for entry in load_people(event.entries.order_by("number")) if entry.is_drawn_in(1)]
    found = {entry.pk: average_of(event, entry, values) for entry in entries}
    sign = -1 if best_is_highest else 1
    valued = [
        (sign * value, entry.name.casefold(), entry.pk) for entry in entries if (value := found[entry.pk]) is not None
    ]
    seeds = {pk: seed for seed, (_value, _name, pk) in enumerate(sorted(valued)[:most], start=1)}
    return [Proposed(entry, seeds.get(entry.pk), found[entry.pk]) for entry in entries]
