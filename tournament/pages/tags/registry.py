"""The registry on a page: own names for those who keep it, and what becomes of a row of an import."""

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
def outcome(fate: MemberFate) -> str:
    """Say what becomes of a row, and what it changes."""
    said = {
        Outcome.NEW: _("New"),
        Outcome.SAME: _("The same"),
        Outcome.CHANGED: _("Changed"),
        Outcome.AMBIGUOUS: _("Ambiguous"),
        Outcome.REFUSED: _("Refused"),
    }[fate.outcome]
    fields = {
        "given": _("given names"),
        "family": _("family name"),
        "country": _("country"),
        "club": _("club"),
        "born": _("born"),
        "number": _("number"),
        "membership": _("membership"),
    }
    changed = ", ".join(fields[name] for name in fate.changes)
    return f"{said} ({changed})" if changed else said


@register.filter
def chose(fate: MemberFate, player_id: int) -> bool:
    """Whether this person was chosen for the row."""
    return fate.chosen == str(player_id)
