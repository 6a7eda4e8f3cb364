"""A draw that was read is freed with its last reference: nothing of it is left to the garbage collector."""

import gc
from collections.abc import Callable

import pytest

from rules.score import Side
from tests.builders import AT, build_event, open_matches, win
from tournament.draw.chain import load_chain
from tournament.draw.standings import store_standings
from tournament.hall.calling import call_match
from tournament.hall.desk import take_desk
from tournament.hall.tables import add_tables
from tournament.models import Event
from tournament.snapshot import take_snapshot

READINGS: dict[str, Callable[[Event], object]] = {
    "chain": load_chain,
    "snapshot": lambda event: take_snapshot(event.pk),
    "desk": lambda event: take_desk(event.tournament, at=AT),
}


def left_over(read: Callable[[Event], object], event: Event) -> int:
    """How many objects of a second reading are left to the garbage collector."""
    read(event)
    gc.collect()
    gc.disable()
    try:
        read(event)
        return gc.collect()
    finally:
        gc.enable()


@pytest.mark.parametrize("name", READINGS)
def test_reading_a_larger_draw_leaves_no_more_behind(director, name):
    left = []
    for players in (8, 64):
        event = build_event(director, players=players, name=f"Of {players}")
        add_tables(event.tournament, first=1, last=4, by=director, at=AT)
        first, second, *_rest = open_matches(event)
        call_match(first, by=director, at=AT)
        win(second, Side.A, by=director)
        store_standings(event.pk)
        left.append(left_over(READINGS[name], Event.objects.get(pk=event.pk)))
    assert left[1] - left[0] < 8, left
