"""Whatever is entered, reported, corrected, ruled and undone, nothing breaks, and the log alone gives the same event.

``REPLAY_EXAMPLES=200 REPLAY_STEPS=60`` in the environment plays more and longer.
"""

import os
import random
from datetime import timedelta

import pytest
from django.db import transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test

from matches.models import Conclusion, Match, Scoresheet
from matches.rulings import RulingRequest
from matches.services import current_sheet
from players.errors import Refusal
from rules.rulings import RulingKind
from rules.score import Side
from tests.builders import AT, build_director, build_event, claim, random_games
from tests.tournament.replaying import Replay
from tournament.audit import audit_event
from tournament.models import Event
from tournament.past import Moment, snapshot_at
from tournament.reconcile import Repair
from tournament.services.draw import make_draw
from tournament.services.entries import return_entry, seed_entry, withdraw_entry
from tournament.services.reports import confirm_result, dispute_result, report_result
from tournament.services.results import end_advance, enter_result, void_result
from tournament.services.rulings import rule_match
from tournament.services.standings import store_standings
from tournament.services.undo import UNDO, undo_step
from tournament.snapshot import take_snapshot

EXAMPLES = int(os.environ.get("REPLAY_EXAMPLES", "8"))
STEPS = int(os.environ.get("REPLAY_STEPS", "14"))
FORMATS = ["single-elimination", "double-elimination", "swiss", "round-robin"]
REPAIRS = [None, *Repair]


def picture(event: Event) -> object:
    """All that is told of the event: who sits where, every claim of every match, rulings, and the standings."""
    snapshot = take_snapshot(event.pk)
    stage = snapshot.stage
    return (
        [(entry.name, entry.number, entry.seed, entry.family, entry.presence) for entry in snapshot.entries],
        [(f.key, f.a.label, f.b.label, f.length, f.status, f.advanced and f.advanced.name) for f in stage.fixtures],
        [(f.key, history(f.match_id)) for f in stage.fixtures if f.match_id],
        [(line.place, line.place_to, line.entry.name, line.wins, line.points_for) for line in stage.standings],
    )


def history(match_id: int) -> object:
    match = Match.objects.get(pk=match_id)
    sheets = [
        (
            sheet.number,
            sheet.side,
            sheet.final_a,
            sheet.final_b,
            sheet.awarded_to,
            sheet.played_at,
            [(line.winner, line.cube, line.level, line.ending) for line in sheet.lines.all()],
            [(change.state, change.side, change.reason, change.at) for change in sheet.changes.all()],
        )
        for sheet in match.sheets.prefetch_related("lines", "changes")
    ]
    return match.terms, sheets, [(ruling.kind, ruling.reason) for ruling in match.rulings.all()]


class Desk(RuleBasedStateMachine):
    """A director, players and a scorer at an event; whoever is refused has changed nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.atomic = transaction.atomic()
        self.atomic.__enter__()
        self.at = AT

    @initialize(format=st.sampled_from(FORMATS), players=st.integers(3, 7), seed=st.integers(0, 99))
    def open(self, format: str, players: int, seed: int) -> None:
        self.event = build_event(build_director(), players=players, format=format, lengths=(3,), drawn=False)
        self.event.stages.update(seed=str(seed))
        seed_entry(self.event.entries.last(), seed=1, by=None, at=AT)
        make_draw(self.event, by=None, at=AT)
        self.look()

    def look(self) -> None:
        """What is seen now, to be seen again when it is past."""
        store_standings(self.event.pk)
        self.seen = (Moment(self.at), seats(take_snapshot(self.event.pk)))

    def attempt(self, action, *args, **kwargs) -> None:
        self.at += timedelta(minutes=1)
        try:
            action(*args, **kwargs, by=None, at=self.at)
        except Refusal:
            return

    def match(self, pick: int) -> Match:
        matches = Match.objects.filter(fixture__stage__event=self.event).order_by("fixture__key")
        return matches[pick % len(matches)]

    def said(self, match: Match, seed: int, base: int):
        rng = random.Random(seed)
        if seed % 4 == 0:
            return claim(base=base, conclusion=Conclusion.FORFEIT, awarded_to=rng.choice(list(Side)), reason="Left.")
        games = random_games(match.length, rng)
        return claim(base=base, games=games[: len(games) - (seed % 5 == 1)] or games, confirmed=True, reason="Seen.")

    @rule(pick=st.integers(0, 99), seed=st.integers(0, 9999), repair=st.sampled_from(REPAIRS))
    def enter(self, pick: int, seed: int, repair: Repair | None) -> None:
        match = self.match(pick)
        sheet = current_sheet(match)
        self.attempt(enter_result, match, claim=self.said(match, seed, sheet.number if sheet else 0), repair=repair)

    @rule(pick=st.integers(0, 99), repair=st.sampled_from(REPAIRS))
    def void(self, pick: int, repair: Repair | None) -> None:
        match = self.match(pick)
        if (sheet := current_sheet(match)) is not None:
            self.attempt(void_result, match, base=sheet.number, reason="As chance has it.", repair=repair)

    @rule(pick=st.integers(0, 99), seed=st.integers(0, 9), side=st.sampled_from([*Side, None]))
    def report(self, pick: int, seed: int, side: Side | None) -> None:
        match = self.match(pick)
        own = match.sheets.filter(state__in=Scoresheet.REPORTS, side=side or "").first()
        self.attempt(report_result, match, claim=self.said(match, seed * 4 + 3, own.number if own else 0), side=side)

    @rule(pick=st.integers(0, 99), side=st.sampled_from([*Side, None]), is_right=st.booleans())
    def answer(self, pick: int, side: Side | None, is_right: bool) -> None:
        reported = Scoresheet.objects.filter(match__fixture__stage__event=self.event, state__in=Scoresheet.REPORTS)
        for sheet in reported[:1]:
            if is_right:
                self.attempt(confirm_result, sheet.match, number=sheet.number, side=side)
            else:
                self.attempt(dispute_result, sheet.match, number=sheet.number, side=side, reason="No.")

    @rule(
        pick=st.integers(0, 99),
        kind=st.sampled_from(["penalty_points", "resumed", "awarded", "clock_lost"]),
        repair=st.sampled_from(REPAIRS),
    )
    def ruling(self, pick: int, kind: str, repair: Repair | None) -> None:
        match = self.match(pick)
        sheet = current_sheet(match)
        request = RulingRequest(
            RulingKind(kind),
            key=f"ruling-{self.at}",
            reason="Ruled.",
            base=sheet.number if sheet else 0,
            ruling_count=match.rulings.count(),
            penalty_points=(1, 0),
            score=(1, 1),
            awarded_to=Side.B,
        )
        self.attempt(rule_match, match, request=request, repair=repair)

    @rule(pick=st.integers(0, 99), present=st.booleans())
    def leave_or_return(self, pick: int, present: bool) -> None:
        entries = list(self.event.entries.order_by("number"))
        self.attempt(return_entry if present else withdraw_entry, entries[pick % len(entries)])

    @rule(pick=st.integers(0, 99))
    def take_advance_back(self, pick: int) -> None:
        self.attempt(end_advance, self.match(pick), reason="After all.", repair=Repair.REPLAY)

    @precondition(lambda self: self.event.log.filter(verb__in=UNDO).count() > 4)
    @rule(back=st.integers(0, 3))
    def undo(self, back: int) -> None:
        row = self.event.log.select_related("event").filter(verb__in=UNDO)[back]
        if row.verb != "make_draw":
            self.attempt(undo_step, row)

    @rule()
    def look_back(self) -> None:
        moment, seen = self.seen
        assert seats(snapshot_at(self.event.pk, moment)) == seen
        self.look()

    def teardown(self) -> None:
        try:
            if hasattr(self, "event"):
                store_standings(self.event.pk)
                assert audit_event(self.event) == []
                again = Replay(self.event).event
                store_standings(again.pk)
                assert picture(again) == picture(self.event)
        finally:
            transaction.set_rollback(True)
            self.atomic.__exit__(None, None, None)


def seats(snapshot) -> object:
    stage = snapshot.stage
    return (
        [(f.key, f.a.label, f.b.label, f.a.points, f.b.points) for f in stage.fixtures],
        [(line.place, line.place_to, line.entry.name, line.wins) for line in stage.standings],
    )


@pytest.mark.django_db
def test_nothing_breaks_and_the_log_gives_the_same_event():
    run_state_machine_as_test(
        Desk,
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=STEPS,
            suppress_health_check=list(HealthCheck),
        ),
    )
