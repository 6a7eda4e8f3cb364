"""Tags for amounts as people read them, and the names of things stored by slug."""

from django import template
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from tournament.models import Purpose
from tournament.money.accounts import Account, Ledger, LedgerPayment
from tournament.money.moves import ListMove, Move
from tournament.pictures.draw import bracket_title
from tournament.prizes import EACH_GROUP, TEMPLATES, Currency, PrizeTable, as_decimal

register = template.Library()

FIRST_PRIZES = 4


@register.filter
def amount(units: int, currency: Currency) -> str:
    """Write the amount without its currency: 1,250.00; a minus sign stays with its number."""
    text = number_format(as_decimal(abs(units), currency), currency.decimals, use_l10n=True, force_grouping=True)
    return f"−{text}" if units < 0 else text


@register.filter
def money(units: int, currency: Currency) -> str:
    """Write the amount with its currency, on one line."""
    return f"{amount(units, currency)}\u00a0{currency.code}"


@register.filter
def negative(units: int) -> int:
    return -units


@register.filter
def section_name(section: str) -> str:
    """Return the name of the ranking to which a part of the pool goes."""
    if section == "":
        return _("Main")
    return _("Each group or jackpot") if section == EACH_GROUP else bracket_title(section)


@register.filter
def purpose_name(purpose: Purpose) -> str:
    return str(purpose.label)


@register.filter
def due(units: int | None, currency: Currency) -> str:
    """Write an amount that comes in or goes out without its sign; a word for one that is still played for."""
    return _("not decided yet") if units is None else amount(abs(units), currency)


@register.filter
def outcome(move: Move) -> str:
    """Say what is still to be paid on the account after the change, and by whom."""
    if move.after is None:
        return _("not decided yet")
    if not move.open:
        return _("nothing to pay")
    said = {"amount": money(abs(move.open), move.currency)}
    if move.open > 0:
        return (_("pays %(amount)s") if move.comes_in else _("gives back %(amount)s")) % said
    return (_("gets back %(amount)s") if move.comes_in else _("gets %(amount)s")) % said


@register.filter
def list_name(found: ListMove) -> str:
    """Name the ranking, the side pool or the calcutta that the list pays."""
    if found.purpose == Purpose.LOT_PRIZE:
        return _("Calcutta")
    return found.pool if found.purpose == Purpose.SIDE_PRIZE else section_name(found.section)


@register.filter
def all_prizes(prizes: tuple[int, ...], currency: Currency) -> str:
    """Write the sum of the prizes and, if there are several, the first of them."""
    total = money(sum(prizes), currency)
    first = " / ".join(amount(prize, currency) for prize in prizes[:FIRST_PRIZES])
    more = " / …" if len(prizes) > FIRST_PRIZES else ""
    return total if len(prizes) < 2 else f"{total} ({first}{more})"


@register.filter
def table_name(table: PrizeTable) -> str:
    if table.kind == "template":
        return _(TEMPLATES[table.template].name)
    return _("by percentage") if table.kind == "percent" else _("fixed amounts")


@register.filter
def places(found: Account) -> str:
    """Write 3, or 3–4 if the place is shared."""
    if not found.place:
        return ""
    return str(found.place) if found.place == found.place_to else f"{found.place}–{found.place_to}"


@register.filter
def span(line: tuple[int, int, int]) -> str:
    return str(line[0]) if line[0] == line[1] else f"{line[0]}–{line[1]}"


@register.filter
def payments_of(ledger: Ledger, found: Account) -> list[LedgerPayment]:
    """Return the account's payments that have not been reversed, oldest first."""
    rows = (row for row in ledger.payments if row.account == found.slug)
    return [row for row in rows if row.reverses is None and not row.is_reversed]


@register.filter
def in_a_list(found: Account) -> list[Account]:
    return [found]
