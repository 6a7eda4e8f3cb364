"""The log's wording in the reader's language: VERBS has every verb that a service writes, with its sentence."""

from collections.abc import Mapping

from tournament.log.words.deadlines import DEADLINE_VERBS
from tournament.log.words.entries import ENTRY_VERBS
from tournament.log.words.hall import HALL_VERBS
from tournament.log.words.matches import MATCH_VERBS
from tournament.log.words.money import MONEY_VERBS
from tournament.log.words.public_value import PUBLIC_VALUE_VERBS
from tournament.log.words.reporting import REPORTING_VERBS
from tournament.log.words.tournaments import TOURNAMENT_VERBS
from tournament.log.words.values import changes_of
from tournament.log.words.verb import Verb, match_of
from tournament.models import LogEntry

VERBS: Mapping[str, Verb] = {
    **TOURNAMENT_VERBS,
    **ENTRY_VERBS,
    **PUBLIC_VALUE_VERBS,
    **HALL_VERBS,
    **MONEY_VERBS,
    **MATCH_VERBS,
    **DEADLINE_VERBS,
    **REPORTING_VERBS,
}
PUBLIC_VERBS = frozenset(slug for slug, verb in VERBS.items() if verb.public)
TOLD_IN_FULL = frozenset({"change_role", "withdraw_entry", "return_entry"})
"""The verbs whose sentence says all that has changed."""
WITHHELD = "withheld"
"""Set in the detail of a row whose match is in dispute, for a reader who is not told what is claimed of it."""


def verb_name(slug: str) -> str:
    """Return the verb's name as shown in lists; that of an older program in plain words."""
    return str(VERBS[slug].name) if slug in VERBS else slug.replace("_", " ").capitalize()


def tell(entry: LogEntry) -> str:
    """Return the log row as a sentence, or as its verb if its detail is incomplete, as it may be in an old row.

    Of a row that is withheld it is the match and the verb.
    """
    if entry.detail.get(WITHHELD):
        return f"{match_of(entry.detail)}: {verb_name(entry.verb)}"
    verb = VERBS.get(entry.verb)
    if verb is None or verb.tell is None:
        return verb_name(entry.verb)
    try:
        return verb.tell(entry.detail)
    except (KeyError, TypeError, ValueError):
        return verb_name(entry.verb)


def changes_in(entry: LogEntry) -> list[tuple[str, str, str]]:
    """Return the changes: the name of each changed field, with its value before and after in words."""
    if not isinstance(entry.detail.get("changes"), dict) or entry.verb in TOLD_IN_FULL:
        return []
    return list(changes_of(entry.detail))
