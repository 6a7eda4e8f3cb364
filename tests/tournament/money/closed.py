"""Events whose money is closed, and changes of it that are made with consent."""

import pytest

from players.models import User
from rules.score import Side
from tests.builders import AT, build_event, fixture_of, win
from tests.tournament.money.test_ledger import WINNER, give_money, ledger_of, settle
from tournament.draw.standings import store_standings
from tournament.events.services import finish_event
from tournament.models import Event, SidePool
from tournament.money.calcutta import make_lots, sell_lot
from tournament.money.closing import Consent, MovesUnconfirmed
from tournament.money.moves import Moves
from tournament.money.side_pools import join_side_pool, open_side_pool
from tournament.prizes import PayoutPlan

ANYBODY = {"by": None, "at": AT}


def build_ended(director: User) -> Event:
    """Five players, all but the winner in a side pool for 20; the event has ended and the pool has been paid out."""
    event = build_event(director, players=5)
    give_money(event, payouts=PayoutPlan())
    pool = open_side_pool(event, name="Side", fee=2000, table=WINNER, **ANYBODY)
    winner, *others = event.entries.order_by("number")
    for entry in others:
        join_side_pool(pool, entry=entry, **ANYBODY)
    win_everything(event, winner)
    finish_event(event, **ANYBODY)
    settle(event, *(account.slug for account in ledger_of(event).accounts if account.open))
    return event


def win_everything(event: Event, winner) -> None:
    """Play the knockout so that this entry wins it."""
    for key in ("M1-1", "M1-2", "M1-3", "M1-4", "M2-1", "M2-2", "M3-1"):
        fixture = fixture_of(event, key) if event.stages.filter(fixtures__key=key).exists() else None
        if fixture is not None and fixture.match is not None:
            win(fixture.match, Side.B if fixture.entry_b_id == winner.pk else Side.A)


def build_played_final(director: User, *, sold: Side) -> Event:
    """A final that side A won: side B is alone in a side pool, both are lots, and the lot of one side is sold."""
    event = build_event(director, players=2)
    give_money(event, payouts=PayoutPlan())
    final = fixture_of(event, "M1-1")
    pool = open_side_pool(event, name="Side", fee=700, table=WINNER, **ANYBODY)
    join_side_pool(pool, entry=final.entry_b, **ANYBODY)
    for lot in make_lots(event, **ANYBODY):
        if lot.entries.get() == (final.entry_a if sold is Side.A else final.entry_b):
            sell_lot(lot, buyer="Cy", price=900, base=0, **ANYBODY)
    win(final.match, Side.A)
    store_standings(event.pk)
    return event


def pool_of(event: Event) -> SidePool:
    return event.side_pools.get()


def moves_of(change, *args, **kwargs) -> Moves:
    """What the change asks about before it is made."""
    with pytest.raises(MovesUnconfirmed) as asked:
        change(*args, **kwargs, **ANYBODY)
    return asked.value.moves


def agreed(change, *args, reason: str = "Forgotten at the door.", **kwargs):
    """Make the change with a reason, having seen what it moves."""
    digest = moves_of(change, *args, **kwargs).digest
    return change(*args, **kwargs, consent=Consent(reason, digest), **ANYBODY)


def lines(moves: Moves) -> dict[str, tuple[int | None, int | None, int]]:
    """What the moves say of each account: due before and after, and what is then open."""
    return {move.account: (move.before, move.after, move.open) for move in moves.accounts}
