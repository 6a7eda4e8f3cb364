"""The log's wording about deadlines and offers to play."""

from collections.abc import Mapping
from datetime import date

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.log.words.verb import Detail, Verb, match_of


def _last_day(template: str, detail: Detail) -> str:
    before, after = (date_format(date.fromisoformat(day)) for day in detail["last_day"])  # type: ignore[attr-defined]
    return template % {"fixture": match_of(detail), "name": detail.get("name", ""), "before": before, "after": after}


def _offer(detail: Detail) -> str:
    days = [date_format(date.fromisoformat(day)) for day in detail["days"]]  # type: ignore[attr-defined]
    values = {"fixture": match_of(detail), "name": detail["name"], "days": ", ".join(days)}
    if not days:
        return _("%(fixture)s: %(name)s has offered to play and has no answer") % values
    return _("%(fixture)s: %(name)s offers to play on %(days)s") % values


DEADLINE_VERBS: Mapping[str, Verb] = {
    "move_deadline": Verb(
        gettext_lazy("Deadline moved"),
        lambda detail: _last_day(_("%(fixture)s: deadline moved from %(before)s to %(after)s"), detail),
    ),
    "extend_deadline": Verb(
        gettext_lazy("Deadline extended by a player"),
        lambda detail: _last_day(_("%(fixture)s: deadline extended by %(name)s from %(before)s to %(after)s"), detail),
    ),
    "restore_deadline": Verb(
        gettext_lazy("Deadline restored"),
        lambda detail: _last_day(_("%(fixture)s: the deadline is %(after)s again"), detail),
    ),
    "offer_to_play": Verb(gettext_lazy("Offer to play"), _offer, public=False),
}
