"""Whatever happens at a desk, at the door and in the hall, nothing breaks, and the log alone gives the same event.

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
from players.services import create_player
from rules.rulings import RulingKind
from rules.score import Side
from tests.builders import AT, build_director, build_event, claim, player_line, random_games, team_line
from tests.tournament.replay.pictures import picture
from tests.tournament.replay.replaying import Replay
from tournament.audit import audit_event
from tournament.corrections.undo import UNDO, undo_step
from tournament.draw.make import make_draw
from tournament.draw.reconcile import Repair
from tournament.draw.secret import OPEN_NONCE
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
from tournament.entries.identity import merge_players, replace_player, undo_merge
from tournament.entries.lists import EntryLine
from tournament.entries.services import (
    add_entries,
    keep_apart,
    remove_entry,
    return_entry,
    seed_entry,
    set_home_evening,
    withdraw_entry,
)
from tournament.events.stages import add_stage
from tournament.hall.calling import call_match, call_ready, move_match, recall_match, start_match
from tournament.hall.tables import add_tables
from tournament.models import Departure, Entry
from tournament.models.team import matches_in
from tournament.past.event import Moment, snapshot_at
from tournament.results.boards import seat_reserve
from tournament.results.enter import end_advance, enter_result, void_result
from tournament.results.reports import confirm_result, dispute_result, report_result
from tournament.results.rulings import Lateness, rule_late, rule_match
from tournament.snapshot import take_snapshot

EXAMPLES = int(os.environ.get("REPLAY_EXAMPLES", "8"))
STEPS = int(os.environ.get("REPLAY_STEPS", "14"))
TERMS = [
    {"format": "single-elimination"},
    {"format": "consolation", "options": {"last_chance": "full"}},
    {"format": "double-elimination"},
    {"format": "swiss"},
    {"format": "round-robin", "qualifiers": 2},
    {"format": "single-elimination", "boards": 3},
]
REPAIRS = [None, *Repair]
AT_THE_DOOR = [check_in, undo_check_in, move_up, put_to_wait, remove_entry, withdraw_entry, return_entry]
AT_THE_TABLE = [call_match, call_match, start_match, recall_match]
PICK = st.integers(0, 99)


class Desk(RuleBasedStateMachine):
    """A director, players and a scorer at an event; a refusal changes nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.atomic = transaction.atomic()
        self.atomic.__enter__()
        self.at = AT
        self.names = 100

    @initialize(terms=st.sampled_from(TERMS), players=st.integers(3, 7), seed=st.integers(0, 99), drawn=st.booleans())
    def open(self, terms: dict, players: int, seed: int, drawn: bool) -> None:
        qualifiers = terms.get("qualifiers")
        terms = {name: value for name, value in terms.items() if name != "qualifiers"}
        self.seed = seed
        chance = {"seed": "", "nonce": f"{OPEN_NONCE}{seed}"}
        self.event = build_event(build_director(), players=players, lengths=(3,), drawn=False, **chance, **terms)
        add_tables(self.event.tournament, first=1, last=2, by=None, at=AT)
        if qualifiers is not None:
            last = {"format": "single-elimination", "options": {"lengths": [3]}, "qualifiers": qualifiers}
            add_stage(self.event, **last, by=None, at=AT)
        seed_entry(self.event.entries.last(), seed=1, by=None, at=AT)
        if drawn:
            self.draw()
        self.look()

    def look(self) -> None:
        """Note what is seen now, to compare it once it is in the past."""
        store_standings(self.event.pk)
        self.seen = (Moment(self.at), seats(take_snapshot(self.event.pk)))

    def attempt(self, action, *args, **kwargs) -> None:
        self.at += timedelta(minutes=1)
        try:
            action(*args, **kwargs, by=None, at=self.at)
        except Refusal:
            return

    def has_matches(self) -> bool:
        return matches_in(self.event).exists()

    def match(self, pick: int) -> Match:
        matches = matches_in(self.event).order_by("pk")
        return matches[pick % len(matches)]

    def entry(self, pick: int) -> Entry:
        entries = list(self.event.entries.order_by("number"))
        return entries[pick % len(entries)]

    def line(self) -> EntryLine:
        self.names += 1
        name = team_line if self.event.has_teams else player_line
        return EntryLine(name=name(self.names, self.event.boards))

    def said(self, match: Match, seed: int, base: int):
        rng = random.Random(seed)
        if seed % 4 == 0:
            return claim(base=base, conclusion=Conclusion.FORFEIT, awarded_to=rng.choice(list(Side)), reason="Left.")
        games = random_games(match.length, rng)
        return claim(base=base, games=games[: len(games) - (seed % 5 == 1)] or games, confirmed=True, reason="Seen.")

    # The law of results

    @precondition(has_matches)
    @rule(pick=PICK, seed=st.integers(0, 9999), repair=st.sampled_from(REPAIRS))
    def enter(self, pick: int, seed: int, repair: Repair | None) -> None:
        match = self.match(pick)
        sheet = current_sheet(match)
        said = self.said(match, seed, sheet.number if sheet else 0)
        self.attempt(enter_result, match, claim=said, repair=repair, may_repair=True)

    @precondition(has_matches)
    @rule(pick=PICK, repair=st.sampled_from(REPAIRS))
    def void(self, pick: int, repair: Repair | None) -> None:
        match = self.match(pick)
        if (sheet := current_sheet(match)) is not None:
            said = {"base": sheet.number, "reason": "As chance has it."}
            self.attempt(void_result, match, **said, repair=repair, may_repair=True)

    @precondition(has_matches)
    @rule(pick=PICK, seed=st.integers(0, 9), side=st.sampled_from([*Side, None]))
    def report(self, pick: int, seed: int, side: Side | None) -> None:
        match = self.match(pick)
        own = match.sheets.filter(state__in=Scoresheet.REPORTS, side=side or "").first()
        self.attempt(report_result, match, claim=self.said(match, seed * 4 + 3, own.number if own else 0), side=side)

    @rule(side=st.sampled_from([*Side, None]), is_right=st.booleans())
    def answer(self, side: Side | None, is_right: bool) -> None:
        reported = Scoresheet.objects.filter(match__in=matches_in(self.event), state__in=Scoresheet.REPORTS)
        for sheet in reported.order_by("pk")[:1]:
            if is_right:
                self.attempt(confirm_result, sheet.match, number=sheet.number, side=side)
            else:
                self.attempt(dispute_result, sheet.match, number=sheet.number, side=side, reason="No.")

    @precondition(has_matches)
    @rule(
        pick=PICK,
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
        self.attempt(rule_match, match, request=request, repair=repair, may_repair=True)

    @precondition(has_matches)
    @rule(pick=PICK, minutes=st.sampled_from([(5, 0), (0, 12), (5, 5), (0, 20)]))
    def come_late(self, pick: int, minutes: tuple[int, int]) -> None:
        self.attempt(rule_late, self.match(pick), late=Lateness(f"late-{self.at}", *minutes))

    @precondition(has_matches)
    @rule(pick=PICK)
    def take_advance_back(self, pick: int) -> None:
        self.attempt(end_advance, self.match(pick), reason="After all.", repair=Repair.REPLAY, may_repair=True)

    # People

    @rule()
    def draw(self) -> None:
        self.event.stages.filter(drawn_at=None).update(seed="" if self.seed % 2 else str(self.seed))
        self.attempt(make_draw, self.event)

    @rule()
    def late_entry(self) -> None:
        self.attempt(add_entries, self.event, lines=[self.line()])

    @rule(pick=PICK, action=st.sampled_from(AT_THE_DOOR))
    def at_the_door(self, pick: int, action) -> None:
        self.attempt(action, self.entry(pick))

    @rule(most=st.sampled_from([None, 3, 5, 8]), checks=st.booleans())
    def door(self, most: int | None, checks: bool) -> None:
        self.attempt(set_door, self.event, max_entries=most, check_in=checks, late_minutes=5)

    @rule()
    def leave_out(self) -> None:
        self.attempt(leave_out_absent, self.event)

    @rule(pick=PICK, kind=st.sampled_from(Departure.values), plays_on=st.booleans(), only_main=st.booleans())
    def leave(self, pick: int, kind: str, plays_on: bool, only_main: bool) -> None:
        whole = {} if kind != Departure.WITHDRAWN else {"plays_on": plays_on, "only_main": only_main}
        self.attempt(leave_event, self.entry(pick), kind=kind, reason="So.", **whole)

    @rule()
    def neither_shows_up(self) -> None:
        paired = self.event.stages.get(number=1).fixtures.filter(entry_a__isnull=False, entry_b__isnull=False)
        for fixture in paired.order_by("round", "number")[:1]:
            for entry in (fixture.entry_a, fixture.entry_b):
                self.attempt(leave_event, entry, kind=Departure.NO_SHOW)

    @rule(pick=PICK)
    def come_back(self, pick: int) -> None:
        gone = list(self.event.entries.filter(left_at__isnull=False).order_by("number"))
        if gone:
            self.attempt(undo_leaving, gone[pick % len(gone)])

    @rule(pick=PICK)
    def replace(self, pick: int) -> None:
        self.attempt(replace_player, self.entry(pick), line=self.line())

    @precondition(lambda self: not self.event.has_teams)
    @rule(pick=PICK, played=PICK, seed=st.integers(0, 9999))
    def take_for_another(self, pick: int, played: int, seed: int) -> None:
        """Merge an entry's player with another one; after a match the merge is undone."""
        person = self.entry(pick).player
        self.names += 1
        kept = create_player(name=player_line(self.names), at=self.at)
        self.attempt(merge_players, kept, person)
        self.look()
        if self.has_matches():
            self.enter(pick=played, seed=seed, repair=None)
        self.look_back()
        self.attempt(undo_merge, person)
        person.refresh_from_db()
        assert person.merged_into is None

    @rule(pick=PICK, evening=st.integers(0, 6))
    def write_down(self, pick: int, evening: int) -> None:
        self.attempt(set_home_evening, self.entry(pick), weekday=evening)
        self.attempt(keep_apart, self.entry(pick), family=f"F{evening % 2}")

    # The hall

    @precondition(has_matches)
    @rule(pick=PICK, action=st.sampled_from(AT_THE_TABLE))
    def at_the_table(self, pick: int, action) -> None:
        self.attempt(action, self.match(pick))

    @precondition(has_matches)
    @rule(pick=PICK, table=st.integers(1, 2))
    def move(self, pick: int, table: int) -> None:
        self.attempt(move_match, self.match(pick), table=table)

    @rule()
    def call_all(self) -> None:
        self.attempt(call_ready, self.event.tournament)

    @precondition(lambda self: self.event.has_teams and self.has_matches())
    @rule(pick=PICK)
    def seat(self, pick: int) -> None:
        match = self.match(pick)
        fixture = match.board.fixture
        self.attempt(seat_reserve, match, side=Side.A, player_id=fixture.entry_a.people[-1].pk)

    # Undone and past

    @precondition(lambda self: self.event.log.filter(verb__in=UNDO).count() > 4)
    @rule(back=st.integers(0, 3))
    def undo(self, back: int) -> None:
        self.attempt(undo_step, self.event.log.select_related("event").filter(verb__in=UNDO)[back])

    @precondition(lambda self: not self.event.has_teams)
    @rule()
    def look_back(self) -> None:
        moment, seen = self.seen
        assert seats(snapshot_at(self.event.pk, moment)) == seen
        self.look()

    def teardown(self) -> None:
        try:
            if hasattr(self, "event"):
                store_standings(self.event.pk)
                assert [str(difference) for difference in audit_event(self.event)] == []
                again = Replay(self.event).event
                store_standings(again.pk)
                assert picture(again) == picture(self.event)
        finally:
            transaction.set_rollback(True)
            self.atomic.__exit__(None, None, None)


def seats(snapshot) -> object:
    stages = snapshot.stages
    return (
        [(f.key, f.a.label, f.b.label, f.a.points, f.b.points) for stage in stages for f in stage.fixtures],
        [(line.place, line.place_to, line.entry.name, line.wins) for stage in stages for line in stage.standings],
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
