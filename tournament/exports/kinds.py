"""The tables that federations and organisers take out of the program. A new one needs a line in ``KINDS``."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from players.models import Federation
from tournament.exports import federation
from tournament.exports.federation import Asked
from tournament.exports.keepers import Keeper
from tournament.exports.layout import LongTable
from tournament.exports.reported import REPORTED_COLUMNS, STANDING_COLUMNS


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of table. ``open`` reads what it is made of; with ``needs_list`` it is of one list.

    An organiser has those ``of_events`` alone.

    ``open`` raises Refused if there is nothing to export.
    """

    label: Promise | str
    columns: tuple[str, ...]
    open: Callable[[Asked], LongTable]
    needs_list: bool = False
    of_events: bool = False


KINDS: Mapping[str, Kind] = {
    "results": Kind(_("Results"), REPORTED_COLUMNS, federation.results, of_events=True),
    "standings": Kind(_("Finishing order"), STANDING_COLUMNS, federation.standings, of_events=True),
    "ranking": Kind(_("Ranking list"), federation.RANKING_COLUMNS, federation.ranking, needs_list=True),
    "members": Kind(_("Members"), federation.MEMBER_COLUMNS, federation.members),
    "pr": Kind(_("Error rates"), federation.RATE_COLUMNS, federation.rates),
}


def kinds_for(keeper: Keeper) -> Mapping[str, Kind]:
    """Return the kinds of table that the federation or the organiser may have."""
    if isinstance(keeper, Federation):
        return KINDS
    return {slug: kind for slug, kind in KINDS.items() if kind.of_events}
