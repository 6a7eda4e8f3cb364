"""The log's wording about tournaments, their roles and their events."""

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournament.formats import FORMATS
from tournament.log.words.verb import Detail, Verb, names_of, with_names
from tournament.models import Role


def _create_tournament(detail: Detail) -> str:
    if "copy_of" in detail:
        return _("Tournament created: %(name)s, with the settings of %(copy_of)s") % detail
    return _("Tournament created: %(name)s") % {"name": detail["name"]}


def _create_event(detail: Detail) -> str:
    if "copy_of" in detail:
        return _("Event created: %(name)s, with the settings of %(copy_of)s") % detail
    return _("Event created: %(name)s") % {"name": detail.get("name", "")}


def _draw(detail: Detail) -> str:
    values = {"stage": detail.get("stage", 1), "entries": detail.get("entries", "?")}
    if urns := detail.get("urns"):
        values["link"] = urns[0]["number"]  # type: ignore[index]
        if "stage" in detail:
            return _("Stage %(stage)s drawn with link %(link)s of the chain: %(entries)s entries") % values
        return _("Drawn with link %(link)s of the chain: %(entries)s entries") % values
    if "stage" in detail:
        return _("Stage %(stage)s drawn: %(entries)s entries") % values
    return _("Drawn: %(entries)s entries") % values


def _cancel_draw(detail: Detail) -> str:
    return _("Draw of stage %(stage)s taken back") % detail if "stage" in detail else _("Draw taken back")


def _add_stage(detail: Detail) -> str:
    format = FORMATS.get(str(detail.get("format")))
    return _("Stage %(stage)s added: %(format)s") % {
        "stage": detail.get("stage", "?"),
        "format": _(format.name) if format else detail.get("format", "?"),
    }


def _role_name(role: object) -> str:
    return str(Role(role).label) if role in Role.values else str(role)


def _role(detail: Detail) -> dict[str, object]:
    return {"user": detail.get("user", ""), "role": _role_name(detail.get("role")), "note": detail.get("note", "")}


def _invite(detail: Detail) -> str:
    values = _role(detail)
    return (
        _("Invitation created: %(role)s, for %(note)s") if values["note"] else _("Invitation created: %(role)s")
    ) % values


def _change_role(detail: Detail) -> str:
    before, after = detail["changes"]["role"]  # type: ignore[index]
    values = {"user": detail.get("user", ""), "before": _role_name(before), "after": _role_name(after)}
    return _("%(user)s: role changed from %(before)s to %(after)s") % values


def _change_draw(detail: Detail) -> str:
    if detail["kind"] == "swap":
        sentence = _("By the director: %(names)s swapped (%(reason)s)")
    elif None in detail["entries"]:  # type: ignore[operator]
        sentence = _("By the director: bye for %(names)s in round %(round)s (%(reason)s)")
    elif detail["round"]:
        sentence = _("By the director: %(names)s meet in round %(round)s (%(reason)s)")
    else:
        sentence = _("By the director: %(names)s meet (%(reason)s)")
    return sentence % {"names": names_of(detail), "round": detail["round"], "reason": detail["reason"]}


def _finish_event(detail: Detail) -> str:
    if "rates_open" not in detail:
        return _("Event ended")
    count = int(str(detail["rates_open"]))
    return ngettext(
        "Event ended without the error rates of %(count)s match",
        "Event ended without the error rates of %(count)s matches",
        count,
    ) % {"count": count}


TOURNAMENT_VERBS: Mapping[str, Verb] = {
    "create_tournament": Verb(gettext_lazy("Tournament created"), _create_tournament),
    "update_tournament": Verb(gettext_lazy("Tournament changed")),
    "set_divisions": Verb(gettext_lazy("Divisions set"), lambda detail: with_names(_("Divisions: %(names)s"), detail)),
    "delete_tournament": Verb(gettext_lazy("Tournament deleted")),
    "restore_tournament": Verb(gettext_lazy("Tournament restored")),
    "invite": Verb(gettext_lazy("Invitation created"), _invite, public=False),
    "withdraw_invitation": Verb(
        gettext_lazy("Invitation withdrawn"),
        lambda detail: _("Invitation withdrawn: %(role)s") % _role(detail),
        public=False,
    ),
    "accept_invitation": Verb(
        gettext_lazy("Invitation accepted"),
        lambda detail: _("%(user)s now has the role of %(role)s") % _role(detail),
        public=False,
    ),
    "change_role": Verb(gettext_lazy("Role changed"), _change_role, public=False),
    "take_role": Verb(
        gettext_lazy("Role removed"),
        lambda detail: _("%(user)s no longer has the role of %(role)s") % _role(detail),
        public=False,
    ),
    "create_event": Verb(gettext_lazy("Event created"), _create_event),
    "import_event": Verb(
        gettext_lazy("Event imported"),
        lambda detail: _("Event imported from a file: %(name)s, %(digest)s") % detail,
    ),
    "update_event": Verb(gettext_lazy("Settings changed")),
    "finish_event": Verb(gettext_lazy("Event ended"), _finish_event),
    "reopen_event": Verb(gettext_lazy("Event reopened")),
    "delete_event": Verb(
        gettext_lazy("Event deleted"), lambda detail: _("Event deleted: %(name)s") % {"name": detail.get("name", "")}
    ),
    "restore_event": Verb(
        gettext_lazy("Event restored"), lambda detail: _("Event restored: %(name)s") % {"name": detail.get("name", "")}
    ),
    "save_template": Verb(
        gettext_lazy("Template saved"),
        lambda detail: _("Settings saved as the template “%(name)s”") % detail,
        public=False,
    ),
    "remove_template": Verb(
        gettext_lazy("Template removed"), lambda detail: _("Template “%(name)s” removed") % detail, public=False
    ),
    "add_stage": Verb(gettext_lazy("Stage added"), _add_stage),
    "remove_stage": Verb(
        gettext_lazy("Stage removed"), lambda detail: _("Stage %(stage)s removed") % {"stage": detail["stage"]}
    ),
    "make_draw": Verb(gettext_lazy("Drawn"), _draw),
    "cancel_draw": Verb(gettext_lazy("Draw taken back"), _cancel_draw),
    "change_draw": Verb(gettext_lazy("Draw changed by the director"), _change_draw),
    "end_draw_change": Verb(
        gettext_lazy("Change of the draw taken back"),
        lambda detail: with_names(_("Change of the draw taken back: %(names)s"), detail),
    ),
    "begin_chain": Verb(
        gettext_lazy("New chain of links"),
        lambda detail: (
            _("Chain %(chain)s begun: the secret of the one before it was lost, or all its links were used")
            % {"chain": detail["chain"]}
        ),
    ),
}
