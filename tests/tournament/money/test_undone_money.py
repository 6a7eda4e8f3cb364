"""Steps of money that are undone: after play began only with consent, and then all is as it was."""

import pytest

from players.errors import Conflict, Refusal
from tests.builders import build_event, build_money_terms
from tests.tournament.money.closed import ANYBODY, agreed, pool_of
from tests.tournament.money.test_ledger import WINNER, differences, give_money, ledger_of
from tournament.corrections.undo import undo_step, undoable
from tournament.models import Event, LogEntry
from tournament.money.calcutta import dissolve_lot, make_lots, sell_lot, take_lot_back
from tournament.money.closing import Consent, MovesUnconfirmed
from tournament.money.services import set_money
from tournament.money.side_pools import join_side_pool, leave_side_pool, open_side_pool
from tournament.prizes import PayoutPlan

pytestmark = pytest.mark.django_db


def undo(event: Event, row: LogEntry, **consent: str) -> LogEntry:
    return undo_step(row, consent=Consent(**consent), **ANYBODY)


def picture(event: Event) -> object:
    ledger = ledger_of(event)
    dues = {(account.purpose, account.name): (account.due, account.paid) for account in ledger.accounts}
    lots = sorted((lot.name, lot.buyer, lot.price) for lot in ledger.lots)
    return dues, lots, ledger.terms.fee, [{entry.id for entry in pool.members} for pool in ledger.side_pools]


def joining(event):
    agreed(join_side_pool, pool_of(event), entry=event.entries.get(number=1))


def leaving(event):
    agreed(leave_side_pool, pool_of(event), entry=event.entries.get(number=2))


def lots_for_all(event):
    agreed(make_lots, event)


def dissolving(event):
    agreed(dissolve_lot, event.lots.first())


def selling(event):
    agreed(sell_lot, event.lots.first(), buyer="Cy", price=900, base=0)


def selling_again(event):
    agreed(sell_lot, event.lots.first(), buyer="Di", price=800, base=1)


def taking_back(event):
    agreed(take_lot_back, event.lots.first(), base=1)


def other_terms(event):
    agreed(set_money, event, build_money_terms(fee=4000, added=777))


STEPS = {
    "joining": ([], joining),
    "leaving": ([], leaving),
    "making lots": ([], lots_for_all),
    "splitting a lot": ([lots_for_all], dissolving),
    "a sale": ([lots_for_all], selling),
    "a second sale": ([lots_for_all, selling], selling_again),
    "a sale taken back": ([lots_for_all, selling], taking_back),
    "terms": ([], other_terms),
}


@pytest.mark.parametrize("name", STEPS)
def test_a_step_of_money_is_undone_with_consent_and_leaves_all_as_it_was(ended, name):
    first, step = STEPS[name]
    for earlier in first:
        earlier(ended)
    before = picture(ended)
    step(ended)
    row = ended.log.select_related("event").first()
    assert row.pk in undoable(list(ended.log.all()))
    with pytest.raises(MovesUnconfirmed) as asked:
        undo(ended, row)
    with pytest.raises(Refusal) as refused:
        undo(ended, row, digest=asked.value.moves.digest)
    assert refused.value.code == "reason_missing"
    undone = undo(ended, row, digest=asked.value.moves.digest, reason="A mistake.")
    assert (undone.detail["undoes"], undone.detail["reason"]) == (row.pk, "A mistake.")
    assert undone.detail["moves"] == asked.value.moves.as_dict()["accounts"]
    assert picture(ended) == before
    assert differences(ended) == []


def test_a_step_of_money_before_play_is_undone_without_a_question(director):
    event = build_event(director, players=4)
    pool = open_side_pool(event, name="Side", fee=2000, table=WINNER, **ANYBODY)
    join_side_pool(pool, entry=event.entries.first(), **ANYBODY)
    row = event.log.select_related("event").first()
    undo(event, row)
    assert not pool.members.filter(left_at__isnull=True).exists()
    assert "reason" not in event.log.first().detail


def test_what_something_later_rests_on_is_not_undone(ended):
    lots_for_all(ended)
    selling(ended)
    made, sold = (ended.log.select_related("event").filter(verb=verb).first() for verb in ("make_lots", "sell_lot"))
    taking_back(ended)
    for row, code in ((made, "lot_sold"), (sold, "undo_depends")):
        with pytest.raises(Conflict) as refused:
            undo(ended, row)
        assert refused.value.code == code


def test_the_first_terms_of_an_event_cannot_be_undone(director):
    event = build_event(director, players=2)
    give_money(event, payouts=PayoutPlan())
    row = event.log.select_related("event").first()
    assert row.pk not in undoable([row])
    with pytest.raises(Conflict) as refused:
        undo(event, row)
    assert refused.value.code == "undo_unknown"
