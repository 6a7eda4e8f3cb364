"""The prizes of events on a wall: what each place wins, and by whom it has been won."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import QuerySet

from tournament.models import Event
from tournament.money.accounts import Account, PrizeList
from tournament.money.ledger import deals_in_money, prizes_from, with_money
from tournament.pictures.wall import LINES, Block, blocks_of
from tournament.prizes import Currency
from tournament.snapshot import EventSnapshot


@dataclass(frozen=True, slots=True)
class PrizesOnWall:
    """Prizes of an event, ``section`` of it: its ``lines`` (first place, last place, prize) that nobody has won yet,
    and what its ``winners`` have won.
    """

    event: str
    section: str
    currency: Currency
    lines: tuple[tuple[int, int, int], ...] = ()
    winners: tuple[Account, ...] = ()


def prizes_of_event(snapshot: EventSnapshot) -> list[Block]:
    """Return blocks of the prizes of the event, each in one or more parts; none if it deals in no money."""
    return prizes_of_events([snapshot])


def prizes_of_events(snapshots: Iterable[EventSnapshot]) -> list[Block]:
    """Return blocks of the prizes of those events that deal in money, in as many queries for many as for one.

    Short lists stand below each other in one block, each under the name of its event.
    """
    with_prizes = [snapshot for snapshot in snapshots if snapshot.has_money]
    events = Event.objects.filter(pk__in=[snapshot.id for snapshot in with_prizes]).order_by("pk")
    blocks: list[list[PrizesOnWall]] = []
    room = 0
    for part in _prizes(with_prizes, events):
        height = len(part.lines) + len(part.winners) + 1
        if height > room:
            blocks.append([])
            room = LINES
        blocks[-1].append(part)
        room -= height
    return [Block("prizes", tuple(parts)) for parts in blocks]


def _prizes(snapshots: Iterable[EventSnapshot], events: QuerySet[Event]) -> list[PrizesOnWall]:
    shown = {snapshot.id: snapshot for snapshot in snapshots}
    found = []
    for event in with_money(events) if shown else ():
        if event.pk not in shown or not deals_in_money(event):
            continue
        prizes = prizes_from(shown[event.pk], event)
        for one in prizes.prize_lists:
            for block in blocks_of("prizes", _rows(one), LINES):
                found.append(
                    PrizesOnWall(
                        event.name,
                        one.section,
                        prizes.currency,
                        lines=tuple(row for row in block.rows if isinstance(row, tuple)),
                        winners=tuple(row for row in block.rows if isinstance(row, Account)),
                    )
                )
    return found


def _rows(prizes: PrizeList) -> list[object]:
    """Return the prizes that nobody has won yet, and then those who have won the others."""
    won = [account for account in prizes.accounts if account.prize]
    taken = {place for account in won for place in range(account.place, account.place_to + 1)}
    still_open: list[tuple[int, int, int]] = []
    for place, prize in enumerate(prizes.prizes, start=1):
        if place in taken:
            continue
        if still_open and still_open[-1][1:] == (place - 1, prize):
            still_open[-1] = (still_open[-1][0], place, prize)
        else:
            still_open.append((place, place, prize))
    return [*still_open, *won]
