"""The log's wording about matches."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from matches.error_rates import write_rate
from tournament.formats.unplayed import Unplayed
from tournament.log.words.verb import Detail, Verb, key_of, result_of


def _enter_result(detail: Detail) -> str:
    template = {
        "forfeit": _("%(fixture)s: %(score)s by forfeit"),
        "walkover": _("%(fixture)s: %(score)s by walkover"),
        "void": _("%(fixture)s: void, neither side came"),
    }.get(str(detail.get("conclusion")), _("%(fixture)s: %(score)s"))
    return _by_rule(_dated(template % result_of(detail), detail), detail)


def _dated(sentence: str, detail: Detail) -> str:
    """Add to the sentence from which date of play to which one the match was moved, if it was."""
    days = [detail.get(name) for name in ("dated_before", "dated")]
    if None in days:
        return sentence
    before, after = (date_format(localtime(datetime.fromisoformat(str(day))), "DATETIME_FORMAT") for day in days)
    said = {"sentence": sentence, "before": before, "after": after}
    return _("%(sentence)s; date of play corrected from %(before)s to %(after)s") % said


def _by_rule(sentence: str, detail: Detail) -> str:
    """Add to the sentence the rule of the event by which the match was decided, if no person did."""
    rule, deadline = str(detail.get("rule", "")), detail.get("deadline")
    if deadline is not None:
        day = {"day": date_format(date.fromisoformat(str(deadline)))}
        why = {
            Unplayed.NEITHER: _("not begun by its deadline, %(day)s") % day,
            Unplayed.OFFERED: _("not begun by its deadline, %(day)s, and only this side had offered to play") % day,
        }.get(Unplayed(rule))
    else:  # a row of an earlier version
        known = {
            Unplayed.NEITHER: _("not begun by its deadline"),
            Unplayed.OFFERED: _("only this side had offered to play"),
        }
        why = known.get(Unplayed(rule)) if rule in list(Unplayed) else None
    if why is None:
        return sentence
    return _("%(sentence)s, by the rule of the event: %(why)s") % {"sentence": sentence, "why": why}


def _walk_over(detail: Detail) -> str:
    return _by_rule(_walked_over(detail), detail)


def _walked_over(detail: Detail) -> str:
    values = {**result_of(detail), "name": detail["to"]}
    if detail["neither"] and not detail["to"]:
        return _("%(fixture)s: void, neither side came") % values
    if detail["neither"]:
        return _("%(fixture)s: neither team came; %(name)s advances by lot") % values
    return _("%(fixture)s: walkover for %(name)s") % values


def _ruling(detail: Detail) -> str:
    explanation = _(str(detail["template"])) % detail["params"]
    return _("%(fixture)s: ruling: %(explanation)s") % {**result_of(detail), "explanation": explanation}


def _seat_reserve(detail: Detail) -> str:
    values = {"fixture": key_of(detail), "name": detail.get("takes", ""), "other": detail.get("of", "")}
    return _("%(fixture)s: %(name)s plays instead of %(other)s") % values


def _confirm_by_time(detail: Detail) -> str:
    minutes: Any = detail["minutes"]
    sentence = ngettext(
        "%(fixture)s: %(score)s confirmed because nobody objected within %(count)s minute",
        "%(fixture)s: %(score)s confirmed because nobody objected within %(count)s minutes",
        minutes,
    )
    return sentence % {**result_of(detail), "count": minutes}


def _set_error_rates(detail: Detail) -> str:
    values = result_of(detail)
    rates: Any = detail["rates"]
    if rates is None:
        return _("%(fixture)s: error rates taken back") % values
    return _("%(fixture)s: error rates %(rates)s") % {**values, "rates": " – ".join(map(write_rate, rates))}


MATCH_VERBS: Mapping[str, Verb] = {
    "enter_result": Verb(gettext_lazy("Result entered"), _enter_result),
    "correct_result": Verb(gettext_lazy("Result corrected"), _enter_result),
    "walk_over": Verb(gettext_lazy("Team match decided by walkover"), _walk_over),
    "void_walkover": Verb(
        gettext_lazy("Walkover taken back"), lambda detail: _("%(fixture)s: walkover taken back") % result_of(detail)
    ),
    "set_error_rates": Verb(gettext_lazy("Error rates entered"), _set_error_rates),
    "attach_record": Verb(
        gettext_lazy("Match record attached"),
        lambda detail: _("%(fixture)s: match record attached") % result_of(detail),
    ),
    "detach_record": Verb(
        gettext_lazy("Match record detached"),
        lambda detail: _("%(fixture)s: match record detached") % result_of(detail),
    ),
    "ruling": Verb(gettext_lazy("Ruling made"), _ruling),
    "seat_reserve": Verb(gettext_lazy("Reserve seated"), _seat_reserve),
    "report_result": Verb(
        gettext_lazy("Result reported"), lambda detail: _("%(fixture)s: %(score)s reported") % result_of(detail)
    ),
    "confirm_result": Verb(
        gettext_lazy("Report confirmed"), lambda detail: _("%(fixture)s: %(score)s confirmed") % result_of(detail)
    ),
    "confirm_by_time": Verb(gettext_lazy("Report confirmed by the time limit"), _confirm_by_time),
    "withdraw_report": Verb(
        gettext_lazy("Report withdrawn"),
        lambda detail: _("%(fixture)s: report %(score)s withdrawn") % result_of(detail),
    ),
    "dispute_result": Verb(
        gettext_lazy("Report disputed"),
        lambda detail: _("%(fixture)s: report %(score)s disputed") % result_of(detail),
    ),
    "end_advance": Verb(
        gettext_lazy("Ruling that advanced a player taken back"),
        lambda detail: _("%(fixture)s: the score of %(score)s once again decides who advances") % result_of(detail),
    ),
    "void_result": Verb(
        gettext_lazy("Result taken back"),
        lambda detail: _("%(fixture)s: result %(score)s taken back") % result_of(detail),
    ),
}
