"""The log's wording about the hall."""

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.log.words.verb import Detail, Verb, key_of


def _called(detail: Detail) -> dict[str, object]:
    players = " – ".join(map(str, detail.get("players", ())))  # type: ignore[call-overload]
    return {**detail, "fixture": key_of(detail), "players": players}


def _site_address(detail: Detail) -> str:
    if not detail["site_address"]:
        return _("Site address removed")
    return _("Site address: %(site_address)s") % detail


HALL_VERBS: Mapping[str, Verb] = {
    "add_tables": Verb(
        gettext_lazy("Tables set up"),
        lambda detail: _("Tables set up: %(tables)s") % {"tables": ", ".join(map(str, detail["tables"]))},  # type: ignore[call-overload]
    ),
    "update_table": Verb(
        gettext_lazy("Table changed"), lambda detail: _("Table %(table)s changed") % {"table": detail["table"]}
    ),
    "add_break": Verb(
        gettext_lazy("Break planned"), lambda detail: _("Break planned: %(name)s") % {"name": detail["name"]}
    ),
    "remove_break": Verb(
        gettext_lazy("Break removed"), lambda detail: _("Break removed: %(name)s") % {"name": detail["name"]}
    ),
    "set_site_address": Verb(gettext_lazy("Site address set"), _site_address),
    "call_match": Verb(
        gettext_lazy("Match called"),
        lambda detail: _("%(fixture)s called to table %(table)s: %(players)s") % _called(detail),
    ),
    "start_match": Verb(
        gettext_lazy("Match begun"),
        lambda detail: _("%(fixture)s begun at table %(table)s: %(players)s") % _called(detail),
    ),
    "move_match": Verb(
        gettext_lazy("Match moved"),
        lambda detail: _("%(fixture)s moved to table %(table)s: %(players)s") % _called(detail),
    ),
    "recall_match": Verb(
        gettext_lazy("Match recalled"),
        lambda detail: _("%(fixture)s recalled from table %(table)s: %(players)s") % _called(detail),
    ),
}
