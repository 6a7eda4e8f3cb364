"""Money through the API: everything that a director does on the pages, and refusals with their codes."""

import json
from decimal import Decimal

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.builders import AT, build_event, build_tournament, play_out
from tests.tournament.api.client import database
from tests.tournament.money.test_ledger import give_money
from tournament.audit import audit_event
from tournament.draw.standings import store_standings
from tournament.exports.money import MONEY_EXPORTS
from tournament.models import Event
from tournament.money.calcutta import make_lots

TERMS = {
    "currency": "SEK",
    "fee": 20000,
    "reentry_fee": 20000,
    "registration_fee": 5000,
    "rake": "percent",
    "rake_value": 1000,
    "added": 100,
    "shares": [
        {"section": "", "basis_points": 8000, "table": {"kind": "percent", "values": [6000, 4000]}},
        {"section": "C", "basis_points": 2000, "table": {"kind": "template", "template": "winner"}},
    ],
    "step": 500,
    "rounding": "rest-to-first",
    "auction": {"kind": "template", "template": "two"},
    "auction_rake": "percent",
    "auction_rake_value": 500,
}
WINNER = {"kind": "template", "template": "winner"}


@pytest.fixture
def event(director) -> Event:
    event = build_event(director, players=8, format="consolation")
    give_money(event)
    return event


def test_terms_are_set_and_read(api, anonymous, event):
    address = f"events/{event.pk}/money/"
    assert api.put(address, TERMS, format="json").json() == TERMS
    assert anonymous.get(address).json() == TERMS


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"fee": -1}, "invalid"),
        ({"fee": "20"}, "invalid"),
        ({"currency": "XXX"}, "invalid"),
        ({"rake_value": 10_001}, "rake_above_fee"),
        ({"auction_rake_value": 10_001}, "rake_above_pot"),
        ({"auction_rake": "half"}, "invalid"),
        ({"shares": []}, "section_twice"),
        ({"shares": TERMS["shares"][:1]}, "parts_not_whole"),
        ({"shares": TERMS["shares"] * 2}, "section_twice"),
        ({"auction": {"kind": "percent", "values": [1]}}, "percent_not_whole"),
        ({"auction": {"kind": "fixed"}}, "table_empty"),
    ],
)
def test_impossible_terms_are_refused(api, event, unchanged, changed, code):
    with unchanged():
        answer = api.put(f"events/{event.pk}/money/", {**TERMS, **changed}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (400, code)


def test_terms_are_previewed_and_nothing_is_stored(api, event, unchanged):
    with unchanged():
        answer = api.post(f"events/{event.pk}/money/preview/", TERMS, format="json")
        refused = api.post(f"events/{event.pk}/money/preview/", {**TERMS, "rake_value": 10_001}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (400, "rake_above_fee")
    told = answer.json()
    assert (told["currency"], told["fees"], told["rake"], told["added"]) == ("SEK", 160_000, 16_000, 100)
    assert (told["pool"], told["kept"]) == (144_100, 8 * 5000 + 16_000)
    assert (told["cash"], told["to_come"], told["to_pay"]) == (0, 200_000, 0)
    assert [(found["section"], sum(found["prizes"])) for found in told["lists"]] == [("", 115_600), ("C", 28_500)]


def test_the_tables_of_money_are_those_of_the_pages(api, anonymous, stranger, event, director):
    api.put(f"events/{event.pk}/money/", TERMS, format="json")
    entry = event.entries.first()
    body = {"key": "k", "accounts": [f"registration-{entry.pk}", f"entry-{entry.pk}"], "amount": 25_000}
    assert api.post(f"events/{event.pk}/payments/", body, format="json").status_code == 201
    play_out(event)
    store_standings(event.pk)
    pages = Client()
    pages.force_login(director)
    rows = {}
    for name in MONEY_EXPORTS:
        path = f"events/{event.pk}/money/tables/{name}/"
        answer = api.get(path, HTTP_ACCEPT="text/csv")
        page = pages.get(reverse("money-csv", args=[event.tournament.slug, event.slug, name]))
        assert (answer.status_code, answer.headers["Content-Type"]) == (200, "text/csv; charset=utf-8")
        assert answer.content == page.content
        told = api.get(path).json()
        rows[name] = told["rows"]
        assert told["schema"] == f"sixprime-{name}-1"
        assert len(answer.content.decode().splitlines()) == 1 + len(told["rows"])
        assert anonymous.get(path).status_code == 401
        assert stranger.get(path).status_code == 403
    assert [row["amount"] for row in rows["payments"]] == ["50.00", "200.00"]
    assert [row["open"] for row in rows["dues"]] == ["0.00"] + 7 * ["250.00"]
    assert sum(Decimal(row["open"]) for row in rows["accounts"]) == 7 * 250 - Decimal("1441.00")
    assert sum(Decimal(row["due"]) for row in rows["payouts"]) == Decimal("1441.00")
    assert api.get(f"events/{event.pk}/money/tables/nothing/").status_code == 404
    assert api.get(f"events/{event.pk}/money/tables/dues/", HTTP_ACCEPT="text/html").status_code == 406


def test_only_directors_write_and_read_payments(api, anonymous, stranger, event, unchanged):
    for path in (f"events/{event.pk}/cash/", f"events/{event.pk}/lots/", f"tournaments/{event.tournament_id}/cash/"):
        assert api.get(path).status_code == 200
        assert anonymous.get(path).status_code in {401, 403}
        assert stranger.get(path).status_code == 403
    with unchanged():
        for client in (anonymous, stranger):
            assert client.put(f"events/{event.pk}/money/", TERMS, format="json").status_code in {401, 403}
            body = {"key": "k", "accounts": ["entry-1"], "amount": 1}
            assert client.post(f"events/{event.pk}/payments/", body, format="json").status_code in {401, 403}


def test_a_whole_event_is_taken_in_and_paid_out(api, anonymous, event):
    pool = api.post(
        f"events/{event.pk}/side-pools/", {"name": "Side", "fee": 700, "table": WINNER}, format="json"
    ).json()
    first, second, *_others = event.entries.values_list("pk", flat=True)
    for entry in (first, second):
        api.put(f"side-pools/{pool['id']}/members/{entry}/")
    twice = api.put(f"side-pools/{pool['id']}/members/{first}/")
    assert (twice.status_code, twice.json()["code"]) == (409, "member_already")
    assert api.delete(f"side-pools/{pool['id']}/members/{second}/").status_code == 204
    assert anonymous.get(f"events/{event.pk}/side-pools/").json()[0]["members"] == [first]
    lots = api.post(f"events/{event.pk}/lots/", {"entries": [first, second]}, format="json").json()
    assert [lot["entries"] for lot in lots] == [[first, second]]
    assert len(api.post(f"events/{event.pk}/lots/", {}, format="json").json()) == 7
    sale = f"lots/{lots[0]['id']}/sale/"
    assert api.put(sale, {"buyer": "Cy", "price": 900, "base": 0}, format="json").json()["buyer"] == "Cy"
    late = api.put(sale, {"buyer": "Di", "price": 900, "base": 0}, format="json")
    assert (late.status_code, late.json()["code"]) == (409, "lot_changed")
    assert api.post(f"{sale}back/", {"base": 1}, format="json").json()["price"] is None
    assert api.put(sale, {"buyer": "Di", "price": 950, "base": 2}, format="json").json()["sales"] == 3
    assert api.delete(f"lots/{lots[0]['id']}/").json()["code"] == "lot_sold"
    spare = api.get(f"events/{event.pk}/lots/").json()[-1]["id"]
    assert api.delete(f"lots/{spare}/").status_code == 204

    part = {"key": "part", "accounts": [f"lot-{lots[0]['id']}"], "amount": 400, "payer": "Ed"}
    parts = [api.post(f"events/{event.pk}/part-payments/", part, format="json") for _twice in range(2)]
    assert [answer.status_code for answer in parts] == [201, 200]
    assert [(row["name"], row["amount"]) for row in parts[1].json()] == [("Ed", 400)]
    above = api.post(f"events/{event.pk}/part-payments/", {**part, "key": "more", "amount": 551}, format="json")
    assert (above.status_code, above.json()["code"]) == (409, "amount_above_open")

    play_out(event)
    store_standings(event.pk)
    cash = api.get(f"events/{event.pk}/cash/").json()
    opened = [account for account in cash["accounts"] if account["open"]]
    body = {
        "key": "all",
        "accounts": [account["account"] for account in opened],
        "amount": sum(account["open"] for account in opened),
    }
    payments = api.post(f"events/{event.pk}/payments/", body, format="json")
    again = api.post(f"events/{event.pk}/payments/", body, format="json")
    assert (payments.status_code, again.status_code) == (201, 200)
    assert payments.json() == again.json()
    cash = api.get(f"events/{event.pk}/cash/").json()
    assert (cash["cash"], cash["to_come"], cash["to_pay"]) == (0, 0, 0)
    prizes = anonymous.get(f"events/{event.pk}/prizes/").json()
    lists = [*prizes["lists"], *(side["prizes"] for side in prizes["side_pools"]), prizes["calcutta"]]
    assert [sum(winner["prize"] for winner in found["winners"]) for found in lists] == [
        found["amount"] for found in lists
    ]
    assert sum(found["amount"] for found in prizes["lists"]) == prizes["pool"] == 40_000
    reversal = f"payments/{payments.json()[0]['id']}/reversal/"
    back = api.post(reversal, {"key": "back", "reason": "twice"}, format="json")
    assert (back.status_code, back.json()["amount"]) == (201, -payments.json()[0]["amount"])
    assert api.post(reversal, {"key": "back", "reason": "twice"}, format="json").status_code == 200
    assert api.post(reversal, {"key": "back"}, format="json").json()["code"] == "key_reused"
    assert api.post(reversal, {"key": "other"}, format="json").json()["code"] == "payment_reversed"
    assert api.post(reversal, {}, format="json").json()["code"] == "key_missing"
    assert [str(difference) for difference in audit_event(Event.objects.get(pk=event.pk))] == []


def test_a_part_with_the_key_of_another_payer_is_refused_and_not_taken_for_a_repeat(api, event):
    api.put(f"events/{event.pk}/money/", TERMS, format="json")
    slug = f"entry-{event.entries.values_list('pk', flat=True)[0]}"
    sent = {"key": "k", "accounts": [slug], "amount": 1000, "payer": "Anna"}

    def answer(**changed: object) -> tuple[int, object]:
        got = api.post(f"events/{event.pk}/part-payments/", {**sent, **changed}, format="json")
        said = got.json()
        return got.status_code, said["detail"] if got.status_code >= 400 else [row["name"] for row in said]

    refused = (409, "This key has already been used for another payment.")
    assert [answer(), answer()] == [(201, ["Anna"]), (200, ["Anna"])]
    assert [answer(payer="Bo"), answer(payer=""), answer(amount=999)] == [refused] * 3
    settle = api.post(f"events/{event.pk}/payments/", {**sent, "payer": None}, format="json")
    assert settle.status_code == 400
    del sent["payer"]
    settle = api.post(f"events/{event.pk}/payments/", sent, format="json")
    assert (settle.status_code, settle.json()["code"]) == (409, "key_reused")
    assert answer(key="other")[0] == 201
    assert answer(key="other", payer="Anna") == refused
    assert [row["amount"] for row in api.get(f"events/{event.pk}/cash/").json()["payments"]] == [1000, 1000]


def test_payers_are_not_in_the_public_log(api, anonymous, event):
    entry = event.entries.values_list("pk", flat=True)[0]
    body = {"key": "k", "accounts": [f"entry-{entry}"], "amount": 5000}
    assert api.post(f"events/{event.pk}/payments/", body, format="json").status_code == 201
    told = [row["verb"] for row in api.get(f"events/{event.pk}/log/").json()["results"]]
    public = [row["verb"] for row in anonymous.get(f"events/{event.pk}/history/").json()["results"]]
    assert "settle_accounts" in told
    assert "settle_accounts" not in public


def test_members_of_pools_and_buyers_of_lots_are_not_in_the_public_log(api, anonymous, director):
    event = build_event(director, players=4, drawn=False)
    make_lots(event, by=director, at=AT)
    assert api.delete(f"entries/{event.entries.values_list('pk', flat=True)[0]}/").status_code == 204
    (told, *_rows) = api.get(f"events/{event.pk}/log/").json()["results"]
    (public, *_rows) = anonymous.get(f"events/{event.pk}/history/").json()["results"]
    assert (told["verb"], told["detail"]["lots"]) == ("remove_entry", [1])
    assert sorted(public["detail"]) == ["moved_up", "names"]


@pytest.mark.parametrize("media_type", ["application/json", "text/csv"])
def test_tables_of_money_can_only_be_read(api, event, media_type):
    path = f"events/{event.pk}/money/tables/dues/"
    assert api.options(path, HTTP_ACCEPT=media_type).status_code == 405
    assert api.get(path, HTTP_ACCEPT=media_type).status_code == 200


def test_currencies_of_a_tournament_are_never_added_up(api, director):
    tournament = build_tournament(director, "Weekend")
    for currency in ("EUR", "JPY"):
        give_money(build_event(director, players=2, tournament=tournament), currency=currency)
    boxes = api.get(f"tournaments/{tournament.pk}/cash/").json()
    assert [(box["currency"], box["to_come"]) for box in boxes] == [("EUR", 10_000), ("JPY", 10_000)]


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=5,
)
tables = st.fixed_dictionaries(
    {"kind": st.sampled_from(["template", "percent", "fixed"])},
    optional={
        "template": st.sampled_from(["winner", "knockout", "quarter", "nowhere"]),
        "values": st.lists(st.sampled_from([0, 1, 2500, 5000, 10_000, 10**12]), max_size=5),
    },
)
shares = st.fixed_dictionaries(
    {
        "section": st.sampled_from(["", "C", "L", "groups"]),
        "basis_points": st.sampled_from([0, 2500, 5000, 7500, 10_000]),
        "table": tables,
    }
)
changes = st.fixed_dictionaries(
    {},
    optional={
        **{
            name: st.sampled_from([0, 1, 333, 10**12]) | anything
            for name in ("fee", "reentry_fee", "rake_value", "added")
        },
        "rake": st.sampled_from(["none", "percent", "per-entry"]),
        "shares": st.lists(shares, max_size=3) | anything,
        "step": st.sampled_from([1, 7, 500]) | anything,
        "auction": tables,
        "currency": st.sampled_from(["EUR", "JPY"]),
    },
)


@pytest.fixture
def played(event) -> Event:
    play_out(event)
    store_standings(event.pk)
    return event


@settings(max_examples=25)
@given(changed=changes)
def test_random_terms_are_refused_or_their_prizes_add_up_to_the_pool(api, played, changed):
    with transaction.atomic():
        before = database()
        path = f"events/{played.pk}/money/"
        answer = api.generic("PUT", path, json.dumps({**TERMS, **changed}), content_type="application/json")
        if answer.status_code == 409:
            assert database() == before
            consent = {"reason": "Because.", "digest": answer.json()["moves"]["digest"]}
            answer = api.put(path, {**TERMS, **changed, **consent}, format="json")
        if answer.status_code == 200:
            prizes = api.get(f"events/{played.pk}/prizes/").json()
            assert sum(found["amount"] for found in prizes["lists"]) == prizes["pool"]
            for found in prizes["lists"]:
                assert not found["prizes"] or sum(found["prizes"]) == found["amount"]
            assert [str(difference) for difference in audit_event(Event.objects.get(pk=played.pk))] == []
        else:
            assert answer.status_code == 400
            assert database() == before
        transaction.set_rollback(True)
