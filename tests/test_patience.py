"""A writer waits for its turn, and leaves a thread to the readers meanwhile."""

from concurrent.futures import ThreadPoolExecutor
from itertools import count

import pytest

import config.patience
from config.patience import LONG_SECONDS, LOOK_SECONDS, Gate
from config.sqlite.waiting import PAGE_SECONDS, Writer
from tests.processes import PATIENCE_SECONDS


def test_the_gate_turns_away_only_while_everybody_inside_waits_for_the_database() -> None:
    gate, now = Gate(2, clock=lambda: 10.0), 10.0
    first, second, third = Writer(), Writer(), Writer()
    assert (gate.enter(first), gate.enter(second)) == (True, True)
    first.since = second.since = now - 2 * LONG_SECONDS
    assert not gate.enter(third)
    gate.leave(first)
    assert gate.enter(third)  # there is room
    gate.leave(second)
    assert gate.enter(first)


@pytest.mark.parametrize(("stuck", "seconds"), [(0, PAGE_SECONDS), (2, LONG_SECONDS)])
def test_nobody_waits_at_the_gate_without_end(monkeypatch, stuck: int, seconds: float) -> None:
    """Three are inside, some of whom wait for the database while the others compute."""
    monkeypatch.setattr(config.patience, "LOOK_SECONDS", 0.001)
    moments = count(10.0, 0.1)
    gate = Gate(3, clock=lambda: next(moments))
    inside = [Writer(since=1.0 if number < stuck else None) for number in range(3)]
    assert all(gate.enter(one) for one in inside)
    began = next(moments)
    with ThreadPoolExecutor(1) as other:
        entered = other.submit(gate.enter, Writer())
        try:
            assert not entered.result(10)
        finally:
            gate.leave(inside[0])
    assert seconds < next(moments) - began < seconds + 1


def test_a_writer_that_computes_turns_nobody_away() -> None:
    """Somebody who comes meanwhile waits for a place."""
    gate = Gate(1, clock=lambda: 10.0)
    slow, next_one = Writer(since=None), Writer()
    assert gate.enter(slow)
    with ThreadPoolExecutor(1) as other:
        entered = other.submit(gate.enter, next_one)
        with pytest.raises(TimeoutError):
            entered.result(4 * LOOK_SECONDS)
        gate.leave(slow)
        assert entered.result(PATIENCE_SECONDS)
