"""The log's wording about money: the names in payments and pools are not public."""

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.log.words.verb import Detail, Verb, names_of, with_names


def _payment(template: str, detail: Detail) -> str:
    return template % {"names": names_of(detail), "amount": detail["amount"], "currency": detail["currency"]}


def _settle_accounts(detail: Detail) -> str:
    amount = str(detail["amount"])
    if not amount.startswith("-"):
        return _payment(_("Paid: %(names)s, %(amount)s %(currency)s"), detail)
    return _payment(_("Paid out: %(names)s, %(amount)s %(currency)s"), {**detail, "amount": amount[1:]})


def _member(template: str, detail: Detail) -> str:
    return template % {"names": names_of(detail), "pool": detail["pool"]}


def _sell_lot(detail: Detail) -> str:
    values = {"lot": detail["lot"], "buyer": detail["buyer"]}
    if detail["price"] is None:
        return _("Sale of lot %(lot)s undone") % values
    return _("Lot %(lot)s sold to %(buyer)s") % values


MONEY_VERBS: Mapping[str, Verb] = {
    "set_money": Verb(gettext_lazy("Fees and prizes set")),
    "settle_accounts": Verb(
        gettext_lazy("Paid"),
        _settle_accounts,
        public=False,
    ),
    "reverse_payment": Verb(
        gettext_lazy("Payment reversed"),
        lambda detail: _payment(_("Payment reversed: %(names)s, %(amount)s %(currency)s"), detail),
        public=False,
    ),
    "open_side_pool": Verb(
        gettext_lazy("Side pool opened"), lambda detail: with_names(_("Side pool opened: %(names)s"), detail)
    ),
    "join_side_pool": Verb(
        gettext_lazy("Side pool joined"),
        lambda detail: _member(_("%(names)s joined %(pool)s"), detail),
        public=False,
    ),
    "leave_side_pool": Verb(
        gettext_lazy("Side pool left"),
        lambda detail: _member(_("%(names)s left %(pool)s"), detail),
        public=False,
    ),
    "make_lots": Verb(
        gettext_lazy("Lots created"), lambda detail: with_names(_("Lots created: %(names)s"), detail), public=False
    ),
    "dissolve_lot": Verb(
        gettext_lazy("Lot split up"),
        lambda detail: _("Lot %(lot)s split up") % {"lot": detail["lot"]},
        public=False,
    ),
    "sell_lot": Verb(gettext_lazy("Lot sold"), _sell_lot, public=False),
}
