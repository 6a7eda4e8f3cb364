"""A treasurer at work through the API: after every step, refused or not, the money of the event is checked.

No answer is a 5xx, a refusal is one sentence, the audit is empty, and cash = what is kept - what is added + what is
still to be paid - what is still to come + what nobody has won.
"""

from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse

from tests.builders import play_out
from tests.tournament.api.client import CheckedClient
from tournament.audit import audit_event
from tournament.draw.standings import store_standings
from tournament.models import Event
from tournament.money.ledger import take_ledger

WINNER = {"kind": "template", "template": "winner"}
TWO = {"kind": "template", "template": "two"}


def percent(*values: int) -> dict[str, object]:
    return {"kind": "percent", "values": list(values)}


def field(table: dict[str, object], section: str = "", part: int = 10_000) -> dict[str, object]:
    return {"section": section, "basis_points": part, "table": table}


class Till:
    """The money of one event through the API; every step is checked."""

    def __init__(self, api: CheckedClient, event: Event) -> None:
        self.api, self.event, self.steps = api, event, 0

    def call(self, method: str, path: str, body: object = None, code: str = "") -> Any:
        """Send a request and return its answer, a refusal with this code or none; then check the money.

        What a change would move after play has begun is confirmed with a reason.
        """
        answer: HttpResponse = getattr(self.api, method)(path, body, format="json")
        assert answer.status_code < 500
        said = answer.json() if answer.content else {}
        if said and answer.status_code == 409 and said["code"] == "confirm_moves" != code:
            consent = {"reason": "Forgotten.", "digest": said["moves"]["digest"]}
            if method == "delete":
                return self.call(method, f"{path}?{urlencode(consent)}", code=code)
            return self.call(method, path, {**(body or {}), **consent}, code)  # type: ignore[dict-item]
        if code:
            assert (answer.status_code in {400, 404, 409}, said["code"]) == (True, code), said
            assert said["detail"].count(". ") <= 2
        else:
            assert answer.status_code < 300, said
        if method != "get":
            self.hold()
        return said

    def hold(self) -> None:
        event = Event.objects.filter(pk=self.event.pk).first()
        if event is None:
            return
        store_standings(event.pk)
        assert [str(difference) for difference in audit_event(event)] == []
        ledger = take_ledger(event.pk)
        lists = (*ledger.prize_lists, *(pool.prizes for pool in ledger.side_pools), ledger.pot)
        nobodys = sum(prizes.undecided for prizes in lists)
        undecided = sum(account.paid for account in ledger.accounts if account.due is None)
        assert ledger.cash == (ledger.kept - ledger.pool.added + ledger.to_pay - ledger.to_come + nobodys + undecided)

    def terms(self, code: str = "", **changed: object) -> Any:
        plain = {"currency": "EUR", "fee": 5000, "reentry_fee": 5000, "registration_fee": 0, "rake": "none"}
        plain |= {"rake_value": 0, "added": 0, "shares": [field(WINNER)], "step": 1, "rounding": "largest-remainder"}
        return self.call("put", f"events/{self.event.pk}/money/", plain | {"auction": WINNER} | changed, code)

    def cash(self) -> dict[str, Any]:
        store_standings(self.event.pk)
        return self.call("get", f"events/{self.event.pk}/cash/")

    def open(self, *purposes: str) -> dict[str, int]:
        """What is open, by account."""
        accounts = self.cash()["accounts"]
        return {
            one["account"]: one["open"]
            for one in accounts
            if one["open"] and one["purpose"] in (purposes or one.values())
        }

    def settle(self, *accounts: str, code: str = "", key: str = "", amount: int | None = None) -> Any:
        opened = self.open()
        due = sum(opened.get(account, 0) for account in accounts) if amount is None else amount
        self.steps += 1
        body = {"key": key or f"settle-{self.steps}", "accounts": list(accounts), "amount": due}
        return self.call("post", f"events/{self.event.pk}/payments/", body, code)

    def part(self, account: str, amount: int, code: str = "") -> Any:
        self.steps += 1
        body = {"key": f"part-{self.steps}", "accounts": [account], "amount": amount}
        return self.call("post", f"events/{self.event.pk}/part-payments/", body, code)

    def settle_all(self) -> None:
        """Pay everything that is open; what is in the box then is what the house keeps, and gave."""
        opened = self.open()
        if opened:
            self.settle(*opened)
        assert self.open() == {}

    def take_back(self, payment: int, code: str = "") -> Any:
        self.steps += 1
        return self.call("post", f"payments/{payment}/reversal/", {"key": f"back-{self.steps}"}, code)

    def entries(self) -> list[int]:
        return list(self.event.entries.order_by("number").values_list("pk", flat=True))

    def play(self) -> None:
        play_out(self.event)
        self.hold()

    def finish(self) -> dict[str, Any]:
        self.call("post", f"events/{self.event.pk}/finish/")
        self.settle_all()
        return self.cash()

    def leave(self, entry: int, kind: str, reason: str = "", code: str = "") -> Any:
        return self.call("post", f"entries/{entry}/departure/", {"kind": kind, "reason": reason}, code)

    def side_pool(self, *members: int, fee: int = 700, table: object = None) -> int:
        made = self.call(
            "post",
            f"events/{self.event.pk}/side-pools/",
            {"name": f"S{self.steps}", "fee": fee, "table": table or WINNER},
        )
        for member in members:
            self.call("put", f"side-pools/{made['id']}/members/{member}/")
        return made["id"]

    def lot(self, *entries: int, price: int = 0, buyer: str = "An outsider") -> int:
        lots = self.call("post", f"events/{self.event.pk}/lots/", {"entries": list(entries)})
        lot = lots[-1]["id"]
        if price:
            self.call("put", f"lots/{lot}/sale/", {"buyer": buyer, "price": price, "base": 0})
        return lot
