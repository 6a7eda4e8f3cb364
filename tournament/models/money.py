"""An event's money: what it costs and pays, side pools, calcutta lots, and payments."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from matches.models import MAX_REASON
from players.models import MAX_NAME
from players.rows import Row
from tournament.models.event import Entry, Event
from tournament.prizes import CURRENCIES, RAKES, PayoutPlan, Pool, PoolTerms, PrizeTable, prize_pool


def currency_choices() -> list[tuple[str, str]]:
    return [(code, code) for code in CURRENCIES]


def rake_choices() -> list[tuple[str, str]]:
    return [(slug, rake.name) for slug, rake in RAKES.items()]


MAX_POOL_NAME = 40


class EventMoney(Row):
    """An event's costs and prizes; an event without such a row involves no money.

    Amounts are smallest units of ``currency``. ``rake_value`` is in basis points, or an amount per entry. ``payouts``
    is a :class:`tournament.prizes.PayoutPlan` as it is stored, ``auction`` the :class:`tournament.prizes.PrizeTable` of
    the calcutta; ``auction_rake`` is kept of its pot as ``rake`` is of the fees. The registration fee is paid once with
    an entry, not with a re-entry, and is never in the pool.
    """

    event = models.OneToOneField(Event, on_delete=models.CASCADE, related_name="money")
    currency = models.CharField(_("currency"), max_length=3, choices=currency_choices, default="EUR")
    fee = models.PositiveBigIntegerField(_("entry fee"), default=0)
    reentry_fee = models.PositiveBigIntegerField(_("re-entry fee"), default=0)
    registration_fee = models.PositiveBigIntegerField(_("registration fee"), default=0)
    rake = models.CharField(_("rake"), max_length=12, choices=rake_choices, default="none")
    rake_value = models.PositiveBigIntegerField(default=0)
    added = models.PositiveBigIntegerField(_("added money"), default=0)
    payouts = models.JSONField(default=dict)
    auction = models.JSONField(default=dict)
    auction_rake = models.CharField(_("rake"), max_length=12, choices=rake_choices, default="none")
    auction_rake_value = models.PositiveBigIntegerField(default=0)

    class Meta:
        verbose_name = _("event finances")
        verbose_name_plural = _("event finances")
        constraints = [models.CheckConstraint(condition=~Q(currency=""), name="money_has_currency")]

    def __str__(self) -> str:
        return f"{self.event_id} {self.currency}"

    @property
    def plan(self) -> PayoutPlan:
        return PayoutPlan.parse(self.payouts)

    @property
    def auction_table(self) -> PrizeTable:
        return PrizeTable.parse(self.auction or {"kind": "template", "template": "two"})

    @property
    def pool_terms(self) -> PoolTerms:
        return PoolTerms(self.fee, self.reentry_fee, self.rake, self.rake_value)

    def pool(self, entries: int, reentries: int, *, added: int = 0) -> Pool:
        return prize_pool(self.pool_terms, entries=entries, reentries=reentries, added=added)


class SidePool(Row):
    """A pool that entries may join for a separate fee; ``table`` pays its members by their order in the event."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="side_pools")
    name = models.CharField(_("name"), max_length=MAX_POOL_NAME)
    fee = models.PositiveBigIntegerField(_("fee"))
    table = models.JSONField(default=dict)

    class Meta:
        verbose_name = _("side pool")
        verbose_name_plural = _("side pools")
        ordering = ["event_id", "id"]
        constraints = [
            models.UniqueConstraint(fields=["event", "name"], name="side_pool_name_once_per_event"),
            models.CheckConstraint(condition=~Q(name=""), name="side_pool_has_name"),
        ]

    def __str__(self) -> str:
        return self.name


class SidePoolMember(Row):
    """An entry's membership of a side pool, until ``left_at``."""

    pool = models.ForeignKey(SidePool, on_delete=models.CASCADE, related_name="members")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="side_pools")
    joined_at = models.DateTimeField()
    left_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("side pool member")
        verbose_name_plural = _("side pool members")
        ordering = ["pool_id", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["pool", "entry"], condition=Q(left_at__isnull=True), name="side_pool_member_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.pool_id} {self.entry_id}"


class Lot(Row):
    """One entry, or several as a field, auctioned together."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="lots")
    number = models.PositiveSmallIntegerField()
    entries = models.ManyToManyField(Entry, related_name="lots")

    class Meta:
        verbose_name = _("lot")
        verbose_name_plural = _("lots")
        ordering = ["event_id", "number"]
        constraints = [models.UniqueConstraint(fields=["event", "number"], name="lot_number_once_per_event")]

    def __str__(self) -> str:
        return f"{self.number}"


class LotSale(Row):
    """The sale of a lot to a buyer; the last sale counts, and one without a price undoes the previous one."""

    lot = models.ForeignKey(Lot, on_delete=models.CASCADE, related_name="sales")
    number = models.PositiveSmallIntegerField()
    buyer = models.CharField(_("buyer"), max_length=MAX_NAME, blank=True)
    price = models.PositiveBigIntegerField(_("price"), null=True, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("lot sale")
        verbose_name_plural = _("lot sales")
        ordering = ["lot_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["lot", "number"], name="lot_sale_number_once"),
            models.CheckConstraint(
                condition=Q(price__isnull=True, buyer="") | (Q(price__gte=1) & ~Q(buyer="")),
                name="lot_sale_has_price_and_buyer",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.lot_id} {self.buyer}"


class Purpose(models.TextChoices):
    """The purpose of a payment. The first four come in, the others go out."""

    REGISTRATION = "registration", _("registration")
    ENTRY = "entry", _("entry")
    SIDE = "side", _("side pool")
    LOT = "lot", _("lot")
    PRIZE = "prize", _("prize")
    SIDE_PRIZE = "side-prize", _("side pool prize")
    LOT_PRIZE = "lot-prize", _("calcutta prize")


class Payment(Row):
    """Cash received (``amount`` above 0) or paid out (below 0). Rows are added, never changed or removed.

    ``account`` says what it was for (see :class:`tournament.money.accounts.Account`), ``name`` who paid or was paid. A
    reversal ``reverses`` another row, with the opposite amount. ``key`` and ``line`` make a button that is pressed
    twice harmless.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="payments")
    purpose = models.CharField(max_length=12, choices=Purpose)
    account = models.CharField(max_length=60)
    entry = models.ForeignKey(Entry, on_delete=models.SET_NULL, null=True, blank=True, related_name="payments")
    name = models.CharField(max_length=200)
    amount = models.BigIntegerField()
    currency = models.CharField(max_length=3)
    reverses = models.OneToOneField("self", on_delete=models.PROTECT, null=True, blank=True, related_name="reversed_by")
    reason = models.CharField(max_length=MAX_REASON, blank=True)
    key = models.CharField(max_length=64)
    line = models.PositiveSmallIntegerField(default=0)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("payment")
        verbose_name_plural = _("payments")
        ordering = ["event_id", "id"]
        constraints = [
            models.UniqueConstraint(fields=["event", "key", "line"], name="payment_key_once_per_event"),
            models.CheckConstraint(condition=~Q(amount=0), name="payment_is_something"),
            models.CheckConstraint(condition=~Q(key="") & ~Q(account=""), name="payment_has_key_and_account"),
            models.CheckConstraint(condition=Q(purpose__in=Purpose.values), name="payment_purpose_known"),
        ]

    def __str__(self) -> str:
        return f"{self.account} {self.amount} {self.currency}"
