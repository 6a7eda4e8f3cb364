"""The registry on a page: what becomes of a row of an import."""

from django import template
from django.utils.translation import gettext as _

from players.models import Player
from players.registry import names
from players.registry.matching import MemberFate, Outcome

register = template.Library()


@register.filter
def own_name(player: Player) -> str:
    """Return the person's own name: for pages that only those who keep the registry may read."""
    return names.own_name(player)


@register.filter
def by_family(player: Player) -> str:
    """Return the person's own name with the family name first, as lists have it: ``Holm, Asta``."""
    given, family = names.own_parts(player)
    return f"{family}, {given}" if given else family


@register.filter
def outcome_in_words(what: Outcome) -> str:
    """Say what becomes of a row of a file."""
    return {
        Outcome.NEW: _("New"),
        Outcome.SAME: _("The same"),
        Outcome.CHANGED: _("Changed"),
        Outcome.AMBIGUOUS: _("Ambiguous"),
        Outcome.REFUSED: _("Refused"),
    }[what]


@register.filter
def chose(fate: MemberFate, player_id: int) -> bool:
    """Whether this person was chosen for the row."""
    return fate.chosen == str(player_id)
