"""The log's wording about entries."""

from collections.abc import Mapping

from django.utils.dates import WEEKDAYS
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.log.words.verb import Detail, Verb, names_of, with_names
from tournament.models import Departure


def _presence(template: str, detail: Detail) -> str:
    return template % {"names": names_of(detail), "round": detail.get("round", "?")}


def _seed_entry(detail: Detail) -> str:
    values = {"names": names_of(detail), "seed": detail.get("seed")}
    if values["seed"] is None:
        return (_("%(names)s: seed removed") % values) if values["names"] else _("Seed removed")
    return (_("%(names)s: seed %(seed)s") if values["names"] else _("Seed set to %(seed)s")) % values


def _set_seeding(detail: Detail) -> str:
    """Tell each row by what it has now, such as “Anna: seed 1, family “Berg””."""
    rows, names = detail.get("rows"), detail.get("names")
    if not isinstance(rows, list) or not isinstance(names, list):
        return _("Seeds and families set")
    told = []
    for name, row in zip(names, rows, strict=False):
        parts = []
        (seed_before, seed), (family_before, family) = row["seed"], row["family"]
        if seed_before != seed:
            parts.append(_("seed %(seed)s") % {"seed": seed} if seed is not None else _("no seed"))
        if family_before != family:
            parts.append(_("family “%(family)s”") % {"family": family} if family else _("no family"))
        if parts:
            told.append(f"{name}: {', '.join(parts)}")
    return "; ".join(told) or _("Seeds and families set")


def _set_home_evening(detail: Detail) -> str:
    weekday = detail.get("weekday")
    if not isinstance(weekday, int):
        return with_names(_("No home evening: %(names)s"), detail)
    return _("Home evening of %(names)s: %(weekday)s") % {"names": names_of(detail), "weekday": WEEKDAYS[weekday]}


def _keep_apart(detail: Detail) -> str:
    """Name the family, unless the reader is not told it."""
    if "family" not in detail:
        return with_names(_("Family changed: %(names)s"), detail)
    values = {"names": names_of(detail), "family": detail["family"]}
    if not values["family"]:
        return _("%(names)s: no family") % values
    return _("%(names)s: family “%(family)s”") % values


def _add_entries(detail: Detail) -> str:
    sentence = with_names(_("Entered: %(names)s"), detail)
    for key, template in (("waiting", _("waiting: %(names)s")), ("late", _("late, taking a bye: %(names)s"))):
        if detail.get(key):
            part = with_names(template, {"names": detail[key]})
            sentence = capfirst(part) if detail[key] == detail.get("names") else f"{sentence}; {part}"
    return sentence


def _moved_up(sentence: str, detail: Detail) -> str:
    """Add to the sentence the entries that consequently moved up from the waiting list."""
    if not detail.get("moved_up"):
        return sentence
    return sentence + "; " + with_names(_("moved up: %(names)s"), {"names": detail["moved_up"]})


def _leave_event(detail: Detail) -> str:
    kind = str(detail.get("kind"))
    values = {"names": names_of(detail), "kind": Departure(kind).label if kind in Departure.values else kind}
    if detail.get("only_main"):
        sentence = _("%(names)s: left the main bracket") % values
    elif detail.get("plays_on"):
        sentence = _("%(names)s: %(kind)s after their current match") % values
    else:
        sentence = f"{values['names']}: {values['kind']}"
    return _moved_up(sentence, detail)


def _replaced(template: str, detail: Detail) -> str:
    return template % {"names": names_of(detail), "before": detail.get("before", "?")}


ENTRY_VERBS: Mapping[str, Verb] = {
    "add_entries": Verb(gettext_lazy("Entered"), _add_entries),
    "remove_entry": Verb(
        gettext_lazy("Removed"), lambda detail: _moved_up(with_names(_("Removed: %(names)s"), detail), detail)
    ),
    "check_in": Verb(gettext_lazy("Checked in"), lambda detail: with_names(_("Checked in: %(names)s"), detail)),
    "undo_check_in": Verb(
        gettext_lazy("Check-in undone"), lambda detail: with_names(_("Check-in undone: %(names)s"), detail)
    ),
    "check_in_all": Verb(
        gettext_lazy("All checked in"), lambda detail: with_names(_("Checked in together: %(names)s"), detail)
    ),
    "undo_check_in_all": Verb(
        gettext_lazy("Check-in of all undone"),
        lambda detail: with_names(_("Check-in undone together: %(names)s"), detail),
    ),
    "move_up": Verb(gettext_lazy("Moved up"), lambda detail: with_names(_("Moved up: %(names)s"), detail)),
    "put_to_wait": Verb(
        gettext_lazy("Moved to the waiting list"),
        lambda detail: with_names(_("On the waiting list: %(names)s"), detail),
    ),
    "set_self_entry": Verb(
        gettext_lazy("Self-entry changed"),
        lambda detail: (
            _("Players enter themselves") if detail.get("self_entry") else _("Players no longer enter themselves")
        ),
    ),
    "set_door": Verb(gettext_lazy("Entry rules changed"), lambda detail: _moved_up(_("Entry rules changed"), detail)),
    "leave_event": Verb(gettext_lazy("Left the event"), _leave_event),
    "undo_leaving": Verb(gettext_lazy("Reinstated"), lambda detail: with_names(_("Reinstated: %(names)s"), detail)),
    "leave_out_absent": Verb(
        gettext_lazy("Absentees left out"),
        lambda detail: _moved_up(with_names(_("Absentees left out: %(names)s"), detail), detail),
    ),
    "replace_player": Verb(
        gettext_lazy("Player replaced"),
        lambda detail: _replaced(_("%(names)s replaced %(before)s"), detail),
    ),
    "renew_links": Verb(
        gettext_lazy("New private links"),
        lambda detail: with_names(_("New private links: %(names)s"), detail),
        public=False,
    ),
    "answer_page_request": Verb(
        gettext_lazy("Request for a page answered"),
        lambda detail: with_names(
            _("Page opened on the phone that showed %(number)s: %(names)s")
            if detail["yes"]
            else _("Page not opened on the phone that showed %(number)s: %(names)s"),
            detail,
        ),
        public=False,
    ),
    "merge_players": Verb(
        gettext_lazy("Players merged"), lambda detail: _replaced(_("%(before)s merged into %(names)s"), detail)
    ),
    "delete_person": Verb(
        gettext_lazy("Personal data deleted"), lambda detail: with_names(_("Personal data deleted: %(names)s"), detail)
    ),
    "undo_merge": Verb(
        gettext_lazy("Merge undone"), lambda detail: _replaced(_("Merge of %(before)s into %(names)s undone"), detail)
    ),
    "seed_entry": Verb(gettext_lazy("Seed set"), _seed_entry),
    "set_seeding": Verb(gettext_lazy("Seeds and families set"), _set_seeding),
    "keep_apart": Verb(gettext_lazy("Family set"), _keep_apart),
    "set_home_evening": Verb(gettext_lazy("Home evening set"), _set_home_evening),
    "enter_play_off": Verb(
        gettext_lazy("Play-off"), lambda detail: with_names(_("Play-off, winner first: %(names)s"), detail)
    ),
    "void_play_off": Verb(
        gettext_lazy("Play-off taken back"), lambda detail: with_names(_("Play-off taken back: %(names)s"), detail)
    ),
    "challenge": Verb(
        gettext_lazy("Challenge"), lambda detail: with_names(_("Challenge, challenger first: %(names)s"), detail)
    ),
    "withdraw_challenge": Verb(
        gettext_lazy("Challenge withdrawn"), lambda detail: with_names(_("Challenge withdrawn: %(names)s"), detail)
    ),
    "withdraw_entry": Verb(
        gettext_lazy("Player sits out"), lambda detail: _presence(_("Sits out from round %(round)s: %(names)s"), detail)
    ),
    "return_entry": Verb(
        gettext_lazy("Player is back"), lambda detail: _presence(_("Back from round %(round)s: %(names)s"), detail)
    ),
}
