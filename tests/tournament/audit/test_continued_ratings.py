"""Ranking lists continued from what was counted, equal to the lists computed from every score sheet at every step."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from random import Random

import pytest
from django.db import transaction
from hypothesis import example, given, settings
from hypothesis import strategies as st

from matches.audit import audit_rankings
from matches.counted import CountedMatch
from matches.counting import counted_matches, rated_now
from matches.import_records import import_record
from matches.models import Match, Scoresheet, SheetSource
from matches.rating_moves import moves_between
from matches.ratings import rate_matches, rated_matches, replay_ratings
from matches.rulings import make_ruling
from matches.services import current_sheet, submit_sheet, void_sheet
from players.errors import Conflict, Refusal
from players.models import Player, RankingList
from players.ratings import RATINGS
from tests.breadth import few
from tests.builders import AT, build_event, build_tournament, claim, open_matches
from tests.matches.test_import_records import WHOLE
from tests.matches.test_random_rulings import ruling_by_lot
from tests.matches.test_rating_moves import lists_with, turned
from tournament.draw.reconcile import Repair
from tournament.entries.identity import merge_players, undo_merge
from tournament.events.deletion import delete_event, delete_tournament, restore_event, restore_tournament
from tournament.models import Event, Tournament
from tournament.models.team import matches_in
from tournament.results.enter import enter_result, void_result

pytestmark = [pytest.mark.django_db, pytest.mark.long]


class Weekend:
    """Two events, and matches of no event, to which things happen by lot, each a minute after the one before."""

    def __init__(self, director: object, lot: int) -> None:
        self.director, self.chance, self.at = director, Random(lot), AT

    def act(self, name: str) -> None:
        self.at += timedelta(minutes=1)
        try:
            with transaction.atomic():
                getattr(self, name)()
        except (Conflict, Refusal):
            pass

    def choose(self, found: object) -> object:
        found = list(found)
        if not found:
            raise Refusal("nothing", "Nothing to choose from.")
        return self.chance.choice(found)

    def earlier(self) -> datetime:
        return AT + timedelta(seconds=self.chance.randrange(60 * 40))

    def final(self, match: Match) -> tuple[int, int]:
        return self.choose([(match.length, 0), (0, match.length)])

    def sheet_of(self, matches: object) -> Scoresheet:
        return self.choose(Scoresheet.objects.filter(state="confirmed", match__in=matches))

    def play(self) -> None:
        match = self.choose(open_matches(self.choose(Event.objects.all())))
        enter_result(match, claim=claim(final=self.final(match), confirmed=True), by=None, at=self.at)

    def correct(self) -> None:
        sheet = self.sheet_of(matches_in(self.choose(Event.objects.all())))
        said = claim(final=self.final(sheet.match), base=sheet.number, confirmed=True, reason="By lot.")
        enter_result(sheet.match, claim=said, repair=Repair.REPLAY, may_repair=True, by=None, at=self.at)

    def void(self) -> None:
        sheet = self.sheet_of(matches_in(self.choose(Event.objects.all())))
        void_result(sheet.match, base=sheet.number, reason="By lot.", by=None, at=self.at)

    def play_long_ago(self) -> None:
        one, other = self.chance.sample(list(Player.objects.filter(merged_into=None)), 2)
        match = Match.objects.create(side_a=one, side_b=other, length=self.choose([1, 5, 7]), created_at=AT)
        said, long_ago = claim(final=self.final(match), confirmed=True), self.earlier()
        submit_sheet(match, claim=said, source=SheetSource.DESK, by=None, at=self.at, played_at=long_ago)

    def rule(self) -> None:
        match = self.choose(Match.objects.filter(fixture=None, board=None, record=None))
        make_ruling(match, request=ruling_by_lot(self.chance, match, f"{self.at}"), by=None, at=self.at)

    def void_free(self) -> None:
        sheet = self.sheet_of(Match.objects.filter(fixture=None, board=None))
        void_sheet(sheet.match, base=current_sheet(sheet.match).number, by=None, at=self.at)

    def bring(self) -> None:
        one, other = self.chance.sample(["Player 1", "Player 2", "Player 3", "Ann"], 2)
        played = f'[EventDate "2026.03.06"]\n; [EventTime "{self.chance.randrange(20, 23)}.15"]'
        text = WHOLE.replace("Ann :", f"{one} :").replace("Bo :", f"{other} :")
        text = text.replace('[EventDate "2025.02.28"]\n; [EventTime "20.15"]', played)
        import_record(text.encode(), name="by lot", at=self.at)

    def merge(self) -> None:
        kept, gone = self.chance.sample(list(Player.objects.filter(merged_into=None)), 2)
        merge_players(kept, gone, by=None, at=self.at)

    def part(self) -> None:
        undo_merge(self.choose(Player.objects.exclude(merged_into=None)), by=None, at=self.at)

    def delete(self) -> None:
        event = self.choose(Event.objects.all())
        delete_event(event, typed=event.name, by=self.director, at=self.at)

    def restore(self) -> None:
        restore_event(self.choose(Event.everything.exclude(deleted_at=None)), by=self.director, at=self.at)

    def delete_all(self) -> None:
        tournament = self.choose(Tournament.objects.all())
        delete_tournament(tournament, typed=tournament.name, by=self.director, at=self.at)

    def restore_all(self) -> None:
        gone = self.choose(Tournament.everything.exclude(deleted_at=None))
        restore_tournament(gone, by=self.director, at=self.at)


ACTS = [name for name in vars(Weekend) if name not in {"act", "choose", "earlier", "final", "sheet_of", "__init__"}]
OFTEN = [*["play", "play", "play_long_ago", "correct"] * 4, *(name for name in ACTS if not name.startswith("__"))]


@pytest.fixture
def events(director) -> list[Event]:
    """A team event and one of single players, where the first rounds have been played."""
    played = []
    for name, terms in (("First", {"format": "round-robin"}), ("Second", {"boards": 3})):
        event = build_event(director, players=4, tournament=build_tournament(director, name), **terms)
        for match in open_matches(event)[:3]:
            enter_result(match, claim=claim(final=(match.length, 0), confirmed=True), by=None, at=AT)
        played.append(event)
    return played


@pytest.fixture
def _small_parts(monkeypatch) -> None:
    """Count two matches at a time, rate three, so that lists of a few matches have many parts and checkpoints."""
    monkeypatch.setattr("matches.counting.AT_ONCE", 2)
    monkeypatch.setattr("matches.counting.AT_ONCE_ALONE", 3)
    monkeypatch.setattr("matches.checkpoints.SPACING", 3)


@contextmanager
def undone() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def require_equal(at: datetime) -> None:
    """Compare the stored list of each system, and what was counted, with what every score sheet says."""
    for slug in RATINGS:
        rate_matches(slug, at=at)
        lines, matches = replay_ratings(slug)
        stored = RankingList.objects.get(system=slug)
        assert (stored.matches, stored.computed_at) == (matches, at)
        assert list(stored.ratings.order_by("player_id").values_list("player_id", "value", "experience", "wins")) == [
            (line.player_id, line.value, line.experience, line.wins) for line in lines
        ]
    assert list(counted_matches(CountedMatch.objects.all())) == list(rated_matches())
    assert list(audit_rankings()) == []


def require_same_moves(chance: Random) -> None:
    """Compare the moves by a few changed matches with the difference of two whole lists."""
    stored = list(rated_matches())
    assert list(rated_now()) == stored
    before = chance.sample(stored, min(3, len(stored)))
    after = [*map(turned, before[:1]), *before[2:]]
    assert moves_between(before, after) == lists_with(stored, before, after)


EACH = [
    *("play", "delete_all", "restore_all", "delete", "restore", "bring", "play_long_ago", "correct", "void"),
    *("merge", "part", "delete", "delete", "restore", "delete_all", "restore_all", "void_free", "rule", "play"),
]
"""Every act, each where it can be done."""


@example(acts=[(act, True) for act in EACH], lot=1)
@example(acts=[(act, True) for act in EACH], lot=2)
@given(
    acts=st.lists(st.tuples(st.sampled_from(OFTEN), st.booleans()), min_size=6, max_size=14), lot=st.integers(0, 999)
)
@settings(max_examples=few(25))
@pytest.mark.usefixtures("_small_parts")
def test_a_continued_list_is_the_list_computed_whole(director, events, acts, lot):
    with undone():
        weekend = Weekend(director, lot)
        for name, is_rated in acts:
            weekend.act(name)
            require_same_moves(weekend.chance)
            if is_rated:
                require_equal(weekend.at + timedelta(seconds=30))
        require_equal(weekend.at + timedelta(seconds=30))
