"""What a process keeps for the desk is what is stored, whatever happens in an event and whichever process does it."""

import os
from collections import OrderedDict

import pytest

from rules.score import Side
from tests.builders import build_director, build_event, open_matches, win
from tests.tournament.replay.test_random_hall import EVENTS, Hall
from tournament.hall import running
from tournament.hall.desk import take_desk
from tournament.hall.running import RunningEvent, read_running
from tournament.models import Tournament

EXAMPLES = int(os.environ.get("HALL_EXAMPLES", "1"))
STEPS = int(os.environ.get("HALL_STEPS", "14"))


def fresh(tournament: Tournament) -> tuple[RunningEvent, ...]:
    """What is read by a process that has nothing in its memory; this one keeps its own."""
    mine = running._kept.copy()
    running.forget_running()
    read = read_running(tournament)
    running._kept.clear()
    running._kept.update(mine)
    return read


@pytest.mark.django_db
@pytest.mark.parametrize("kind", EVENTS)
@pytest.mark.parametrize("seed", range(EXAMPLES))
def test_what_is_kept_for_the_desk_is_what_is_stored(kind, seed, monkeypatch, django_capture_on_commit_callbacks):
    memories = [OrderedDict(), OrderedDict()]
    hall = Hall(EVENTS[kind], seed, chained=kind == "chain")
    for step in range(STEPS):
        with django_capture_on_commit_callbacks(execute=True):
            hall.step()
        monkeypatch.setattr(running, "_kept", memories[hall.rng.random() < 0.3])
        tournament = hall.event.tournament
        assert read_running(tournament) == fresh(tournament), step
        take_desk(tournament, at=hall.at)
    assert len(set(hall.done)) > 1


@pytest.mark.django_db
@pytest.mark.parametrize("format", ["single-elimination", "swiss"])
def test_a_match_that_has_not_changed_is_the_same_value_as_before(format):
    event = build_event(build_director(), players=16, format=format)
    (before,) = read_running(event.tournament)
    played = open_matches(event)[0]
    win(played, Side.A)
    (after,) = read_running(event.tournament)
    known = {match.id: match for match in before.matches}
    assert [match.id for match in after.matches] == [match.id for match in before.matches if match.id != played.pk]
    assert all(match is known[match.id] for match in after.matches)
