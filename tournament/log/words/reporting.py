"""The log's wording about official lists: reports, approvals and rulings of their officers."""

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.log.words.verb import Detail, Verb, match_of
from tournament.models import RatingVerdict


def _sanction(detail: Detail) -> str:
    if detail.get("weight") is None:
        return _("Approved for %(list)s") % detail
    return _("Approved for %(list)s with weight %(weight)s %%") % detail


def _rule_on_rating(detail: Detail) -> str:
    template = {
        RatingVerdict.COUNTS.value: _("%(match)s counts for %(list)s: %(reason)s"),
        RatingVerdict.OUT.value: _("%(match)s does not count for %(list)s: %(reason)s"),
    }.get(str(detail["verdict"]), _("%(match)s counts for %(list)s as its policy says: %(reason)s"))
    return template % {"match": match_of(detail), "list": detail["list"], "reason": detail["reason"]}


REPORTING_VERBS: Mapping[str, Verb] = {
    "redeclare": Verb(
        gettext_lazy("Rated for other lists"), lambda detail: _("Rated for other lists: %(reason)s") % detail
    ),
    "sanction_event": Verb(gettext_lazy("Approved for a list"), _sanction),
    "withdraw_sanction": Verb(
        gettext_lazy("Approval withdrawn"), lambda detail: _("No longer approved for %(list)s") % detail
    ),
    "rule_on_rating": Verb(gettext_lazy("Ruling on rating"), _rule_on_rating),
    "accept_report": Verb(gettext_lazy("Report accepted"), lambda detail: _("Results accepted for %(list)s") % detail),
    "return_report": Verb(
        gettext_lazy("Report returned"), lambda detail: _("Question from %(list)s: %(said)s") % detail, public=False
    ),
    "queue_report": Verb(
        gettext_lazy("Report kept for later"), lambda detail: _("Results kept for a later %(list)s") % detail
    ),
    "answer_report": Verb(
        gettext_lazy("Question answered"), lambda detail: _("Answer to %(list)s: %(said)s") % detail, public=False
    ),
}
