"""Side pools, lots and terms close when play begins: after that nothing moves without a reason and a look at it."""

import pytest

from players.errors import Conflict, Refusal
from rules.score import Side
from tests.builders import build_event, build_money_terms, claim, fixture_of, play_out, win
from tests.tournament.money.closed import ANYBODY, agreed, lines, moves_of, pool_of, win_everything
from tests.tournament.money.test_ledger import WINNER, differences, give_money, ledger_of, settle
from tournament.draw.begun import play_has_begun
from tournament.entries.attendance import leave_event
from tournament.events.services import finish_event, reopen_event
from tournament.hall.calling import call_match, recall_match, start_match
from tournament.hall.tables import add_tables
from tournament.models import Event
from tournament.money.calcutta import make_lot, make_lots, sell_lot, take_lot_back
from tournament.money.closing import Consent, MovesUnconfirmed, is_closed
from tournament.money.moves import Move
from tournament.money.services import preview_money, set_money
from tournament.money.side_pools import join_side_pool, leave_side_pool, open_side_pool
from tournament.prizes import PayoutPlan
from tournament.results.enter import void_result
from tournament.results.reports import report_result

pytestmark = pytest.mark.django_db


def paid_in_pool(event: Event) -> dict[int, int]:
    (pool,) = ledger_of(event).side_pools
    return {account.entry.id: account.prize for account in pool.prizes.accounts if account.prize}


def test_a_winner_entered_into_a_side_pool_after_the_end_moves_no_prize_without_a_question(ended):
    before = paid_in_pool(ended)
    assert list(before.values()) == [8000]
    rows = ended.log.count()
    with pytest.raises(Conflict) as refused:
        join_side_pool(pool_of(ended), entry=ended.entries.get(number=1), **ANYBODY)
    assert refused.value.code == "confirm_moves"
    assert paid_in_pool(ended) == before
    assert ended.log.count() == rows


def test_the_question_says_who_gets_and_who_gives_back_what(ended):
    pool, winner = pool_of(ended), ended.entries.get(number=1)
    (second,) = paid_in_pool(ended)
    moves = moves_of(join_side_pool, pool, entry=winner)
    assert lines(moves) == {
        f"side-{pool.pk}-{winner.pk}": (0, 2000, 2000),
        f"side-prize-{pool.pk}-{second}": (-8000, 0, 8000),
        f"side-prize-{pool.pk}-{winner.pk}": (0, -10_000, -10_000),
    }
    assert {move.account for move in moves.accounts if move.gives_back} == {f"side-prize-{pool.pk}-{second}"}
    assert [(found.pool, found.before, found.after) for found in moves.lists] == [("Side", (8000,), (10_000,))]
    assert moves.kept == ()


def test_with_a_reason_and_the_digest_it_is_done_as_was_shown_and_the_log_keeps_both(ended):
    pool, winner = pool_of(ended), ended.entries.get(number=1)
    moves = moves_of(join_side_pool, pool, entry=winner)
    join_side_pool(pool, entry=winner, consent=Consent("  Paid at the\ndoor. ", moves.digest), **ANYBODY)
    opened = {account.slug: account.open for account in ledger_of(ended).accounts if account.open}
    assert opened == {move.account: move.open for move in moves.accounts}
    row = ended.log.first()
    assert (row.verb, row.detail["reason"]) == ("join_side_pool", "Paid at the door.")
    assert tuple(Move.parse(kept) for kept in row.detail["moves"]) == moves.accounts
    assert differences(ended) == []


@pytest.mark.parametrize("reason", ["", "  ", "\n"])
def test_without_a_reason_it_is_refused(ended, reason):
    pool, winner = pool_of(ended), ended.entries.get(number=1)
    moves = moves_of(join_side_pool, pool, entry=winner)
    with pytest.raises(Refusal) as refused:
        join_side_pool(pool, entry=winner, consent=Consent(reason, moves.digest), **ANYBODY)
    assert (refused.value.code, refused.value.status) == ("reason_missing", 400)
    assert not pool.members.filter(entry=winner).exists()


def test_what_has_changed_since_is_shown_again(ended):
    pool, winner = pool_of(ended), ended.entries.get(number=1)
    seen = moves_of(join_side_pool, pool, entry=winner)
    gone = next(entry for entry in ended.entries.all() if entry.pk not in {winner.pk, *paid_in_pool(ended)})
    agreed(leave_side_pool, pool, entry=gone)
    with pytest.raises(MovesUnconfirmed) as asked:
        join_side_pool(pool, entry=winner, consent=Consent("Forgotten.", seen.digest), **ANYBODY)
    assert [(found.before, found.after) for found in asked.value.moves.lists] == [((6000,), (8000,))]
    assert asked.value.moves.digest != seen.digest


def test_consent_to_one_change_is_not_consent_to_another_that_moves_the_same(director):
    event = build_event(director, players=4)
    win(fixture_of(event, "M1-1").match, Side.A)
    one, other = (moves_of(open_side_pool, event, name=name, fee=500, table=WINNER) for name in ("One", "Other"))
    assert (one.accounts, one.lists) == (other.accounts, other.lists) == ((), ())
    with pytest.raises(MovesUnconfirmed):
        open_side_pool(event, name="Other", fee=500, table=WINNER, consent=Consent("Why.", one.digest), **ANYBODY)


def test_before_play_nobody_is_asked(director):
    event = build_event(director, players=4)
    give_money(event, payouts=PayoutPlan())
    pool = open_side_pool(event, name="Side", fee=2000, table=WINNER, **ANYBODY)
    join_side_pool(pool, entry=event.entries.first(), **ANYBODY)
    lot = make_lots(event, **ANYBODY)[0]
    sell_lot(lot, buyer="Cy", price=100, base=0, **ANYBODY)
    preview = preview_money(event, build_money_terms(fee=1), **ANYBODY)
    assert preview.moves is None
    rows = event.log.filter(verb__in=("set_money", "open_side_pool", "join_side_pool", "make_lots", "sell_lot"))
    assert [row.detail.keys() & {"reason", "moves"} for row in rows] == [set()] * 5


# When play begins


def entered(event):
    win(fixture_of(event, "M1-1").match, Side.A)


def reported(event):
    report_result(fixture_of(event, "M1-1").match, claim=claim(final=(5, 3)), side=Side.A, **ANYBODY)


def taken_back(event):
    entered(event)
    void_result(fixture_of(event, "M1-1").match, base=1, reason="Wrong table.", **ANYBODY)


def started(event):
    add_tables(event.tournament, first=1, last=1, **ANYBODY)
    call_match(fixture_of(event, "M1-1").match, table=1, **ANYBODY)
    start_match(fixture_of(event, "M1-1").match, **ANYBODY)


def called(event):
    add_tables(event.tournament, first=1, last=1, **ANYBODY)
    call_match(fixture_of(event, "M1-1").match, table=1, **ANYBODY)


def recalled(event):
    started(event)
    recall_match(fixture_of(event, "M1-1").match, **ANYBODY)


def ended_and_reopened(event):
    win_everything(event, event.entries.first())
    finish_event(event, **ANYBODY)
    reopen_event(event, **ANYBODY)


def somebody_absent(event):
    leave_event(event.entries.first(), kind="no-show", **ANYBODY)


def all_absent_but_one(event):
    give_money(event, payouts=PayoutPlan())
    for entry in list(event.entries.all())[1:]:
        leave_event(entry, kind="withdrawn", **ANYBODY)


@pytest.mark.parametrize("act", [entered, reported, taken_back, started, ended_and_reopened])
def test_play_has_begun_with_the_first_match_or_result(director, act):
    event = build_event(director, players=4)
    assert not play_has_begun(event)
    act(event)
    event.refresh_from_db()
    assert play_has_begun(event)
    assert is_closed(event)


@pytest.mark.parametrize("act", [lambda event: None, called, recalled, somebody_absent])
def test_play_has_not_begun_while_nobody_plays(director, act):
    event = build_event(director, players=4)
    act(event)
    assert not is_closed(event)


def test_a_prize_that_was_won_without_play_is_closed_too(director):
    event = build_event(director, players=4)
    all_absent_but_one(event)
    assert not play_has_begun(event)
    assert is_closed(event)


# Each change


def test_lots_after_the_end_are_sold_and_taken_back_only_with_consent(ended):
    assert lines(moves_of(make_lots, ended)) == {}
    lots = agreed(make_lots, ended)
    winner = next(lot for lot in lots if lot.entries.get() == ended.entries.get(number=1))
    sale, prize = f"lot-{winner.pk}", f"lot-prize-{winner.pk}"
    sold = {"buyer": "Cy", "price": 900, "base": 0}
    assert lines(moves_of(sell_lot, winner, **sold)) == {sale: (0, 900, 900), prize: (0, -900, -900)}
    agreed(sell_lot, winner, **sold)
    settle(ended, prize)
    assert lines(moves_of(take_lot_back, winner, base=1)) == {sale: (900, 0, 0), prize: (-900, 0, 900)}
    to_another = moves_of(sell_lot, winner, buyer="Cy", price=1000, base=1)
    assert lines(to_another) == {sale: (900, 1000, 1000), prize: (-900, -1000, -100)}
    with pytest.raises(Conflict) as refused:
        sell_lot(winner, buyer="Di", price=900, base=1, **ANYBODY)
    assert refused.value.code == "lot_prize_paid"
    agreed(take_lot_back, winner, base=1)
    with pytest.raises(Conflict) as refused:
        sell_lot(winner, buyer="Di", price=900, base=2, **ANYBODY)
    assert refused.value.code == "lot_prize_paid"
    settle(ended, prize)
    agreed(sell_lot, winner, buyer="Di", price=700, base=2)
    assert {account.name for account in ledger_of(ended).accounts if account.open} == {"Di", "Di (Player 1)"}
    assert differences(ended) == []


def test_a_lot_that_goes_to_another_buyer_moves_what_both_owe_and_win(ended):
    lot = agreed(make_lot, ended, entries=[ended.entries.get(number=1).pk])
    agreed(sell_lot, lot, buyer="Cy", price=900, base=0)
    moves = moves_of(sell_lot, lot, buyer="Di", price=900, base=1)
    assert [(move.name, move.before, move.after) for move in moves.accounts] == [
        ("Cy", 900, 0),
        ("Di", 0, 900),
        ("Cy (Player 1)", -900, 0),
        ("Di (Player 1)", 0, -900),
    ]


def test_terms_after_the_end_are_set_only_with_consent_and_the_preview_says_the_same(ended):
    terms = build_money_terms(fee=6000, rake="percent", rake_value=1000)
    moves = moves_of(set_money, ended, terms)
    assert preview_money(ended, terms, **ANYBODY).moves == moves
    assert [(kept.before, kept.after) for kept in moves.kept] == [(0, 3000)]
    opens = {account: open for account, (_before, _after, open) in lines(moves).items()}
    winner = ended.entries.get(number=1).pk
    assert opens.pop(f"prize-field-{winner}") == -2000
    assert opens == {f"entry-{entry.pk}": 1000 for entry in ended.entries.all()}
    agreed(set_money, ended, terms)
    assert differences(ended) == []


def test_terms_that_stay_the_same_need_no_consent(ended):
    set_money(ended, build_money_terms(), **ANYBODY)
    assert ended.log.first().detail["changes"] == {}


def test_another_currency_moves_everything_from_one_to_the_other(director):
    event = build_event(director, players=2)
    give_money(event, payouts=PayoutPlan())
    win(fixture_of(event, "M1-1").match, Side.A)
    moves = moves_of(set_money, event, build_money_terms(currency="DKK"))
    winner = fixture_of(event, "M1-1").entry_a_id
    told = [(m.account, m.currency.code, m.before, m.after) for m in moves.accounts if m.account.startswith("prize")]
    assert told == [
        (f"prize-field-{winner}", "EUR", -10_000, 0),
        (f"prize-field-{winner}", "DKK", 0, -10_000),
    ]


def test_a_place_that_is_still_played_for_is_open_again_for_a_member_who_may_yet_win(director):
    event = build_event(director, players=4)
    give_money(event, payouts=PayoutPlan())
    pool = open_side_pool(event, name="Side", fee=1000, table=WINNER, **ANYBODY)
    first = fixture_of(event, "M1-1")
    join_side_pool(pool, entry=first.entry_b, **ANYBODY)
    for key in ("M1-1", "M1-2"):
        win(fixture_of(event, key).match, Side.A)
    moves = moves_of(join_side_pool, pool, entry=first.entry_a)
    prize = f"side-prize-{pool.pk}-{first.entry_b_id}"
    assert lines(moves)[prize] == (-1000, 0, 0)
    assert f"side-prize-{pool.pk}-{first.entry_a_id}" not in lines(moves)
    assert [(found.before, found.after) for found in moves.lists] == [((1000,), (2000,))]


def test_asking_whether_play_has_begun_takes_few_queries(director, django_assert_max_num_queries):
    event = build_event(director, players=16)
    with django_assert_max_num_queries(4):
        assert not is_closed(event)
    play_out(event)
    with django_assert_max_num_queries(2):
        assert is_closed(event)
