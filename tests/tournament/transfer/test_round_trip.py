"""Exported, imported into an empty installation and exported again, an event has the same bytes."""

import pytest

from rules.score import Side
from tests.builders import build_event, open_matches, play_out, win
from tests.tournament.transfer.round_trip import exported, moved
from tournament.audit import audit_event
from tournament.formats import FORMATS
from tournament.models import Event
from tournament.transfer.judge import judge

pytestmark = pytest.mark.django_db


def holds_and_moves(event: Event) -> None:
    data = exported(event)
    assert [(fault.pointer, fault.message) for fault in judge(data).faults] == []
    assert moved(data) == data
    assert [str(one) for one in moved(data, audit_event)] == []


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_before_play_in_play_and_at_its_end(director, format):
    event = build_event(director, players=max(7, FORMATS[format].min_entrants), format=format, seed="")
    holds_and_moves(event)
    for match in open_matches(event)[:2]:
        win(match, Side.A, by=director)
    holds_and_moves(event)
    play_out(event)
    holds_and_moves(event)
