"""Money in the API: amounts are whole numbers of the currency's smallest unit."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from matches.models import MAX_REASON
from players.models import MAX_NAME
from tournament.api.fields import (
    IdField,
    KeyField,
    LineField,
    NumberField,
    StrictChoiceField,
    StrictIntegerField,
    StrictSerializer,
)
from tournament.api.money.consent import ConsentSerializer, MovesSerializer
from tournament.entries.enrolment import MAX_ENTRIES
from tournament.models import EventMoney, Purpose
from tournament.models.money import MAX_POOL_NAME
from tournament.money.services import MAX_ACCOUNTS
from tournament.money.terms import COLUMNS, JSON_COLUMNS, MoneyTerms
from tournament.prizes import (
    CURRENCIES,
    EACH_GROUP,
    MAX_AMOUNT,
    RAKES,
    ROUNDINGS,
    TABLES,
    TEMPLATES,
    PayoutPlan,
    PrizeTable,
    Share,
)
from tournament.prizes.plan import MAX_SHARES
from tournament.prizes.tables import MAX_PLACES

MAX_SUM = 10**15
PLAIN_TERMS = [name for name in COLUMNS if name not in JSON_COLUMNS]
SECTIONS = ["", "C", "D", "L", "B", EACH_GROUP]


class AmountField(StrictIntegerField):
    """An amount in the currency's smallest unit: 1250 is 12.50 where the currency has two decimals."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**({"min_value": 0, "max_value": MAX_AMOUNT} | kwargs))


class PrizeTableSerializer(StrictSerializer):
    """What each place is paid: by a template for the size of the field, in basis points, or as fixed amounts."""

    kind = StrictChoiceField(choices=list(TABLES))
    template = StrictChoiceField(choices=list(TEMPLATES), required=False, help_text="For the kind `template`.")
    values = serializers.ListField(
        child=AmountField(), required=False, max_length=MAX_PLACES, help_text="First place first, for the other kinds."
    )


class ShareSerializer(StrictSerializer):
    section = StrictChoiceField(
        choices=SECTIONS, help_text="A bracket; empty for the whole field; `groups` pays each group from its own fees."
    )
    basis_points = NumberField(max_value=10_000, help_text="Its part of the pool; all parts sum to 10000.")
    table = PrizeTableSerializer()


class MoneySerializer(StrictSerializer):
    """What an event costs and pays out; amounts are in the smallest unit of `currency`."""

    currency = StrictChoiceField(choices=list(CURRENCIES))
    fee = AmountField()
    reentry_fee = AmountField()
    registration_fee = AmountField(help_text="Paid once with an entry; never in the pool.")
    rake = StrictChoiceField(choices=list(RAKES))
    rake_value = AmountField(help_text="Basis points for `percent`, an amount for `per-entry`.")
    added = AmountField()
    shares = ShareSerializer(many=True, max_length=MAX_SHARES)  # type: ignore[call-arg]
    step = AmountField(min_value=1, max_value=10**9, help_text="Prizes are multiples of it.")
    rounding = StrictChoiceField(choices=list(ROUNDINGS))
    auction = PrizeTableSerializer(help_text="What the pot of the calcutta pays.")
    auction_rake = StrictChoiceField(
        choices=list(RAKES), default="none", help_text="The house's part of the pot, before it pays out."
    )
    auction_rake_value = AmountField(default=0, help_text="As `rake_value`; an amount is for each entry in a sold lot.")

    def to_representation(self, instance: EventMoney) -> dict[str, object]:
        plan = instance.plan.as_dict()
        return {
            **{name: getattr(instance, name) for name in PLAIN_TERMS},
            **plan,
            "auction": instance.auction_table.as_dict(),
        }


class SetMoneySerializer(MoneySerializer, ConsentSerializer):
    """What an event is to cost and pay out; amounts are in the smallest unit of `currency`."""


def table_from(data: Mapping[str, Any]) -> PrizeTable:
    return PrizeTable(data["kind"], data.get("template", "knockout"), tuple(data.get("values", ())))


def terms_from(data: Mapping[str, Any]) -> MoneyTerms:
    """Return the money terms in the form that :func:`tournament.money.services.set_money` takes."""
    shares = tuple(Share(line["section"], line["basis_points"], table_from(line["table"])) for line in data["shares"])
    plan = PayoutPlan(shares, data["step"], data["rounding"])
    plain = {name: data[name] for name in PLAIN_TERMS}
    return MoneyTerms(**plain, payouts=plan, auction=table_from(data["auction"]))


class AccountSerializer(serializers.Serializer):
    """One payer's or payee's balance for one purpose: above 0 comes in, below 0 goes out."""

    account = serializers.CharField(source="slug", help_text="A stable name, such as `entry-12` or `prize-C-12`.")
    purpose = serializers.ChoiceField(choices=Purpose.values)
    name = serializers.CharField()
    due = serializers.IntegerField(allow_null=True, help_text="Null while the place can still change.")
    paid = serializers.IntegerField()
    open = serializers.IntegerField()


class WinnerSerializer(serializers.Serializer):
    name = serializers.CharField()
    place = serializers.IntegerField()
    place_to = serializers.IntegerField()
    prize = serializers.IntegerField(allow_null=True, help_text="Null while the place can still change.")


class PrizeListSerializer(serializers.Serializer):
    section = serializers.CharField(help_text="A bracket; empty for the whole field.")
    amount = serializers.IntegerField()
    prizes = serializers.ListField(child=serializers.IntegerField(), help_text="First place first; they sum to it.")
    winners = WinnerSerializer(many=True, source="accounts")


class NamedPrizeListSerializer(serializers.Serializer):
    name = serializers.CharField()
    fee = serializers.IntegerField()
    prizes = PrizeListSerializer()


class PrizesSerializer(serializers.Serializer):
    currency = serializers.CharField(source="terms.currency")
    pool = serializers.IntegerField(source="pool.amount")
    fees = serializers.IntegerField(source="pool.fees")
    rake = serializers.IntegerField(source="pool.rake")
    added = serializers.IntegerField(source="pool.added")
    problem = serializers.CharField(help_text="Why there are no prizes, if the terms do not match what came in.")
    lists = PrizeListSerializer(many=True, source="prize_lists")
    side_pools = NamedPrizeListSerializer(many=True)
    calcutta = PrizeListSerializer(source="pot")
    calcutta_rake = serializers.IntegerField(
        source="auction.rake", help_text="What the house keeps of the pot; not part of its amount."
    )


class PaymentSerializer(serializers.Serializer):
    id = serializers.IntegerField()
    at = serializers.DateTimeField()
    purpose = serializers.ChoiceField(choices=Purpose.values)
    account = serializers.CharField()
    name = serializers.CharField()
    amount = serializers.IntegerField(help_text="Above 0 came in, below 0 went out.")
    reason = serializers.CharField()
    reverses = serializers.IntegerField(allow_null=True, help_text="The payment that this one takes back.")
    is_reversed = serializers.BooleanField()
    by = serializers.CharField()


class CashSerializer(serializers.Serializer):
    """All balances, and every payment. The sums are all in one currency."""

    currency = serializers.CharField(source="terms.currency")
    cash = serializers.IntegerField()
    kept = serializers.IntegerField(
        help_text="What the house keeps: registration fees, and the rake of the fees and of the pot."
    )
    to_come = serializers.IntegerField()
    to_pay = serializers.IntegerField()
    accounts = AccountSerializer(many=True)
    payments = PaymentSerializer(many=True)


class MoneyPreviewSerializer(PrizesSerializer):
    """The money of an event as it would be on other terms."""

    cash = serializers.IntegerField()
    kept = serializers.IntegerField(
        help_text="What the house keeps: registration fees, and the rake of the fees and of the pot."
    )
    to_come = serializers.IntegerField()
    to_pay = serializers.IntegerField()
    moves = MovesSerializer(
        read_only=True, allow_null=True, required=False, help_text="Null before play begins: nothing needs consent."
    )


class BoxSerializer(serializers.Serializer):
    """The cash of all events in one currency."""

    currency = serializers.CharField(source="currency.code")
    cash = serializers.IntegerField()
    came_in = serializers.IntegerField()
    went_out = serializers.IntegerField()
    to_come = serializers.IntegerField()
    to_pay = serializers.IntegerField()


class SettleSerializer(StrictSerializer):
    """Settle these accounts in full. `amount` is the sum that you saw open on them."""

    key = KeyField(required=False, help_text="Makes a repeated submission harmless. Or the header `Idempotency-Key`.")
    accounts = serializers.ListField(child=LineField(max_length=60), min_length=1, max_length=MAX_ACCOUNTS)
    amount = AmountField(min_value=-MAX_SUM, max_value=MAX_SUM)


class PartSerializer(StrictSerializer):
    """Pay part of what is open on these accounts, beginning with the first; the rest stays open."""

    key = KeyField(required=False, help_text="Makes a repeated submission harmless. Or the header `Idempotency-Key`.")
    accounts = serializers.ListField(child=LineField(max_length=60), min_length=1, max_length=MAX_ACCOUNTS)
    amount = AmountField(min_value=-MAX_SUM, max_value=MAX_SUM, help_text="Above 0 comes in, below 0 goes out.")
    payer = LineField(
        required=False,
        allow_blank=True,
        default="",
        max_length=MAX_NAME,
        help_text="The name of the payer, if that is somebody else.",
    )


class ReversalSerializer(StrictSerializer):
    key = KeyField(required=False, help_text="Makes a repeated submission harmless. Or the header `Idempotency-Key`.")
    reason = LineField(required=False, allow_blank=True, default="", max_length=MAX_REASON)


class NewSidePoolSerializer(ConsentSerializer):
    name = LineField(max_length=MAX_POOL_NAME)
    fee = AmountField()
    table = PrizeTableSerializer()


class SidePoolSerializer(serializers.Serializer):
    id = serializers.IntegerField()
    name = serializers.CharField()
    fee = serializers.IntegerField()
    members = serializers.SerializerMethodField(help_text="The ids of its entries.")

    def get_members(self, pool: Any) -> list[int]:
        return [entry.id for entry in pool.members]


class NewLotsSerializer(ConsentSerializer):
    entries = serializers.ListField(
        child=IdField(),
        required=False,
        max_length=MAX_ENTRIES,
        help_text="Make one lot of these; without it, one of each entry that is in none.",
    )


class SaleSerializer(ConsentSerializer):
    buyer = LineField(max_length=MAX_NAME)
    price = AmountField(min_value=1)
    base = NumberField(help_text="How many sales of the lot you saw.")


class SaleBackSerializer(ConsentSerializer):
    base = NumberField(help_text="How many sales of the lot you saw.")


class LotSerializer(serializers.Serializer):
    id = serializers.IntegerField()
    number = serializers.IntegerField()
    entries = serializers.SerializerMethodField()
    buyer = serializers.CharField()
    price = serializers.IntegerField(allow_null=True)
    sales = serializers.IntegerField(help_text="How many times it was sold or taken back: the `base` of the next sale.")

    def get_entries(self, lot: Any) -> list[int]:
        return [entry.id for entry in lot.entries]
