"""A weekend of four events over HTTP alone: how slow the desk gets, and whether everything is consistent at the end."""

import argparse
import sys
import tempfile
import threading
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from bench._crew import AtTheDesk, ByApi, Day, InOneEvent, Worker, at_work
from bench._day import at_the_desk, report_acts, report_pages
from bench._memory import Peak, shares, table
from bench._story import Readback, Story
from bench._terms import EVENTS, MONEY, terms
from bench._visitor import Times, Visitor
from tests.processes import Site, site, wait_until

PASSWORD = "weekend-at-the-club"  # noqa: S105  # of a site that lives no longer than this run

ACTING_SECONDS = 0.25
"""How long an act may take with the look at the hall that follows: who is to act oftener together, must be more."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="script/bench weekend", description=__doc__)
    parser.add_argument("--players", type=int, default=128, help="players of the championship, at least 16")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=5, help="acts per second, all together; 0 for no pause")
    parser.add_argument("--seconds", type=float, default=5, help="how long each page is asked for to count the answers")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="sixprime-weekend-") as folder, site(Path(folder) / "var") as running:
        weekend = Weekend(running, players=max(16, options.players), seed=options.seed, rate=options.rate)
        pid = running.running.process.pid
        idle = shares(pid)
        weekend.prepare()
        pages = weekend.count_pages(options.seconds)
        with Peak(pid) as peak:
            weekend.play()
        weekend.end()
        report(weekend)
        report_pages(pages)
        print(f"\nMemory of the program when it has started\n{table(idle)}")
        print(f"Memory of the program at its most during the day\n{table(peak.most)}\n")
        print("\n".join(["INCONSISTENT", *weekend.wrong[:20]]) if weekend.wrong else "No inconsistencies.")
        sys.exit(1 if weekend.wrong else 0)


class Weekend:
    """The tournament, the people who work there, and everything that was found to be wrong."""

    def __init__(self, running: Site, *, players: int, seed: int, rate: float) -> None:
        self.site, self.players, self.seed = running, players, seed
        self.random, self.times = Random(seed), Times()
        self.day = Day(rate)
        self.wrong: list[str] = []
        self.people = [f"Player {number:03}" for number in range(1, players + 1)]
        self.tables = players * 60 // 128
        self.crew = max(4, round(rate * ACTING_SECONDS))

    # Before the first match.

    def prepare(self) -> None:
        """Make the tournament, roles, tables, events, entries, fees and draws, and call matches to every table."""
        self.owner = self._owner()
        made = self.owner.do(
            "tournaments/", {"name": "The Weekend", "starts_on": "2026-11-21"}, action="create a tournament"
        )
        self.tournament, slug = made["id"], made["slug"]
        self.path = f"/t/{slug}/"
        self.hall = f"tournaments/{self.tournament}/hall/"
        tables = {"first": 1, "last": self.tables}
        self.owner.do(f"tournaments/{self.tournament}/tables/", tables, action="add tables")
        self.events = {name: self._create_event(name, EVENTS[name]) for name in EVENTS}
        self.director = self._invited("director")
        self.deputy = self._invited("deputy", self.events["Doubles"])
        self.scorers = [self._invited("scorer") for _each in range(2)]
        for name, event in self.events.items():
            self._enter_and_draw(name, event)
        self.director.do(f"{self.hall}call/", action="director: call all")

    def _owner(self) -> Visitor:
        code = f"from players.models import User; User.objects.create_user('owner', password={PASSWORD!r})"
        self.site.python(code)
        owner = Visitor(self.site.url, self.times, name="owner")
        owner.sign_in(PASSWORD)
        return owner

    def _create_event(self, name: str, terms_of_play: dict[str, Any]) -> int:
        made = self.owner.do(
            f"tournaments/{self.tournament}/events/", {"name": name, **terms_of_play}, action="create an event"
        )
        self.owner.put(f"events/{made['id']}/money/", terms(MONEY[name]), action="set what an event costs")
        return made["id"]

    def _invited(self, role: str, event: int | None = None) -> Visitor:
        """Return a visitor who took the role by an invitation and signed in."""
        invitation = self.owner.do(
            f"tournaments/{self.tournament}/invitations/", {"role": role, "event": event}, action="invite"
        )
        name = f"{role}-{invitation['id']}"
        visitor = Visitor(self.site.url, self.times, name=name)
        visitor.do(
            "invitations/sign-up/",
            {"token": invitation["token"], "username": name, "password": PASSWORD},
            action="accept an invitation",
        )
        visitor.sign_in(PASSWORD)
        return visitor

    def _enter_and_draw(self, name: str, event: int) -> None:
        """Enter most people on time, check them in, take fees and draw; the rest enter late, in the places left."""
        lines = self._lines(name)
        late = max(1, len(lines) // 32) if name in ("Championship", "Doubles") else 0
        in_time = lines[: len(lines) - late]
        text = "\n".join(in_time)
        entered = self.director.do(f"events/{event}/entries/list/", {"text": text}, action="director: enter a list")
        if name == "Championship":
            for entry in entered:
                self.director.do(f"entries/{entry['id']}/check-in/", action="director: check in")
        self._settle(event, action="director: take a fee")
        self.director.do(f"events/{event}/draw/", action="director: draw")
        for line in lines[len(lines) - late :]:
            self.director.do(f"events/{event}/entries/", {"name": line}, action="director: late entry")

    def _lines(self, name: str) -> list[str]:
        """Return the lines to enter: 128 people for the championship, 40 pairs of them, or 56 of them for a jackpot."""
        people = list(self.people)
        if name == "Championship":
            return people
        self.random.shuffle(people)
        if name == "Doubles":
            pairs = max(4, self.players * 40 // 128)
            return [f"{people[2 * pair]} & {people[2 * pair + 1]}" for pair in range(pairs)]
        return people[: max(8, self.players * 56 // 128 // 8 * 8)]

    def _settle(self, event: int, *, action: str) -> None:
        """Pay everything outstanding on every account, one account at a time."""
        cash = self.director.read(f"events/{event}/cash/")
        for account in cash["accounts"]:
            if account["open"]:
                self._pay(event, account, action)

    def _pay(self, event: int, account: dict[str, Any], action: str) -> int:
        body = {"accounts": [account["account"]], "amount": account["open"], "key": f"{self.random.getrandbits(64):x}"}
        (payment,) = self.director.do(f"events/{event}/payments/", body, action=action)
        return payment["id"]

    # The hall is full.

    def count_pages(self, seconds: float) -> dict[str, float]:
        """Return the requests per second of four visitors at once, while the hall is full and nothing changes.

        Pages are made again for every request of the director, and only once for phones, which may do nothing.
        """
        director = [self.director.again() for _each in range(4)]
        phones = [Visitor(self.site.url, self.times) for _each in range(4)]
        pages = (
            ("pairings", f"{self.path}championship/pairings/", director),
            ("bracket", f"{self.path}championship/bracket/", director),
            ("standings", f"{self.path}doubles/standings/", director),
            ("desk", f"{self.path}desk/", director),
            ("pairings, phones", f"{self.path}championship/pairings/?fragment", phones),
        )
        found = {}
        with ThreadPoolExecutor(4) as pool:
            for name, path, visitors in pages:
                ask = partial(_ask_again, path=path, name=name, until=time.monotonic() + seconds)
                found[name] = sum(pool.map(ask, visitors)) / seconds
        return found

    # The day.

    def play(self) -> None:
        """Let the crew write at once while phones follow and things go wrong, until every match is played."""
        tables = tuple(range(1, self.tables + 1))
        first, second = self.scorers
        busy = self.tables * 2 // 3

        def seeded(name: str) -> Random:
            return Random(f"{self.seed}:{name}")

        common = {"day": self.day, "tables": tables}
        desk = f"{self.path}desk/"
        workers: list[Worker] = [
            AtTheDesk(self.director.again(), random=seeded("director"), busy=busy, path=desk, **common),
            AtTheDesk(first.again(), random=seeded("first"), busy=busy, path=desk, **common),
            ByApi(second.again(), random=seeded("second"), busy=busy, hall=self.hall, **common),
            InOneEvent(
                self.deputy.again(),
                random=seeded("deputy"),
                busy=0,
                hall=f"events/{self.events['Doubles']}/",
                **common,
            ),
        ]
        for extra in range(self.crew - len(workers)):
            visitor, common["random"] = self.scorers[extra % 2].again(), seeded(f"extra {extra}")
            workers.append(
                AtTheDesk(visitor, busy=busy, path=desk, **common)
                if extra % 2
                else ByApi(visitor, busy=busy, hall=self.hall, **common)
            )
        story = Story(
            director=self.director,
            scorer=second,
            day=self.day,
            random=seeded("story"),
            events=self.events,
            people=self.people,
            reentries={"Jackpot A": max(2, self.players // 16), "Jackpot B": max(2, self.players // 10)},
        )
        self.story = story
        phones = [threading.Thread(target=self._follow, args=(name,)) for name in ("championship", "doubles")]
        for phone in phones:
            phone.start()
        before, began = self._acts(), time.monotonic()
        at_work(workers, story.tell)
        self.took = time.monotonic() - began
        self.rate = (self._acts() - before) / self.took
        for phone in phones:
            phone.join()
        self.wrong += self.day.troubles

    def _acts(self) -> int:
        """Return how often someone at the desk has changed something, or tried to."""
        return sum(len(took) for name, took in at_the_desk(self.times).items() if "look" not in name)

    def _follow(self, slug: str) -> None:
        """Ask for the pairings once per second, as a phone does when it is told of changes."""
        phone, etag = Visitor(self.site.url, self.times), ""
        while not self.day.over.wait(1):
            answer = phone.page(f"{self.path}{slug}/pairings/?fragment", action="phone: pairings", etag=etag)
            etag = answer.etag or etag

    # Afterwards.

    def end(self) -> None:
        """Finish the events, pay the prizes, and check everything."""
        for name, event in self.events.items():
            if not self._is_current(event):
                self.wrong.append(f"{name}: the standings are not those of its last result")
            self.director.do(f"events/{event}/finish/", action="director: finish an event")
            self._is_current(event)  # prizes are of the standings that are stored
            self._settle(event, action="director: pay or take what is open")
        self._take_back()
        self._check_money()
        for readback in self.story.readbacks:
            self._check_readback(readback)
        self.wrong += self.times.faults[:10]
        try:
            printed = self.site.manage("audit")
        except AssertionError as error:
            printed = str(error)
        if printed.strip() != "No differences.":
            self.wrong.append(f"audit: {printed[:2000]}")

    def _is_current(self, event: int) -> bool:
        try:
            return wait_until(
                lambda: self.director.read(f"events/{event}/")["standings_are_current"], why="standings", seconds=30
            )
        except AssertionError:
            return False

    def _take_back(self) -> None:
        """Take back a payment that was made by mistake, and make it again."""
        event = self.events["Doubles"]
        payment = self.director.read(f"events/{event}/cash/")["payments"][0]
        body = {"key": f"{self.random.getrandbits(64):x}", "reason": "Paid for another"}
        self.director.do(f"payments/{payment['id']}/reversal/", body, action="director: take a payment back")
        self._settle(event, action="director: pay or take what is open")

    def _check_money(self) -> None:
        sums: dict[str, int] = defaultdict(int)
        for name, event in self.events.items():
            cash = self.director.read(f"events/{event}/cash/")
            prizes = self.director.read(f"events/{event}/prizes/")
            paid = sum(payment["amount"] for payment in cash["payments"])
            due = sum(account["due"] or 0 for account in cash["accounts"])
            won = sum(sum(found["prizes"]) for found in prizes["lists"])
            open_ = [account["account"] for account in cash["accounts"] if account["open"] or account["due"] is None]
            if prizes["problem"] or open_ or won != prizes["pool"] or not cash["cash"] == paid == due:
                self.wrong.append(
                    f"{name}: cash {cash['cash']}, paid {paid}, due {due}, pool {prizes['pool']}, prizes {won}, "
                    f"{prizes['problem']}, open: {open_}"
                )
            sums[cash["currency"]] += paid
        boxes = self.director.read(f"tournaments/{self.tournament}/cash/")
        in_boxes = {box["currency"]: box["cash"] for box in boxes}
        if in_boxes != sums or any(box["came_in"] + box["went_out"] != box["cash"] for box in boxes):
            self.wrong.append(f"the cash of the tournament: {boxes} instead of {dict(sums)}")
        self.boxes = boxes

    def _check_readback(self, change: Readback) -> None:
        """Check that the match shows the change once, with its reason, and that the log does too."""
        match = self.director.read(f"matches/{change.match}/")
        if change.verb == "ruling":
            rulings = self.director.read(f"matches/{change.match}/rulings/")
            found = [ruling for ruling in rulings if ruling["reason"] == change.reason]
        else:
            found = [
                sheet
                for sheet in match["sheets"]
                if sheet["reason"] == change.reason and sheet["score"] == change.score
            ]
        rows = self.director.read(f"events/{change.event}/log/?q={change.reason.split(':')[0].replace(' ', '+')}")
        if len(found) != 1 or not any(row["detail"].get("reason") == change.reason for row in rows["results"]):
            self.wrong.append(f"match {change.match} does not show: {change.reason}")


def _ask_again(visitor: Visitor, *, path: str, name: str, until: float) -> int:
    """Ask for the page again and again ``until`` that moment, and return how often it was answered."""
    count = 0
    while time.monotonic() < until:
        count += visitor.page(path, action=f"page alone: {name}").status == 200
    return count


def report(weekend: Weekend) -> None:
    report_acts(weekend.times, weekend.day.rate)
    entries = sum(len(weekend.director.read(f"events/{event}/")["entries"]) for event in weekend.events.values())
    print(
        f"{len(weekend.events)} events, {entries} entries, {weekend.took:.0f} s, {weekend.rate:.1f} acts per second, "
        f"{weekend.crew} people at work"
    )
    print("happened: " + ", ".join(f"{count} x {name}" for name, count in sorted(weekend.story.happened.items())))
    if weekend.story.left_out:
        print(f"left out: {len(weekend.story.left_out)} steps, for which a day so fast had no occasion")
    print("repairs: " + ", ".join(weekend.story.repaired))
    print("cash: " + ", ".join(f"{box['currency']} {box['cash']}" for box in weekend.boxes))


if __name__ == "__main__":
    main()
