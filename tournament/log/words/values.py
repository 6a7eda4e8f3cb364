"""The log's wording of what a step has changed: the name of each field, and its values as pages write them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from django.utils.dateparse import parse_date
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rules.profiles import PROFILES
from tournament.formats import FORMATS
from tournament.formats.options import OptionField, OptionKind, Seeding
from tournament.log.words.money_terms import MONEY_FIELDS, MONEY_VALUES
from tournament.log.words.verb import Detail
from tournament.models import PublicSource
from tournament.ranking.tiebreaks import TIEBREAKS

NOTHING = "–"

FIELDS: Mapping[str, str | Promise] = {
    "name": gettext_lazy("Name"),
    "place": gettext_lazy("Venue"),
    "starts_on": gettext_lazy("First day"),
    "ends_on": gettext_lazy("Last day"),
    "time_zone": gettext_lazy("Time zone"),
    "format": gettext_lazy("Format"),
    "lengths": gettext_lazy("Match lengths"),
    "seeding": gettext_lazy("Seeding"),
    "profile": gettext_lazy("Rules"),
    "crawford": gettext_lazy("Crawford game"),
    "doubles": gettext_lazy("Consultation doubles"),
    "boards": gettext_lazy("Boards per team"),
    "tiebreaks": gettext_lazy("Tie-breaks"),
    "public_source": gettext_lazy("Public value"),
    "phones": gettext_lazy("Phones in play"),
    "confirm_minutes": gettext_lazy("Minutes to object to a report"),
    "shows_chances": gettext_lazy("Chances of winning during play"),
    "rated_for": gettext_lazy("Rated for"),
    "event_class": gettext_lazy("Class"),
    "online": gettext_lazy("Played online"),
    "seed": gettext_lazy("Seed"),
    "family": gettext_lazy("Family"),
    "site_address": gettext_lazy("Site address"),
    "max_entries": gettext_lazy("Maximum number of entries"),
    "self_entry": gettext_lazy("Players enter themselves"),
    "self_entry_until": gettext_lazy("Self-entry until"),
    "check_in": gettext_lazy("Draw only players who have checked in"),
    "late_minutes": gettext_lazy("Minutes late per penalty point"),
    "reserved": gettext_lazy("Reserved for"),
    "streamed": gettext_lazy("Streamed"),
    "out_of_order": gettext_lazy("Out of order"),
    **MONEY_FIELDS,
}
"""The names of fields, as in forms; an option of a format has that of its declaration."""

Words = Callable[[Any, Detail, bool], str]
"""Writes a value of a field, given the detail of its row and whether the value is the one after the step."""

VALUES: Mapping[str, Words] = {
    "starts_on": lambda value, _detail, _after: _day(value),
    "ends_on": lambda value, _detail, _after: _day(value),
    "format": lambda value, _detail, _after: _(FORMATS[value].name),
    "seeding": lambda value, _detail, _after: _("by seed") if value == Seeding.SEEDED else _("at random"),
    "profile": lambda value, _detail, _after: _(PROFILES[value].name),
    "tiebreaks": lambda value, _detail, _after: ", ".join(_(TIEBREAKS[slug].name) for slug in value) or NOTHING,
    "public_source": lambda value, _detail, _after: str(PublicSource(value).label),
    **MONEY_VALUES,
}


def changes_of(detail: Detail) -> Iterator[tuple[str, str, str]]:
    """Return each changed field by its name, with its value before and after in words."""
    changes: Any = detail.get("changes")
    for name, (before, after) in _reserved(changes, detail).items():
        if name in MONEY_VALUES and before is None and after in (0, "none"):
            continue  # the first terms of an event say nothing of what costs nothing
        option = _option(name, detail)
        words = (_in_words(name, before, detail, False, option), _in_words(name, after, detail, True, option))
        if words != (NOTHING, NOTHING):
            yield (_field_name(name, option), *words)


def _reserved(changes: Mapping[str, Sequence[object]], detail: Detail) -> dict[str, Sequence[object]]:
    """Return the changes, with the names of the events that a table is reserved for instead of their numbers."""
    names: Any = detail.get("reserved")
    found = dict(changes)
    if "event" in found:
        del found["event"]
        if isinstance(names, list):
            found = {"reserved": names, **found}
    return found


def _option(name: str, detail: Detail) -> OptionField | None:
    """Return the option of a format with this name: that of the event's own format, if the row says which."""
    terms: Any = detail.get("terms")
    own = terms.get("format") if isinstance(terms, dict) else None
    formats = [*([FORMATS[own]] if own in FORMATS else []), *FORMATS.values()]
    return next((option for one in formats for option in one.fields if option.name == name), None)


def _field_name(name: str, option: OptionField | None) -> str:
    """Return the field's name as forms write it."""
    if name in FIELDS:
        return str(FIELDS[name])
    return _(option.label) if option else name.replace("_", " ").capitalize()


def _in_words(name: str, value: object, detail: Detail, is_after: bool, option: OptionField | None) -> str:
    if value is None or value == "":
        return NOTHING
    try:
        if name in VALUES:
            return VALUES[name](value, detail, is_after)
        if option is not None and option.kind is OptionKind.CHOICE:
            return _(dict(option.choices)[str(value)])
        if option is not None and option.kind is OptionKind.DATE:
            return _day(value)
    except (KeyError, TypeError, ValueError):
        return "…"  # a row of an older program, or a choice that there is no longer
    return _plain(value)


def _plain(value: object) -> str:
    match value:
        case bool():
            return _("yes") if value else _("no")
        case list():
            return ", ".join(map(str, value)) or NOTHING
        case dict():
            return "…"
        case _:
            return str(value)


def _day(value: object) -> str:
    day = parse_date(str(value))
    return date_format(day) if day else NOTHING
