"""The log's wording about closed entries and the public value of a draw."""

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.log.words.verb import Detail, Verb
from tournament.models import PublicSource
from tournament.proof.drand import CHAIN


def _close_entries(detail: Detail) -> str:
    values = {"entries": detail["entries"], "source": PublicSource(str(detail["source"])).label}
    if "drand_round" in detail:
        values |= {"round": detail["drand_round"], "chain": CHAIN}
        return _("Entries closed: %(entries)s. The public value will be round %(round)s of drand (%(chain)s)") % values
    return _("Entries closed: %(entries)s. The public value will be %(source)s") % values


def _reopen_entries(detail: Detail) -> str:
    if detail["value"]:
        return _("Entries reopened: %(reason)s. The public value %(value)s is void") % detail
    return _("Entries reopened: %(reason)s") % detail


def _repeat_dice(detail: Detail) -> str:
    if "entry" in detail:
        return (
            _("Public value: the dice %(dice)s, typed in by %(first)s and by the private link of %(second)s") % detail
        )
    return _("Public value: the dice %(dice)s, typed in by %(first)s and by %(second)s") % detail


PUBLIC_VALUE_VERBS: Mapping[str, Verb] = {
    "close_entries": Verb(gettext_lazy("Entries closed"), _close_entries),
    "reopen_entries": Verb(gettext_lazy("Entries reopened"), _reopen_entries),
    "type_dice": Verb(
        gettext_lazy("Dice typed in"),
        lambda detail: _("%(count)s dice typed in; another person has to repeat them") % {"count": detail["count"]},
    ),
    "repeat_dice": Verb(
        gettext_lazy("Dice repeated"),
        _repeat_dice,
    ),
    "give_word": Verb(gettext_lazy("Word given"), lambda detail: _("Word of entry %(number)s: %(word)s") % detail),
    "enter_drand": Verb(
        gettext_lazy("Round of drand"),
        lambda detail: _("Public value: round %(round)s of drand, %(value)s") % detail,
    ),
}
