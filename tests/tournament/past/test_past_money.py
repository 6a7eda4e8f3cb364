"""The money and the entries of an event as they stood: the past shows exactly what was seen then."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.builders import AT, build_event, build_money_terms, build_tournament, claim, open_matches
from tests.tournament.api.client import CheckedClient
from tests.tournament.money.test_ledger import WINNER, give_money
from tournament.draw.make import make_draw
from tournament.draw.standings import store_standings
from tournament.entries.attendance import (
    check_in,
    leave_event,
    leave_out_absent,
    move_up,
    put_to_wait,
    set_door,
    undo_check_in,
    undo_leaving,
)
from tournament.entries.checking import check_in_all, undo_check_in_all
from tournament.entries.identity import replace_player
from tournament.entries.lists import EntryLine
from tournament.entries.seeding import Seeding, SeedingRow, set_seeding
from tournament.entries.services import add_entries, remove_entries, remove_entry, set_home_evening
from tournament.models import Event, LogEntry
from tournament.money.calcutta import dissolve_lot, make_lot, make_lots, sell_lot, take_lot_back
from tournament.money.ledger import take_ledger
from tournament.money.services import pay_part, reverse_payment, set_money, settle_accounts
from tournament.money.side_pools import join_side_pool, leave_side_pool, open_side_pool
from tournament.past.event import Moment, entries_at, snapshot_at
from tournament.past.money import ledger_at
from tournament.prizes import PayoutPlan
from tournament.results.enter import enter_result
from tournament.snapshot import take_snapshot

pytestmark = pytest.mark.django_db


class Scene:
    """An event in which each step is a minute after the one before, and what ``look`` saw after each."""

    def __init__(self, event: Event, look: Callable[[Event], object]) -> None:
        self.event, self.look = event, look
        self.at = AT
        self.seen: list[tuple[Moment, object]] = []

    def do(self, step, *args, **kwargs):
        self.at += timedelta(minutes=1)
        result = step(*args, **kwargs, by=None, at=self.at)
        store_standings(self.event.pk)
        self.seen.append((Moment(self.at), self.look(Event.objects.get(pk=self.event.pk))))
        return result

    def check(self, look_back: Callable[[Event, Moment], object]) -> None:
        rows = {row.at: row.pk for row in LogEntry.objects.filter(event=self.event).order_by("id")}
        for moment, seen in self.seen:
            assert look_back(self.event, moment) == seen
            assert look_back(self.event, Moment(moment.at, rows[moment.at])) == seen


def told(ledger) -> object:
    """Everything that a ledger says, except the users behind the rows."""
    terms = ledger.terms
    return (
        *(terms.currency, terms.fee, terms.rake, terms.plan, terms.auction_rake, ledger.event.has_money),
        *(ledger.pool, ledger.auction, ledger.cash, ledger.kept, ledger.to_come, ledger.to_pay, ledger.payments),
        [(account.slug, account.name, account.due, account.paid) for account in ledger.accounts],
        [(pool.name, [entry.id for entry in pool.members]) for pool in ledger.side_pools],
        [(lot.number, [entry.id for entry in lot.entries], lot.buyer, lot.price, lot.sales) for lot in ledger.lots],
    )


def test_every_step_of_money_is_shown_as_it_stood(director):
    event = build_event(director, players=5, drawn=False)
    scene = Scene(event, lambda now: told(take_ledger(now.pk)))
    scene.do(add_entries, event, lines=[EntryLine(name="Late Comer", line=1)])
    scene.do(set_money, event, build_money_terms())
    raked = build_money_terms(fee=6000, rake="percent", rake_value=500, auction_rake="per-entry")
    scene.do(set_money, event, raked)
    first, second, third, *_rest, last = event.entries.all()
    pool = scene.do(open_side_pool, event, name="Side", fee=1000, table=WINNER)
    for entry in (first, second, last):
        scene.do(join_side_pool, pool, entry=entry)
    scene.do(leave_side_pool, pool, entry=second)
    field = scene.do(make_lot, event, entries=[third.pk, last.pk])
    scene.do(make_lots, event)
    lots = list(event.lots.all())
    scene.do(dissolve_lot, lots[-1])
    scene.do(make_lots, event)
    scene.do(sell_lot, field, buyer="Cy", price=900, base=0)
    scene.do(take_lot_back, field, base=1)
    scene.do(sell_lot, field, buyer="Di", price=1000, base=2)
    scene.do(pay_part, event, accounts=[f"lot-{field.pk}"], amount=400, payer="Ed", key="part")
    (payment,), _new = scene.do(settle_accounts, event, accounts=[f"entry-{first.pk}"], amount=6000, key="one")
    scene.do(reverse_payment, payment, reason="wrong", key="back")
    scene.do(remove_entry, last)
    scene.do(make_draw, event)
    while matches := open_matches(event):
        scene.do(enter_result, matches[0], claim=claim(final=(matches[0].length, 1)))
    winner = next(found for found in take_ledger(event.pk).payouts if found.due)
    scene.do(settle_accounts, event, accounts=[winner.slug], amount=winner.open, key="out")
    scene.check(lambda event, moment: told(ledger_at(event.pk, moment)))


def test_entries_removed_together_were_each_in_pools_and_lots_of_their_own(director):
    event = build_event(director, players=6, drawn=False)
    scene = Scene(event, lambda now: told(take_ledger(now.pk)))
    scene.do(set_money, event, build_money_terms())
    first, second, third, *_rest = event.entries.all()
    for name, entry in (("Side", first), ("Other", second)):
        scene.do(join_side_pool, scene.do(open_side_pool, event, name=name, fee=1000, table=WINNER), entry=entry)
    scene.do(make_lot, event, entries=[third.pk, event.entries.last().pk])
    scene.do(remove_entries, event, ids=[first.pk, second.pk, third.pk])
    scene.check(lambda event, moment: told(ledger_at(event.pk, moment)))


def people(snapshot) -> object:
    lists = [
        [(e.name, e.waiting, e.checked_in, e.left_kind, e.presence, e.home_evening) for e in found]
        for found in (snapshot.entries, snapshot.waiting, snapshot.gone)
    ]
    return lists, snapshot.max_entries, snapshot.check_in, snapshot.late_minutes


def test_every_step_at_the_door_is_shown_as_it_stood(director):
    event = build_event(director, players=6, drawn=False)
    scene = Scene(event, lambda now: people(take_snapshot(now.pk)))
    first, second, third, fourth, fifth, sixth = event.entries.all()
    scene.do(set_door, event, max_entries=6, check_in=True, late_minutes=10)
    scene.do(add_entries, event, lines=[EntryLine(name="Waits One", line=1), EntryLine(name="Waits Two", line=2)])
    scene.do(check_in_all, event)
    scene.do(undo_check_in_all, event, only=[entry.pk for entry in event.entries.all()])
    scene.do(set_seeding, event, rows=[SeedingRow(first.pk, Seeding(2, "Berg"), Seeding())])
    scene.do(check_in, first)
    scene.do(check_in, second)
    scene.do(undo_check_in, first)
    scene.do(set_home_evening, second, weekday=3)
    scene.do(put_to_wait, third)
    scene.do(move_up, third)
    scene.do(leave_event, fourth, kind="withdrawn")
    scene.do(undo_leaving, fourth)
    scene.do(remove_entry, fifth)
    scene.do(replace_player, sixth, line=EntryLine(name="Another Player", line=1))
    for entry in (first, third, event.entries.last()):
        scene.do(check_in, entry)
    scene.do(leave_out_absent, event)
    scene.do(make_draw, event)
    scene.do(leave_event, second, kind="disqualified", reason="Unfair.")
    scene.do(undo_leaving, second)
    scene.do(leave_event, second, kind="no-show")
    scene.check(lambda event, moment: people(snapshot_at(event.pk, moment)))
    (moment, (seen, *_door)), *_later = scene.seen
    assert [entry.name for entry in entries_at(event.pk, moment)] == [line[0] for line in seen[0]]


@pytest.fixture
def event(director) -> Event:
    """Four players with money, a side pool and lots; the last step is a player's payment."""
    event = build_event(director, players=4)
    give_money(event, payouts=PayoutPlan())
    pool = open_side_pool(event, name="Side", fee=1000, table=WINNER, by=director, at=AT)
    join_side_pool(pool, entry=event.entries.first(), by=director, at=AT)
    for lot in make_lots(event, by=director, at=AT)[:2]:
        sell_lot(lot, buyer="Cy", price=900, base=0, by=director, at=AT)
    slug = f"entry-{event.entries.first().pk}"
    settle_accounts(event, accounts=[slug], amount=5000, key="k", by=director, at=AT + timedelta(hours=1))
    return event


PAGES = ("entries", "prizes", "money", "money-terms", "side-pools", "calcutta", "payout-sheet", "history")


@pytest.mark.parametrize("name", PAGES)
def test_a_page_of_the_past_says_so_and_has_no_buttons(director, event, name):
    client = Client()
    client.force_login(director)
    row = event.log.all()[1]
    address = reverse(name, args=[event.tournament.slug, event.slug])
    page = client.get(f"{address}?at={row.pk}")
    text = page.content.decode()
    assert page.status_code == 200
    assert "As it stood on" in text
    main = text[text.index("<main") : text.index("</main")]
    assert 'method="post"' not in main
    assert client.get(f"{address}?at=yesterday").status_code == 400


def test_the_past_cash_desk_does_not_show_a_later_payment(director, event):
    client = Client()
    client.force_login(director)
    names = [event.tournament.slug, event.slug]
    before = AT + timedelta(minutes=1)
    now, then = (client.get(reverse("money", args=names), sent) for sent in ({}, {"at": before.isoformat()}))
    assert (now.context["ledger"].cash, then.context["ledger"].cash) == (5000, 0)
    assert f"?at={before:%Y-%m-%dT%H}" in then.content.decode()
    rows = client.get(reverse("money-csv", args=[*names, "payments"]), {"at": before.isoformat()})
    assert len(rows.content.decode().splitlines()) == 1
    cash = client.get(reverse("cash", args=names[:1]), {"at": before.isoformat()})
    assert "As it stood on" in cash.content.decode()
    assert [box.cash for box in cash.context["boxes"]] == [0]


def test_the_past_in_the_api_does_not_show_a_later_payment(director, event):
    api = CheckedClient()
    api.force_authenticate(director)
    row = event.log.all()[1]
    assert (row.verb, event.log.first().verb) == ("sell_lot", "settle_accounts")
    for path, cash in ((f"events/{event.pk}/cash/", 5000), (f"events/{event.pk}/cash/?at={row.pk}", 0)):
        assert api.get(path).json()["cash"] == cash
    assert api.get(f"tournaments/{event.tournament_id}/cash/?at={row.pk}").json()[0]["cash"] == 0
    assert api.get(f"events/{event.pk}/money/tables/payments/?at={row.pk}").json()["rows"] == []
    lots = api.get(f"events/{event.pk}/lots/?at={event.log.all()[2].pk}").json()
    assert [lot["price"] for lot in lots] == [900, None, None, None]
    assert api.get(f"events/{event.pk}/money/?at={row.pk}").json()["fee"] == 5000
    assert api.get(f"events/{event.pk}/side-pools/?at={row.pk}").json()[0]["fee"] == 1000
    assert api.get(f"events/{event.pk}/prizes/?at={row.pk}").json()["pool"] == 20_000
    assert len(api.get(f"events/{event.pk}/entries/?at={row.pk}").json()["results"]) == 4
    whole = api.get(f"events/{event.pk}/?at={row.pk}").json()
    assert whole == api.get(f"events/{event.pk}/at/{row.pk}/").json()
    for path in ("entries/", "cash/", "prizes/", ""):
        answer = api.get(f"events/{event.pk}/{path}?at=never")
        assert (answer.status_code, answer.json()["code"]) == (400, "moment_unknown")


def test_a_page_without_a_past_says_so_instead_of_showing_the_present(director, event):
    client = Client()
    client.force_login(director)
    sentence = "Only the current state can be shown here, not an earlier one."
    for name in ("settings", "paper", "event-log"):
        page = client.get(reverse(name, args=[event.tournament.slug, event.slug]), {"at": "2026-01-01"})
        assert page.status_code == 400
        assert sentence in page.content.decode()
        assert client.get(reverse(name, args=[event.tournament.slug, event.slug])).status_code == 200
    api = CheckedClient()
    api.force_authenticate(director)
    for path in (
        f"events/{event.pk}/log/",
        f"tournaments/{event.tournament_id}/",
        f"tournaments/{event.tournament_id}/hall/",
    ):
        answer = api.get(f"{path}?at=2026-01-01")
        assert (answer.status_code, answer.json()["code"]) == (400, "moment_not_shown")
        assert answer.json()["detail"] == sentence
        assert api.get(path).status_code == 200


def test_rows_of_an_older_program_hide_nothing_else(director, event):
    other = build_event(director, players=4, drawn=False)
    remove_entry(other.entries.first(), by=None, at=AT)
    LogEntry.objects.filter(verb__in=("set_money", "settle_accounts", "remove_entry")).update(detail={})
    for found in (event, other):
        assert len(ledger_at(found.pk, Moment(AT - timedelta(days=1))).payments) == found.payments.count()


def test_the_past_of_money_takes_the_same_queries_in_every_field(director):
    counts = []
    for players in (8, 64):
        event = build_event(director, players=players, tournament=build_tournament(director))
        give_money(event, payouts=PayoutPlan())
        make_lots(event, by=None, at=AT)
        for entry in event.entries.all()[: players // 8]:
            slug = f"entry-{entry.pk}"
            settle_accounts(event, accounts=[slug], amount=5000, key=slug, by=None, at=AT + timedelta(hours=1))
        with CaptureQueriesContext(connection) as queries:
            ledger_at(event.pk, Moment(AT + timedelta(minutes=1)))
        counts.append(len(queries))
    assert counts[0] == counts[1]
