"""The log's wording in the reader's language: VERBS has every verb that a service writes, with its sentence."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.log.words.entries import ENTRY_VERBS
from tournament.log.words.hall import HALL_VERBS
from tournament.log.words.matches import MATCH_VERBS
from tournament.log.words.money import MONEY_VERBS
from tournament.log.words.tournaments import TOURNAMENT_VERBS
from tournament.log.words.verb import Verb
from tournament.models import LogEntry

VERBS: Mapping[str, Verb] = {**TOURNAMENT_VERBS, **ENTRY_VERBS, **HALL_VERBS, **MONEY_VERBS, **MATCH_VERBS}
PUBLIC_VERBS = frozenset(slug for slug, verb in VERBS.items() if verb.public)


def verb_name(slug: str) -> str:
    """Return the verb's name as shown in lists."""
    return str(VERBS[slug].name) if slug in VERBS else slug


def tell(entry: LogEntry) -> str:
    """Return the log row as a sentence, or as its verb if its detail is incomplete, as it may be in an old row."""
    verb = VERBS.get(entry.verb)
    if verb is None or verb.tell is None:
        return verb_name(entry.verb)
    try:
        return verb.tell(entry.detail)
    except (KeyError, TypeError, ValueError):
        return verb_name(entry.verb)


def changes_in(entry: LogEntry) -> list[tuple[str, str, str]]:
    """Return the changes: the name of each changed field, with its value before and after."""
    changes = entry.detail.get("changes")
    if not isinstance(changes, dict) or entry.verb == "change_role":
        return []
    return [(field_name(name), _value(before), _value(after)) for name, (before, after) in changes.items()]


FIELDS: Mapping[str, str | Promise] = {
    "name": gettext_lazy("Name"),
    "place": gettext_lazy("Venue"),
    "starts_on": gettext_lazy("First day"),
    "ends_on": gettext_lazy("Last day"),
    "time_zone": gettext_lazy("Time zone"),
    "format": gettext_lazy("Format"),
    "lengths": gettext_lazy("Match lengths"),
    "seeding": gettext_lazy("Seeding"),
    "profile": gettext_lazy("Rules"),
    "crawford": gettext_lazy("Crawford game"),
    "doubles": gettext_lazy("Consultation doubles"),
    "tiebreaks": gettext_lazy("Tie-breaks"),
    "seed": gettext_lazy("Seed"),
    "family": gettext_lazy("Family"),
    "site_address": gettext_lazy("Site address"),
}


def field_name(name: str) -> str:
    """Return the field's name as used in forms; an option of a format has its own word."""
    return str(FIELDS.get(name, name.replace("_", " ").capitalize()))


def _value(value: object) -> str:
    match value:
        case None | "":
            return "–"
        case bool():
            return _("yes") if value else _("no")
        case list():
            return ", ".join(map(str, value)) or "–"
        case _:
            return str(value)
