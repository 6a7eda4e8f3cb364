"""Tags for amounts as people read them, and the names of things stored by slug."""

from django import template
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from tournament.models import Purpose
from tournament.money.accounts import Account, Ledger, LedgerPayment
from tournament.pictures.draw import bracket_title
from tournament.prizes import EACH_GROUP, TEMPLATES, Currency, PrizeTable, as_decimal

register = template.Library()


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
