"""An event's finances as they stand: what is due, paid and outstanding, read in a fixed number of queries.

Of this only payments are stored: dues follow from fees, members and sales, prizes from the standings.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from django.db.models import Prefetch, QuerySet, prefetch_related_objects
from django.utils.translation import gettext as _

from players.errors import in_words
from tournament.models import Event, EventMoney, Lot, LotSale, Payment, Purpose, SidePool, SidePoolMember
from tournament.money.accounts import (
    Account,
    EntryAccounts,
    Ledger,
    LedgerLot,
    LedgerPayment,
    LedgerSidePool,
    PrizeList,
)
from tournament.money.paid_places import played_sections, ranks_of_field, ranks_of_sections
from tournament.prizes import (
    EACH_GROUP,
    AuctionLot,
    Currency,
    MoneyError,
    PayoutPlan,
    Pool,
    Pot,
    PrizeTable,
    Rank,
    Share,
    apportion,
    auction_pot,
    find_currency,
    rank_among,
    rank_lots,
    share_prizes,
)
from tournament.snapshot import EntrySnapshot, EventSnapshot, take_snapshots

GROUPS = ("G", "J")
"""The prefixes of group and jackpot brackets."""

FIELD = "field"
"""The whole field, in an account's name."""


def take_ledger(event_id: int) -> Ledger:
    """Return the ledger of the event. Raises Event.DoesNotExist."""
    for ledger in take_ledgers(Event.objects.filter(pk=event_id)):
        return ledger
    raise Event.DoesNotExist


def take_ledgers(events: QuerySet[Event]) -> list[Ledger]:
    """Return the events' ledgers, in a number of queries that does not depend on how many there are."""
    return _ledgers(take_snapshots(events), events)


def view_ledger(snapshot: EventSnapshot) -> Ledger:
    """Return the event's ledger, with prizes by the snapshot's standings. Raises Event.DoesNotExist."""
    for ledger in _ledgers([snapshot], Event.objects.filter(pk=snapshot.id)):
        return ledger
    raise Event.DoesNotExist


def _ledgers(snapshots: Iterable[EventSnapshot], events: QuerySet[Event]) -> list[Ledger]:
    rows = {event.pk: event for event in with_money(events)}
    # An event may be deleted after its snapshot was taken.
    return [ledger_from(snapshot, rows[snapshot.id]) for snapshot in snapshots if snapshot.id in rows]


def ledger_from(snapshot: EventSnapshot, event: Event) -> Ledger:
    """Return the ledger of an event loaded by :func:`with_money`, with the snapshot's entries and places."""
    return _Books(snapshot, event).ledger()


@dataclass(frozen=True, slots=True)
class Prizes:
    """The lists of a ledger by which it pays out: see :class:`tournament.money.accounts.Ledger`."""

    currency: Currency
    prize_lists: tuple[PrizeList, ...] = ()
    side_pools: tuple[LedgerSidePool, ...] = ()
    pot: PrizeList | None = None


def prizes_from(snapshot: EventSnapshot, event: Event) -> Prizes:
    """Return what :func:`ledger_from` says of prizes, without the accounts of entries."""
    return _Books(snapshot, event).prizes()


def deals_in_money(event: Event) -> bool:
    """Whether there is any money that prizes could be of; ``event`` was loaded by :func:`with_money`."""
    terms = getattr(event, "money", None)
    comes_in = terms is not None and any((terms.fee, terms.reentry_fee, terms.added))
    return comes_in or any(rows.all() for rows in (event.side_pools, event.lots, event.payments))


def with_money(events: QuerySet[Event]) -> QuerySet[Event]:
    """Prefetch everything that the events' ledgers are built from."""
    return events.select_related("money").prefetch_related(*_money_of())


def read_money(event: Event) -> None:
    """Prefetch for an event that was read with ``money`` what :func:`with_money` does."""
    prefetch_related_objects([event], *_money_of())


def _money_of() -> tuple[Prefetch, ...]:
    members = SidePoolMember.objects.filter(left_at__isnull=True)
    pools = SidePool.objects.prefetch_related(Prefetch("members", queryset=members))
    lots = Lot.objects.prefetch_related("entries", Prefetch("sales", queryset=LotSale.objects.order_by("number")))
    payments = Payment.objects.select_related("by").order_by("id")
    return (
        Prefetch("side_pools", queryset=pools),
        Prefetch("lots", queryset=lots),
        Prefetch("payments", queryset=payments),
    )


class _Books:
    """The rows of one event from which its ledger is built.

    Entries that wait, or left before the draw, owe nothing and are in no pool; what they paid is to be returned.
    """

    def __init__(self, snapshot: EventSnapshot, event: Event) -> None:
        self.snapshot = snapshot
        self.event = event
        self.terms = getattr(event, "money", None) or EventMoney(event=event)
        self.entries = {entry.id: entry for entry in snapshot.entries}
        self.field = ranks_of_field(snapshot)
        self.paid: dict[str, int] = defaultdict(int)
        self.seen: set[str] = set()
        self.problem = ""
        for row in event.payments.all():
            self.paid[row.account] += row.amount

    def ledger(self) -> Ledger:
        entries = self._entry_accounts()
        pool, lists = self._pool_and_prizes()
        side_pools = tuple(self._side_pool(row) for row in self.event.side_pools.all())
        lots, auction, pot = self._calcutta()
        return Ledger(
            event=self.snapshot,
            terms=self.terms,
            currency=find_currency(self.terms.currency),
            pool=pool,
            problem=self.problem,
            entries=entries,
            prize_lists=lists,
            side_pools=side_pools,
            lots=lots,
            auction=auction,
            pot=pot,
            others=self._others(),
            payments=payment_views(self.event.payments.all(), beside=self.event.payments.all()),
        )

    def prizes(self) -> Prizes:
        _pool, lists = self._pool_and_prizes()
        side_pools = tuple(self._side_pool(row) for row in self.event.side_pools.all())
        _lots, _auction, pot = self._calcutta()
        return Prizes(find_currency(self.terms.currency), lists, side_pools, pot)

    def _account(
        self,
        slug: str,
        purpose: Purpose,
        name: str,
        due: int | None,
        entry: EntrySnapshot | None = None,
        rank: Rank | None = None,
    ) -> Account:
        self.seen.add(slug)
        place, place_to = (rank.place, rank.place_to) if rank else (0, 0)
        return Account(slug, purpose, name, due, self.paid.get(slug, 0), entry, place, place_to)

    def _entry_accounts(self) -> tuple[EntryAccounts, ...]:
        sides: dict[int, list[SidePool]] = defaultdict(list)
        for pool in self.event.side_pools.all():
            for member in pool.members.all():
                sides[member.entry_id].append(pool)
        found = []
        for entry in self.entries.values():
            registration = 0 if entry.reentry else self.terms.registration_fee
            fee = self.terms.reentry_fee if entry.reentry else self.terms.fee
            accounts = [
                self._account(f"registration-{entry.id}", Purpose.REGISTRATION, entry.name, registration, entry),
                self._account(f"entry-{entry.id}", Purpose.ENTRY, entry.name, fee, entry),
            ]
            accounts += [
                self._account(f"side-{pool.pk}-{entry.id}", Purpose.SIDE, entry.name, pool.fee, entry)
                for pool in sides[entry.id]
            ]
            found.append(EntryAccounts(entry, tuple(a for a in accounts if a.due or a.paid)))
        return tuple(found)

    def _pool_of(self, entries: Iterable[EntrySnapshot], added: int) -> Pool:
        counted = [bool(entry.reentry) for entry in entries]
        return self.terms.pool(counted.count(False), counted.count(True), added=added)

    def _pool_and_prizes(self) -> tuple[Pool, tuple[PrizeList, ...]]:
        plan = self.terms.plan
        if plan.is_by_group:
            return self._groups(plan)
        pool = self._pool_of(self.entries.values(), self.terms.added)
        rankings = {"": self.field, **ranks_of_sections(self.snapshot)}
        lists = []
        for share, amount in plan.amounts(pool.amount, played_sections(self.snapshot)):
            ranks = rankings.get(share.section, ())
            lists.append(self._prize_list(share.section, plan, share, amount, ranks, len(self.entries)))
        return pool, tuple(lists)

    def _groups(self, plan: PayoutPlan) -> tuple[Pool, tuple[PrizeList, ...]]:
        """Pay each group its own entrants' fees, and a share of the added money in proportion to its size."""
        rankings = {
            section: ranks for section, ranks in ranks_of_sections(self.snapshot).items() if section.startswith(GROUPS)
        }
        played = played_sections(self.snapshot)
        if played and not any(section.startswith(GROUPS) for section in played):
            self.problem = _("This event is not played in groups: choose a payout for its places instead.")
        members = {section: [self.entries[rank.who] for rank in ranks] for section, ranks in rankings.items()}
        grouped = {entry.id for group in members.values() for entry in group}
        waiting = [entry for entry in self.entries.values() if entry.id not in grouped]
        sizes = [*map(len, members.values()), len(waiting)]
        added = apportion(self.terms.added, sizes) if any(sizes) else (self.terms.added,)
        pools = [self._pool_of(group, extra) for group, extra in zip([*members.values(), waiting], added, strict=True)]
        share = plan.shares[0]
        lists = [
            self._prize_list(section, plan, share, pool.amount, rankings[section], len(members[section]))
            for section, pool in zip(members, pools, strict=False)
        ]
        if pools[-1].amount:
            lists.append(PrizeList(EACH_GROUP, _("Not in a group yet"), pools[-1].amount, (), ()))
        total = Pool(
            entries=sum(pool.entries for pool in pools),
            reentries=sum(pool.reentries for pool in pools),
            fees=sum(pool.fees for pool in pools),
            rake=sum(pool.rake for pool in pools),
            added=self.terms.added,
        )
        return total, tuple(lists)

    def _prize_list(
        self,
        section: str,
        plan: PayoutPlan,
        share: Share,
        amount: int,
        ranks: Sequence[Rank],
        field: int,
    ) -> PrizeList:
        # Only its end shows who gets into a consolation: until then no prize is left over.
        places = len(ranks) if ranks and all(rank.settled for rank in ranks) else field
        try:
            prizes = plan.prizes(share, amount, field=field, places=places)
        except MoneyError as error:
            self.problem = in_words(error)
            prizes = ()
        key = section or FIELD
        accounts = self._winners(Purpose.PRIZE, f"prize-{key}", prizes, ranks)
        return PrizeList(section, section, amount, prizes, accounts)

    def _winners(
        self, purpose: Purpose, slug: str, prizes: Sequence[int], ranks: Sequence[Rank]
    ) -> tuple[Account, ...]:
        """Return the accounts of everybody in a paid place, and of everybody paid earlier."""
        shares = share_prizes(prizes, ranks)
        found = []
        for rank in ranks:
            key, due = f"{slug}-{rank.who}", shares.get(rank.who)
            if due or self.paid.get(key) or (due is None and rank.place <= len(prizes)):
                entry = self.entries[rank.who]
                found.append(self._account(key, purpose, entry.name, None if due is None else -due, entry, rank))
        return tuple(found)

    def _side_pool(self, row: SidePool) -> LedgerSidePool:
        members = tuple(self.entries[one.entry_id] for one in row.members.all() if one.entry_id in self.entries)
        amount, table = row.fee * len(members), PrizeTable.parse(row.table)
        ranks = rank_among(self.field, {entry.id for entry in members})
        prizes = self._table_prizes(table, amount, len(members))
        accounts = self._winners(Purpose.SIDE_PRIZE, f"side-prize-{row.pk}", prizes, ranks)
        return LedgerSidePool(
            row.pk, row.name, row.fee, table, members, PrizeList("", row.name, amount, prizes, accounts)
        )

    def _table_prizes(self, table: PrizeTable, amount: int, field: int) -> tuple[int, ...]:
        try:
            return table.prizes(amount, field=field, places=field, step=1, rounding="largest-remainder")
        except MoneyError as error:
            self.problem = in_words(error)
            return ()

    def _calcutta(self) -> tuple[tuple[LedgerLot, ...], Pot, PrizeList]:
        views, lots = {}, []
        for row in self.event.lots.all():
            sales = list(row.sales.all())
            sale = sales[-1] if sales else None
            price = sale.price if sale else None
            buyer = sale.buyer if sale and price is not None else ""
            entries = tuple(self.entries[entry.pk] for entry in row.entries.all() if entry.pk in self.entries)
            slug = f"lot-{row.pk}"
            account = (
                self._account(slug, Purpose.LOT, buyer, price or 0)
                if price is not None or self.paid.get(slug)
                else None
            )
            views[row.pk] = LedgerLot(row.pk, row.number, entries, buyer, price, len(sales), account)
            lots.append(AuctionLot(row.pk, frozenset(entry.id for entry in entries), price))
        auction = auction_pot(lots, rake=self.terms.auction_rake, value=self.terms.auction_rake_value)
        sold = sum(lot.price is not None for lot in lots)
        prizes = self._table_prizes(self.terms.auction_table, auction.amount, sold) if sold else ()
        ranks = rank_lots(lots, self.field)
        shares = share_prizes(prizes, ranks)
        accounts = []
        for rank in ranks:
            lot, slug, due = views[rank.who], f"lot-prize-{rank.who}", shares.get(rank.who)
            if due or self.paid.get(slug) or (due is None and rank.place <= len(prizes)):
                owed = None if due is None else -due
                account = self._account(slug, Purpose.LOT_PRIZE, lot.buyer, owed, None, rank)
                accounts.append(replace(account, name=f"{lot.buyer} ({lot.name})"))
        return tuple(views.values()), auction, PrizeList("", _("Calcutta"), auction.amount, prizes, tuple(accounts))

    def _others(self) -> tuple[Account, ...]:
        rows = {row.account: row for row in self.event.payments.all()}
        return tuple(
            Account(slug, Purpose(row.purpose), row.name, 0, self.paid[slug], self.entries.get(row.entry_id or 0))
            for slug, row in rows.items()
            if slug not in self.seen and self.paid[slug]
        )


def payment_views(rows: Iterable[Payment], *, beside: Iterable[Payment]) -> tuple[LedgerPayment, ...]:
    """Return the payments as displayed; ``beside``, all payments of the event, tells which of them were reversed.

    Reads ``row.by`` as loaded.
    """
    reversed_ids = {row.reverses_id for row in beside}
    return tuple(
        LedgerPayment(
            id=row.pk,
            account=row.account,
            purpose=Purpose(row.purpose),
            name=row.name,
            amount=row.amount,
            reason=row.reason,
            by=str(row.by or ""),
            at=row.at,
            reverses=row.reverses_id,
            is_reversed=row.pk in reversed_ids,
        )
        for row in rows
    )
