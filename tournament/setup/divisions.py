"""The divisions of a league: set by the director, from the top down."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from players.errors import Refusal
from players.models import User
from tournament.changes.record import lock_hall, record_in_tournament
from tournament.models import Division, Tournament

MOST_MOVE = 16


@dataclass(frozen=True, slots=True)
class DivisionRule:
    """How many go ``up`` and ``down`` from the division that is the event with this id."""

    event: int
    up: int = 0
    down: int = 0


def divisions_of(tournament: Tournament) -> list[Division]:
    """Return the divisions of the season, the top one first."""
    found = Division.objects.filter(event__in=tournament.events.all()).select_related("event__tournament")
    return list(found.order_by("level", "event"))


@transaction.atomic
def set_divisions(
    tournament: Tournament, *, rules: Sequence[DivisionRule], by: User | None, at: datetime
) -> list[Division]:
    """Make these events the divisions of the season, the top one first, in place of those before; none if empty.

    An event that was deleted is no division any more, also once it is restored. Nobody goes up from the top or down
    from the bottom. Raises Refusal for an event that is not of the tournament, is named twice or is not for single
    players, and for numbers out of range.
    """
    tournament = lock_hall(tournament.pk)
    events = {event.pk: event for event in tournament.events.all()}
    if not all(rule.event in events for rule in rules):
        raise Refusal("division_unknown", _("A division is an event of this tournament."))
    if len({rule.event for rule in rules}) < len(rules):
        raise Refusal("division_twice", _("An event is one division, not two."))
    if any(events[rule.event].doubles or events[rule.event].has_teams for rule in rules):
        raise Refusal("division_of_many", _("Divisions are for single players, not for pairs or teams."))
    if any(not 0 <= number <= MOST_MOVE for rule in rules for number in (rule.up, rule.down)):
        sentence = _("From 0 to %(limit)s players go up or down.")
        raise Refusal("division_moves_out_of_range", sentence % {"limit": MOST_MOVE})
    if rules and (rules[0].up or rules[-1].down):
        raise Refusal("division_at_the_end", _("Nobody goes up from the top division or down from the bottom one."))
    Division.objects.filter(event__tournament=tournament).delete()
    made = [
        Division.objects.create(event=events[rule.event], level=level, up=rule.up, down=rule.down)
        for level, rule in enumerate(rules, start=1)
    ]
    names, kept = [one.event.name for one in made], [asdict(rule) for rule in rules]
    record_in_tournament(tournament, verb="set_divisions", by=by, at=at, names=names, rules=kept)
    return made
