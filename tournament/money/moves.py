"""What a change moves: what is due on each account, what each list pays and what the house keeps, before and after."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, TypeVar

from tournament.models import Purpose
from tournament.money.accounts import INCOMING, Account, Ledger
from tournament.prizes import Currency, find_currency

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Move:
    """What is due on an account before and after a change: above 0 comes in, below 0 goes out.

    It is None while the place that decides it is still played for. ``paid`` has come in, or gone out, already.
    """

    account: str
    purpose: Purpose
    name: str
    currency: Currency
    before: int | None
    after: int | None
    paid: int

    @property
    def open(self) -> int:
        """The amount still to come in after the change, or below 0 to go out; 0 while that is not decided."""
        return 0 if self.after is None else self.after - self.paid

    @property
    def comes_in(self) -> bool:
        return self.purpose in INCOMING

    @property
    def gives_back(self) -> bool:
        """Whether more has been paid out than is due after the change."""
        return not self.comes_in and self.open > 0

    def as_dict(self) -> dict[str, Any]:
        return {
            "account": self.account,
            "purpose": self.purpose.value,
            "name": self.name,
            "currency": self.currency.code,
            "before": self.before,
            "after": self.after,
            "paid": self.paid,
        }

    @classmethod
    def parse(cls, kept: Mapping[str, Any]) -> Move:
        """Return the move that :meth:`as_dict` wrote. Raises KeyError, TypeError and ValueError for anything else."""
        named = {"purpose": Purpose(kept["purpose"]), "currency": find_currency(kept["currency"])}
        return cls(**{**kept, **named})


@dataclass(frozen=True, slots=True)
class ListMove:
    """What a list pays its places before and after a change: that of a ranking, of a side pool or of the calcutta.

    ``purpose`` says which of them; ``section`` is the ranking, ``pool`` the name of the side pool.
    """

    purpose: Purpose
    section: str
    pool: str
    currency: Currency
    before: tuple[int, ...]
    after: tuple[int, ...]

    def as_dict(self) -> dict[str, Any]:
        return {
            "purpose": self.purpose.value,
            "section": self.section,
            "pool": self.pool,
            "currency": self.currency.code,
            "before": list(self.before),
            "after": list(self.after),
        }


@dataclass(frozen=True, slots=True)
class KeptMove:
    """What the house keeps before and after a change."""

    currency: Currency
    before: int
    after: int

    def as_dict(self) -> dict[str, Any]:
        return {"currency": self.currency.code, "before": self.before, "after": self.after}


@dataclass(frozen=True, slots=True)
class Moves:
    """Everything that a change moves. ``digest`` names exactly this change with exactly these moves."""

    accounts: tuple[Move, ...]
    lists: tuple[ListMove, ...]
    kept: tuple[KeptMove, ...]
    digest: str = ""

    def as_dict(self) -> dict[str, Any]:
        return {
            "digest": self.digest,
            "accounts": [move.as_dict() for move in self.accounts],
            "lists": [move.as_dict() for move in self.lists],
            "kept": [move.as_dict() for move in self.kept],
        }


def compare_ledgers(before: Ledger, after: Ledger, asked: Mapping[str, object]) -> Moves:
    """Return what differs between the ledgers before and after the change that was ``asked`` for, in JSON's types.

    Amounts in two currencies are never compared: then all that was due is due no longer, and all that is due is new.
    """
    moves = Moves(tuple(_account_moves(before, after)), tuple(_list_moves(before, after)), tuple(_kept(before, after)))
    shown = json.dumps([asked, moves.as_dict()], sort_keys=True)
    return replace(moves, digest=sha256(shown.encode()).hexdigest()[:32])


def _account_moves(before: Ledger, after: Ledger) -> Iterator[Move]:
    old, new = _by_slug(before), _by_slug(after)
    left_over = {account.slug for account in after.others}
    for slug in dict.fromkeys([*new, *old]):
        was, now = old.get(slug), new.get(slug)
        same_person = was is None or now is None or was.name == now.name or slug in left_over
        if same_person and before.currency == after.currency:
            yield from _move(slug, was or now, after.currency, was, now)
        else:
            # Two people, or two currencies: what one no longer owes or wins, and what the other then does.
            yield from _move(slug, was, before.currency, was, None, paid=0)
            yield from _move(slug, now, after.currency, None, now)


def _by_slug(ledger: Ledger) -> dict[str, Account]:
    return {account.slug: account for account in ledger.accounts}


def _move(
    slug: str,
    named: Account | None,
    currency: Currency,
    was: Account | None,
    now: Account | None,
    *,
    paid: int | None = None,
) -> Iterator[Move]:
    """Yield the move, unless nothing is decided about the account either before or after it."""
    if named is None:
        return
    due_before, due_after = was.due if was else 0, now.due if now else 0
    if due_before == due_after or not (due_before or due_after):
        return
    if paid is None:
        known = now or was
        paid = known.paid if known else 0
    yield Move(slug, named.purpose, named.name, currency, due_before, due_after, paid)


def _list_moves(before: Ledger, after: Ledger) -> Iterator[ListMove]:
    old, new = _by_place(before), _by_place(after)
    nothing: tuple[int, ...] = ()
    for place in dict.fromkeys([*new, *old]):
        purpose, section, _id, pool = place
        was, now = old.get(place, nothing), new.get(place, nothing)
        for currency, left, right in _in_one_currency(before, after, was, now, nothing=nothing):
            yield ListMove(purpose, section, pool, currency, left, right)


def _by_place(ledger: Ledger) -> dict[tuple[Purpose, str, int, str], tuple[int, ...]]:
    """Return the prizes of each list by purpose, ranking, and the number and name of the side pool."""
    found = {(Purpose.PRIZE, one.section, 0, ""): one.prizes for one in ledger.prize_lists}
    found |= {(Purpose.SIDE_PRIZE, "", pool.id, pool.name): pool.prizes.prizes for pool in ledger.side_pools}
    found[Purpose.LOT_PRIZE, "", 0, ""] = ledger.pot.prizes
    return {place: prizes for place, prizes in found.items() if any(prizes)}


def _kept(before: Ledger, after: Ledger) -> Iterator[KeptMove]:
    for currency, was, now in _in_one_currency(before, after, before.kept, after.kept, nothing=0):
        yield KeptMove(currency, was, now)


def _in_one_currency(
    before: Ledger, after: Ledger, was: Value, now: Value, *, nothing: Value
) -> Iterator[tuple[Currency, Value, Value]]:
    """Yield the values before and after where they differ, those of each currency by themselves."""
    if before.currency == after.currency:
        pairs = [(after.currency, was, now)]
    else:
        pairs = [(before.currency, was, nothing), (after.currency, nothing, now)]
    yield from ((currency, left, right) for currency, left, right in pairs if left != right)
