"""Corrections of published lists in words, and what a list says of a match."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from matches.lists.moves import people_in
from matches.models import Match
from players.lists.models import OfficialList
from players.lists.published import names_now
from players.lists.values import Correction, Counted
from tournament.reporting.rulings import reasons_of_rulings
from tournament.reporting.words import WHY_NOT, sentence_of

WHY_OTHERWISE: Mapping[str, str | Promise] = {
    "entered_late": gettext_lazy("The match was entered or accepted after the earlier publication."),
    "players_changed": gettext_lazy("The players of the match were corrected."),
    "date_changed": gettext_lazy("The date of play was corrected."),
    "result_changed": gettext_lazy("The result, the length or the weight of the match was corrected."),
    "played_later": gettext_lazy("The match was played later than the earlier publication says."),
    "event_deleted": gettext_lazy("The event was deleted."),
    "not_accepted": gettext_lazy("The report of the event is no longer accepted."),
    "not_decided": gettext_lazy("The match has no result any more."),
    "not_rated": gettext_lazy("The match is no longer rated."),
    **WHY_NOT,
}


@dataclass(frozen=True, slots=True)
class CorrectionLine:
    """A correction in words: what the earlier publication counted, what counts now, each empty for nothing, and why."""

    match: int
    is_linked: bool
    was: str
    now: str
    why: str


def correction_lines(official_list: OfficialList, corrections: Iterable[Correction]) -> list[CorrectionLine]:
    """Return the corrections of the list in words, with the names that are public now, in three queries."""
    found = list(corrections)
    names = names_now({player for one in found for player in people_in(one)})
    linked = known_matches([one.match for one in found])
    ruled = reasons_of_rulings(official_list, [one.match for one in found if one.why == "ruled_out"])
    return [
        CorrectionLine(
            one.match,
            one.match in linked,
            _in_words(one.was, names),
            _in_words(one.now, names),
            why_otherwise(one.why, ruled.get(one.match, "")),
        )
        for one in found
    ]


def why_otherwise(code: str, ruling: str = "") -> str:
    """Return the sentence for the reason of a correction; the code itself for one of a later version."""
    if ruling:
        return sentence_of(code, ruling)
    return str(WHY_OTHERWISE.get(code, code))


def known_matches(matches: Collection[int]) -> frozenset[int]:
    """Return those of these matches that are still there."""
    return frozenset(Match.objects.filter(pk__in=matches).values_list("pk", flat=True)) if matches else frozenset()


def _in_words(one: Counted | None, names: Mapping[int, str]) -> str:
    if one is None:
        return ""
    said = {
        "winner": names.get(one.winner, "–"),
        "loser": names.get(one.loser, "–"),
        "length": one.length,
        "day": date_format(localtime(datetime.fromisoformat(one.at)), "DATE_FORMAT"),
    }
    if one.weight != 100:
        return _("%(day)s: %(winner)s beat %(loser)s to %(length)s, counted at %(weight)s%%") % {
            **said,
            "weight": one.weight,
        }
    return _("%(day)s: %(winner)s beat %(loser)s to %(length)s") % said
