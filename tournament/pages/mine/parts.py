"""What the page of an entry shows besides its matches: what matters now, and what follows from it."""

from datetime import datetime

from matches.models import Match
from tournament.changes.versions import Versions
from tournament.draw.kept import chain_now
from tournament.entries.self_entry import entered_oneself
from tournament.hall.announcements import current
from tournament.hall.director_calls import director_call_of
from tournament.hall.surroundings import surroundings_of
from tournament.mine.now import Kind, Now, now_of
from tournament.mine.places import opponents_of, places_of, ranking_name
from tournament.mine.stakes import Stake, stakes_of
from tournament.models import Entry
from tournament.models.team import PLACES
from tournament.money.accounts import EntryAccounts, Ledger
from tournament.money.ledger import view_ledger
from tournament.reporting.stakes import Stake as Official
from tournament.reporting.stakes import stakes_of_open
from tournament.snapshot import EventSnapshot


def parts_of(entry: Entry, snapshot: EventSnapshot, versions: Versions, *, at: datetime) -> dict[str, object]:
    """Return the parts of the page; ``snapshot`` knows who is busy elsewhere in the hall."""
    around = surroundings_of(entry.event.tournament, versions)
    now = now_of(snapshot, entry.pk, pauses=around.pauses, has_tables=bool(around.tables), at=at)
    ledger = view_ledger(snapshot) if snapshot.has_money else None
    return {
        "now": now,
        "stakes": _stakes(entry, snapshot, now, ledger, at),
        "announcements": current(entry.event.tournament, entry.event, at),
        "director_call": director_call_of(now.match.match_id) if now.match and now.match.match_id else None,
        "my_places": places_of(snapshot, entry.pk),
        "may_take_back": (entry.waiting or not snapshot.is_drawn) and entered_oneself(entry),
        "my_prizes": _prizes(ledger, entry) if now.kind is Kind.OVER else (),
        "my_money": _money(ledger, entry),
        "opponents": opponents_of(snapshot, entry.pk),
        "currency": ledger.currency if ledger is not None else None,
    }


def _stakes(entry: Entry, snapshot: EventSnapshot, now: Now, ledger: Ledger | None, at: datetime) -> tuple[Stake, ...]:
    """Return what follows from the match that can be played now."""
    if now.fixture is None or now.match is None:
        return ()
    match_id = now.match.match_id if now.match is now.fixture and entry.event.rated_for else None
    official = _official(match_id, at) if match_id is not None else []
    return stakes_of(chain_now(entry.event), snapshot, now.fixture, entry.pk, ledger, official)


def _official(match_id: int, at: datetime) -> list[Official]:
    match = Match.objects.select_related(*PLACES).filter(pk=match_id).first()
    return stakes_of_open(match, at) if match is not None else []


def _prizes(ledger: Ledger | None, entry: Entry) -> tuple[tuple[str, int], ...]:
    """Return the prizes that the entry has won, by the name of their ranking where several are paid."""
    lists = ledger.prize_lists if ledger is not None else ()
    return tuple(
        (ranking_name(one.section, is_one_of_several=len(lists) > 1 or bool(one.section)), account.prize)
        for one in lists
        for account in one.accounts
        if account.entry is not None and account.entry.id == entry.pk and account.prize
    )


def _money(ledger: Ledger | None, entry: Entry) -> EntryAccounts | None:
    """Return what the entry owes and has paid; None if that is nothing."""
    lines = ledger.entries if ledger is not None else ()
    return next((line for line in lines if line.entry.id == entry.pk and (line.due or line.paid)), None)
