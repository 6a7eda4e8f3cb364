"""Everything that happens in a hall, in a random order: nothing breaks, and the audit finds nothing.

``HALL_EXAMPLES=300 HALL_STEPS=60`` in the environment plays more and longer.
"""

import os
import random
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import transaction

from matches.models import Match, Scoresheet
from matches.services import current_sheet
from players.errors import Refusal
from rules.score import Side
from tests.builders import AT, MEMBER_NAMES, build_director, build_event, claim, random_games
from tournament.audit import audit_event
from tournament.corrections.changes import EnterResult
from tournament.corrections.preview import preview_correction
from tournament.corrections.undo import UNDO, undo_step
from tournament.draw.make import make_draw
from tournament.draw.reconcile import Repair
from tournament.draw.standings import store_standings
from tournament.entries.attendance import check_in, leave_event, move_up, undo_check_in, undo_leaving
from tournament.entries.identity import replace_player
from tournament.entries.lists import EntryLine
from tournament.entries.services import add_entries, remove_entry, return_entry, withdraw_entry
from tournament.events.stages import add_stage
from tournament.hall.calling import call_match, call_ready, move_match, recall_match, start_match
from tournament.hall.tables import add_tables
from tournament.models import Departure, Entry
from tournament.models.team import matches_in
from tournament.money.ledger import take_ledger
from tournament.past.event import Moment, snapshot_at
from tournament.results.enter import end_advance, enter_result, void_result
from tournament.results.reports import confirm_result, dispute_result, report_result

EXAMPLES = int(os.environ.get("HALL_EXAMPLES", "1"))
STEPS = int(os.environ.get("HALL_STEPS", "9"))
EVENTS = {
    "knockout": {"format": "single-elimination"},
    "consolation": {"format": "consolation", "options": {"last_chance": "full"}},
    "double": {"format": "double-elimination"},
    "swiss": {"format": "swiss"},
    "league": {"format": "round-robin"},
    "lives": {"format": "swiss-lives"},
    "jackpot": {"format": "jackpot"},
    "buy-in": {"format": "buy-in"},
    "teams": {"format": "single-elimination", "boards": 3},
    "chain": {"format": "round-robin"},
}


class Hall:
    """A director who does one thing a minute; ``done`` has the steps that were not refused."""

    def __init__(self, terms: dict, seed: int, *, chained: bool, by_lot: bool = False) -> None:
        self.rng = random.Random(seed)
        self.at = AT
        self.done: list[str] = []
        field = {"players": self.rng.choice([4, 5, 7, 8]), "lengths": (3,)}
        self.event = build_event(build_director(), drawn=False, **field | terms)
        if chained:
            last = {"format": "single-elimination", "options": {"lengths": [3]}, "qualifiers": 4}
            add_stage(self.event, **last, by=None, at=AT)
        self.event.stages.update(seed="" if by_lot else str(seed))
        add_tables(self.event.tournament, first=1, last=2, by=None, at=AT)
        make_draw(self.event, by=None, at=AT)
        self.acts: list[Callable[[], object]] = [
            *[self.enter] * 8,
            *[self.correct] * 3,
            self.void,
            self.report,
            self.settle,
            self.leave,
            self.leave,
            self.come_back,
            self.late,
            self.replace,
            self.remove,
            self.presence,
            self.call,
            self.move,
            self.at_the_door,
            self.end_advance,
            self.draw,
            self.undo,
            self.undo,
            self.preview,
        ]

    def step(self) -> None:
        self.at += timedelta(minutes=1)
        act = self.rng.choice(self.acts)
        try:
            act()
        except Refusal:
            return
        self.done.append(act.__name__)

    def match(self) -> Match:
        matches = list(matches_in(self.event).order_by("pk"))
        if not matches:
            raise Refusal("no_match", "Nobody meets yet.")
        return self.rng.choice(matches)

    def entry(self) -> Entry:
        return self.rng.choice(list(self.event.entries.order_by("pk")))

    def said(self, match: Match, base: int):
        games = random_games(match.length, self.rng)
        if self.rng.random() < 0.1:
            games = games[:1]
        return claim(base=base, games=games, confirmed=True, reason=self.rng.choice(["", "Seen."]))

    def enter(self) -> None:
        undecided = list(matches_in(self.event).exclude(sheets__state="confirmed").order_by("pk"))
        if undecided:
            match = self.rng.choice(undecided)
            sheet = current_sheet(match)
            enter_result(match, claim=self.said(match, sheet.number if sheet else 0), by=None, at=self.at)

    def correct(self) -> None:
        decided = list(matches_in(self.event).filter(sheets__state="confirmed").order_by("pk"))
        if decided:
            match = self.rng.choice(decided)
            sheet = current_sheet(match)
            repair = self.rng.choice([None, *Repair])
            said = self.said(match, sheet.number)
            enter_result(match, claim=said, repair=repair, may_repair=True, by=None, at=self.at)

    def void(self) -> None:
        match = self.match()
        if (sheet := current_sheet(match)) is not None:
            repair = self.rng.choice([None, *Repair])
            void_result(match, base=sheet.number, reason="So.", repair=repair, may_repair=True, by=None, at=self.at)

    def preview(self) -> None:
        match = self.match()
        if (sheet := current_sheet(match)) is not None:
            said = self.said(match, sheet.number)
            before = self.picture()
            preview_correction(self.event, EnterResult(match, said, by=None, at=self.at))
            assert self.picture() == before

    def report(self) -> None:
        match, side = self.match(), self.rng.choice([*Side, None])
        own = match.sheets.filter(state__in=Scoresheet.REPORTS, side=side or "").first()
        report_result(match, claim=self.said(match, own.number if own else 0), side=side, by=None, at=self.at)

    def settle(self) -> None:
        reports = Scoresheet.objects.filter(state__in=Scoresheet.REPORTS, match__in=matches_in(self.event))
        if (sheet := reports.order_by("pk").first()) is not None:
            act = self.rng.choice([confirm_result, dispute_result])
            act(sheet.match, number=sheet.number, by=None, at=self.at)

    def leave(self) -> None:
        kind = self.rng.choice([*Departure.values, "withdrawn"])
        flags = {flag: self.rng.random() < 0.3 for flag in ("plays_on", "only_main")} if kind == "withdrawn" else {}
        leave_event(self.entry(), kind=kind, reason="Says so.", **flags, by=None, at=self.at)

    def come_back(self) -> None:
        gone = list(self.event.entries.filter(left_at__isnull=False).order_by("pk"))
        if gone:
            undo_leaving(self.rng.choice(gone), by=None, at=self.at)

    def late(self) -> None:
        self.event.refresh_from_db()
        number = self.event.entries.count() + 100 + self.rng.randrange(1000)
        name = f"Late {number}"
        members = [f"{member} {number}" for member in MEMBER_NAMES[: self.event.boards + 1]]
        line = f"{name}: {', '.join(members)}" if self.event.has_teams else name
        add_entries(self.event, lines=[EntryLine(name=line, line=1)], by=None, at=self.at)

    def replace(self) -> None:
        if not self.event.has_teams:
            line = EntryLine(name=f"Stand-in {self.rng.randrange(10**6)}", line=1)
            replace_player(self.entry(), line=line, by=None, at=self.at)

    def remove(self) -> None:
        remove_entry(self.entry(), by=None, at=self.at)

    def presence(self) -> None:
        self.rng.choice([withdraw_entry, return_entry])(self.entry(), by=None, at=self.at)

    def at_the_door(self) -> None:
        self.rng.choice([check_in, undo_check_in, move_up])(self.entry(), by=None, at=self.at)

    def call(self) -> None:
        kind = self.rng.randrange(3)
        if kind == 0:
            call_ready(self.event.tournament, by=None, at=self.at)
        else:
            act = [call_match, start_match][kind - 1]
            act(self.match(), by=None, at=self.at)

    def move(self) -> None:
        if self.rng.random() < 0.5:
            recall_match(self.match(), by=None, at=self.at)
        else:
            move_match(self.match(), table=self.rng.choice([1, 2]), by=None, at=self.at)

    def end_advance(self) -> None:
        repair = self.rng.choice([None, *Repair])
        end_advance(self.match(), reason="After all.", repair=repair, may_repair=True, by=None, at=self.at)

    def draw(self) -> None:
        make_draw(self.event, by=None, at=self.at)

    def undo(self) -> None:
        rows = list(self.event.log.select_related("event").filter(verb__in=UNDO)[:6])
        row = self.rng.choice(rows)
        if row.verb not in {"make_draw", "add_entries"} or row.detail.get("late"):
            undo_step(row, by=None, at=self.at)

    def picture(self) -> object:
        snapshot = take_ledger(self.event.pk).event
        return [
            [(f.key, f.a.label, f.b.label, f.status, f.match_id, f.score, f.call) for f in stage.fixtures]
            for stage in snapshot.stages
        ]

    def check(self) -> None:
        store_standings(self.event.pk)
        assert [str(one) for one in audit_event(self.event)] == []
        take_ledger(self.event.pk)
        for minutes in () if self.event.has_teams else (0, self.rng.randrange(60)):
            snapshot_at(self.event.pk, Moment(self.at - timedelta(minutes=minutes)))


@pytest.mark.django_db
@pytest.mark.parametrize("kind", EVENTS)
@pytest.mark.parametrize("seed", range(EXAMPLES))
def test_everything_in_a_hall_leaves_an_event_that_adds_up(kind, seed):
    with transaction.atomic():
        hall = Hall(EVENTS[kind], seed, chained=kind == "chain")
        for _step in range(STEPS):
            hall.step()
            hall.check()
        assert len(set(hall.done)) > 1
