"""The cash of a tournament by event and purpose: now and in the past, on its page, as a file, through the API."""

import csv
import io
from collections import defaultdict
from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.builders import AT, build_event, build_money_terms, build_terms, build_tournament, play_out
from tests.tournament.api.client import CheckedClient
from tests.tournament.money.test_ledger import WINNER, give_money, settle
from tournament.draw.standings import store_standings
from tournament.events.deletion import delete_event, restore_event
from tournament.events.services import create_event
from tournament.exports.money import export_cash
from tournament.models import Event, LogEntry, Tournament
from tournament.money.accounts import CashBox, into_boxes
from tournament.money.calcutta import make_lots, sell_lot
from tournament.money.ledger import take_ledger, take_ledgers
from tournament.money.services import pay_part, set_money, settle_accounts
from tournament.money.side_pools import join_side_pool, open_side_pool
from tournament.past.event import Moment
from tournament.past.money import boxes_at
from tournament.prizes import PayoutPlan, as_decimal

pytestmark = pytest.mark.django_db


def boxes_of(tournament: Tournament) -> list[CashBox]:
    return into_boxes(take_ledgers(Event.objects.filter(tournament=tournament).order_by("id")))


@pytest.fixture
def tournament(director) -> Tournament:
    """Two events in euros and one in yen: fees, a side pool, a lot, and prizes of which half are paid out."""
    tournament = build_tournament(director, "Weekend")
    for name, currency in (("Main", "EUR"), ("Jackpot", "JPY"), ("Doubles", "EUR")):
        event = build_event(director, players=4, tournament=tournament, name=name)
        give_money(event, currency=currency, registration_fee=700, payouts=PayoutPlan())
        pool = open_side_pool(event, name="Side", fee=1000, table=WINNER, by=None, at=AT)
        first, second, *_rest = event.entries.all()
        join_side_pool(pool, entry=first, by=None, at=AT)
        (lot, *_lots) = make_lots(event, by=None, at=AT)
        sell_lot(lot, buyer="Cy", price=900, base=0, by=None, at=AT)
        settle(event, f"entry-{first.pk}", f"registration-{first.pk}", f"side-{pool.pk}-{first.pk}", f"lot-{lot.pk}")
        settle(event, f"entry-{second.pk}")
    play_out(event)
    store_standings(event.pk)
    pay_part(event, accounts=[won_by(event)], amount=-8000, payer="", key="half", by=None, at=AT)
    return tournament


def won_by(event: Event) -> str:
    return next(found.slug for found in take_ledger(event.pk).payouts if found.purpose == "prize")


def test_rows_of_a_currency_add_up_to_its_box(tournament):
    sums: dict[str, dict[str, Decimal]] = defaultdict(lambda: defaultdict(Decimal))
    table = export_cash(boxes_of(tournament))
    for row in table.rows:
        line = dict(zip(table.columns, row, strict=True))
        for name in ("cash", "to_come", "to_pay"):
            sums[line["currency"]][name] += line[name]
    assert sums == {
        box.currency.code: {
            name: as_decimal(getattr(box, name), box.currency) for name in ("cash", "to_come", "to_pay")
        }
        for box in boxes_of(tournament)
    }
    assert [row[2:] for row in table.rows if row[2] == "Doubles" and row[3] in ("entry", "prize", "lot")] == [
        ("Doubles", "entry", Decimal("100.00"), Decimal("100.00"), Decimal("0.00"), "EUR"),
        ("Doubles", "lot", Decimal("9.00"), Decimal("0.00"), Decimal("0.00"), "EUR"),
        ("Doubles", "prize", Decimal("-80.00"), Decimal("0.00"), Decimal("120.00"), "EUR"),
    ]


def test_lines_of_a_box_are_those_of_its_events_by_purpose(tournament):
    euros, yen = boxes_of(tournament)
    assert [(line.purpose, line.cash, line.to_come, line.to_pay) for line in yen.lines] == [
        ("registration", 700, 2100, 0),
        ("entry", 10_000, 10_000, 0),
        ("side", 1000, 0, 0),
        ("lot", 900, 0, 0),
    ]
    assert sum(line.cash for line in euros.lines) == euros.cash == euros.came_in + euros.went_out == 25_200 - 8000
    assert euros.lines[1].cash == 20_000


def test_page_file_and_api_say_the_same(director, tournament):
    page = Client()
    page.force_login(director)
    api = CheckedClient()
    api.force_authenticate(director)
    address = reverse("cash", args=[tournament.slug])
    text = page.get(address).content.decode()
    assert 'href="csv/"' in text
    assert 'href="json/"' in text
    table, files = f"tournaments/{tournament.pk}/cash/table/", {}
    for format, media_type in (("csv", "text/csv"), ("json", "application/json")):
        files[format] = page.get(f"{address}{format}/")
        assert files[format].headers["Content-Disposition"] == f'attachment; filename="weekend-cash.{format}"'
        assert api.get(table, HTTP_ACCEPT=media_type).content == files[format].content
    told = files["json"].json()
    rows = list(csv.DictReader(io.StringIO(files["csv"].content.decode())))
    assert told == {"schema": "sixprime-cash-1", "rows": rows}
    boxes = api.get(f"tournaments/{tournament.pk}/cash/").json()
    assert [(box["currency"], box["cash"], box["came_in"], box["went_out"]) for box in boxes] == [
        ("EUR", 17_200, 25_200, -8000),
        ("JPY", 12_600, 12_600, 0),
    ]
    assert page.get(f"{address}xml/").status_code == 404


# The past


class Weekend:
    """A tournament in which each step is a minute after the one before, and the cash that was seen after each."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.at = AT
        self.seen: list[tuple[Moment, object]] = []

    def do(self, step, *args, **kwargs):
        self.at += timedelta(minutes=1)
        result = step(*args, **kwargs, at=self.at)
        row = LogEntry.objects.filter(tournament=self.tournament).latest("id")
        self.seen.append((Moment(self.at, row.pk), told(boxes_of(self.tournament))))
        return result

    def check(self) -> None:
        for moment, seen in self.seen:
            assert told(boxes_at(self.tournament, moment)) == seen
            assert told(boxes_at(self.tournament, Moment(moment.at))) == seen


def told(boxes: list[CashBox]) -> object:
    return [
        (box.currency.code, box.lines, [(ledger.event.name, ledger.cash, ledger.to_come) for ledger in box.ledgers])
        for box in boxes
    ]


def test_every_event_counts_in_the_past_as_long_as_it_existed(director):
    weekend = Weekend(build_tournament(director, "Weekend"))
    main, other = (
        build_event(director, players=2, tournament=weekend.tournament, name=name) for name in ("Main", "Other")
    )
    weekend.do(set_money, main, build_money_terms(reentry_fee=0), by=None)
    weekend.do(set_money, other, build_money_terms(currency="JPY", reentry_fee=0), by=None)
    slugs = [f"entry-{entry.pk}" for entry in (*main.entries.all(), *other.entries.all())]
    weekend.do(settle_accounts, main, accounts=slugs[:1], amount=5000, key="a", by=None)
    weekend.do(delete_event, main, typed="Main", by=director)
    weekend.do(settle_accounts, other, accounts=slugs[2:3], amount=5000, key="b", by=None)
    weekend.do(restore_event, main, by=director)
    weekend.do(settle_accounts, main, accounts=slugs[1:2], amount=5000, key="c", by=None)
    weekend.do(delete_event, main, typed="Main", by=director)
    weekend.do(
        create_event,
        weekend.tournament,
        build_terms(name="Late", format="round-robin"),
        by=director,
    )
    weekend.do(restore_event, main, by=director)
    weekend.do(delete_event, other, typed="Other", by=director)
    weekend.do(delete_event, main, typed="Main", by=director)
    sums = [
        sum(sum(cash for _name, cash, _open in ledgers) for _code, _lines, ledgers in seen)
        for _at, seen in weekend.seen
    ]
    assert sums == [0, 0, 5000, 0, 5000, 10_000, 15_000, 5000, 5000, 15_000, 10_000, 0]
    weekend.check()


def test_an_event_deleted_since_is_shown_in_the_past_without_a_link(director, tournament):
    main = Event.objects.get(name="Main")
    before, deleted = AT + timedelta(minutes=1), AT + timedelta(hours=1)
    delete_event(main, typed="Main", by=director, at=deleted)
    page = Client()
    page.force_login(director)
    address = reverse("cash", args=[tournament.slug])
    main_address = reverse("money", args=[tournament.slug, "main"])
    then, now = (page.get(address, sent) for sent in ({"at": before.isoformat()}, {}))
    assert [box.cash for box in then.context["boxes"]] == [17_200, 12_600]
    assert [box.cash for box in now.context["boxes"]] == [12_600, 4600]
    text = then.content.decode()
    assert ">Main</th>" in text
    assert main_address not in text
    assert f"{reverse('money', args=[tournament.slug, 'doubles'])}?at=" in text
    assert 'href="csv/?at=' in text
    file = page.get(f"{address}csv/", {"at": before.isoformat()}).content.decode()
    assert ("Main" in file, "Main" in page.get(f"{address}csv/").content.decode()) == (True, False)
    api = CheckedClient()
    api.force_authenticate(director)
    row = LogEntry.objects.get(verb="delete_event")
    for path in (f"tournaments/{tournament.pk}/cash/", f"tournaments/{tournament.pk}/cash/table/"):
        assert api.get(f"{path}?at={row.pk}").json() == api.get(path).json()
        assert api.get(f"{path}?at={row.pk - 1}").json() != api.get(path).json()
        assert api.get(f"{path}?at=never").json()["code"] == "moment_unknown"


def test_the_past_cash_takes_the_same_queries_in_every_field(director):
    counts = []
    for players in (8, 64):
        tournament = build_tournament(director)
        event = build_event(director, players=players, tournament=tournament)
        give_money(event, payouts=PayoutPlan())
        settle(event, *(f"entry-{entry.pk}" for entry in event.entries.all()))
        delete_event(event, typed="Main", by=director, at=AT + timedelta(hours=1))
        with CaptureQueriesContext(connection) as queries:
            (box,) = boxes_at(tournament, Moment(AT + timedelta(minutes=1)))
        assert box.cash == players * 5000
        counts.append(len(queries))
    assert counts[0] == counts[1]
