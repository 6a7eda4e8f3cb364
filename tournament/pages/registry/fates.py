"""How a row of a file of members was read: what it stores, and what stood there before."""

from datetime import date
from typing import NamedTuple

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from players.models import Membership
from players.registry.matching import MemberFate
from players.registry.memberships import Term
from players.registry.people import Person, person_of


class Detail(NamedTuple):
    """A field of the row in words, with what it was and what it becomes."""

    label: str
    before: str
    after: str


def details_of(fate: MemberFate) -> list[Detail]:
    """Return what the row would store of the person; of a row that stores nothing, nothing."""
    found = []
    if fate.person is not None:
        was = person_of(fate.player) if fate.player else Person("", "")
        fields = {
            "given": _("given names"),
            "family": _("family name"),
            "born": _("born"),
            "country": _("country"),
            "club": _("new club") if fate.new_club else _("club"),
        }
        for name, label in fields.items():
            before, after = (_in_words(name, getattr(one, name)) for one in (was, fate.person))
            if before != after:
                found.append(Detail(label, before, after))
    if fate.number:
        found.append(Detail(_("number"), "", fate.number))
    if fate.term is not None:
        held = fate.membership
        before = _term(held.kind, Term(held.starts, held.ends, held.paid_on)) if held else ""
        found.append(Detail(_("membership"), before, _term(fate.kind, fate.term)))
    if "spelling" in fate.changes:
        found.append(Detail(_("other spelling"), "", fate.name))
    return found


def _in_words(name: str, value: str) -> str:
    """Return a day of birth as days are written, and everything else as it is."""
    return date_format(date.fromisoformat(value)) if name == "born" and "-" in value else value


def _term(kind: str, term: Term) -> str:
    said = f"{Membership.Kind(kind).label}, {date_format(term.starts)}–{date_format(term.ends) if term.ends else '…'}"
    if term.paid_on is None:
        return said
    return f"{said}, {_('paid on %(day)s') % {'day': date_format(term.paid_on)}}"
