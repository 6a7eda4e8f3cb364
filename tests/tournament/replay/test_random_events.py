"""Whole events played at random: whatever is entered, corrected and taken back, everything still adds up."""

import random
from hashlib import sha256

from hypothesis import given, settings
from hypothesis import strategies as st

from matches.models import Conclusion, Match, SheetState
from players.errors import Conflict
from rules.score import Side
from tests.builders import AT, build_director, build_event, claim, random_games
from tests.fresh import ExampleTestCase
from tournament.audit import audit_event
from tournament.draw.standings import store_standings
from tournament.events.services import finish_event
from tournament.formats import FORMATS
from tournament.models import Event
from tournament.results.enter import enter_result, void_result
from tournament.snapshot import FixtureState, take_snapshot


def current_number(match: Match) -> int:
    sheet = match.sheets.filter(state__in=["live", "confirmed"]).first()
    return sheet.number if sheet else 0


def random_claim(match: Match, rng: random.Random, base: int):
    """Some games of a match, all of them, a final score, or an award."""
    games = random_games(match.length, rng)
    kind = rng.randrange(6)
    if kind == 0:
        return claim(base=base, games=games[: rng.randint(1, len(games))], confirmed=True)
    if kind == 1:
        loser = rng.randrange(match.length)
        final = (match.length, loser) if rng.random() < 0.5 else (loser, match.length)
        return claim(base=base, final=final)
    if kind == 2:
        conclusion = rng.choice([Conclusion.WALKOVER, Conclusion.FORFEIT])
        return claim(base=base, conclusion=conclusion, awarded_to=rng.choice(list(Side)))
    return claim(base=base, games=games, confirmed=True)


def change_something(event: Event, rng: random.Random) -> None:
    """Do one thing that a director might do to a match that can be played; a Conflict is an answer too."""
    matches = list(Match.objects.filter(fixture__stage__event=event).order_by("pk"))
    if not matches:
        return
    undecided = [match for match in matches if not match.sheets.filter(state=SheetState.CONFIRMED).exists()]
    match = rng.choice(undecided if undecided and rng.random() < 0.7 else matches)
    base = current_number(match)
    try:
        if base and rng.random() < 0.2:
            void_result(match, base=base, reason="as chance has it", by=None, at=AT)
        else:
            enter_result(match, claim=random_claim(match, rng, base), by=None, at=AT)
    except Conflict as conflict:
        if conflict.code != "later_match_begun":
            raise


def drawn_event(players: int, format: str, lengths: tuple[int, ...], seed: int) -> Event:
    players = max(players, FORMATS[format].min_entrants)
    return build_event(build_director(), players=players, format=format, lengths=lengths, seed=str(seed))


class RandomEvents(ExampleTestCase):
    @settings(max_examples=15)
    @given(
        players=st.integers(2, 12),
        format=st.sampled_from(list(FORMATS)),
        changes=st.integers(0, 25),
        seed=st.integers(0, 2**32),
    )
    def test_everything_adds_up_after_random_changes(self, players, format, changes, seed):
        rng = random.Random(seed)
        event = drawn_event(players, format, (5, 3), seed)
        for _change in range(changes):
            change_something(event, rng)
        store_standings(event.pk)
        assert list(audit_event(event)) == []

    @settings(max_examples=6)
    @given(players=st.integers(2, 20), format=st.sampled_from(list(FORMATS)), seed=st.integers())
    def test_event_played_to_its_end_has_a_place_for_everybody(self, players, format, seed):
        rng = random.Random(seed)
        event = drawn_event(players, format, (3,), seed)
        while take_snapshot(event.pk).stage.in_state(FixtureState.READY, FixtureState.LIVE, FixtureState.WAITING):
            change_something(event, rng)
        finish_event(event, by=None, at=AT)
        store_standings(event.pk)
        stage = take_snapshot(event.pk).stage
        places = [(line.place, line.place_to) for line in stage.standings]
        assert min(places)[0] == 1
        assert [places.count((place, to)) for place, to in places] == [to - place + 1 for place, to in places]
        assert sha256(stage.seed.encode()).hexdigest() == stage.seed_hash
        assert list(audit_event(event)) == []
