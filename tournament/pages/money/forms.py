"""The forms for money: amounts with a point or a comma, percentages, payout tables by place."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from matches.models import MAX_REASON
from players.errors import Refusal, in_words
from players.models import MAX_NAME
from tournament.formats.knockout import BUY_IN
from tournament.models.money import MAX_POOL_NAME, currency_choices
from tournament.money.accounts import Ledger
from tournament.money.terms import MoneyTerms
from tournament.pages.lines import LineField
from tournament.prizes import (
    EACH_GROUP,
    POT_RAKES,
    RAKES,
    ROUNDINGS,
    TEMPLATES,
    Currency,
    MoneyError,
    PayoutPlan,
    PrizeTable,
    Share,
    as_decimal,
    find_currency,
    parse_amount,
)
from tournament.prizes.tables import MAX_PLACES

PERCENT = Currency("%", 2)
"""A percentage is typed like an amount of two decimals; its smallest unit is the basis point."""

PARTS = {"field": "", "C": "C", "D": "D", "L": "L", BUY_IN: BUY_IN, EACH_GROUP: EACH_GROUP}
"""The rankings that a share of the pool can go to, by their word in the form."""

UNSAID = "winner"
"""The payout table of a share for which none is chosen."""


def table_choices() -> list[tuple[str, str]]:
    names = [(slug, gettext(found.name)) for slug, found in TEMPLATES.items()]
    return [*names, ("percent", gettext("By percentage")), ("fixed", gettext("Fixed amounts"))]


def read_amount(text: str, currency: Currency) -> int:
    """Read an amount, or 0 if empty. Raises Refusal."""
    if not text.strip():
        return 0
    try:
        return parse_amount(text, currency)
    except MoneyError as error:
        raise Refusal(error.code, in_words(error)) from error


def reads_amounts(form: forms.Form, currency: Currency, *names: str) -> bool:
    """Whether the amounts of the valid form can be read; those that cannot are marked in the form."""
    for name in names:
        if name in form.cleaned_data:
            try:
                read_amount(form.cleaned_data[name], currency)
            except Refusal as refusal:
                form.add_error(name, str(refusal))
    return form.is_valid()


def read_table(kind: str, values: str, currency: Currency) -> PrizeTable:
    """Read a payout table as typed. Raises Refusal."""
    unit = PERCENT if kind == "percent" else currency
    if kind in TEMPLATES:
        return PrizeTable("template", kind)
    return PrizeTable(kind, values=tuple(read_amount(text, unit) for text in values.replace("%", " ").split()))


def write_table(table: PrizeTable, currency: Currency) -> tuple[str, str]:
    """Return a table's kind and values as they would be typed."""
    if table.kind == "template":
        return table.template, ""
    unit = PERCENT if table.kind == "percent" else currency
    return table.kind, " ".join(_typed(value, unit) for value in table.values)


def _typed(units: int, currency: Currency) -> str:
    if units % 10**currency.decimals == 0:
        return str(units // 10**currency.decimals)
    return str(as_decimal(units, currency))


def rake_choices() -> list[tuple[str, str]]:
    return [(slug, gettext(found.name)) for slug, found in RAKES.items()]


def pot_rake_choices() -> list[tuple[str, str]]:
    return [(slug, gettext(name)) for slug, name in POT_RAKES.items()]


def _unit(rake: str, currency: Currency) -> Currency:
    """Return the unit in which a rake's value is typed."""
    return PERCENT if rake == "percent" else currency


MAX_VALUES = MAX_PLACES * 16
"""Of payouts by place: an amount and a space for each."""


class AmountField(forms.CharField):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            max_length=20,
            required=False,
            widget=forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"}),
            **kwargs,
        )


class PrizeTableForm(forms.Form):
    table = forms.ChoiceField(label=_("Payout table"), choices=table_choices)
    values = forms.CharField(
        label=_("Payouts by place"),
        max_length=MAX_VALUES,
        required=False,
        help_text=_("For percentages or fixed amounts: from first place down, separated by spaces, such as 50 30 20."),
    )

    def prize_table(self, currency: Currency) -> PrizeTable:
        return read_table(self.cleaned_data["table"], self.cleaned_data["values"], currency)


class SidePoolForm(PrizeTableForm):
    name = LineField(label=_("Name"), max_length=MAX_POOL_NAME)
    fee = AmountField(label=_("Fee"))
    field_order = ["name", "fee"]


class SaleForm(forms.Form):
    buyer = LineField(label=_("Buyer"), max_length=MAX_NAME)
    price = AmountField(label=_("Price"))
    base = forms.IntegerField(min_value=0, max_value=2**31 - 1, widget=forms.HiddenInput)


class ReversalForm(forms.Form):
    """Why a payment is reversed; a key against pressing the button twice."""

    key = forms.CharField(max_length=64, widget=forms.HiddenInput)
    reason = LineField(label=_("Reason"), max_length=MAX_REASON, required=False)


class SettleForm(forms.Form):
    """What the person at the desk saw: the sum open on the accounts, and a key against pressing the button twice."""

    key = forms.CharField(max_length=64)
    amount = forms.IntegerField(min_value=-(10**15), max_value=10**15)


class PartForm(forms.Form):
    """What the person at the desk saw, as in :class:`SettleForm`, plus the part of that sum as typed, and the payer."""

    key = forms.CharField(max_length=64, widget=forms.HiddenInput)
    amount = forms.IntegerField(min_value=-(10**15), max_value=10**15, widget=forms.HiddenInput)
    tap = forms.CharField(max_length=60, required=False, widget=forms.HiddenInput)
    part = AmountField(label=_("Amount"))
    payer = LineField(label=_("Name"), max_length=MAX_NAME, required=False)


@dataclass(frozen=True, slots=True)
class PartFields:
    """A share of the pool as typed: the ranking it goes to, its percentage, payout table and values."""

    section: str
    fields: tuple[forms.BoundField, ...]

    @property
    def is_used(self) -> bool:
        """Whether a percentage has been typed, or any of the fields has an error."""
        return bool(self.fields[0].value()) or any(field.errors for field in self.fields)


class MoneyForm(forms.Form):
    currency = forms.ChoiceField(label=_("Currency"), choices=currency_choices)
    fee = AmountField(label=_("Entry fee"))
    reentry_fee = AmountField(label=_("Re-entry"), help_text=_("Leave empty to charge the same as for an entry."))
    registration_fee = AmountField(
        label=_("Registration fee"), help_text=_("Goes to the house, once per entry; never into the pool.")
    )
    added = AmountField(
        label=_("Added money"), help_text=_("From a sponsor or the house; all of it goes into the pool.")
    )
    rake = forms.ChoiceField(
        label=_("Rake"),
        choices=rake_choices,
        help_text=_("The part of the entry fees that the house keeps. The rest is the prize pool."),
    )
    rake_value = AmountField(label=_("Percentage, or amount per entry"))
    step = AmountField(label=_("Round prizes to"), help_text=_("Such as 5 or 10; leave empty for the smallest unit."))
    rounding = forms.ChoiceField(
        label=_("Rounding"), choices=lambda: [(slug, gettext(found.name)) for slug, found in ROUNDINGS.items()]
    )
    auction = forms.ChoiceField(label=_("Calcutta payout table"), choices=table_choices)
    auction_values = forms.CharField(label=_("Payouts by place"), max_length=MAX_VALUES, required=False)
    auction_rake = forms.ChoiceField(
        label=_("Rake from the pot"),
        choices=pot_rake_choices,
        required=False,
        help_text=_("The part of the pot that the house keeps before the buyers are paid."),
    )
    auction_rake_value = AmountField(label=_("Percentage, or amount per entry"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["rounding"].help_text = " ".join(
            f"{gettext(found.name)}: {gettext(found.description)}" for found in ROUNDINGS.values()
        )
        for word in PARTS:
            self.fields[f"part_{word}"] = AmountField(label=_("Share of the pool, percent"))
            # The share of a buy-in bracket is in the form only where there is one.
            asked = word != BUY_IN
            self.fields[f"table_{word}"] = forms.ChoiceField(
                label=_("Payout table"), choices=table_choices, required=asked
            )
            self.fields[f"values_{word}"] = forms.CharField(
                label=_("Payouts by place"), max_length=MAX_VALUES, required=False
            )

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if {"currency", "rake"} <= data.keys():
            currency = find_currency(data["currency"])
            pot_rake = data.get("auction_rake") or "none"
            reads_amounts(self, currency, "fee", "reentry_fee", "registration_fee", "added", "step")
            reads_amounts(self, PERCENT, *(f"part_{word}" for word in PARTS))
            reads_amounts(self, _unit(data["rake"], currency), "rake_value")
            reads_amounts(self, _unit(pot_rake, currency), "auction_rake_value")
        return data

    def parts(self) -> list[PartFields]:
        return [
            PartFields(section, tuple(self[f"{name}_{word}"] for name in ("part", "table", "values")))
            for word, section in PARTS.items()
        ]

    @classmethod
    def initial_of(cls, ledger: Ledger) -> dict[str, object]:
        """Return the stored terms as they would be typed."""
        terms, currency = ledger.terms, ledger.currency
        plan = terms.plan
        kind, values = write_table(terms.auction_table, currency)
        found: dict[str, object] = {
            "currency": terms.currency,
            "rake": terms.rake,
            "rake_value": _typed(terms.rake_value, _unit(terms.rake, currency)),
            "step": _typed(plan.step, currency) if plan.step > 1 else "",
            "rounding": plan.rounding,
            "auction": kind,
            "auction_values": values,
            "auction_rake": terms.auction_rake,
            "auction_rake_value": _typed(terms.auction_rake_value, _unit(terms.auction_rake, currency)),
        }
        for name in ("fee", "reentry_fee", "registration_fee", "added"):
            found[name] = _typed(getattr(terms, name), currency) if terms.pk else ""
        if terms.reentry_fee == terms.fee:
            found["reentry_fee"] = ""  # so that it stays the same when the fee changes
        by_section = {share.section: share for share in plan.shares}
        for word, section in PARTS.items():
            share = by_section.get(section)
            kind, values = write_table(share.table, currency) if share else ("knockout", "")
            found |= {
                f"part_{word}": _typed(share.basis_points, PERCENT) if share else "",
                f"table_{word}": kind,
                f"values_{word}": values,
            }
        return found

    def terms(self) -> MoneyTerms:
        """Return what was typed. Raises Refusal for an amount or table that cannot be read."""
        data = self.cleaned_data
        currency = find_currency(data["currency"])
        fee = read_amount(data["fee"], currency)
        pot_rake = data["auction_rake"] or "none"
        return MoneyTerms(
            currency=currency.code,
            fee=fee,
            reentry_fee=read_amount(data["reentry_fee"], currency) if data["reentry_fee"].strip() else fee,
            registration_fee=read_amount(data["registration_fee"], currency),
            rake=data["rake"],
            rake_value=read_amount(data["rake_value"], _unit(data["rake"], currency)),
            added=read_amount(data["added"], currency),
            payouts=self._plan(data, currency),
            auction=read_table(data["auction"], data["auction_values"], currency),
            auction_rake=pot_rake,
            auction_rake_value=read_amount(data["auction_rake_value"], _unit(pot_rake, currency)),
        )

    def _plan(self, data: Mapping[str, Any], currency: Currency) -> PayoutPlan:
        shares = [
            Share(section, part, read_table(data[f"table_{word}"] or UNSAID, data[f"values_{word}"], currency))
            for word, section in PARTS.items()
            if (part := read_amount(data[f"part_{word}"], PERCENT))
        ]
        step = read_amount(data["step"], currency) or 1
        return PayoutPlan(tuple(shares) or PayoutPlan().shares, step, data["rounding"])
