"""Side pools: opened by directors, joined and left by entries."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from players.errors import Conflict, Refusal, in_words
from players.models import User
from tournament.changes.record import begin_step
from tournament.models import Entry, Event, SidePool, SidePoolMember
from tournament.models.money import MAX_POOL_NAME
from tournament.money.closing import NOT_ASKED, Consent, moving_money
from tournament.money.services import record_money
from tournament.prizes import MAX_AMOUNT, MoneyError, PrizeTable

MAX_SIDE_POOLS = 20


@transaction.atomic
def open_side_pool(
    event: Event,
    *,
    name: str,
    fee: int,
    table: PrizeTable,
    consent: Consent = NOT_ASKED,
    by: User | None,
    at: datetime,
) -> SidePool:
    """Open a side pool with this name. Raises Refusal for a missing or taken name, or an impossible fee or table.

    After play has begun it needs ``consent``, as :func:`tournament.money.closing.moving_money` asks for it.
    """
    event, at = begin_step(event, at)
    name = " ".join(name.split())
    if not 1 <= len(name) <= MAX_POOL_NAME:
        sentence = _("A side pool needs a name of at most %(limit)s characters.")
        raise Refusal("name_missing", sentence % {"limit": MAX_POOL_NAME})
    if event.side_pools.filter(name=name).exists():
        raise Refusal("side_pool_taken", _("There is already a side pool “%(name)s”.") % {"name": name})
    if event.side_pools.count() >= MAX_SIDE_POOLS:
        raise Refusal(
            "side_pools_too_many", _("An event has at most %(limit)s side pools.") % {"limit": MAX_SIDE_POOLS}
        )
    if not 0 <= fee <= MAX_AMOUNT:
        raise Refusal("amount_out_of_range", _("An amount must be from 0 to %(limit)s.") % {"limit": MAX_AMOUNT})
    try:
        table.check()
    except MoneyError as error:
        raise Refusal(error.code, in_words(error)) from error
    terms = {"fee": fee, "table": table.as_dict()}
    with moving_money(event, consent, opens=name, **terms) as told:
        pool = SidePool.objects.create(event=event, name=name, **terms)
    details = {"names": [name], "fee": fee, "side_pool": pool.pk}
    record_money(event, verb="open_side_pool", by=by, at=at, **details, **told)
    return pool


@transaction.atomic
def join_side_pool(
    pool: SidePool, *, entry: Entry, consent: Consent = NOT_ASKED, by: User | None, at: datetime
) -> SidePoolMember:
    """Put the entry into the side pool, for which it then owes the fee. Raises Conflict if it is already in.

    After play has begun it needs ``consent``, as :func:`tournament.money.closing.moving_money` asks for it.
    """
    event, at = begin_step(pool.event, at)
    if entry.event_id != event.pk:
        raise Refusal("entry_elsewhere", _("This entry does not belong to this event."))
    if pool.members.filter(entry=entry, left_at__isnull=True).exists():
        raise Conflict("member_already", _("%(name)s is already in this side pool.") % {"name": entry.name})
    with moving_money(event, consent, joins=pool.pk, entry=entry.pk) as told:
        member = SidePoolMember.objects.create(pool=pool, entry=entry, joined_at=at)
    details = {"names": [entry.name], "pool": pool.name, "side_pool": pool.pk, "entry": entry.pk}
    record_money(event, verb="join_side_pool", by=by, at=at, **details, **told)
    return member


@transaction.atomic
def leave_side_pool(
    pool: SidePool, *, entry: Entry, consent: Consent = NOT_ASKED, by: User | None, at: datetime
) -> SidePoolMember:
    """Take the entry out of the side pool; what it paid is to be refunded. Raises Conflict if it is not in.

    After play has begun it needs ``consent``, as :func:`tournament.money.closing.moving_money` asks for it.
    """
    event, at = begin_step(pool.event, at)
    member = pool.members.filter(entry=entry, left_at__isnull=True).first()
    if member is None:
        raise Conflict("member_gone", _("%(name)s is not in this side pool.") % {"name": entry.name})
    with moving_money(event, consent, leaves=pool.pk, entry=entry.pk) as told:
        member.left_at = at
        member.save(update_fields=["left_at"])
    details = {"names": [entry.name], "pool": pool.name, "side_pool": pool.pk, "entry": entry.pk}
    record_money(event, verb="leave_side_pool", by=by, at=at, **details, **told)
    return member
