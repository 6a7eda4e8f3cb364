"""What happened to an event, told in sentences."""

from collections.abc import Callable, Mapping

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.formats import FORMATS
from tournament.models import LogEntry

register = template.Library()

MOST_NAMES = 12
Detail = Mapping[str, object]


def _names(detail: Detail) -> str:
    names = [str(name) for name in detail.get("names", [])]  # type: ignore[attr-defined]
    shown = ", ".join(names[:MOST_NAMES])
    more = len(names) - MOST_NAMES
    if more > 0:
        shown += " " + ngettext("and %(count)s more", "and %(count)s more", more) % {"count": more}
    return shown


def _score(detail: Detail) -> str:
    score = detail.get("score")
    # Word joiners keep the two numbers on one line.
    return "\u2060–\u2060".join(str(points) for points in score) if isinstance(score, list) else "?"


def _result(detail: Detail) -> dict[str, object]:
    players = detail.get("players")
    names = " – ".join(str(name) for name in players) if isinstance(players, list) else ""
    return {"fixture": f"{_key(detail)} {names}".strip(), "score": _score(detail)}


def _key(detail: Detail) -> str:
    """The key of a pairing, with its stage where it is a later one."""
    key = str(detail.get("fixture", ""))
    return _("Stage %(stage)s, %(key)s") % {"stage": detail["stage"], "key": key} if "stage" in detail else key


def _draw(detail: Detail) -> str:
    terms = {"stage": detail.get("stage", 1), "entries": detail.get("entries", "?")}
    return (
        _("Stage %(stage)s drawn: %(entries)s entries") if "stage" in detail else _("Drawn: %(entries)s entries")
    ) % terms


def _cancel_draw(detail: Detail) -> str:
    return _("Draw of stage %(stage)s taken back") % detail if "stage" in detail else _("Draw taken back")


def _keep_apart(detail: Detail) -> str:
    terms = {"names": _names(detail), "family": detail.get("family", "")}
    return (_("%(names)s: of the family “%(family)s”") if terms["family"] else _("%(names)s: of no family")) % terms


def _presence(sentence: str, detail: Detail) -> str:
    return sentence % {"names": _names(detail), "round": detail.get("round", "?")}


def _add_stage(detail: Detail) -> str:
    format = FORMATS.get(str(detail.get("format")))
    return _("Stage %(stage)s added: %(format)s") % {
        "stage": detail.get("stage", "?"),
        "format": _(format.name) if format else detail.get("format", "?"),
    }


def _add_entries(detail: Detail) -> str:
    return _("Entered: %(names)s") % {"names": _names(detail)}


def _remove_entry(detail: Detail) -> str:
    return _("Taken out: %(names)s") % {"names": _names(detail)}


def _seed_entry(detail: Detail) -> str:
    if detail.get("seed") is None:
        return _("Seed taken away")
    return _("Seed %(seed)s given") % {"seed": detail["seed"]}


def _enter_result(detail: Detail) -> str:
    template = {
        "forfeit": _("%(fixture)s: %(score)s by forfeit"),
        "walkover": _("%(fixture)s: %(score)s by walkover"),
    }.get(str(detail.get("conclusion")), _("%(fixture)s: %(score)s"))
    return template % _result(detail)


def _ruling(detail: Detail) -> str:
    explanation = _(str(detail["template"])) % detail["params"]
    return _("%(fixture)s: ruling: %(explanation)s") % {**_result(detail), "explanation": explanation}


def _called(detail: Detail) -> dict[str, object]:
    players = detail.get("players")
    names = " – ".join(map(str, players)) if isinstance(players, list) else ""
    return {**detail, "fixture": _key(detail), "players": names}


SENTENCES: dict[str, Callable[[Detail], str]] = {
    "create_event": lambda detail: _("Event created: %(name)s") % {"name": detail.get("name", "")},
    "update_event": lambda detail: _("Settings changed"),
    "finish_event": lambda detail: _("Event ended"),
    "reopen_event": lambda detail: _("Event reopened"),
    "make_draw": _draw,
    "cancel_draw": _cancel_draw,
    "add_stage": _add_stage,
    "remove_stage": lambda detail: _("Stage %(stage)s taken out") % {"stage": detail.get("stage", "?")},
    "add_entries": _add_entries,
    "remove_entry": _remove_entry,
    "seed_entry": _seed_entry,
    "keep_apart": _keep_apart,
    "withdraw_entry": lambda detail: _presence(_("Withdrawn from round %(round)s on: %(names)s"), detail),
    "return_entry": lambda detail: _presence(_("Back from round %(round)s on: %(names)s"), detail),
    "enter_result": _enter_result,
    "correct_result": _enter_result,
    "ruling": _ruling,
    "void_result": lambda detail: _("%(fixture)s: result %(score)s taken back") % _result(detail),
    "call_match": lambda detail: _("%(fixture)s called to table %(table)s: %(players)s") % _called(detail),
    "start_match": lambda detail: _("%(fixture)s begun at table %(table)s: %(players)s") % _called(detail),
    "move_match": lambda detail: _("%(fixture)s moved to table %(table)s: %(players)s") % _called(detail),
    "recall_match": lambda detail: _("%(fixture)s no longer called to table %(table)s: %(players)s") % _called(detail),
}


@register.filter
def told(entry: LogEntry) -> str:
    """The log entry as a sentence; a verb without a sentence of its own as its plain words."""
    tell = SENTENCES.get(entry.verb)
    return tell(entry.detail) if tell else entry.verb.replace("_", " ").capitalize()


@register.filter
def reason(entry: LogEntry) -> str:
    return str(entry.detail.get("reason", ""))


@register.filter
def seed(entry: LogEntry) -> str:
    return str(entry.detail.get("seed", "")) if entry.verb in {"make_draw", "cancel_draw"} else ""
