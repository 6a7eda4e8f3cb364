"""What a log row says, in the reader's language: VERBS names each verb that a service writes, with its sentence."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.utils.dates import WEEKDAYS
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournament.formats import FORMATS
from tournament.models import Departure, LogEntry, Role
from tournament.models.draw import place_of

MOST_NAMES = 12
Detail = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Verb:
    """``name`` stands in lists of verbs, and for a row that has no sentence of its own; ``tell`` makes that from the
    row's detail. What is not ``public`` is told to those who may read the log, and not in the history of an event."""

    name: str | Promise
    tell: Callable[[Detail], str] | None = None
    public: bool = True


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
    """The key of a pairing, with the board of a match of teams, and with its stage where it is a later one."""
    key = place_of(str(detail.get("fixture", "")), int(str(detail.get("board", 0))))
    return _("Stage %(stage)s, %(key)s") % {"stage": detail["stage"], "key": key} if "stage" in detail else key


def _draw(detail: Detail) -> str:
    values = {"stage": detail.get("stage", 1), "entries": detail.get("entries", "?")}
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


def _presence(template: str, detail: Detail) -> str:
    return template % {"names": _names(detail), "round": detail.get("round", "?")}


def _named(template: str, detail: Detail) -> str:
    return template % {"names": _names(detail)}


def _seed_entry(detail: Detail) -> str:
    values = {"names": _names(detail), "seed": detail.get("seed")}
    if values["seed"] is None:
        return (_("%(names)s: seed taken away") % values) if values["names"] else _("Seed taken away")
    return (_("%(names)s: seed %(seed)s") if values["names"] else _("Seed %(seed)s given")) % values


def _set_home_evening(detail: Detail) -> str:
    weekday = detail.get("weekday")
    if not isinstance(weekday, int):
        return _named(_("No home evening: %(names)s"), detail)
    return _("Home evening of %(names)s: %(weekday)s") % {"names": _names(detail), "weekday": WEEKDAYS[weekday]}


def _keep_apart(detail: Detail) -> str:
    values = {"names": _names(detail), "family": detail.get("family", "")}
    if not values["family"]:
        return _("%(names)s: of no family") % values
    return _("%(names)s: of the family “%(family)s”") % values


def _add_entries(detail: Detail) -> str:
    told = _named(_("Entered: %(names)s"), detail)
    for key, template in (("waiting", _("waiting: %(names)s")), ("late", _("late, into a bye: %(names)s"))):
        if detail.get(key):
            told += "; " + _named(template, {"names": detail[key]})
    return told


def _moved_up(told: str, detail: Detail) -> str:
    """``told``, and who moved up from the waiting list because of it."""
    if not detail.get("moved_up"):
        return told
    return told + "; " + _named(_("moved up: %(names)s"), {"names": detail["moved_up"]})


def _leave_event(detail: Detail) -> str:
    kind = str(detail.get("kind"))
    values = {"names": _names(detail), "kind": Departure(kind).label if kind in Departure.values else kind}
    if detail.get("only_main"):
        told = _("%(names)s: left the main bracket") % values
    elif detail.get("plays_on"):
        told = _("%(names)s: %(kind)s after the match that has begun") % values
    else:
        told = f"{values['names']}: {values['kind']}"
    return _moved_up(told, detail)


def _replaced(template: str, detail: Detail) -> str:
    return template % {"names": _names(detail), "before": detail.get("before", "?")}


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
    players = " – ".join(map(str, detail.get("players", ())))  # type: ignore[call-overload]
    return {**detail, "fixture": _key(detail), "players": players}


def _seat_reserve(detail: Detail) -> str:
    values = {"fixture": _key(detail), "name": detail.get("takes", ""), "other": detail.get("of", "")}
    return _("%(fixture)s: %(name)s sits there instead of %(other)s") % values


def role_name(role: object) -> str:
    return str(Role(role).label) if role in Role.values else str(role)


def _role(detail: Detail) -> dict[str, object]:
    return {"user": detail.get("user", ""), "role": role_name(detail.get("role")), "note": detail.get("note", "")}


def _invite(detail: Detail) -> str:
    values = _role(detail)
    return (_("Invitation made: %(role)s, for %(note)s") if values["note"] else _("Invitation made: %(role)s")) % values


def _change_role(detail: Detail) -> str:
    before, after = detail["changes"]["role"]  # type: ignore[index]
    values = {"user": detail.get("user", ""), "before": role_name(before), "after": role_name(after)}
    return _("%(user)s: from %(before)s to %(after)s") % values


def _payment(template: str, detail: Detail) -> str:
    return template % {"names": _names(detail), "amount": detail["amount"], "currency": detail["currency"]}


def _settle_accounts(detail: Detail) -> str:
    amount = str(detail["amount"])
    if not amount.startswith("-"):
        return _payment(_("Paid: %(names)s, %(amount)s %(currency)s"), detail)
    return _payment(_("Paid out: %(names)s, %(amount)s %(currency)s"), {**detail, "amount": amount[1:]})


def _member(template: str, detail: Detail) -> str:
    return template % {"names": _names(detail), "pool": detail["pool"]}


def _sell_lot(detail: Detail) -> str:
    values = {"lot": detail["lot"], "buyer": detail["buyer"]}
    if detail["price"] is None:
        return _("Lot %(lot)s is not sold any more") % values
    return _("Lot %(lot)s sold to %(buyer)s") % values


VERBS: Mapping[str, Verb] = {
    # The tournament
    "create_tournament": Verb(
        gettext_lazy("Tournament created"), lambda detail: _("Tournament created: %(name)s") % {"name": detail["name"]}
    ),
    "update_tournament": Verb(gettext_lazy("Tournament changed")),
    "delete_tournament": Verb(gettext_lazy("Tournament deleted")),
    "restore_tournament": Verb(gettext_lazy("Tournament restored")),
    "invite": Verb(gettext_lazy("Invitation made"), _invite, public=False),
    "withdraw_invitation": Verb(
        gettext_lazy("Invitation withdrawn"),
        lambda detail: _("Invitation withdrawn: %(role)s") % _role(detail),
        public=False,
    ),
    "accept_invitation": Verb(
        gettext_lazy("Invitation accepted"), lambda detail: _("%(user)s is now %(role)s") % _role(detail), public=False
    ),
    "change_role": Verb(gettext_lazy("Role changed"), _change_role, public=False),
    "take_role": Verb(
        gettext_lazy("Role taken away"),
        lambda detail: _("%(user)s is no longer %(role)s") % _role(detail),
        public=False,
    ),
    # An event
    "create_event": Verb(
        gettext_lazy("Event created"), lambda detail: _("Event created: %(name)s") % {"name": detail.get("name", "")}
    ),
    "update_event": Verb(gettext_lazy("Settings changed")),
    "finish_event": Verb(gettext_lazy("Event ended")),
    "reopen_event": Verb(gettext_lazy("Event reopened")),
    "delete_event": Verb(
        gettext_lazy("Event deleted"), lambda detail: _("Event deleted: %(name)s") % {"name": detail.get("name", "")}
    ),
    "restore_event": Verb(
        gettext_lazy("Event restored"), lambda detail: _("Event restored: %(name)s") % {"name": detail.get("name", "")}
    ),
    "add_stage": Verb(gettext_lazy("Stage added"), _add_stage),
    "remove_stage": Verb(
        gettext_lazy("Stage taken out"), lambda detail: _("Stage %(stage)s taken out") % {"stage": detail["stage"]}
    ),
    "make_draw": Verb(gettext_lazy("Drawn"), _draw),
    "cancel_draw": Verb(gettext_lazy("Draw taken back"), _cancel_draw),
    # Entries
    "add_entries": Verb(gettext_lazy("Entered"), _add_entries),
    "remove_entry": Verb(
        gettext_lazy("Taken out"), lambda detail: _moved_up(_named(_("Taken out: %(names)s"), detail), detail)
    ),
    "check_in": Verb(gettext_lazy("Checked in"), lambda detail: _named(_("Checked in: %(names)s"), detail)),
    "undo_check_in": Verb(
        gettext_lazy("Check-in taken back"), lambda detail: _named(_("Check-in taken back: %(names)s"), detail)
    ),
    "move_up": Verb(gettext_lazy("Moved up"), lambda detail: _named(_("Moved up: %(names)s"), detail)),
    "put_to_wait": Verb(
        gettext_lazy("Put on the waiting list"), lambda detail: _named(_("On the waiting list: %(names)s"), detail)
    ),
    "set_door": Verb(
        gettext_lazy("Rules at the door changed"), lambda detail: _moved_up(_("Rules at the door changed"), detail)
    ),
    "leave_event": Verb(gettext_lazy("Left the event"), _leave_event),
    "undo_leaving": Verb(gettext_lazy("Did not leave"), lambda detail: _named(_("Is back: %(names)s"), detail)),
    "leave_out_absent": Verb(
        gettext_lazy("Left out"),
        lambda detail: _moved_up(_named(_("Left out, not here: %(names)s"), detail), detail),
    ),
    "replace_player": Verb(
        gettext_lazy("Player replaced"),
        lambda detail: _replaced(_("%(names)s in the place of %(before)s"), detail),
    ),
    "merge_players": Verb(
        gettext_lazy("Players merged"), lambda detail: _replaced(_("%(before)s is %(names)s: merged"), detail)
    ),
    "seed_entry": Verb(gettext_lazy("Seed given"), _seed_entry),
    "keep_apart": Verb(gettext_lazy("Family given"), _keep_apart),
    "set_home_evening": Verb(gettext_lazy("Home evening given"), _set_home_evening),
    "enter_play_off": Verb(
        gettext_lazy("Play-off"), lambda detail: _named(_("Play-off, the winner first: %(names)s"), detail)
    ),
    "void_play_off": Verb(
        gettext_lazy("Play-off taken back"), lambda detail: _named(_("Play-off taken back: %(names)s"), detail)
    ),
    "withdraw_entry": Verb(
        gettext_lazy("Player left"), lambda detail: _presence(_("Withdrawn from round %(round)s on: %(names)s"), detail)
    ),
    "return_entry": Verb(
        gettext_lazy("Player is back"), lambda detail: _presence(_("Back from round %(round)s on: %(names)s"), detail)
    ),
    # The hall
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
        gettext_lazy("Break taken out"), lambda detail: _("Break taken out: %(name)s") % {"name": detail["name"]}
    ),
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
        gettext_lazy("Call taken back"),
        lambda detail: _("%(fixture)s no longer called to table %(table)s: %(players)s") % _called(detail),
    ),
    # Money: who paid, and who is in a pool, is not for everybody
    "set_money": Verb(gettext_lazy("Fees and prizes set")),
    "settle_accounts": Verb(
        gettext_lazy("Paid"),
        _settle_accounts,
        public=False,
    ),
    "reverse_payment": Verb(
        gettext_lazy("Payment taken back"),
        lambda detail: _payment(_("Payment taken back: %(names)s, %(amount)s %(currency)s"), detail),
        public=False,
    ),
    "open_side_pool": Verb(
        gettext_lazy("Side pool opened"), lambda detail: _named(_("Side pool opened: %(names)s"), detail)
    ),
    "join_side_pool": Verb(
        gettext_lazy("Side pool joined"),
        lambda detail: _member(_("%(names)s joins %(pool)s"), detail),
        public=False,
    ),
    "leave_side_pool": Verb(
        gettext_lazy("Side pool left"),
        lambda detail: _member(_("%(names)s leaves %(pool)s"), detail),
        public=False,
    ),
    "make_lots": Verb(
        gettext_lazy("Lots made"), lambda detail: _named(_("Lots made: %(names)s"), detail), public=False
    ),
    "dissolve_lot": Verb(
        gettext_lazy("Lot dissolved"),
        lambda detail: _("Lot %(lot)s dissolved") % {"lot": detail["lot"]},
        public=False,
    ),
    "sell_lot": Verb(gettext_lazy("Lot sold"), _sell_lot, public=False),
    # Matches
    "enter_result": Verb(gettext_lazy("Result entered"), _enter_result),
    "correct_result": Verb(gettext_lazy("Result corrected"), _enter_result),
    "ruling": Verb(gettext_lazy("Ruling made"), _ruling),
    "seat_reserve": Verb(gettext_lazy("Reserve seated"), _seat_reserve),
    "report_result": Verb(
        gettext_lazy("Result reported"), lambda detail: _("%(fixture)s: %(score)s reported") % _result(detail)
    ),
    "confirm_result": Verb(
        gettext_lazy("Report confirmed"), lambda detail: _("%(fixture)s: %(score)s confirmed") % _result(detail)
    ),
    "dispute_result": Verb(
        gettext_lazy("Report disputed"), lambda detail: _("%(fixture)s: report %(score)s disputed") % _result(detail)
    ),
    "end_advance": Verb(
        gettext_lazy("Advance by ruling taken back"),
        lambda detail: _("%(fixture)s: the score %(score)s decides again who goes on") % _result(detail),
    ),
    "void_result": Verb(
        gettext_lazy("Result taken back"),
        lambda detail: _("%(fixture)s: result %(score)s taken back") % _result(detail),
    ),
}
PUBLIC_VERBS = frozenset(slug for slug, verb in VERBS.items() if verb.public)


def verb_name(slug: str) -> str:
    """The verb as lists name it."""
    return str(VERBS[slug].name) if slug in VERBS else slug


def tell(entry: LogEntry) -> str:
    """The log row as a sentence. A row that its sentence cannot tell, such as one of an older program, as its verb."""
    verb = VERBS.get(entry.verb)
    if verb is None or verb.tell is None:
        return verb_name(entry.verb)
    try:
        return verb.tell(entry.detail)
    except (KeyError, TypeError, ValueError):
        return verb_name(entry.verb)


def changes_in(entry: LogEntry) -> list[tuple[str, str, str]]:
    """What changed: the name of each field with its value before and after."""
    changes = entry.detail.get("changes")
    if not isinstance(changes, dict) or entry.verb == "change_role":
        return []
    return [(field_name(name), _value(before), _value(after)) for name, (before, after) in changes.items()]


FIELDS: Mapping[str, str | Promise] = {
    "name": gettext_lazy("Name"),
    "place": gettext_lazy("Venue"),
    "starts_on": gettext_lazy("First day"),
    "format": gettext_lazy("Format"),
    "lengths": gettext_lazy("Match lengths"),
    "seeding": gettext_lazy("Seeding"),
    "profile": gettext_lazy("Rules"),
    "crawford": gettext_lazy("Crawford game"),
    "doubles": gettext_lazy("Consultation doubles"),
    "tiebreaks": gettext_lazy("Tie-breaks"),
    "seed": gettext_lazy("Seed"),
    "family": gettext_lazy("Family"),
}


def field_name(name: str) -> str:
    """The field as forms name it; an option of a format by its own word."""
    return str(FIELDS.get(name, name.replace("_", " ").capitalize()))


def _value(value: object) -> str:
    match value:
        case None | "":
            return "–"
        case bool():
            return _("yes") if value else _("no")
        case list():
            return ", ".join(map(str, value)) or "–"
        case _:
            return str(value)
