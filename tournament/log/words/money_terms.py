"""The log's wording of fees and prizes: amounts with their currency, shares and payout tables."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.formats.knockout import BUY_IN, CONSOLATION, LAST_CHANCE, SECOND_CONSOLATION
from tournament.log.words.verb import Detail
from tournament.prizes import (
    EACH_GROUP,
    POT_RAKES,
    RAKES,
    ROUNDINGS,
    TEMPLATES,
    Currency,
    PayoutPlan,
    PrizeTable,
    as_decimal,
    find_currency,
)

MONEY_FIELDS: Mapping[str, str | Promise] = {
    "currency": gettext_lazy("Currency"),
    "fee": gettext_lazy("Entry fee"),
    "reentry_fee": gettext_lazy("Re-entry"),
    "registration_fee": gettext_lazy("Registration fee"),
    "rake": gettext_lazy("Rake"),
    "rake_value": gettext_lazy("Amount of the rake"),
    "added": gettext_lazy("Added money"),
    "payouts": gettext_lazy("Prizes"),
    "auction": gettext_lazy("Calcutta payout table"),
    "auction_rake": gettext_lazy("Rake from the pot"),
    "auction_rake_value": gettext_lazy("Amount of the rake from the pot"),
}

SECTIONS: Mapping[str, str | Promise] = {
    "": gettext_lazy("Main"),
    CONSOLATION: gettext_lazy("Consolation"),
    SECOND_CONSOLATION: gettext_lazy("Second consolation"),
    BUY_IN: gettext_lazy("Buy-in bracket"),
    LAST_CHANCE: gettext_lazy("Last chance"),
    EACH_GROUP: gettext_lazy("Each group or jackpot"),
}


def money_in(units: int, currency: Currency) -> str:
    """Write the amount with its currency, on one line."""
    text = number_format(as_decimal(abs(units), currency), currency.decimals, use_l10n=True, force_grouping=True)
    return f"{'−' if units < 0 else ''}{text}\u00a0{currency.code}"


def _term(name: str, detail: Detail, is_after: bool) -> Any:
    """Return another term as it was before or after the step. Raises KeyError if the row does not say."""
    changes: Any = detail.get("changes") or {}
    if name in changes:
        before, after = changes[name]
        return after if is_after or before is None else before
    terms: Any = detail.get("terms") or {}
    return terms[name]


def _amount(units: int, detail: Detail, is_after: bool) -> str:
    return money_in(units, find_currency(_term("currency", detail, is_after)))


def _rake(term: str) -> Callable[[Any, Detail, bool], str]:
    """Return the function that writes the value of the rake whose kind is this term."""

    def write(value: int, detail: Detail, is_after: bool) -> str:
        kind = _term(term, detail, is_after)
        if kind == "none":
            return "–"
        return _percent(value) if kind == "percent" else _amount(value, detail, is_after)

    return write


def _percent(basis_points: int) -> str:
    decimals = 0 if basis_points % 100 == 0 else 2
    return f"{number_format(as_decimal(basis_points, Currency('%', 2)), decimals, use_l10n=True)}\u00a0%"


def _table(table: PrizeTable, currency: Currency) -> str:
    if table.kind == "template":
        return _(TEMPLATES[table.template].name)
    write: Callable[[int], str] = _percent if table.kind == "percent" else lambda units: money_in(units, currency)
    return " / ".join(write(value) for value in table.values)


def _auction(stored: Mapping[str, Any], detail: Detail, is_after: bool) -> str:
    return _table(PrizeTable.parse(stored), find_currency(_term("currency", detail, is_after)))


def _payouts(stored: Mapping[str, Any], detail: Detail, is_after: bool) -> str:
    currency = find_currency(_term("currency", detail, is_after))
    plan = PayoutPlan.parse(stored)
    told = [_share(share.section, share.basis_points, _table(share.table, currency)) for share in plan.shares]
    if plan.step > 1:
        told.append(_("rounded to %(amount)s") % {"amount": money_in(plan.step, currency)})
    return "; ".join([*told, _(ROUNDINGS[plan.rounding].name)])


def _share(section: str, basis_points: int, table: str) -> str:
    name = SECTIONS.get(section, section)
    return f"{name} {_percent(basis_points)}: {table}"


AMOUNTS: Sequence[str] = ("fee", "reentry_fee", "registration_fee", "added")
MONEY_VALUES: Mapping[str, Callable[[Any, Detail, bool], str]] = {
    **dict.fromkeys(AMOUNTS, _amount),
    "rake": lambda value, _detail, _after: _(RAKES[value].name),
    "rake_value": _rake("rake"),
    "auction_rake": lambda value, _detail, _after: _(POT_RAKES[value]),
    "auction_rake_value": _rake("auction_rake"),
    "payouts": _payouts,
    "auction": _auction,
}
"""How each term of the money is written; a term of which a row does not say the currency cannot be."""
