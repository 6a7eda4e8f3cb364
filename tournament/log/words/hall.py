"""The log's wording about the hall."""

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.log.words.verb import Detail, Verb, key_of


def _called(detail: Detail, at_a_table: str, by_name: str) -> str:
    """Say it with the table, or without one if the match was called by its players' names."""
    players = " – ".join(map(str, detail.get("players", ())))  # type: ignore[call-overload]
    words = {**detail, "fixture": key_of(detail), "players": players}
    return (by_name if detail.get("table") is None else at_a_table) % words


def _site_address(detail: Detail) -> str:
    if not detail["site_address"]:
        return _("Site address removed")
    return _("Site address: %(site_address)s") % detail


def _announced(detail: Detail, sentence: str) -> str:
    return sentence % {"text": detail["text"]}


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
    "announce": Verb(
        gettext_lazy("Announcement made"),
        lambda detail: _announced(detail, _("Announced: “%(text)s”")),
    ),
    "withdraw_announcement": Verb(
        gettext_lazy("Announcement withdrawn"),
        lambda detail: _announced(detail, _("Announcement withdrawn: “%(text)s”")),
        public=False,
    ),
    "end_announcement": Verb(
        gettext_lazy("Announcement ended"),
        lambda detail: _announced(detail, _("Announcement ended: “%(text)s”")),
        public=False,
    ),
    "call_match": Verb(
        gettext_lazy("Match called"),
        lambda detail: _called(
            detail, _("%(fixture)s called to table %(table)s: %(players)s"), _("%(fixture)s called: %(players)s")
        ),
    ),
    "start_match": Verb(
        gettext_lazy("Match begun"),
        lambda detail: _called(
            detail, _("%(fixture)s begun at table %(table)s: %(players)s"), _("%(fixture)s begun: %(players)s")
        ),
    ),
    "move_match": Verb(
        gettext_lazy("Match moved"),
        lambda detail: _called(detail, _("%(fixture)s moved to table %(table)s: %(players)s"), ""),
    ),
    "call_director": Verb(
        gettext_lazy("Director called"),
        lambda detail: _called(
            detail,
            _("Director called to table %(table)s, %(fixture)s: %(players)s"),
            _("Director called to %(fixture)s: %(players)s"),
        ),
    ),
    "answer_director": Verb(
        gettext_lazy("Director comes"),
        lambda detail: _called(
            detail,
            _("On the way to table %(table)s, %(fixture)s: %(players)s"),
            _("On the way to %(fixture)s: %(players)s"),
        ),
    ),
    "end_director_call": Verb(
        gettext_lazy("Call for the director done"),
        lambda detail: _called(
            detail,
            _("Call for the director done at table %(table)s, %(fixture)s: %(players)s"),
            _("Call for the director done at %(fixture)s: %(players)s"),
        ),
    ),
    "recall_match": Verb(
        gettext_lazy("Match recalled"),
        lambda detail: _called(
            detail, _("%(fixture)s recalled from table %(table)s: %(players)s"), _("%(fixture)s recalled: %(players)s")
        ),
    ),
}
