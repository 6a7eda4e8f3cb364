"""The prizes of an event on a wall: what each place wins, and by whom it has been won."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import QuerySet

from tournament.models import Event
from tournament.money.accounts import Account
from tournament.money.ledger import deals_in_money, prizes_from, with_money
from tournament.pictures.wall import LINES, blocks_of
from tournament.prizes import Currency
from tournament.snapshot import EventSnapshot, take_snapshots


@dataclass(frozen=True, slots=True)
class PrizesOnWall:
    """A block of the prizes of an event, ``section`` of it: of its ``lines`` (first place, last place, prize), or what
    its ``winners`` have won.
    """

    event: str
    section: str
    currency: Currency
    lines: tuple[tuple[int, int, int], ...] = ()
    winners: tuple[Account, ...] = ()


def prizes_of_event(snapshot: EventSnapshot) -> list[PrizesOnWall]:
    """Return the prizes of the event; none if it deals in no money."""
    return _prizes([snapshot], Event.objects.filter(pk=snapshot.id)) if snapshot.has_money else []


def prizes_of_events(events: Iterable[int]) -> list[PrizesOnWall]:
    """Return the prizes of those events that deal in money, in as many queries for many as for one."""
    chosen = Event.objects.filter(pk__in=events, money__isnull=False).order_by("pk")
    return _prizes(take_snapshots(chosen), chosen)


def _prizes(snapshots: Iterable[EventSnapshot], events: QuerySet[Event]) -> list[PrizesOnWall]:
    shown = {snapshot.id: snapshot for snapshot in snapshots}
    found = []
    for event in with_money(events) if shown else ():
        if event.pk not in shown or not deals_in_money(event):
            continue
        prizes = prizes_from(shown[event.pk], event)
        for one in prizes.prize_lists:
            won = [account for account in one.accounts if account.prize]
            for block in blocks_of("prizes", won or one.lines, LINES):
                part = {"winners": block.rows} if won else {"lines": block.rows}
                found.append(PrizesOnWall(event.name, one.section, prizes.currency, **part))  # type: ignore[arg-type]
    return found
