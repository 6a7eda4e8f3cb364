"""Money through the API after play has begun: what it would move is answered, and sent again with digest and reason."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

import pytest

from rules.score import Side
from tests.builders import build_event, fixture_of, win
from tests.tournament.api.test_money import TERMS
from tests.tournament.money.closed import build_played_final
from tests.tournament.money.test_ledger import differences
from tournament.models import Event

TABLE = {"kind": "template", "template": "winner"}


@pytest.fixture
def event(director) -> Event:
    return build_played_final(director, sold=Side.A)


def changes(event: Event) -> dict[str, tuple[str, str, Mapping[str, Any] | None]]:
    final, pool = fixture_of(event, "M1-1"), event.side_pools.get()
    sold = next(lot for lot in event.lots.all() if lot.sales.exists())
    free = next(lot for lot in event.lots.all() if not lot.sales.exists())
    side = f"side-pools/{pool.pk}/members"
    return {
        "join": ("put", f"{side}/{final.entry_a_id}/", {}),
        "leave": ("delete", f"{side}/{final.entry_b_id}/", None),
        "open": ("post", f"events/{event.pk}/side-pools/", {"name": "Late", "fee": 1, "table": TABLE}),
        "sell": ("put", f"lots/{free.pk}/sale/", {"buyer": "Di", "price": 100, "base": 0}),
        "take back": ("post", f"lots/{sold.pk}/sale/back/", {"base": 1}),
        "split": ("delete", f"lots/{free.pk}/", None),
        "terms": ("put", f"events/{event.pk}/money/", TERMS),
        "undo": ("post", f"events/{event.pk}/log/{event.log.get(verb='join_side_pool').pk}/undo/", {}),
    }


def send(api, change: tuple[str, str, Mapping[str, Any] | None], **consent: str):
    method, path, body = change
    if body is None:
        return getattr(api, method)(f"{path}?{urlencode(consent)}")
    return getattr(api, method)(path, {**body, **consent}, format="json")


@pytest.mark.parametrize("name", ["join", "leave", "open", "sell", "take back", "split", "terms", "undo"])
def test_each_change_is_answered_with_what_it_moves_and_made_once_that_is_confirmed(api, event, unchanged, name):
    change = changes(event)[name]
    with unchanged():
        asked = send(api, change)
        again = send(api, change, reason="Forgotten.", digest="0" * 32)
        bare = send(api, change, digest=asked.json()["moves"]["digest"])
    assert (asked.status_code, asked.json()["code"]) == (409, "confirm_moves")
    assert again.json()["moves"] == asked.json()["moves"]
    assert (bare.status_code, bare.json()["code"]) == (400, "reason_missing")
    done = send(api, change, reason="Forgotten.", digest=asked.json()["moves"]["digest"])
    assert done.status_code < 300
    row = api.get(f"events/{event.pk}/log/").json()["results"][0]["detail"]
    assert (row["reason"], row["moves"]) == ("Forgotten.", asked.json()["moves"]["accounts"])
    assert differences(event) == []


def test_the_answer_has_every_account_and_list_that_changes(api, event):
    final, pool = fixture_of(event, "M1-1"), event.side_pools.get().pk
    moves = send(api, changes(event)["join"]).json()["moves"]
    euro = {"currency": "EUR"}
    side = {"purpose": "side-prize", **euro, "paid": 0}
    winner, loser = str(final.entry_a), str(final.entry_b)
    assert sorted(moves["accounts"], key=lambda one: (one["purpose"], one["before"])) == [
        {"purpose": "side", "account": f"side-{pool}-{final.entry_a_id}", "name": winner, "before": 0, "after": 700}
        | {"paid": 0, **euro},
        {"account": f"side-prize-{pool}-{final.entry_b_id}", "name": loser, "before": -700, "after": 0, **side},
        {"account": f"side-prize-{pool}-{final.entry_a_id}", "name": winner, "before": 0, "after": -1400, **side},
    ]
    lists = {"purpose": "side-prize", "section": "", "pool": "Side", "before": [700], "after": [1400], **euro}
    assert (moves["lists"], moves["kept"]) == ([lists], [])


def test_lots_are_made_with_consent(api, director):
    event = build_event(director, players=4)
    win(fixture_of(event, "M1-1").match, Side.A)
    change = ("post", f"events/{event.pk}/lots/", {})
    digest = send(api, change).json()["moves"]["digest"]
    assert len(send(api, change, reason="Late.", digest=digest).json()) == 4


def test_the_preview_of_terms_has_the_digest_that_setting_them_takes(api, event):
    path = f"events/{event.pk}/money/"
    moves = api.post(f"{path}preview/", TERMS, format="json").json()["moves"]
    assert moves == api.put(path, TERMS, format="json").json()["moves"]
    done = api.put(path, {**TERMS, "reason": "A wrong fee.", "digest": moves["digest"]}, format="json")
    assert (done.status_code, done.json()) == (200, TERMS)


def test_before_play_the_preview_of_terms_moves_nothing(api, director):
    event = build_event(director, players=2)
    assert api.post(f"events/{event.pk}/money/preview/", TERMS, format="json").json()["moves"] is None


def test_what_was_moved_is_in_the_log_and_not_in_the_public_history(api, anonymous, event):
    change = changes(event)["terms"]
    send(api, change, reason="A wrong fee.", digest=send(api, change).json()["moves"]["digest"])
    (told, *_rows) = api.get(f"events/{event.pk}/log/").json()["results"]
    (public, *_rows) = anonymous.get(f"events/{event.pk}/history/").json()["results"]
    assert (told["verb"], public["verb"]) == ("set_money", "set_money")
    assert "moves" in told["detail"]
    assert sorted(public["detail"]) == ["changes", "reason", "terms"]


def test_a_lot_with_a_prize_paid_out_is_not_sold_to_somebody_else(api, event):
    lot = next(lot for lot in event.lots.all() if lot.sales.exists())
    body = {"key": "k", "accounts": [f"lot-prize-{lot.pk}"], "amount": -900}
    assert api.post(f"events/{event.pk}/payments/", body, format="json").status_code == 201
    again = api.put(f"lots/{lot.pk}/sale/", {"buyer": "Di", "price": 5, "base": 1}, format="json")
    assert (again.status_code, again.json()["code"]) == (409, "lot_prize_paid")
